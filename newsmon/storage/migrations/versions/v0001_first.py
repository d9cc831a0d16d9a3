"""The first schema.

Revision ID: 0001
"""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

utc_time = sa.DateTime(timezone=True).with_variant(sa.String(32), "sqlite")
big_id = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """Create all tables."""
    _queues()
    _articles()
    _search()


def downgrade() -> None:
    """Drop all tables, and with them everything that was collected."""
    for table in ("search", "robots", "revisions", "document_keys", "documents", "frontier", "feeds", "hosts", "sites"):
        op.drop_table(table)


def _search() -> None:
    if op.get_bind().dialect.name == "sqlite":
        op.execute("CREATE VIRTUAL TABLE search USING fts5(title, text, content='', tokenize='unicode61')")
        return
    op.execute(
        "CREATE TABLE search (document_id bigint PRIMARY KEY REFERENCES documents (id), words tsvector NOT NULL)"
    )
    op.execute("CREATE INDEX ix_search_words ON search USING gin (words)")


def _queues() -> None:
    op.create_table(
        "hosts",
        sa.Column("host", sa.Text(), nullable=False),
        sa.Column("owner", sa.Text()),
        sa.Column("lease_until", utc_time),
        sa.Column("last_fetch", utc_time),
        sa.PrimaryKeyConstraint("host", name="pk_hosts"),
        sqlite_with_rowid=False,
    )
    op.create_index(
        "ix_hosts_owned",
        "hosts",
        ["owner"],
        sqlite_where=sa.text("owner IS NOT NULL"),
        postgresql_where=sa.text("owner IS NOT NULL"),
    )
    op.create_table(
        "robots",
        sa.Column("origin", sa.Text(), nullable=False),
        sa.Column("status", sa.Integer()),
        sa.Column("body", sa.LargeBinary(), nullable=False),
        sa.Column("fetched_at", utc_time, nullable=False),
        sa.Column("max_age", sa.Float()),
        sa.Column("failure", sa.Text()),
        sa.Column("unreachable_since", utc_time),
        sa.Column("tried_at", utc_time),
        sa.Column("retry_after", sa.Float()),
        sa.PrimaryKeyConstraint("origin", name="pk_robots"),
    )
    op.create_table(
        "sites",
        sa.Column("domain", sa.Text(), nullable=False),
        sa.Column("name", sa.Text()),
        sa.Column("active", sa.Boolean(), nullable=False),
        sa.Column("rule_error", sa.Text()),
        sa.PrimaryKeyConstraint("domain", name="pk_sites"),
    )
    op.create_table(
        "feeds",
        sa.Column("id", big_id, nullable=False),
        sa.Column("listed_url", sa.Text(), nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("host", sa.Text(), nullable=False),
        sa.Column("site", sa.Text(), nullable=False),
        sa.Column("policy", sa.Text()),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("owner", sa.Text()),
        sa.Column("next_poll", utc_time, nullable=False),
        sa.Column("poll_state", sa.Text()),
        sa.Column("etag", sa.Text()),
        sa.Column("last_modified", sa.Text()),
        sa.Column("body_sha256", sa.Text()),
        sa.Column("http_status", sa.Integer()),
        sa.Column("feed_state", sa.Text()),
        sa.Column("last_poll", utc_time),
        sa.Column("last_success", utc_time),
        sa.Column("last_new", utc_time),
        sa.Column("error", sa.Text()),
        sa.Column("error_since", utc_time),
        sa.Column("errors", sa.Integer(), server_default="0", nullable=False),
        sa.ForeignKeyConstraint(["host"], ["hosts.host"], name="fk_feeds_host"),
        sa.ForeignKeyConstraint(["site"], ["sites.domain"], name="fk_feeds_site"),
        sa.PrimaryKeyConstraint("id", name="pk_feeds"),
        sa.UniqueConstraint("listed_url", name="uq_feeds_listed_url"),
    )
    op.create_index("ix_feeds_host", "feeds", ["host"])
    op.create_index("ix_feeds_next_poll", "feeds", ["next_poll"])
    op.create_table(
        "frontier",
        sa.Column("id", big_id, nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("host", sa.Text(), nullable=False),
        sa.Column("site", sa.Text(), nullable=False),
        sa.Column("feed_id", big_id),
        sa.Column("entry", sa.Text()),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("owner", sa.Text()),
        sa.Column("due", utc_time, nullable=False),
        sa.Column("attempts", sa.Integer(), server_default="0", nullable=False),
        sa.Column("outcome", sa.Text()),
        sa.Column("reason", sa.Text()),
        sa.Column("document_id", big_id),
        sa.Column("revision_of", big_id),
        sa.Column("updated", utc_time),
        sa.Column("discovered_at", utc_time, nullable=False),
        sa.Column("done_at", utc_time),
        sa.ForeignKeyConstraint(["feed_id"], ["feeds.id"], name="fk_frontier_feed_id"),
        sa.ForeignKeyConstraint(["host"], ["hosts.host"], name="fk_frontier_host"),
        sa.ForeignKeyConstraint(["site"], ["sites.domain"], name="fk_frontier_site"),
        sa.PrimaryKeyConstraint("id", name="pk_frontier"),
        sa.UniqueConstraint("key", name="uq_frontier_key"),
    )
    op.create_index(
        "ix_frontier_leased",
        "frontier",
        ["host", "owner"],
        sqlite_where=sa.text("state = 'leased'"),
        postgresql_where=sa.text("state = 'leased'"),
    )
    op.create_index(
        "ix_frontier_pending",
        "frontier",
        ["host", "due"],
        sqlite_where=sa.text("state = 'pending'"),
        postgresql_where=sa.text("state = 'pending'"),
    )


def _articles() -> None:
    op.create_table(
        "documents",
        sa.Column("id", big_id, nullable=False),
        sa.Column("frontier_id", big_id, nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("final_url", sa.Text(), nullable=False),
        sa.Column("canonical_url", sa.Text()),
        sa.Column("site", sa.Text(), nullable=False),
        sa.Column("feed", sa.Text()),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("title", sa.Text()),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("summary", sa.Text()),
        sa.Column("authors", sa.JSON(), nullable=False),
        sa.Column("published", utc_time),
        sa.Column("modified", utc_time),
        sa.Column("language", sa.Text()),
        sa.Column("image", sa.Text()),
        sa.Column("section", sa.Text()),
        sa.Column("tags", sa.JSON(), nullable=False),
        sa.Column("paywalled", sa.Boolean()),
        sa.Column("method", sa.Text(), nullable=False),
        sa.Column("rule_version", sa.Text()),
        sa.Column("origins", sa.JSON(), nullable=False),
        sa.Column("reason", sa.Text()),
        sa.Column("status", sa.Integer(), nullable=False),
        sa.Column("rendered", sa.Boolean(), nullable=False),
        sa.Column("fetched_at", utc_time, nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("text_sha256", sa.Text(), nullable=False),
        sa.Column("robots_allowed", sa.Boolean()),
        sa.Column("robots_reason", sa.Text()),
        sa.Column("robots_sha256", sa.Text()),
        sa.Column("robots_fetched_at", utc_time),
        sa.Column("archive_file", sa.Text()),
        sa.Column("archive_offset", sa.BigInteger()),
        sa.Column("archive_length", sa.BigInteger()),
        sa.ForeignKeyConstraint(["frontier_id"], ["frontier.id"], name="fk_documents_frontier_id"),
        sa.PrimaryKeyConstraint("id", name="pk_documents"),
        sa.UniqueConstraint("frontier_id", name="uq_documents_frontier_id"),
    )
    op.create_index("ix_documents_site_kind_fetched_at", "documents", ["site", "kind", "fetched_at"])
    op.create_table(
        "document_keys",
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("document_id", big_id, nullable=False),
        sa.ForeignKeyConstraint(["document_id"], ["documents.id"], name="fk_document_keys_document_id"),
        sa.PrimaryKeyConstraint("key", name="pk_document_keys"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "revisions",
        sa.Column("document_id", big_id, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("title", sa.Text()),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("text_sha256", sa.Text(), nullable=False),
        sa.Column("modified", utc_time),
        sa.Column("fetched_at", utc_time, nullable=False),
        sa.Column("archive_file", sa.Text()),
        sa.Column("archive_offset", sa.BigInteger()),
        sa.Column("archive_length", sa.BigInteger()),
        sa.ForeignKeyConstraint(["document_id"], ["documents.id"], name="fk_revisions_document_id"),
        sa.PrimaryKeyConstraint("document_id", "number", name="pk_revisions"),
    )

"""The tables.

::

    sites --< feeds --< frontier >-- hosts        who is asked for what, when, and by which process
                           |
                       documents --< document_keys    every address an article is known under
                           |  |---< revisions         what an edited article said before
                         search                       full text (FTS5 or tsvector), see search.py
    robots                                            robots.txt by origin

A frontier row is the life of one URL; ``hosts.owner`` says which process may fetch from a host until ``lease_until``.
The order in which transactions lock is hosts, feeds, frontier.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa
from sqlalchemy.types import TypeDecorator, TypeEngine

if TYPE_CHECKING:
    from sqlalchemy.engine import Dialect


class UtcTime(TypeDecorator[datetime]):
    """An aware time: ``timestamptz`` on PostgreSQL, ISO 8601 text of fixed width on SQLite, which sorts by time."""

    impl = sa.String(32)
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        """Choose the column type."""
        kind: TypeEngine[Any] = sa.DateTime(timezone=True) if dialect.name == "postgresql" else sa.String(32)
        return dialect.type_descriptor(kind)

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> Any:
        """Refuse naive times; bring the others to UTC."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError(f"a time without a zone cannot be stored: {value!r}")
        value = value.astimezone(UTC)
        return value if dialect.name == "postgresql" else value.isoformat(timespec="microseconds")

    def process_result_value(self, value: Any, dialect: Dialect) -> datetime | None:
        """Give aware UTC times."""
        if value is None:
            return None
        return value.astimezone(UTC) if dialect.name == "postgresql" else datetime.fromisoformat(value)


metadata = sa.MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)

BigId = sa.BigInteger().with_variant(sa.Integer, "sqlite")  # SQLite counts up only INTEGER primary keys

sites = sa.Table(
    "sites",
    metadata,
    sa.Column("domain", sa.Text, primary_key=True),
    sa.Column("name", sa.Text),
    sa.Column("active", sa.Boolean, nullable=False),
    sa.Column("rule_error", sa.Text),
)

hosts = sa.Table(
    "hosts",
    metadata,
    sa.Column("host", sa.Text, primary_key=True),
    sa.Column("owner", sa.Text),
    sa.Column("lease_until", UtcTime),
    sa.Column("last_fetch", UtcTime),
    sqlite_with_rowid=False,
)
# Partial indexes: most hosts belong to nobody, and most URLs are done and never looked for by host again.
OWNED = hosts.c.owner.is_not(None)
sa.Index("ix_hosts_owned", hosts.c.owner, sqlite_where=OWNED, postgresql_where=OWNED)

feeds = sa.Table(
    "feeds",
    metadata,
    sa.Column("id", BigId, primary_key=True),
    sa.Column("listed_url", sa.Text, nullable=False, unique=True),
    sa.Column("url", sa.Text, nullable=False),
    sa.Column("host", sa.Text, sa.ForeignKey("hosts.host"), nullable=False),
    sa.Column("site", sa.Text, sa.ForeignKey("sites.domain"), nullable=False),
    sa.Column("policy", sa.Text),
    sa.Column("status", sa.Text, nullable=False),
    sa.Column("owner", sa.Text),
    sa.Column("next_poll", UtcTime, nullable=False),
    sa.Column("poll_state", sa.Text),
    sa.Column("etag", sa.Text),
    sa.Column("last_modified", sa.Text),
    sa.Column("body_sha256", sa.Text),
    sa.Column("http_status", sa.Integer),
    sa.Column("feed_state", sa.Text),
    sa.Column("last_poll", UtcTime),
    sa.Column("last_success", UtcTime),
    sa.Column("last_new", UtcTime),
    sa.Column("error", sa.Text),
    sa.Column("error_since", UtcTime),
    sa.Column("errors", sa.Integer, nullable=False, server_default="0"),
    sa.Index("ix_feeds_next_poll", "next_poll"),
    sa.Index("ix_feeds_host", "host"),
)

frontier = sa.Table(
    "frontier",
    metadata,
    sa.Column("id", BigId, primary_key=True),
    sa.Column("key", sa.Text, nullable=False, unique=True),
    sa.Column("url", sa.Text, nullable=False),
    sa.Column("host", sa.Text, sa.ForeignKey("hosts.host"), nullable=False),
    sa.Column("site", sa.Text, sa.ForeignKey("sites.domain"), nullable=False),
    sa.Column("feed_id", BigId, sa.ForeignKey("feeds.id")),
    sa.Column("entry", sa.Text),
    sa.Column("state", sa.Text, nullable=False),
    sa.Column("owner", sa.Text),
    sa.Column("due", UtcTime, nullable=False),
    sa.Column("attempts", sa.Integer, nullable=False, server_default="0"),
    sa.Column("outcome", sa.Text),
    sa.Column("reason", sa.Text),
    sa.Column("document_id", BigId),
    sa.Column("revision_of", BigId),
    sa.Column("updated", UtcTime),
    sa.Column("discovered_at", UtcTime, nullable=False),
    sa.Column("done_at", UtcTime),
)
PENDING = frontier.c.state == sa.literal_column("'pending'")
LEASED = frontier.c.state == sa.literal_column("'leased'")
sa.Index("ix_frontier_pending", frontier.c.host, frontier.c.due, sqlite_where=PENDING, postgresql_where=PENDING)
sa.Index("ix_frontier_leased", frontier.c.host, frontier.c.owner, sqlite_where=LEASED, postgresql_where=LEASED)

documents = sa.Table(
    "documents",
    metadata,
    sa.Column("id", BigId, primary_key=True),
    sa.Column("frontier_id", BigId, sa.ForeignKey("frontier.id"), nullable=False, unique=True),
    sa.Column("url", sa.Text, nullable=False),
    sa.Column("final_url", sa.Text, nullable=False),
    sa.Column("canonical_url", sa.Text),
    sa.Column("site", sa.Text, nullable=False),
    sa.Column("feed", sa.Text),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("title", sa.Text),
    sa.Column("text", sa.Text, nullable=False),
    sa.Column("summary", sa.Text),
    sa.Column("authors", sa.JSON, nullable=False),
    sa.Column("published", UtcTime),
    sa.Column("modified", UtcTime),
    sa.Column("language", sa.Text),
    sa.Column("image", sa.Text),
    sa.Column("section", sa.Text),
    sa.Column("tags", sa.JSON, nullable=False),
    sa.Column("paywalled", sa.Boolean),
    sa.Column("method", sa.Text, nullable=False),
    sa.Column("rule_version", sa.Text),
    sa.Column("origins", sa.JSON, nullable=False),
    sa.Column("reason", sa.Text),
    sa.Column("status", sa.Integer, nullable=False),
    sa.Column("rendered", sa.Boolean, nullable=False),
    sa.Column("fetched_at", UtcTime, nullable=False),
    sa.Column("revision", sa.Integer, nullable=False),
    sa.Column("text_sha256", sa.Text, nullable=False),
    sa.Column("robots_allowed", sa.Boolean),
    sa.Column("robots_reason", sa.Text),
    sa.Column("robots_sha256", sa.Text),
    sa.Column("robots_fetched_at", UtcTime),
    sa.Column("archive_file", sa.Text),
    sa.Column("archive_offset", sa.BigInteger),
    sa.Column("archive_length", sa.BigInteger),
    sa.Column("roles", sa.JSON(none_as_null=True)),  # see roles.py
    sa.Column("confidence", sa.Float),
    sa.Index("ix_documents_site_kind_fetched_at", "site", "kind", "fetched_at"),
)

document_keys = sa.Table(
    "document_keys",
    metadata,
    sa.Column("key", sa.Text, primary_key=True),
    sa.Column("document_id", BigId, sa.ForeignKey("documents.id"), nullable=False),
    sqlite_with_rowid=False,
)

revisions = sa.Table(
    "revisions",
    metadata,
    sa.Column("document_id", BigId, sa.ForeignKey("documents.id"), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("title", sa.Text),
    sa.Column("text", sa.Text, nullable=False),
    sa.Column("text_sha256", sa.Text, nullable=False),
    sa.Column("modified", UtcTime),
    sa.Column("fetched_at", UtcTime, nullable=False),
    sa.Column("archive_file", sa.Text),
    sa.Column("archive_offset", sa.BigInteger),
    sa.Column("archive_length", sa.BigInteger),
)

robots = sa.Table(
    "robots",
    metadata,
    sa.Column("origin", sa.Text, primary_key=True),
    sa.Column("status", sa.Integer),
    sa.Column("body", sa.LargeBinary, nullable=False),
    sa.Column("fetched_at", UtcTime, nullable=False),
    sa.Column("max_age", sa.Float),
    sa.Column("failure", sa.Text),
    sa.Column("unreachable_since", UtcTime),
    sa.Column("tried_at", UtcTime),
    sa.Column("retry_after", sa.Float),
)

"""What the paragraphs of a text are, and how sure extraction was of it.

Revision ID: 0002
"""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Add the columns; of what is stored already neither is known."""
    op.add_column("documents", sa.Column("roles", sa.JSON()))
    op.add_column("documents", sa.Column("confidence", sa.Float()))


def downgrade() -> None:
    """Drop the columns."""
    op.drop_column("documents", "confidence")
    op.drop_column("documents", "roles")

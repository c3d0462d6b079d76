"""Tables and the entries of their journals."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "tables",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("opened_at", sa.BigInteger, nullable=False),
        sa.Column("touched_at", sa.BigInteger, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("phase", sa.Text, nullable=False),
        sa.Column("computer", sa.Boolean, nullable=False),
        sa.Column("due", sa.BigInteger),
    )
    op.create_table(
        "entries",
        sa.Column(
            "table_id", sa.Text, sa.ForeignKey("tables.id", ondelete="CASCADE"), nullable=False
        ),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("event", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("table_id", "version"),
        sqlite_with_rowid=False,
    )
    _create_partial_index("tables_due", "due", "due IS NOT NULL")
    _create_partial_index("tables_computer", "touched_at", "computer", "computer = 1")
    _create_partial_index("tables_open", "touched_at", "phase = 'open'")


def _create_partial_index(name: str, column: str, where: str, sqlite: str | None = None) -> None:
    op.create_index(
        name,
        "tables",
        [column],
        postgresql_where=sa.text(where),
        sqlite_where=sa.text(sqlite or where),
    )

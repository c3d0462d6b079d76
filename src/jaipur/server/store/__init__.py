"""The event store: tables and their event logs in SQLite or PostgreSQL."""

"""The event store: tables and their events in SQLite or PostgreSQL."""

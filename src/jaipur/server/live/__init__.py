"""Live tables in this process: loading, locking, subscribers, background jobs and pub/sub between processes."""

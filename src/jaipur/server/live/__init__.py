"""The live tables of this process: loading, locking, subscribers, background jobs and pub/sub between processes."""

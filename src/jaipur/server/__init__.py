"""Serves tables over HTTP: routes, live tables, event store, worker processes. The package `table` checks commands."""

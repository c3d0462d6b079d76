"""Tables over HTTP: routes, live tables, event store and worker processes. The package `table` validates commands."""

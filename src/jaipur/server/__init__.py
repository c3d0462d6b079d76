"""Tables over HTTP: routes, live tables, event store and worker processes. `table` decides what may happen."""

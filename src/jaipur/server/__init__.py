"""Tables over HTTP: it translates, keeps and tells; what may happen at a table is decided in `table`."""

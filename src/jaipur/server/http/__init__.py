"""The HTTP API, the event streams, the wire types, the rate limits and the pages of the browser client."""

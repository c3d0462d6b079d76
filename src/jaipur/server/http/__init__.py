"""The HTTP API, server-sent event streams, wire types, rate limits and the built browser pages."""

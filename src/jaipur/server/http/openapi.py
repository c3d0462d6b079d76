"""`python -m jaipur.server.http.openapi` prints the OpenAPI document. scripts/schema generates TypeScript from it."""

import sys

import msgspec

from jaipur.server.app import application
from jaipur.server.settings import Settings


def openapi_document() -> bytes:
    """Return the OpenAPI document that the server serves, indented. This opens no database."""
    app = application(Settings(database="")).app
    return msgspec.json.format(msgspec.json.encode(app.openapi_schema.to_schema()))


if __name__ == "__main__":
    sys.stdout.buffer.write(openapi_document())

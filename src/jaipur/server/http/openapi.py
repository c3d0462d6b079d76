"""`python -m jaipur.server.http.openapi` prints the API's OpenAPI document, from which the browser's types are made."""

import sys

import msgspec
from litestar import Litestar

from jaipur.server.app import application
from jaipur.server.settings import Settings


def document() -> bytes:
    """The document as it is served, folded; nothing is opened for it."""
    app = application(Settings(database=""))
    inner = getattr(app, "_app", None)
    assert isinstance(inner, Litestar), "the doorway stands before the application"
    return msgspec.json.format(msgspec.json.encode(inner.openapi_schema.to_schema()))


if __name__ == "__main__":
    sys.stdout.buffer.write(document())

"""The browser table: the built pages, kept in memory and served with their own strict policy.

Every file but the first page carries a digest in its name and never changes, so that it may be kept for ever. The pages
know no address of their own: they ask for everything relative to where they are shown.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from litestar import Request, Response, get
from litestar.datastructures import State
from litestar.exceptions import NotFoundException
from litestar.params import FromPath

NOT_BUILT = "The pages are not built: run ./jaipur once, or python web/build.py.\n"

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)

_FOREVER = "public, max-age=31536000, immutable"
_TYPES = {
    "css": "text/css",
    "js": "text/javascript",
    "json": "application/json",
    "png": "image/png",
    "svg": "image/svg+xml",
    "webmanifest": "application/manifest+json",
    "woff2": "font/woff2",
}
_CODINGS = {"br": ".br", "gzip": ".gz"}
"""The compressed forms, the smallest first, and how their files are called."""


@dataclass(frozen=True, slots=True)
class Pages:
    index: str
    assets: Mapping[str, bytes]


@cache
def pages() -> Pages | None:
    """The pages as they were built, or None where they were not."""
    folder = files("jaipur.server") / "pages"
    if not (folder / "index.html").is_file():
        return None
    assets = {file.name: file.read_bytes() for file in (folder / "assets").iterdir()}
    return Pages((folder / "index.html").read_text("utf-8"), assets)


@get(["/", "/rules", "/t/{table:str}"], include_in_schema=False)
async def index(request: Request[None, None, State]) -> Response[str]:
    """The first page, the same at every address but for the way to its files."""
    built = pages()
    if built is None:
        return Response(NOT_BUILT, status_code=503, media_type="text/plain")
    asked = request.scope["raw_path"].decode("latin-1")
    below = asked.removeprefix(request.scope.get("root_path", "")).count("/") - 1
    return Response(
        built.index.replace('"./', '"' + ("../" * below or "./")),
        media_type="text/html",
        headers={"cache-control": "no-cache", "content-security-policy": POLICY},
    )


@get("/assets/{name:str}", include_in_schema=False)
async def asset(request: Request[None, None, State], name: FromPath[str]) -> Response[bytes]:
    """A file of the pages, compressed where the browser takes it so."""
    built = pages()
    media_type = _TYPES.get(name.rpartition(".")[2])
    if built is None or media_type is None or name not in built.assets:
        raise NotFoundException
    headers = {"cache-control": _FOREVER, "vary": "accept-encoding"}
    coding = _coding(request.headers.get("accept-encoding", ""), name, built.assets)
    if coding is not None:
        name += _CODINGS[coding]
        headers["content-encoding"] = coding
    return Response(built.assets[name], media_type=media_type, headers=headers)


def _coding(accepted: str, name: str, assets: Mapping[str, bytes]) -> str | None:
    """The best form that there is and that is accepted; no browser gives weights to them."""
    wanted = {coding.strip() for coding in accepted.lower().split(",")}
    return next((c for c, end in _CODINGS.items() if c in wanted and name + end in assets), None)

"""Serves the built browser client from memory, with its own content security policy.

Files in assets/ have a hash of their content in their names. Browsers cache them forever. Browsers ask for the index
page and the few files with fixed names on every visit. All links are relative, so any URL prefix works.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from litestar import Response, get
from litestar.exceptions import NotFoundException
from litestar.params import FromPath

from jaipur.server.http.identity import AppRequest
from jaipur.server.http.language import preferred_language
from jaipur.server.http.problems import Problem, handle_error
from jaipur.words import LANGUAGES

NOT_BUILT = "The pages are not built: run ./jaipur once, or python web/build.py.\n"

PAGE_CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)

FIXED_FILES = ("icon-192.png", "icon-512.png", "icon.svg", "manifest.webmanifest", "worker.js")
"""The files with fixed names. The installable app needs them besides the index page."""

_CACHE_FOREVER = "public, max-age=31536000, immutable"
_MEDIA_TYPES = {
    "css": "text/css",
    "js": "text/javascript",
    "json": "application/json",
    "png": "image/png",
    "svg": "image/svg+xml",
    "webmanifest": "application/manifest+json",
    "woff2": "font/woff2",
}
_MAX_DEPTH = 20
"""Every link grows with the depth, and a path can have 30,000 slashes. Links from deeper paths do not work."""
_ENCODINGS = {"br": ".br", "gzip": ".gz"}
"""Content encodings and the suffixes of their files. The encoding with the smallest files comes first."""


@dataclass(frozen=True, slots=True)
class Pages:
    index: str
    words: Mapping[str, str]
    """By language: the name of the script file that contains the texts of the language."""
    files: Mapping[str, bytes]
    """By path: the fixed files and the files in assets/."""


@cache
def load_pages() -> Pages | None:
    """Return the built pages, or None if they have not been built."""
    folder = files("jaipur.server") / "static"
    if not (folder / "index.html").is_file():
        return None
    paths = [folder / name for name in FIXED_FILES if (folder / name).is_file()]
    contents = {path.name: path.read_bytes() for path in paths}
    words = {}
    for path in (folder / "assets").iterdir():
        contents[f"assets/{path.name}"] = path.read_bytes()
        if path.name.endswith(".js") and path.name.partition("-")[0] in LANGUAGES:
            words[path.name[:2]] = path.name
    return Pages((folder / "index.html").read_text("utf-8"), words, contents)


@get(["/", "/rules", "/t/{table:str}"], include_in_schema=False)
async def index_page(request: AppRequest) -> Response[str]:
    pages = load_pages()
    if pages is None:
        return Response(NOT_BUILT, status_code=503, media_type="text/plain")
    return _render_index(request, pages)


def not_found(request: AppRequest, error: NotFoundException) -> Response[str] | Response[Problem]:
    """Handle the status 404. Browsers get the index page, and other clients get a `Problem`."""
    response = handle_error(request, error)
    pages = load_pages()
    if pages is None or "text/html" not in request.headers.get("accept", ""):
        return response
    page = _render_index(request, pages)
    page.status_code = response.status_code
    return page


def _render_index(request: AppRequest, pages: Pages) -> Response[str]:
    """Return the index page in the client's language. Its relative links fit the depth of the requested path."""
    path = request.scope["raw_path"].decode("latin-1")
    language = preferred_language(request.headers.get("accept-language", ""))
    preload = f'<link rel="modulepreload" href="./assets/{pages.words[language]}" />'
    html = pages.index.replace('<html lang="en">', f'<html lang="{language}">')
    depth = min(path.removeprefix(request.scope.get("root_path", "")).count("/") - 1, _MAX_DEPTH)
    return Response(
        html.replace("</head>", f"{preload}</head>").replace('"./', '"' + ("../" * depth or "./")),
        media_type="text/html",
        headers={
            "cache-control": "no-cache",
            "content-security-policy": PAGE_CSP,
            "vary": "accept-language",
        },
    )


@get(["/assets/{name:str}", *(f"/{name}" for name in FIXED_FILES)], include_in_schema=False)
async def static_file(request: AppRequest, name: FromPath[str | None] = None) -> Response[bytes]:
    path = request.scope["path"].rpartition("/")[2] if name is None else f"assets/{name}"
    pages, media_type = load_pages(), _MEDIA_TYPES.get(path.rpartition(".")[2])
    if pages is None or media_type is None or path not in pages.files:
        raise NotFoundException
    if name is None:
        # A service worker uses the content security policy of its own response.
        headers = {"cache-control": "no-cache", "content-security-policy": PAGE_CSP}
        return Response(pages.files[path], media_type=media_type, headers=headers)
    headers = {"cache-control": _CACHE_FOREVER, "vary": "accept-encoding"}
    # Browsers send no weights in Accept-Encoding, so weights are not parsed.
    accepted = [
        each.strip() for each in request.headers.get("accept-encoding", "").lower().split(",")
    ]
    for encoding, suffix in _ENCODINGS.items():
        if encoding in accepted and path + suffix in pages.files:
            path += suffix
            headers["content-encoding"] = encoding
            break
    return Response(pages.files[path], media_type=media_type, headers=headers)


HANDLERS = [index_page, static_file]

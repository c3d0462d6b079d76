"""The browser table: the built pages, kept in memory and served with their own strict policy.

A file below assets/ carries a digest in its name and never changes, so that it may be kept for ever. The first page and
the few files that browsers look for by name are asked for every time. The pages know no address of their own: they ask
for everything relative to where they are shown.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from litestar import Request, Response, get
from litestar.datastructures import State
from litestar.exceptions import NotFoundException
from litestar.params import FromPath

from jaipur.server.http.problems import Problem, answer, language_of
from jaipur.words import LANGUAGES

NOT_BUILT = "The pages are not built: run ./jaipur once, or python web/build.py.\n"

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)

PLAIN = ("icon-192.png", "icon-512.png", "icon.svg", "manifest.webmanifest", "worker.js")
"""What makes the table an app: found beside the first page, under these very names."""

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
    words: Mapping[str, str]
    """By language, the file of its words."""
    plain: Mapping[str, bytes]
    assets: Mapping[str, bytes]


@cache
def pages() -> Pages | None:
    """The pages as they were built, or None where they were not."""
    folder = files("jaipur.server") / "static"
    if not (folder / "index.html").is_file():
        return None
    assets = {file.name: file.read_bytes() for file in (folder / "assets").iterdir()}
    plain = {name: (folder / name).read_bytes() for name in PLAIN if (folder / name).is_file()}
    scripts = [name for name in assets if _end_of(name) == "js"]
    words = {name[:2]: name for name in scripts if name.partition("-")[0] in LANGUAGES}
    return Pages((folder / "index.html").read_text("utf-8"), words, plain, assets)


@get(["/", "/rules", "/t/{table:str}"], include_in_schema=False)
async def index(request: Request[None, None, State]) -> Response[str]:
    built = pages()
    if built is None:
        return Response(NOT_BUILT, status_code=503, media_type="text/plain")
    return _page(request, built)


def nowhere(
    request: Request[None, None, State], error: NotFoundException
) -> Response[str] | Response[Problem]:
    """What is said where there is nothing: to a browser by the page itself, to everybody else in a sentence."""
    said = answer(request, error)
    built = pages()
    if built is None or "text/html" not in request.headers.get("accept", ""):
        return said
    page = _page(request, built)
    page.status_code = said.status_code
    return page


def _page(request: Request[None, None, State], built: Pages) -> Response[str]:
    """The first page, the same at every address but for the way to its files and the words that it will ask for."""
    asked = request.scope["raw_path"].decode("latin-1")
    language = language_of(request.headers.get("accept-language", ""))
    words = f'<link rel="modulepreload" href="./assets/{built.words[language]}" />'
    page = built.index.replace('<html lang="en">', f'<html lang="{language}">')
    below = asked.removeprefix(request.scope.get("root_path", "")).count("/") - 1
    return Response(
        page.replace("</head>", f"{words}</head>").replace('"./', '"' + ("../" * below or "./")),
        media_type="text/html",
        headers={
            "cache-control": "no-cache",
            "content-security-policy": POLICY,
            "vary": "accept-language",
        },
    )


@get(["/assets/{name:str}", *(f"/{name}" for name in PLAIN)], include_in_schema=False)
async def asset(
    request: Request[None, None, State], name: FromPath[str | None] = None
) -> Response[bytes]:
    """A file of the pages: below assets/ by its name, or one that lies beside the first page."""
    built = pages()
    if built is None:
        raise NotFoundException
    if name is None:
        return _plain(request.scope["path"].rpartition("/")[2], built.plain)
    return _kept(name, built.assets, request.headers.get("accept-encoding", ""))


def _plain(name: str, plain: Mapping[str, bytes]) -> Response[bytes]:
    if name not in plain:
        raise NotFoundException
    # A worker asks for pages itself, and lives under the policy it came with.
    headers = {"cache-control": "no-cache", "content-security-policy": POLICY}
    return Response(plain[name], media_type=_TYPES[_end_of(name)], headers=headers)


def _kept(name: str, assets: Mapping[str, bytes], accepted: str) -> Response[bytes]:
    """Compressed where the browser takes it so."""
    media_type = _TYPES.get(_end_of(name))
    if media_type is None or name not in assets:
        raise NotFoundException
    headers = {"cache-control": _FOREVER, "vary": "accept-encoding"}
    coding = _coding(accepted, name, assets)
    if coding is not None:
        name += _CODINGS[coding]
        headers["content-encoding"] = coding
    return Response(assets[name], media_type=media_type, headers=headers)


def _end_of(name: str) -> str:
    return name.rpartition(".")[2]


def _coding(accepted: str, name: str, assets: Mapping[str, bytes]) -> str | None:
    """The best form that there is and that is accepted; no browser gives weights to them."""
    wanted = {coding.strip() for coding in accepted.lower().split(",")}
    return next((c for c, end in _CODINGS.items() if c in wanted and name + end in assets), None)

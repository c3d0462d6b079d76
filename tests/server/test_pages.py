"""The pages as a browser gets them: a real server, its headers, and the built files behind them."""

import gzip
import re
from collections.abc import Iterator
from urllib.parse import urljoin

import httpx
import pytest

from jaipur.server.pages import POLICY
from server.serving import Server, serving


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("pages")) as server:
        yield server


def got(server: Server, path: str, accepted: str = "identity") -> httpx.Response:
    return httpx.get(server.address + path, headers={"accept-encoding": accepted})


def files_of(page: httpx.Response) -> list[str]:
    """The addresses of the files that a page asks for."""
    found = re.findall(r'(?:src|href)="([^"]+)"', page.text)
    return [urljoin(str(page.url), file) for file in found]


@pytest.mark.parametrize("path", ["/", "/rules", "/rules/", "/t/0123456789abcdef", "/t/0123/"])
def test_every_page_has_its_own_address_and_finds_its_files_from_there(
    server: Server, path: str
) -> None:
    page = got(server, path)
    assert page.status_code == 200
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    files = files_of(page)
    assert len(files) == 3
    assert all(file.startswith(f"{server.address}/assets/") for file in files)
    assert all(httpx.get(file).status_code == 200 for file in files)


def test_a_page_is_asked_for_every_time_and_its_files_once(server: Server) -> None:
    page = got(server, "/")
    assert page.headers["cache-control"] == "no-cache"
    for file in files_of(page):
        kept = httpx.get(file).headers["cache-control"]
        assert "immutable" in kept
        assert "max-age=31536000" in kept


def test_a_page_runs_our_scripts_and_nothing_else(server: Server) -> None:
    page = got(server, "/")
    assert page.headers["content-security-policy"] == POLICY
    assert "unsafe" not in POLICY
    assert "<style" not in page.text
    assert not re.search(r"<script[^>]*>[^<]", page.text)
    assert not re.search(r"\son\w+=|\sstyle=", page.text)


@pytest.mark.parametrize(
    ("end", "media_type"),
    [(".js", "text/javascript"), (".css", "text/css"), (".svg", "image/svg+xml")],
)
def test_a_file_comes_compressed_as_the_browser_takes_it(
    server: Server, end: str, media_type: str
) -> None:
    (file,) = [file for file in files_of(got(server, "/")) if file.endswith(end)]
    path = file.removeprefix(server.address)
    plain = got(server, path)
    assert plain.headers["content-type"].partition(";")[0] == media_type
    assert plain.headers["vary"] == "accept-encoding"
    assert "content-encoding" not in plain.headers
    with httpx.stream("GET", file, headers={"accept-encoding": "deflate, gzip"}) as zipped:
        assert zipped.headers["content-encoding"] == "gzip"
        assert gzip.decompress(b"".join(zipped.iter_raw())) == plain.content
    with httpx.stream("GET", file, headers={"accept-encoding": "gzip, deflate, br"}) as smallest:
        assert smallest.headers["content-encoding"] == "br"
        assert len(b"".join(smallest.iter_raw())) < len(plain.content)


@pytest.mark.parametrize("path", ["/assets/nothing.js", "/assets/..%2findex.html", "/nowhere"])
def test_what_is_not_there_is_said_as_ever(server: Server, path: str) -> None:
    answer = got(server, path)
    assert answer.status_code == 404
    assert answer.json()["code"] == "no_such_page"
    assert answer.headers["cache-control"] == "no-store"


def test_behind_a_prefix_the_pages_find_their_files(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    """The proxy takes the prefix away; the browser asks with it."""
    with serving(tmp_path_factory.mktemp("prefix"), "--prefix", "/games/jaipur") as server:
        origin = server.address.removesuffix("/games/jaipur")
        for path in ("/", "/t/0123456789abcdef"):
            page = httpx.get(origin + path)
            shown_at = server.address + path
            (script,) = re.findall(r'src="([^"]+)"', page.text)
            asked = urljoin(shown_at, script)
            assert asked.startswith(f"{server.address}/assets/")
            assert httpx.get(asked.replace(server.address, origin)).status_code == 200

"""The pages of the browser client: headers, caching, compression and relative links."""

import gzip
import json
import re
from collections.abc import Iterator
from urllib.parse import urljoin

import httpx
import pytest

from jaipur.rules.cards import CAMEL, COPIES, LETTERS
from jaipur.rules.tokens import BONUS_TOKENS, CAMEL_TOKEN, GOODS_TOKENS, SMALLEST_BONUS_SALE
from jaipur.server.http.language import preferred_language
from jaipur.server.http.pages import FIXED_FILES, PAGE_CSP
from jaipur.words import LANGUAGES, Language, texts_of
from server.serving import Server, run_server

BROWSER = {"accept": "text/html,application/xml;q=0.9,*/*;q=0.8", "accept-language": "it"}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with run_server(tmp_path_factory.mktemp("pages")) as server:
        yield server


def get(server: Server, path: str, accept_encoding: str = "identity") -> httpx.Response:
    return httpx.get(server.address + path, headers={"accept-encoding": accept_encoding})


def linked_files(page: httpx.Response) -> list[str]:
    """The URLs of the files that a page links to."""
    found = re.findall(r'(?:src|href)="([^"]+)"', page.text)
    return [urljoin(str(page.url), file) for file in found]


@pytest.mark.parametrize("path", ["/", "/rules", "/rules/", "/t/0123456789abcdef", "/t/0123/"])
def test_every_page_has_a_path_and_its_links_work_from_there(server: Server, path: str) -> None:
    page = get(server, path)
    assert page.status_code == 200
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    files = linked_files(page)
    assets = [file for file in files if file.startswith(f"{server.address}/assets/")]
    assert len(assets) == 3
    fixed = {file.removeprefix(f"{server.address}/") for file in files if file not in assets}
    assert fixed == {"icon.svg", "icon-192.png", "manifest.webmanifest"}
    assert all(httpx.get(file).status_code == 200 for file in files)


def test_pages_are_revalidated_and_assets_are_cached_forever(server: Server) -> None:
    page = get(server, "/")
    assert page.headers["cache-control"] == "no-cache"
    for file in linked_files(page):
        cache_control = httpx.get(file).headers["cache-control"]
        if "/assets/" in file:
            assert "immutable" in cache_control
            assert "max-age=31536000" in cache_control
        else:
            assert cache_control == "no-cache"


def test_pages_run_only_our_own_scripts(server: Server) -> None:
    page = get(server, "/")
    assert page.headers["content-security-policy"] == PAGE_CSP
    assert "unsafe" not in PAGE_CSP
    assert "<style" not in page.text
    assert not re.search(r"<script[^>]*>[^<]", page.text)
    assert not re.search(r"\son\w+=|\sstyle=", page.text)


@pytest.mark.parametrize(
    ("end", "media_type"),
    [(".js", "text/javascript"), (".css", "text/css")],
)
def test_assets_are_compressed_as_the_browser_accepts(
    server: Server, end: str, media_type: str
) -> None:
    file, *_ = [file for file in linked_files(get(server, "/")) if file.endswith(end)]
    path = file.removeprefix(server.address)
    plain = get(server, path)
    assert plain.headers["content-type"].partition(";")[0] == media_type
    assert plain.headers["vary"] == "accept-encoding"
    assert "content-encoding" not in plain.headers
    with httpx.stream("GET", file, headers={"accept-encoding": "deflate, gzip"}) as zipped:
        assert zipped.headers["content-encoding"] == "gzip"
        assert gzip.decompress(b"".join(zipped.iter_raw())) == plain.content
    with httpx.stream("GET", file, headers={"accept-encoding": "gzip, deflate, br"}) as smallest:
        assert smallest.headers["content-encoding"] == "br"
        assert len(b"".join(smallest.iter_raw())) < len(plain.content)


@pytest.mark.parametrize(
    ("accept_language", "language"),
    [("fr-CH, en;q=0.8", "fr"), ("xx, it;q=0.5", "it"), ("xx", "en")],
)
def test_a_page_preloads_the_words_of_the_preferred_language(
    server: Server, accept_language: str, language: str
) -> None:
    page = httpx.get(f"{server.address}/rules", headers={"accept-language": accept_language})
    assert page.headers["vary"] == "accept-language"
    assert f'<html lang="{language}">' in page.text
    (words,) = re.findall(r'<link rel="modulepreload" href="([^"]+)"', page.text)
    script = httpx.get(urljoin(str(page.url), words)).text
    assert texts_of(language)["web.tagline"] in script


def test_only_the_start_of_a_long_header_decides_the_language() -> None:
    assert preferred_language("xx, " * 10 + "fr") == "fr"
    assert preferred_language("xx, " * 7_000 + "fr") == "en"


@pytest.mark.parametrize("path", ["/" * 30_000, "/a" * 15_000])
def test_a_page_does_not_grow_with_the_depth_of_its_path(server: Server, path: str) -> None:
    page = httpx.get(server.address + path, headers=BROWSER)
    assert page.text.startswith("<!doctype html>")
    assert len(page.content) < 2 * len(get(server, "/").content)


@pytest.mark.parametrize("name", FIXED_FILES)
def test_the_files_of_the_app_have_fixed_names(server: Server, name: str) -> None:
    media_type = {
        "js": "text/javascript",
        "png": "image/png",
        "svg": "image/svg+xml",
        "webmanifest": "application/manifest+json",
    }[name.rpartition(".")[2]]
    file = get(server, f"/{name}")
    assert file.status_code == 200
    assert file.headers["content-type"].partition(";")[0] == media_type
    assert file.headers["cache-control"] == "no-cache"
    assert file.headers["content-security-policy"] == PAGE_CSP


def test_the_manifest_is_relative_to_its_own_path(server: Server) -> None:
    manifest = json.loads(get(server, "/manifest.webmanifest").content)
    assert {manifest[key] for key in ("id", "start_url", "scope")} == {"."}
    assert manifest["display"] == "standalone"
    assert {icon["purpose"] for icon in manifest["icons"]} == {"any", "maskable"}
    for icon in manifest["icons"]:
        file = get(server, f"/{icon['src']}")
        assert file.headers["content-type"] == icon["type"]
        if icon["type"] == "image/png":
            width = int.from_bytes(file.content[16:20], "big")
            assert icon["sizes"] == f"{width}x{width}"


def test_the_service_worker_handles_only_navigation_and_caches_nothing(server: Server) -> None:
    worker = get(server, "/worker.js").text
    assert 'event.request.mode !== "navigate"' in worker
    assert "caches" not in worker
    assert all(f'lang="{language}"' in worker for language in LANGUAGES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_rules_page_has_the_numbers_of_the_rules(language: Language) -> None:
    texts = texts_of(language)
    for good, values in enumerate(GOODS_TOKENS):
        assert texts[f"web.rules.tokens.{LETTERS[good]}"] == " ".join(map(str, values))
        assert texts[f"web.rules.cards.{LETTERS[good]}"] == str(COPIES[good])
    for size, values in enumerate(BONUS_TOKENS, SMALLEST_BONUS_SALE):
        assert texts[f"web.rules.bonus.{size}"] == " ".join(map(str, sorted(values)))
    assert f"{CAMEL_TOKEN} " in texts["web.rules.score.camels"]
    assert f"{COPIES[CAMEL]} " in texts["web.rules.tokens.text"]


@pytest.mark.parametrize("path", ["/assets/nothing.js", "/assets/..%2findex.html", "/nowhere"])
def test_an_unknown_path_is_a_problem_for_other_clients(server: Server, path: str) -> None:
    response = get(server, path)
    assert response.status_code == 404
    assert response.json()["code"] == "no_such_page"
    assert response.headers["cache-control"] == "no-store"


def test_an_unknown_path_is_a_page_for_browsers(server: Server) -> None:
    page = httpx.get(f"{server.address}/nonsense", headers=BROWSER)
    assert page.status_code == 404
    assert page.headers["content-security-policy"] == PAGE_CSP
    assert '<html lang="it">' in page.text
    assert {httpx.get(file).status_code for file in linked_files(page)} == {200}


def test_links_work_behind_a_prefix(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    """The proxy removes the prefix that the browser sends."""
    with run_server(tmp_path_factory.mktemp("prefix"), "--prefix", "/games/jaipur") as server:
        origin = server.address.removesuffix("/games/jaipur")
        for path in ("/", "/t/0123456789abcdef", "/non/sense/"):
            page = httpx.get(origin + path, headers=BROWSER)
            (script,) = re.findall(r'src="([^"]+)"', page.text)
            url = urljoin(server.address + path, script)
            assert url.startswith(f"{server.address}/assets/")
            assert httpx.get(url.replace(server.address, origin)).status_code == 200

"""Security: seats, cookies, cross-site requests, headers, limits, and hidden cards."""

import json
import re
import socket
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from http.cookies import SimpleCookie
from pathlib import Path

import httpx
import pytest

from jaipur.server.http.limits import MAX_BODY_BYTES
from jaipur.server.http.middleware import SECURITY_HEADERS
from server.serving import (
    METRICS_TOKEN,
    TIMEOUT,
    Client,
    Server,
    ThreadedServer,
    open_table,
    run_in_thread,
    run_server,
    two_players,
    wait_for,
)

OTHER = "https://elsewhere.example"
JSON = b"Content-Type: application/json\r\n"
PREFIX = "/parlour"
SECRET = "this-is-a-secret-of-my-own"


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ThreadedServer]:
    with run_in_thread(tmp_path_factory.mktemp("host"), names=("play.example",)) as host:
        yield host


@pytest.fixture
def http(host: ThreadedServer) -> Iterator[httpx.Client]:
    yield host.http
    host.http.cookies.clear()


@pytest.fixture(scope="module")
def proxied(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that trusts a proxy and has a URL prefix."""
    folder = tmp_path_factory.mktemp("proxied")
    with run_server(folder, "--proxy", "127.0.0.1", "--prefix", f"{PREFIX}/") as server:
        yield server


def code_of(response: httpx.Response) -> tuple[int, str]:
    return response.status_code, response.json()["code"]


# Seats


POSTS = {
    "play": {"move": "+M", "version": 3},
    "resign": None,
    "leave": None,
    "rematch": None,
}


@pytest.mark.parametrize(
    ("headers", "refusal"),
    [
        ({}, (403, "not_seated")),
        ({"authorization": f"Bearer {SECRET}"}, (403, "not_seated")),
        ({"authorization": "Basic YTpi"}, (403, "not_seated")),
        ({"authorization": "Bearer short"}, (401, "weak_secret")),
        ({"authorization": f"Bearer {'x' * 129}"}, (401, "weak_secret")),
        ({"authorization": f"Bearer {SECRET}' OR 1=1"}, (401, "weak_secret")),
        ({"cookie": "jaipur=short"}, (401, "weak_secret")),
        ({"cookie": f"jaipur={SECRET}"}, (403, "not_seated")),
    ],
    ids=str,
)
def test_commands_need_the_secret_of_a_seat(
    http: httpx.Client, headers: dict[str, str], refusal: tuple[int, str]
) -> None:
    client = two_players(http)[0]
    for command, body in POSTS.items():
        response = http.post(f"{client.path}/{command}", json=body, headers=headers)
        assert code_of(response) == refusal
    assert client.get_table()["version"] == 3


def test_a_secret_is_valid_for_its_own_seat_and_table_only(http: httpx.Client) -> None:
    first, second = two_players(http)
    stranger = two_players(http)[0]
    for client, other in ((first, 1), (second, 0)):
        assert client.get_table()["you"] == client.seat
        for path in ("", "/events", "/events.ndjson", "/why?move=%2BM"):
            url = f"{client.path}{path}{'&' if '?' in path else '?'}seat={other}"
            assert code_of(http.get(url, headers=client.headers)) == (403, "not_seated")
        assert code_of(client.play("+M", 3, seat=other)) == (403, "not_seated")
        assert code_of(client.http.post(f"{client.path}/resign", headers=stranger.headers)) == (
            403,
            "not_seated",
        )
        assert http.get(client.path, headers=stranger.headers).json()["you"] is None


def test_the_free_seat_needs_the_invitation_of_its_table(http: httpx.Client) -> None:
    first, response = open_table(http, "friend")
    _, other = open_table(http, "friend")
    for wrong in ("", "x", first.secret, other["invitation"], response["invitation"] + "x"):
        sent = http.post(f"{first.path}/seat", json={"invitation": wrong})
        assert code_of(sent) == (403, "not_invited")
    with_it = Client(http, first.table, response["invitation"], None)
    assert with_it.get_table()["you"] is None, "an invitation is not the secret of a seat"
    assert code_of(with_it.post("/leave")) == (403, "not_seated")


def test_every_table_has_its_own_long_random_secrets(http: httpx.Client) -> None:
    responses = [open_table(http, "friend")[1] for _ in range(5)]
    for name, least in (("secret", 32), ("invitation", 32), ("id", 16)):
        found = {response[name] for response in responses}
        assert len(found) == len(responses)
        assert min(map(len, found)) >= least


def test_a_secret_sent_by_the_client_is_not_returned(http: httpx.Client) -> None:
    mine = {"authorization": f"Bearer {SECRET}"}
    response = http.post("/api/tables", json={"against": "friend"}, headers=mine)
    assert response.json()["secret"] is None
    assert SECRET not in response.text
    assert http.get(f"/api/tables/{response.json()['id']}", headers=mine).json()["you"] is not None


def test_secrets_are_in_the_response_that_created_them_and_nowhere_else(proxied: Server) -> None:
    contents: list[bytes] = []
    with httpx.Client(base_url=proxied.address.removesuffix(PREFIX), timeout=TIMEOUT) as http:
        clients = two_players(http, name="Ann")
        _, response = open_table(http, "friend")
        cookie = http.post("/api/visitor").cookies["jaipur"]
        http.cookies.clear()
        http.event_hooks["response"].append(
            lambda response: contents.append(b"%r" % dict(response.headers))
        )
        secrets = [clients[0].secret, clients[1].secret, response["invitation"], cookie]
        for client in clients:
            pages = ("", "/record", "/events?follow=false&after=0", "/why?move=%2BM")
            contents += [
                http.get(client.path + each, headers=client.headers).content for each in pages
            ]
            posts = {**POSTS, "seat": {"invitation": response["invitation"]}}
            contents += [
                client.post(f"/{command}", body).content for command, body in posts.items()
            ]
        pages = ("/metrics", "/health", "/ready", "/api/schema/openapi.json")
        contents += [
            http.get(page, headers={"cookie": f"jaipur={cookie}"}).content for page in pages
        ]
        wrong = {"authorization": f"Bearer {cookie}!"}
        contents.append(http.get(clients[0].path, headers=wrong).content)
    files = b"".join(file.read_bytes() for file in proxied.database.parent.iterdir())
    assert b'"kind":"opened"' in files, "the database is among the files"
    for secret in map(str.encode, secrets):
        assert secret not in files
        assert not any(secret in each for each in contents)
        assert secret.decode() not in proxied.log()


# Cookies


def test_the_cookie_of_a_browser_is_unreadable_for_scripts_and_works_as_a_secret(
    http: httpx.Client,
) -> None:
    response = http.post("/api/visitor")
    assert response.json() == {"known": False}
    morsel = SimpleCookie(response.headers["set-cookie"])["jaipur"]
    assert morsel["httponly"]
    assert morsel["samesite"].lower() == "strict"
    assert (morsel["path"], morsel["secure"], morsel["domain"]) == ("/", "", "")
    assert len(morsel.value) >= 32
    again = http.post("/api/visitor")
    assert again.json() == {"known": True}
    assert again.cookies["jaipur"] == morsel.value
    table = http.post("/api/tables", json={"against": "one_screen"}).json()
    assert table["secret"] is None
    assert http.get(f"/api/tables/{table['id']}").json()["you"] is not None


def test_a_malformed_cookie_is_replaced(http: httpx.Client) -> None:
    response = http.post("/api/visitor", headers={"cookie": "jaipur=broken"})
    assert response.json() == {"known": False}
    assert len(response.cookies["jaipur"]) >= 32


def test_behind_a_proxy_with_tls_the_cookie_is_secure_and_limited_to_the_prefix(
    proxied: Server,
) -> None:
    assert proxied.address.endswith(PREFIX)
    address = proxied.address.removesuffix(PREFIX)
    for scheme, name, secure in (("https", "__Secure-jaipur", True), ("http", "jaipur", "")):
        headers = {"x-forwarded-proto": scheme, "x-forwarded-for": "192.0.2.7"}
        response = httpx.post(f"{address}/api/visitor", headers=headers)
        morsel = SimpleCookie(response.headers["set-cookie"])[name]
        assert (morsel["secure"], morsel["path"]) == (secure, PREFIX)


def test_other_hosts_of_the_domain_cannot_replace_the_cookie_of_a_server_with_tls(
    tmp_path: Path,
) -> None:
    """A browser accepts a `__Host-` cookie only from the host itself, over HTTPS and for the path `/`."""
    https = {"x-forwarded-proto": "https"}
    with (
        run_server(tmp_path, "--proxy", "127.0.0.1") as server,
        httpx.Client(base_url=server.address, headers=https) as http,
    ):
        response = http.post("/api/visitor")
        morsel = SimpleCookie(response.headers["set-cookie"])["__Host-jaipur"]
        assert (morsel["secure"], morsel["path"], morsel["domain"]) == (True, "/", "")
        assert morsel["httponly"]
        own = f"__Host-jaipur={morsel.value}"
        opened = http.post("/api/tables", json={"against": "friend"}, headers={"cookie": own})
        table = f"/api/tables/{opened.json()['id']}"
        both = {"cookie": f"jaipur=a-cookie-of-another-host; {own}"}
        assert http.get(table, headers=both).json()["you"] is not None


def test_the_cookie_of_an_earlier_version_keeps_its_seat_and_becomes_a_protected_cookie(
    tmp_path: Path,
) -> None:
    old = {"cookie": f"jaipur={SECRET}"}
    https = {"x-forwarded-proto": "https"}
    with (
        run_server(tmp_path, "--proxy", "127.0.0.1") as server,
        httpx.Client(base_url=server.address, headers=https) as http,
    ):
        opened = http.post("/api/tables", json={"against": "friend"}, headers=old)
        table = f"/api/tables/{opened.json()['id']}"
        assert http.get(table, headers=old).json()["you"] is not None
        response = http.post("/api/visitor", headers=old)
        assert response.json() == {"known": True}
        assert SimpleCookie(response.headers["set-cookie"])["__Host-jaipur"].value == SECRET


def test_forwarded_headers_are_ignored_without_a_proxy(http: httpx.Client) -> None:
    response = http.post("/api/visitor", headers={"x-forwarded-proto": "https"})
    assert not SimpleCookie(response.headers["set-cookie"])["jaipur"]["secure"]


# Cross-site requests


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": OTHER},
        {"origin": "null"},
        {"origin": "http://["},
        {"origin": "x"},
        {"origin": "http://127.0.0.1"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
        {"sec-fetch-site": "cross-site", "origin": "{own}"},
    ],
    ids=str,
)
def test_writes_from_other_sites_are_refused(
    host: ThreadedServer, http: httpx.Client, headers: dict[str, str]
) -> None:
    client = two_players(http)[0]
    sent = {name: value.format(own=host.address) for name, value in headers.items()}
    for command, body in POSTS.items():
        assert code_of(client.post(f"/{command}", body, **sent)) == (403, "cross_site")
    for path in ("/api/visitor", "/api/tables"):
        response = http.post(path, json={"against": "friend"}, headers=sent)
        assert code_of(response) == (403, "cross_site")
        assert "set-cookie" not in response.headers
    assert client.get_table()["version"] == 3


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "{own}"},
        {"sec-fetch-site": "same-origin", "origin": "{own}"},
        {"sec-fetch-site": "same-origin", "origin": OTHER},
        {"origin": "https://localhost:9", "host": "localhost:9"},
    ],
    ids=str,
)
def test_writes_from_our_own_pages_are_accepted_also_behind_a_proxy(
    host: ThreadedServer, http: httpx.Client, headers: dict[str, str]
) -> None:
    sent = {name: value.format(own=host.address) for name, value in headers.items()}
    assert http.post("/api/visitor", headers=sent).status_code == 200


@pytest.mark.parametrize(
    "kind",
    ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", None],
)
def test_content_types_of_html_forms_are_refused(http: httpx.Client, kind: str | None) -> None:
    client = two_players(http)[0]
    headers = client.headers | ({} if kind is None else {"content-type": kind})
    for command, body in (*POSTS.items(), ("seat", {"invitation": "x"})):
        content = b"" if body is None else json.dumps(body).encode()
        if body is None and kind is None:
            continue
        response = http.post(f"{client.path}/{command}", content=content, headers=headers)
        assert code_of(response) == (415, "bad_request")
    assert client.get_table()["version"] == 3


def test_no_cors_headers_are_sent(http: httpx.Client) -> None:
    client = two_players(http)[0]
    for method in ("GET", "OPTIONS"):
        response = http.request(method, client.path, headers={"origin": OTHER})
        assert not [name for name in response.headers if name.startswith("access-control")]


# Host names


@pytest.mark.parametrize(
    ("name", "allowed"),
    [
        ("127.0.0.1", True),
        ("127.0.0.1:8080", True),
        ("192.168.1.5:8080", True),
        ("[::1]:8080", True),
        ("[fe80::1]", True),
        ("localhost", True),
        ("LocalHost.:8080", True),
        (socket.gethostname(), True),
        ("play.example", True),
        ("Play.Example.:443", True),
        ("evil.example", False),
        ("evil.example:8080", False),
        ("127.0.0.1.evil.example", False),
        ("localhost.evil.example", False),
        ("play.example.evil.example", False),
        ("evil.example:play.example", False),
        ("127.0.0.1@evil.example", False),
        ("[::1", False),
        ("[127.0.0.1]", False),
        ("localhost:" + "8" * 300, False),
        ("", False),
    ],
)
def test_a_request_must_name_this_server(http: httpx.Client, name: str, allowed: bool) -> None:
    """A page of another site whose name has our address (DNS rebinding) sends the name of that site."""
    for path in ("/", "/health", "/api/levels", "/nowhere", "/assets/x.js"):
        response = http.get(path, headers={"host": name, "accept-language": "fr"})
        assert (response.status_code != 421) == allowed
        if not allowed:
            assert response.json()["code"] == "wrong_host"
            assert "--name" in response.json()["sentence"]
            assert response.json()["sentence"].startswith("Ce serveur")


def test_two_host_headers_must_both_name_this_server(host: ThreadedServer) -> None:
    with socket.create_connection(("127.0.0.1", host.port), timeout=TIMEOUT) as connection:
        connection.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n")
        assert connection.recv(4096).split()[1] in (b"400", b"421")


def test_the_option_name_allows_a_public_name(tmp_path: Path) -> None:
    names = ("--name", "play.example", "--name", "games.example")
    with run_server(tmp_path, *names) as server:
        for name, status in (("play.example", 200), ("games.example", 200), ("x.example", 421)):
            response = httpx.get(f"{server.address}/health", headers={"host": name})
            assert response.status_code == status


# Metrics


def test_metrics_are_only_for_clients_with_the_token(host: ThreadedServer) -> None:
    assert "jaipur_requests" in host.metrics()
    for value in (
        METRICS_TOKEN,
        f"Basic {METRICS_TOKEN}",
        f"Bearer {METRICS_TOKEN}x",
        "Bearer",
        "",
    ):
        response = host.http.get("/metrics", headers={"authorization": value})
        assert code_of(response) == (404, "no_such_page")


def test_without_a_token_nobody_can_read_the_metrics(tmp_path: Path) -> None:
    with run_in_thread(tmp_path, metrics_token=None) as host:
        for value in ("Bearer", "Bearer None", f"Bearer {METRICS_TOKEN}"):
            response = host.http.get("/metrics", headers={"authorization": value})
            assert code_of(response) == (404, "no_such_page")


# Every response


def test_every_kind_of_response_has_the_security_headers(http: httpx.Client) -> None:
    client = two_players(http)[0]
    bad = {"content-type": "application/json"}
    responses = [
        http.get("/health"),
        http.get("/ready"),
        http.get("/metrics"),
        http.get("/api/schema/openapi.json"),
        http.get("/nothing"),
        http.get("/", headers={"host": "evil.example"}),
        http.head("/health"),
        http.delete("/api/tables"),
        http.options("/api/tables"),
        http.post("/api/visitor"),
        http.post("/api/visitor", headers={"origin": OTHER}),
        http.post("/api/tables", content=b"{", headers=bad),
        http.post("/api/tables", content=b" " * MAX_BODY_BYTES + b"{}", headers=bad),
        http.get(client.path, headers={"authorization": "Bearer x"}),
        client.get(),
        client.get("/record"),
        client.get("/events", follow="false"),
        client.get("/events.ndjson", follow="false"),
        client.play("-D", 3),
    ]
    statuses = {response.status_code for response in responses}
    assert {200, 204, 400, 401, 403, 404, 405, 413, 421} <= statuses
    for response in responses:
        for name, value in SECURITY_HEADERS:
            assert response.headers[name.decode()] == value.decode(), response.request.url
        assert "server" not in response.headers


def test_an_unexpected_error_is_one_sentence_without_internals(
    host: ThreadedServer, http: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(name: str, after: int = 0) -> None:
        raise RuntimeError(f"the internals of {name} after {after}")

    monkeypatch.setattr(host.tables.store, "read", fail)
    response = http.get("/api/tables/0123456789abcdef")
    assert code_of(response) == (500, "failed")
    assert "internals" not in response.text
    for name, value in SECURITY_HEADERS:
        assert response.headers[name.decode()] == value.decode()


# Limits


def test_a_large_body_is_refused(http: httpx.Client) -> None:
    headers = {"content-type": "application/json"}
    large = b'{"against": "friend"' + b" " * MAX_BODY_BYTES + b"}"
    assert code_of(http.post("/api/tables", content=large, headers=headers)) == (413, "too_large")
    chunks = (large[place : place + 1000] for place in range(0, len(large), 1000))
    assert code_of(http.post("/api/tables", content=chunks, headers=headers)) == (413, "too_large")
    fits = large[: 20 + MAX_BODY_BYTES // 2] + b"}"
    assert http.post("/api/tables", content=fits, headers=headers).status_code == 201


def test_opening_too_many_tables_is_refused(tmp_path: Path) -> None:
    with run_in_thread(tmp_path, tables_a_minute=3) as host:
        for path in ("/api/tables", "/api/tables/", "/api/tables"):
            assert host.http.post(path, json={"against": "friend"}).status_code == 201
        for path in ("/api/tables", "/api/tables/", "/api/tables//"):
            response = host.http.post(path, json={"against": "friend"})
            assert code_of(response) == (429, "too_many")
            assert response.headers["x-content-type-options"] == "nosniff"
        forged = {"x-forwarded-for": "192.0.2.9"}
        response = host.http.post("/api/tables", json={"against": "friend"}, headers=forged)
        assert code_of(response) == (429, "too_many")
        assert host.http.post("/api/visitor").status_code == 200, "other requests are not limited"


def test_all_requests_to_the_api_are_limited_and_no_others(tmp_path: Path) -> None:
    with run_in_thread(tmp_path, requests_a_second=1) as host:
        for send in (
            partial(host.http.post, "/api/visitor"),
            partial(host.http.get, "/api/levels"),
            partial(host.http.get, "/api/tables/0123456789abcdef/events"),
        ):
            wait_for(lambda send=send: send().status_code == 429)  # type: ignore[misc]
        assert {host.http.get("/health").status_code for _ in range(3)} == {200}


def test_a_connection_with_endless_headers_is_closed(proxied: Server) -> None:
    url = httpx.URL(proxied.address)
    assert url.port is not None
    with (
        socket.create_connection((url.host, url.port), timeout=20) as line,
        suppress(ConnectionError),
    ):
        line.sendall(b"GET /health HTTP/1.1\r\nHost: localhost\r\n" + b"X-Y: z\r\n" * 30_000)
        response = b"".join(iter(lambda: line.recv(1000), b""))
        assert response.startswith(b"HTTP/1.1 431 ")
        assert b'"code":"too_large"' in response


@pytest.mark.parametrize(
    "sent",
    [
        b"GET /" + b"x" * 300_000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"nonsense\r\n\r\n",
        b"GET /api/tables/\x00 HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"GET /health HTTP/1.1\r\nHost: \xff\xfe[\r\nAccept-Language: \xff\r\nCookie: jaipur=\xff\r\n\r\n",
        b"POST /api/visitor HTTP/1.1\r\nHost: [\r\nOrigin: \xff\r\n\r\n",
        b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
        b"POST /api/tables HTTP/1.1\r\nContent-Length: 99999999999\r\n" + JSON + b"\r\n{",
        b"POST /api/tables HTTP/1.1\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n"
        + JSON
        + b"\r\n0\r\n\r\n",
    ],
    ids=lambda sent: sent[:24].decode("latin-1"),
)
def test_invalid_http_does_not_break_the_server(host: ThreadedServer, sent: bytes) -> None:
    with socket.create_connection(("127.0.0.1", host.port), timeout=TIMEOUT) as connection:
        connection.sendall(sent)
        status = int(connection.recv(4096).split()[1])
    assert status in (200, 400, 403, 413, 421, 431)
    assert host.http.get("/health").status_code == 200


def test_a_client_that_disconnects_during_a_request_causes_no_error_log(
    host: ThreadedServer, caplog: pytest.LogCaptureFixture
) -> None:
    def bad_requests() -> float:
        (count,) = re.findall(r'refusals_total{code="bad_request"} (.*)', host.metrics())
        return float(count)

    host.http.post("/api/tables", json={})  # creates the metric
    before = bad_requests()
    head = b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99\r\n"
    with socket.create_connection(("127.0.0.1", host.port), timeout=TIMEOUT) as connection:
        connection.sendall(head + JSON + b"\r\n{")
    wait_for(lambda: bad_requests() > before)
    assert [record for record in caplog.records if record.levelname == "ERROR"] == []

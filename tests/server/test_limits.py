"""Limits per client: the address that counts, token buckets in memory and in Redis, and rematches."""

import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import cast

import httpx
import pytest
from litestar.types import Scope
from redis import Redis as SyncRedis

from jaipur.server.http import limits, token_buckets
from jaipur.server.http.limits import client_key
from jaipur.server.http.token_buckets import Rate, TokenBuckets
from server.services import Redis, running_redis
from server.serving import (
    Client,
    ThreadedServer,
    choose_move,
    open_table,
    run_in_thread,
    run_server,
)

AGAINST_COMPUTER = {"against": "computer", "level": "random"}


def scope_of(host: str) -> Scope:
    return cast("Scope", {"type": "http", "client": (host, 1234)})


@pytest.mark.parametrize(
    ("host", "key"),
    [
        ("203.0.113.7", "203.0.113.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:DB8:1:2::", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("::ffff:203.0.113.7", "203.0.113.7"),
        ("a name from a proxy", "a name from a proxy"),
        ("x" * 1000, "x" * 64),
    ],
)
def test_the_key_of_a_client_is_its_ipv4_address_or_its_ipv6_network(host: str, key: str) -> None:
    assert client_key(scope_of(host)) == key


def test_a_client_without_an_address_has_a_key() -> None:
    assert client_key(cast("Scope", {"type": "http", "client": None})) == "unknown"


def take(buckets: TokenBuckets, now: float, client: str = "ann") -> bool:
    return buckets.take(client, 1.0, 1.0, now) == 0.0


def test_a_bucket_allows_a_burst_and_then_the_rate() -> None:
    buckets = TokenBuckets(Rate("requests", 50, 1.0))
    assert sum(take(buckets, 0.0) for _ in range(200)) == 50
    assert sum(take(buckets, 0.1) for _ in range(200)) == 5
    assert sum(take(buckets, 100.0) for _ in range(200)) == 50
    assert sum(take(buckets, 100.0, "bo") for _ in range(200)) == 50


def test_the_time_to_wait_is_exact() -> None:
    buckets = TokenBuckets(Rate("tables", 60, 60.0))
    for _ in range(60):
        assert take(buckets, 0.0)
    wait = buckets.take("ann", 1.0, 1.0, 0.25)
    assert wait == pytest.approx(0.75)
    assert not take(buckets, 0.25 + wait - 0.01)
    assert take(buckets, 0.25 + wait)


def test_a_cost_above_the_limit_is_possible_and_must_be_paid_back() -> None:
    buckets = TokenBuckets(Rate("requests", 1, 1.0))
    assert take(buckets, 0.0)
    assert buckets.take("ann", 20.0, 0.0, 0.0) == 0.0
    assert buckets.take("ann", 20.0, 0.0, 0.0) == pytest.approx(20.0)
    assert not take(buckets, 20.5)
    assert take(buckets, 21.0)


def test_the_memory_of_the_buckets_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(token_buckets, "MAX_CLIENTS", 100)
    buckets = TokenBuckets(Rate("requests", 1, 1.0))
    for number in range(1000):
        assert take(buckets, 0.0, str(number))
    assert len(buckets) <= 101
    assert not take(buckets, 0.0, "999"), "the latest clients are still limited"
    for _ in range(100):
        take(buckets, 10.0, "ann")
    assert len(buckets) == 1, "full buckets are dropped"


def statuses(http: httpx.Client, path: str, count: int, **headers: str) -> list[int]:
    return [
        http.post(path, json=AGAINST_COMPUTER, headers=headers).status_code for _ in range(count)
    ]


def test_addresses_of_one_ipv6_network_count_together(tmp_path: Path) -> None:
    with (
        run_server(tmp_path, "--proxy", "127.0.0.1", "--tables", "3") as server,
        httpx.Client(base_url=server.address) as http,
    ):
        opened = [
            statuses(http, "/api/tables", 1, **{"x-forwarded-for": f"2001:db8::{host:x}"})
            for host in range(1, 9)
        ]
        assert opened.count([201]) == 3
        assert statuses(http, "/api/tables", 1, **{"x-forwarded-for": "2001:db8:0:1::1"}) == [201]


def rematches(client: Client, count: int) -> list[int]:
    """Resign and offer a rematch again and again, like a client that wants many tables."""
    answers = []
    for _ in range(count):
        client.post("/resign").raise_for_status()
        response = client.post("/rematch")
        answers.append(response.status_code)
        if response.is_error:
            break
        client = Client(client.http, response.json()["next"], client.secret, None)
    return answers


def test_a_rematch_counts_as_a_new_table(tmp_path: Path) -> None:
    with run_in_thread(tmp_path, tables_a_minute=5) as host:
        client, _ = open_table(host.http, **AGAINST_COMPUTER)
        assert rematches(client, 20) == [200, 200, 200, 200, 429]


def test_a_refused_request_says_when_to_return(tmp_path: Path) -> None:
    with run_in_thread(tmp_path, tables_a_minute=1) as host:
        assert statuses(host.http, "/api/tables", 1) == [201]
        response = host.http.post("/api/tables", json=AGAINST_COMPUTER)
    assert response.status_code == 429
    assert 50 < int(response.headers["retry-after"]) <= 60
    assert response.headers["ratelimit-reset"] == response.headers["retry-after"]


@pytest.fixture
def own_redis() -> Iterator[Redis]:
    """A Redis without the counters of other tests."""
    with running_redis() as redis:
        yield redis


@pytest.fixture
def two_servers(tmp_path: Path, own_redis: Redis) -> Iterator[list[ThreadedServer]]:
    """Two servers that share their limits."""
    with ExitStack() as stack:
        yield [
            stack.enter_context(
                run_in_thread(folder, redis=own_redis.url, alone=False, tables_a_minute=5)
            )
            for folder in (make_folder(tmp_path / "one"), make_folder(tmp_path / "two"))
        ]


def make_folder(path: Path) -> Path:
    path.mkdir()
    return path


def test_servers_with_one_redis_count_together(two_servers: list[ThreadedServer]) -> None:
    opened = [statuses(server.http, "/api/tables", 1) for server in two_servers * 5]
    assert opened == [[201]] * 5 + [[429]] * 5


def test_without_redis_for_a_while_each_server_counts_alone_and_no_request_fails(
    two_servers: list[ThreadedServer], own_redis: Redis
) -> None:
    own_redis.freeze()
    assert statuses(two_servers[0].http, "/api/tables", 6) == [201] * 5 + [429]
    own_redis.thaw()
    own_redis.stop()
    assert statuses(two_servers[1].http, "/api/tables", 6) == [201] * 5 + [429]
    own_redis.start()


def test_after_an_outage_servers_count_together_again(
    two_servers: list[ThreadedServer], own_redis: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(token_buckets, "RETRY_REDIS_AFTER", 0.0)
    one, two = two_servers
    own_redis.stop()
    assert statuses(one.http, "/api/tables", 1) == [201]
    own_redis.start()
    assert statuses(one.http, "/api/tables", 4) == [201] * 4
    assert statuses(two.http, "/api/tables", 2) == [201, 429], "Redis has seen four tables of one"


def test_a_counter_in_redis_expires(two_servers: list[ThreadedServer], own_redis: Redis) -> None:
    assert statuses(two_servers[0].http, "/api/tables", 1) == [201]
    with SyncRedis.from_url(own_redis.url) as connection:
        [key] = connection.keys("*")
        assert key == b"jaipur.limit.tables.127.0.0.1"
        assert 0 < connection.pttl(key) <= 12_000


def open_many(http: httpx.Client, client: Client, count: int) -> list[tuple[int, str | None]]:
    """Open tables with the secret of a client, all at once; the statuses and codes."""

    def one(_number: int) -> tuple[int, str | None]:
        response = http.post("/api/tables", json=AGAINST_COMPUTER, headers=client.headers)
        return response.status_code, response.json().get("code")

    with ThreadPoolExecutor(count) as threads:
        return list(threads.map(one, range(count)))


def test_a_visitor_has_a_maximum_of_unfinished_tables(tmp_path: Path) -> None:
    with run_in_thread(tmp_path, unfinished_tables=3) as host:
        client, _ = open_table(host.http, **AGAINST_COMPUTER)
        for _ in range(2):
            response = host.http.post(
                "/api/tables", json={"against": "friend"}, headers=client.headers
            )
            assert response.status_code == 201
        problem = host.http.post("/api/tables", json=AGAINST_COMPUTER, headers=client.headers)
        assert (problem.status_code, problem.json()["code"]) == (409, "too_many_tables")
        assert problem.json()["values"] == {"limit": 3}
        assert "3 unfinished games" in problem.json()["sentence"]
        assert statuses(host.http, "/api/tables", 1) == [201], "another visitor is not affected"
        client.post("/resign").raise_for_status()
        rematch = client.post("/rematch")
        assert rematch.status_code == 200, "a finished game does not count"
        assert client.post("/rematch").json() == rematch.json(), "a repeated request is safe"
        again = host.http.post("/api/tables", json=AGAINST_COMPUTER, headers=client.headers)
        assert again.json()["code"] == "too_many_tables", "a rematch counts"


def test_raced_requests_do_not_exceed_the_quota(tmp_path: Path) -> None:
    with run_in_thread(tmp_path, unfinished_tables=10) as host:
        client, _ = open_table(host.http, **AGAINST_COMPUTER)
        opened = open_many(host.http, client, 40)
        opened += open_many(host.http, client, 9)
        assert opened.count((201, None)) <= 9
        assert set(opened) == {(201, None), (409, "too_many_tables")}


def test_what_an_address_stores_in_a_day_is_limited(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "TABLE_BYTES", 400_000)
    with run_in_thread(tmp_path, megabytes_a_day=1) as host:
        assert statuses(host.http, "/api/tables", 3) == [201, 201, 429]
        assert host.http.get("/api/levels").status_code == 200, "reading stores nothing"
        assert host.http.post("/api/visitor").status_code == 200, "smaller requests still fit"


def test_a_page_of_another_site_does_not_use_up_the_quota_of_a_visitor(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "TABLE_BYTES", 400_000)
    with run_in_thread(tmp_path, megabytes_a_day=1) as host:
        other_site = {"origin": "https://elsewhere.example"}
        for _ in range(5):
            refused = host.http.post("/api/tables", json={"against": "friend"}, headers=other_site)
            assert refused.status_code == 403
        assert statuses(host.http, "/api/tables", 3) == [201, 201, 429]


def test_the_estimates_of_stored_bytes_are_upper_bounds(tmp_path: Path) -> None:
    """Compare the size of the database with what the requests cost."""
    with run_in_thread(tmp_path) as host:
        before = database_size(host)
        clients = [open_table(host.http, **AGAINST_COMPUTER)[0] for _ in range(40)]
        tables = database_size(host)
        assert 0 < tables - before <= 40 * limits.TABLE_BYTES
        moves = play_until_over(clients[0], Random(1))
        assert 0 < database_size(host) - tables <= len(moves) * limits.COMMAND_BYTES


def play_until_over(client: Client, rng: Random) -> list[str]:
    """Play a whole game against a computer; the moves of the client."""
    played: list[str] = []
    while not (table := client.get_table())["over"]:
        if table["turn"] == client.seat and table["moves"]:
            played.append(choose_move(table["moves"], rng))
            client.play(played[-1], table["version"]).raise_for_status()
    return played


def database_size(host: ThreadedServer) -> int:
    with sqlite3.connect(host.database) as connection:
        connection.execute("PRAGMA wal_checkpoint")
        pages, size = (
            connection.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("page_count", "page_size")
        )
    connection.close()
    return int(pages * size)


@pytest.mark.parametrize("path", ["/", "/health", "/nothing", "/assets/nothing.js", "/api/nothing"])
def test_a_flood_of_requests_to_any_path_is_refused(tmp_path: Path, path: str) -> None:
    with run_in_thread(tmp_path, requests_a_second=1) as host:
        responses = [host.http.get(path) for _ in range(4 * limits.ALL_PATHS)]
        refused = [response for response in responses if response.status_code == 429]
        assert refused
        assert responses[: limits.ALL_PATHS // 2].count(refused[0]) == 0, "a page can be loaded"
        assert refused[0].json()["code"] == "too_many"
        assert refused[0].headers["retry-after"] == "1"
        assert refused[0].headers["x-content-type-options"] == "nosniff"

"""No attack by one address, and no fault of the machine, stops other people's games or loses an acknowledged move."""

from pathlib import Path

import pytest

from chaos.machine import World
from chaos.scenario import SCENARIOS, Result, run
from programs import needed

pytestmark = pytest.mark.long

MEMORY = 50.0
"""The most megabytes by which an attack may grow the server process."""
TABLES_A_MINUTE = 60
SPECTATORS = 200
CONNECTIONS = 200


def attacked(name: str, world: World, folder: Path) -> Result:
    """Run a scenario and check what holds for all of them."""
    if SCENARIOS[name].clock:
        needed("cc")
    try:
        result = run(name, world, folder)
    except PermissionError as error:
        pytest.skip(f"this process cannot mount a small file system: {error}")
    print(result)
    assert (result.comparison.lost, result.comparison.doubled) == (0, 0)
    assert result.comparison.differences == []
    before, highest, _ = result.server_memory
    assert highest - before < MEMORY
    return result


def others_played_on(result: Result) -> bool:
    """Whether people moved at least half as often as before the attack."""
    before, during = result.phases["before"], result.phases["during"]
    return 2 * len(during.moves) / during.seconds > len(before.moves) / before.seconds


def most_tables(result: Result) -> float:
    """The most tables that one address may open during an attack: 60 at once, then one a second."""
    return TABLES_A_MINUTE * (1 + result.phases["during"].seconds / 60)


def test_endless_trailers_are_cut_off(world: World, tmp_path: Path) -> None:
    result = attacked("chunked trailers", world, tmp_path)
    assert others_played_on(result)
    assert result.counts["closed"] == 3


@pytest.mark.parametrize("name", ["replays of a long log", "replays of a finished game"])
def test_floods_of_replays_do_not_stop_others(name: str, world: World, tmp_path: Path) -> None:
    assert others_played_on(attacked(name, world, tmp_path))


def test_streams_that_are_not_read_use_little_memory(world: World, tmp_path: Path) -> None:
    assert others_played_on(attacked("unread streams", world, tmp_path))


def test_many_strong_computers_do_not_delay_other_computers(world: World, tmp_path: Path) -> None:
    result = attacked("strong computers", world, tmp_path)
    assert others_played_on(result)
    before, during = result.phases["before"], result.phases["during"]
    assert 2 * len(during.replies) / during.seconds > len(before.replies) / before.seconds


def test_slow_connections_do_not_use_up_the_descriptors(world: World, tmp_path: Path) -> None:
    result = attacked("slow connections", world, tmp_path)
    assert others_played_on(result)
    answered, tried = str(result.counts["newcomers answered"]).split(" of ")
    assert answered == tried
    # Only connections with half a body may still be open: they have 30 seconds.
    assert int(result.counts["still open"]) < CONNECTIONS / 2


def test_rematches_count_as_new_tables(world: World, tmp_path: Path) -> None:
    result = attacked("rematches", world, tmp_path)
    assert others_played_on(result)
    assert int(result.counts["tables"]) <= most_tables(result)


def test_raced_spectators_stay_within_their_limit(world: World, tmp_path: Path) -> None:
    result = attacked("raced spectators", world, tmp_path)
    assert others_played_on(result)
    assert 0 < int(result.counts["opened"]) <= SPECTATORS


def test_large_bodies_get_an_answer(world: World, tmp_path: Path) -> None:
    result = attacked("large bodies", world, tmp_path)
    assert others_played_on(result)
    assert "413" in result.counts
    assert "hung up" not in result.counts


def test_the_addresses_of_one_network_share_a_limit(world: World, tmp_path: Path) -> None:
    result = attacked("one IPv6 network", world, tmp_path)
    assert others_played_on(result)
    assert 0 < int(result.counts["tables"]) <= most_tables(result)


def test_a_foreign_host_header_is_refused(world: World, tmp_path: Path) -> None:
    result = attacked("foreign Host header", world, tmp_path)
    assert others_played_on(result)
    assert result.counts
    assert all(status.startswith("4") for status in result.counts)


def test_a_wrong_version_is_reported_once_per_request(world: World, tmp_path: Path) -> None:
    result = attacked("wrong version", world, tmp_path)
    assert others_played_on(result)
    assert result.counts["answers"] == "503, 503, 503"


def test_a_full_disk_loses_nothing_and_is_reported(world: World, tmp_path: Path) -> None:
    result = attacked("full disk", world, tmp_path)
    assert result.counts == {"/ready while full": "503", "/ready afterwards": "200"}
    assert result.phases["after"].moves


def test_no_move_is_acknowledged_after_the_database_is_deleted(
    world: World, tmp_path: Path
) -> None:
    assert attacked("deleted database", world, tmp_path).counts["/ready"] == "503"


def test_a_second_server_on_the_same_file_is_refused(world: World, tmp_path: Path) -> None:
    result = attacked("second server", world, tmp_path)
    assert others_played_on(result)
    assert result.counts["second server"] == "refused"
    assert "Traceback" not in str(result.counts["sentence"])
    assert result.counts["sentence"]


def test_clocks_and_spectators_go_on_when_the_clock_steps_back(
    world: World, tmp_path: Path
) -> None:
    result = attacked("clock an hour back", world, tmp_path)
    assert others_played_on(result)
    assert int(result.counts["game without a move ends after s"]) < 120
    assert int(result.counts["versions seen by a spectator"]) > 3


def test_no_game_is_abandoned_when_the_clock_steps_forward(world: World, tmp_path: Path) -> None:
    result = attacked("clock a month forward", world, tmp_path)
    assert others_played_on(result)
    assert result.counts["waiting game"] == "runs"
    assert "abandoned" not in result.kinds

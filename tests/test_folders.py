"""The folders of data and caches, and locks on files."""

from pathlib import Path

import pytest

from jaipur.folders import cache_folder, data_folder, try_lock, try_share


def test_jaipur_data_overrides_the_data_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JAIPUR_DATA", str(tmp_path))
    assert data_folder() == tmp_path


def test_the_folders_follow_the_xdg_variables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("JAIPUR_DATA", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    assert data_folder() == tmp_path / "data" / "jaipur"
    assert cache_folder() == tmp_path / "cache" / "jaipur"


def test_the_default_folders_are_in_the_home_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("JAIPUR_DATA", "XDG_DATA_HOME", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert data_folder() == tmp_path / ".local" / "share" / "jaipur"
    assert cache_folder() == tmp_path / ".cache" / "jaipur"


def test_only_one_holder_gets_a_lock(tmp_path: Path) -> None:
    lock = try_lock(tmp_path / "lock")
    assert lock is not None
    assert try_lock(tmp_path / "lock") is None
    lock.release()
    assert try_lock(tmp_path / "lock") is not None


def test_a_shared_lock_excludes_only_the_exclusive_one(tmp_path: Path) -> None:
    locks = [try_share(tmp_path / "lock") for _ in range(2)]
    assert try_lock(tmp_path / "lock") is None
    for lock in locks:
        assert lock is not None
        lock.release()
    exclusive = try_lock(tmp_path / "lock")
    assert exclusive is not None
    assert try_share(tmp_path / "lock") is None
    exclusive.release()

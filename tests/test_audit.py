"""The audit of pinned packages: known vulnerabilities are found online and offline, and the SBOM is complete."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any
from zipfile import ZipFile

import pytest

ROOT = Path(__file__).parents[1]
FIXTURES = Path(__file__).parent / "fixtures" / "audit"
REPOSITORY, DATABASE = FIXTURES / "repository", FIXTURES / "database"
FOUND = """\
PyPI jinja2 2.11.2: PYSEC-2021-66 Jinja2: slow regular expression in urlize
PyPI markupsafe 1.1.1: PYSEC-0000-listed The version is listed.
npm @vitest/ui 1.0.0-beta.2: GHSA-0000-prerelease Only pre-releases are affected
npm lodash 4.17.20: GHSA-35jh-r3h4-6jhm lodash: command injection
4 known vulnerabilities
"""


def audit(sbom: Path, *arguments: str | Path) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, ROOT / "scripts" / "audit.py", "--sbom", sbom, *arguments]
    return subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)


@pytest.fixture
def sbom(tmp_path: Path) -> Path:
    return tmp_path / "build" / "sbom.json"


def test_known_vulnerabilities_are_found_offline(sbom: Path) -> None:
    done = audit(sbom, "--root", REPOSITORY, "--offline", DATABASE)
    assert (done.returncode, done.stdout) == (1, f"{sbom}: 6 packages\n{FOUND}")


def test_the_database_may_be_a_zip_file(sbom: Path, tmp_path: Path) -> None:
    folder = tmp_path / "osv"
    folder.mkdir()
    with ZipFile(folder / "all.zip", "w") as archive:
        for entry in DATABASE.iterdir():
            archive.write(entry, entry.name)
    done = audit(sbom, "--root", REPOSITORY, "--offline", folder)
    assert done.stdout.endswith(FOUND)


def test_accepted_vulnerabilities_are_not_reported(sbom: Path) -> None:
    ids = re.findall(r": (\S+-\S+-\S+) ", FOUND)
    ignore = [argument for each in ids for argument in ("--ignore", each)]
    done = audit(sbom, "--root", REPOSITORY, "--offline", DATABASE, *ignore)
    assert (done.returncode, done.stdout.splitlines()[1]) == (0, "0 known vulnerabilities")


class Osv(BaseHTTPRequestHandler):
    """The part of the service api.osv.dev that the audit uses. Results come in pages of one."""

    def do_POST(self) -> None:
        queries = json.loads(self.rfile.read(int(self.headers["content-length"])))["queries"]
        self._answer({"results": [self._result(query) for query in queries]})

    def do_GET(self) -> None:
        self._answer(json.loads((DATABASE / f"{self.path.rpartition('/')[2]}.json").read_text()))

    def _result(self, query: dict[str, Any]) -> dict[str, Any]:
        pages = {
            "jinja2": ["PYSEC-2021-66"],
            "markupsafe": ["PYSEC-0000-listed"],
            "@vitest/ui": ["GHSA-0000-prerelease"],
            "lodash": ["", "GHSA-35jh-r3h4-6jhm"] if query["version"] == "4.17.20" else [],
        }.get(query["package"]["name"], [])
        page = int(query.get("page_token", 0))
        result: dict[str, Any] = {
            "vulns": [{"id": each} for each in pages[page : page + 1] if each]
        }
        return result | {"next_page_token": str(page + 1)} if page + 1 < len(pages) else result

    def _answer(self, body: object) -> None:
        data = json.dumps(body).encode()
        self.send_response(200)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_values: object) -> None:
        pass


@contextmanager
def service() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Osv) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def test_known_vulnerabilities_are_found_online(sbom: Path) -> None:
    with service() as url:
        done = audit(sbom, "--root", REPOSITORY, "--service", url)
    assert (done.returncode, done.stdout) == (1, f"{sbom}: 6 packages\n{FOUND}"), done.stderr


@pytest.mark.parametrize("arguments", [("--service", "http://127.0.0.1:9"), ("--offline", ".")])
def test_without_a_database_the_packages_count_as_not_checked(
    arguments: tuple[str, str], sbom: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path / "empty")
    done = audit(sbom, "--root", REPOSITORY, *arguments)
    assert done.returncode == 2
    assert done.stderr.startswith("The packages were not checked: ")
    assert done.stderr.count("\n") == 1


def test_the_sbom_lists_every_pinned_package(sbom: Path, tmp_path: Path) -> None:
    (tmp_path / "osv").mkdir()
    (tmp_path / "osv" / "none.json").write_text('{"id": "none"}')
    assert audit(sbom, "--offline", tmp_path / "osv").returncode == 0
    document = json.loads(sbom.read_text())
    assert (document["bomFormat"], document["specVersion"]) == ("CycloneDX", "1.6")
    listed = {component["purl"]: component for component in document["components"]}
    assert len(listed) == len(document["components"])
    pinned = set()
    for file in (ROOT / "requirements").glob("*.txt"):
        for line in file.read_text().splitlines():
            if "==" in line and not line.startswith(" "):
                name, version = line.split()[0].split("==")
                pinned.add(f"pkg:pypi/{re.sub(r'[-_.]+', '-', name).lower()}@{version}")
    lock = json.loads((ROOT / "web" / "package-lock.json").read_text())
    for path, about in lock["packages"].items():
        if path:
            name = path.split("node_modules/")[-1].replace("@", "%40")
            pinned.add(f"pkg:npm/{name}@{about['version']}")
    assert pinned == listed.keys()
    (sqlalchemy,) = (each for each in listed.values() if each["name"] == "sqlalchemy")
    (pytest_itself,) = (each for each in listed.values() if each["name"] == "pytest")
    assert (sqlalchemy["scope"], pytest_itself["scope"]) == ("required", "excluded")

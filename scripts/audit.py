"""Checks the pinned Python and npm packages for known vulnerabilities, and writes a list of the packages (SBOM).

Run `python scripts/audit.py`. It sends the names and versions to the database of https://osv.dev, which covers both
registries. `--offline FOLDER` reads a copy of the database instead: the files `all.zip` of the ecosystems PyPI and npm
(https://google.github.io/osv.dev/data/), or single entries as JSON. The exit status is 0 if there is no known
vulnerability, 1 if there are some, and 2 if the packages were not checked.
"""

import json
import re
import sys
import urllib.error
import urllib.request
from argparse import ArgumentParser
from base64 import b64decode
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote
from uuid import NAMESPACE_URL, uuid5
from zipfile import BadZipFile, ZipFile

from packaging.utils import canonicalize_name
from packaging.version import InvalidVersion, Version

from jaipur import __version__

ROOT = Path(__file__).resolve().parents[1]
SERVICE = "https://api.osv.dev"
QUERIES_PER_REQUEST = 500
TIMEOUT = 30
AT_RUN_TIME = ("run.txt", "fast.txt")
"""The requirements of an installed server; the others belong to tests, benchmarks and builds."""

Json = dict[str, Any]
Key = tuple[object, ...] | Version


@dataclass(frozen=True, order=True)
class Package:
    """A pinned package. `ecosystem` is the name of its registry in the database."""

    ecosystem: str
    name: str
    version: str
    required: bool = False
    """Whether it is needed at run time."""
    sha512: str = ""

    @property
    def purl(self) -> str:
        """The package URL, which identifies the package in an SBOM."""
        return f"pkg:{self.ecosystem.lower()}/{quote(self.name)}@{quote(self.version)}"


@dataclass(frozen=True, order=True)
class Finding:
    """A vulnerability of a package."""

    package: Package
    id: str
    summary: str


class NotCheckedError(Exception):
    """The database cannot be read."""


def pinned_packages(root: Path) -> list[Package]:
    """Return all pinned packages, sorted."""
    found: dict[tuple[str, str, str], Package] = {}
    for package in (*_python_packages(root), *_npm_packages(root)):
        key = (package.ecosystem, package.name, package.version)
        if key not in found or package.required:
            found[key] = package
    return sorted(found.values())


def _python_packages(root: Path) -> Iterator[Package]:
    for file in sorted((root / "requirements").glob("*.txt")):
        for name, version in re.findall(r"^([\w.-]+)==([^\s;]+)", file.read_text(), re.MULTILINE):
            yield Package("PyPI", canonicalize_name(name), version, file.name in AT_RUN_TIME)


def _npm_packages(root: Path) -> Iterator[Package]:
    lock = json.loads((root / "web" / "package-lock.json").read_text())
    for path, about in lock["packages"].items():
        name = about.get("name") or path.rpartition("node_modules/")[2]
        if path and not about.get("link"):
            algorithm, _, digest = about.get("integrity", "").partition("-")
            sha512 = b64decode(digest).hex() if algorithm == "sha512" else ""
            yield Package("npm", name, about["version"], not about.get("dev"), sha512)


def sbom(packages: Sequence[Package]) -> Json:
    """Return the packages in the format CycloneDX 1.6. Equal packages give an equal document."""
    components = [_component(package) for package in packages]
    serial = uuid5(NAMESPACE_URL, " ".join(package.purl for package in packages))
    about = {"type": "application", "name": "jaipur", "version": __version__}
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{serial}",
        "version": 1,
        "metadata": {"component": about},
        "components": components,
    }


def _component(package: Package) -> Json:
    component: Json = {
        "type": "library",
        "bom-ref": package.purl,
        "name": package.name,
        "version": package.version,
        "purl": package.purl,
        "scope": "required" if package.required else "excluded",
    }
    if package.sha512:
        component["hashes"] = [{"alg": "SHA-512", "content": package.sha512}]
    return component


def find_online(packages: Sequence[Package], service: str) -> Iterator[Finding]:
    """Ask the service, which compares the versions."""
    for start in range(0, len(packages), QUERIES_PER_REQUEST):
        waiting = [(package, "") for package in packages[start : start + QUERIES_PER_REQUEST]]
        while waiting:
            queries = [_query(*each) for each in waiting]
            results = _request(f"{service}/v1/querybatch", {"queries": queries})["results"]
            answered = list(zip(waiting, results, strict=True))
            for (package, _), result in answered:
                for each in result.get("vulns", ()):
                    details = _request(f"{service}/v1/vulns/{quote(each['id'])}")
                    yield Finding(package, each["id"], _summary(details))
            waiting = [
                (package, result["next_page_token"])
                for (package, _), result in answered
                if result.get("next_page_token")
            ]


def _query(package: Package, page: str) -> Json:
    about = {"name": package.name, "ecosystem": package.ecosystem}
    query: Json = {"package": about, "version": package.version}
    return query | {"page_token": page} if page else query


def _request(url: str, body: Json | None = None) -> Json:
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, {"content-type": "application/json"})
    try:
        with urllib.request.urlopen(request, timeout=TIMEOUT) as response:
            answer: Json = json.load(response)
            return answer
    except (OSError, ValueError) as error:
        reason = getattr(error, "reason", None) or error
        raise NotCheckedError(f"{url} does not answer ({reason}); see --offline") from None


def find_offline(packages: Iterable[Package], folder: Path) -> Iterator[Finding]:
    """Compare the packages with all entries of a copy of the database."""
    pinned: dict[tuple[str, str], list[Package]] = {}
    for package in packages:
        pinned.setdefault((package.ecosystem, package.name), []).append(package)
    entry: Json = {}
    for entry in _entries(folder):
        if entry.get("withdrawn"):
            continue
        hit = {
            package
            for affected in entry.get("affected", ())
            for package in pinned.get(_name(affected.get("package", {})), ())
            if is_affected(package, affected)
        }
        yield from (Finding(package, entry["id"], _summary(entry)) for package in hit)
    if not entry:
        raise NotCheckedError(f"{folder} has no entry of the database")


def _entries(folder: Path) -> Iterator[Json]:
    try:
        for file in sorted(folder.rglob("*.json")):
            yield json.loads(file.read_bytes())
        for file in sorted(folder.rglob("*.zip")):
            with ZipFile(file) as archive:
                for name in archive.namelist():
                    if name.endswith(".json"):
                        yield json.loads(archive.read(name))
    except (OSError, ValueError, BadZipFile) as error:
        raise NotCheckedError(f"{folder} cannot be read: {error}") from None


def _name(package: Json) -> tuple[str, str]:
    ecosystem, name = package.get("ecosystem", ""), package.get("name", "")
    return ecosystem, canonicalize_name(name) if ecosystem == "PyPI" else name


def is_affected(package: Package, affected: Json) -> bool:
    """Return whether an entry contains the version (https://ossf.github.io/osv-schema, “Evaluation”)."""
    if package.version in affected.get("versions", ()):
        return True
    key = _python_key if package.ecosystem == "PyPI" else _semantic_key
    return any(
        _in_range(package.version, each.get("events", ()), key)
        for each in affected.get("ranges", ())
        if each.get("type") in ("ECOSYSTEM", "SEMVER")
    )


def _in_range(version: str, events: Iterable[dict[str, str]], key: Any) -> bool:  # noqa: ANN401
    own = key(version)
    inside = False
    for kind, bound in sorted(
        (next(iter(event.items())) for event in events), key=lambda event: key(event[1])
    ):
        if kind == "introduced" and own >= key(bound):
            inside = True
        elif (kind == "fixed" and own >= key(bound)) or (
            kind == "last_affected" and own > key(bound)
        ):
            inside = False
    return inside


def _python_key(version: str) -> Version:
    try:
        return Version(version)
    except InvalidVersion:  # a very old release; it is older than all pinned ones
        return Version("0.dev0")


def _semantic_key(version: str) -> Key:
    """Return a sort key for semantic versions. A pre-release comes before its release, numbers come before words."""
    core, _, pre = version.partition("+")[0].partition("-")
    numbers = tuple(int(part) if part.isdigit() else 0 for part in core.split("."))
    words = tuple(
        (0, int(part), "") if part.isdigit() else (1, 0, part) for part in pre.split(".") if pre
    )
    return numbers + (0,) * (3 - len(numbers)), not pre, words


def _summary(entry: Json) -> str:
    text = entry.get("summary") or entry.get("details") or ""
    return str(text).strip().partition("\n")[0][:200]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = ArgumentParser(description="Check the pinned packages for known vulnerabilities.")
    option = parser.add_argument
    option("--offline", type=Path, metavar="FOLDER", help="a copy of the database of osv.dev")
    option("--service", default=SERVICE, metavar="URL", help=f"(default: {SERVICE})")
    option("--ignore", action="append", default=[], metavar="ID", help="an accepted vulnerability")
    option("--root", type=Path, default=ROOT, help="the repository (default: this one)")
    sbom_help = "where to write the SBOM (default: build/sbom.json)"
    option(
        "--sbom", type=Path, default=ROOT / "build" / "sbom.json", metavar="FILE", help=sbom_help
    )
    options = parser.parse_args(arguments)
    packages = pinned_packages(options.root)
    options.sbom.parent.mkdir(parents=True, exist_ok=True)
    options.sbom.write_text(json.dumps(sbom(packages), indent=1) + "\n")
    print(f"{options.sbom}: {len(packages)} packages")
    try:
        found = (
            find_offline(packages, options.offline)
            if options.offline
            else find_online(packages, options.service.rstrip("/"))
        )
        findings = sorted({each for each in found if each.id not in options.ignore})
    except NotCheckedError as error:
        sys.stderr.write(f"The packages were not checked: {error}.\n")
        return 2
    for each in findings:
        package = each.package
        print(f"{package.ecosystem} {package.name} {package.version}: {each.id} {each.summary}")
    print(f"{len(findings)} known vulnerabilities")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())

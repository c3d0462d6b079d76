# `prepare NAME` installs requirements/NAME.txt and this package into .venv, and builds the pages. It does nothing if all
# that is up to date. Source this file with the repository root as working directory (./jaipur, ./check, benchmarks/run).

message() { printf '%s\n' "$*" >&2; }

fail() {
  message "jaipur: $*"
  exit 1
}

find_python() {
  for candidate in python3 python3.14 python3.13 python3.12 python3.11 python; do
    if "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
      command -v "$candidate"
      return
    fi
  done
  return 1
}

# The uv of this machine, or one in a private virtual environment.
find_uv() {
  if command -v uv; then return; fi
  if ! .uv/bin/uv --version >/dev/null 2>&1; then
    rm -rf .uv
    "$1" -m venv .uv >/dev/null 2>&1 ||
      { message "jaipur: this Python has no venv module; install it (on Debian: apt install python3-venv)."; return 1; }
    .uv/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/uv.txt >&2 ||
      { rm -rf .uv; message "jaipur: uv could not be installed. Is the Python package registry reachable?"; return 1; }
  fi
  echo .uv/bin/uv
}

page_sources() {
  find web src/jaipur/words \( -name node_modules -o -name __pycache__ \) -prune -o -type f -print | LC_ALL=C sort
}

prepare() {
  inputs=$(printf '%s\n' pyproject.toml "requirements/$1.txt" requirements/fast.txt scripts/environment.sh $(page_sources) | xargs cksum | cksum)" $PWD"
  stamp=".venv/ready-$1"
  if [ -x .venv/bin/python ] && [ -f src/jaipur/server/static/index.html ] &&
    [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$inputs" ]; then return; fi
  message "Installing dependencies into .venv. This takes about half a minute the first time …"
  python=$(find_python) || fail "Python 3.11 or newer is needed, and none was found."
  uv=$(find_uv "$python") || exit 1
  .venv/bin/python -c '' 2>/dev/null || "$uv" venv --quiet --clear --no-python-downloads --python "$python" .venv ||
    fail "the virtual environment .venv could not be created with $python."
  pip_install() { "$uv" pip install --quiet --python .venv/bin/python "$@"; }
  pip_install --require-hashes -r "requirements/$1.txt" &&
    { .venv/bin/python web/build.py --node || pip_install --require-hashes -r requirements/node.txt; } &&
    pip_install --no-deps --no-build-isolation --reinstall --editable . ||
    fail "the installation failed; see the lines above. Are the Python and npm registries reachable?"
  # Numba makes the grand-maharaja many times faster. Everything works without it.
  [ "$1" != run ] || pip_install --only-binary :all: --require-hashes -r requirements/fast.txt 2>/dev/null ||
    message "Numba is not available for this system, so the grand-maharaja is slower. Everything else works."
  printf '%s' "$inputs" >"$stamp"
}

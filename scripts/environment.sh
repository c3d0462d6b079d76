# `prepare NAME` makes .venv hold what requirements/NAME.txt pins, and this package on top with its pages built; it does
# nothing when all is in place. Sourced by ./jaipur, ./check and benchmarks/run with the repository root as working directory.

say() { printf '%s\n' "$*" >&2; }

give_up() {
  say "jaipur: $*"
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

find_uv() {
  if command -v uv; then return; fi
  if ! .uv/bin/uv --version >/dev/null 2>&1; then
    rm -rf .uv
    "$1" -m venv .uv >/dev/null 2>&1 ||
      { say "jaipur: this Python cannot make virtual environments; install its venv module (on Debian: apt install python3-venv)."; return 1; }
    .uv/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/uv.txt >&2 ||
      { rm -rf .uv; say "jaipur: could not install uv; is the Python package registry within reach?"; return 1; }
  fi
  echo .uv/bin/uv
}

sources_of_the_pages() {
  find web src/jaipur/words \( -name node_modules -o -name __pycache__ \) -prune -o -type f -print | LC_ALL=C sort
}

prepare() {
  wanted=$(printf '%s\n' pyproject.toml "requirements/$1.txt" requirements/fast.txt scripts/environment.sh $(sources_of_the_pages) | xargs cksum | cksum)" $PWD"
  ready=".venv/ready-$1"
  if [ -x .venv/bin/python ] && [ -f src/jaipur/server/static/index.html ] &&
    [ -f "$ready" ] && [ "$(cat "$ready")" = "$wanted" ]; then return; fi
  say "Setting up what is missing: this takes about half a minute, and the next start is quick …"
  python=$(find_python) || give_up "Python 3.11 or newer is needed, and none was found."
  uv=$(find_uv "$python") || exit 1
  .venv/bin/python -c '' 2>/dev/null || "$uv" venv --quiet --clear --no-python-downloads --python "$python" .venv ||
    give_up "could not make the virtual environment .venv with $python."
  add() { "$uv" pip install --quiet --python .venv/bin/python "$@"; }
  add --require-hashes -r "requirements/$1.txt" &&
    { .venv/bin/python web/build.py --node || add --require-hashes -r requirements/node.txt; } &&
    add --no-deps --no-build-isolation --reinstall --editable . ||
    give_up "the set-up failed; see the lines above. Are the registries of Python and npm within reach?"
  # Compiled, the grand-maharaja thinks many times as fast; where Numba cannot be had everything works without it.
  [ "$1" != run ] || add --only-binary :all: --require-hashes -r requirements/fast.txt 2>/dev/null ||
    say "Numba cannot be had here, so the grand-maharaja will think more slowly. All else is as it should be."
  printf '%s' "$wanted" >"$ready"
}

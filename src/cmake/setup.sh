# Shared by examples/quickstart.sh and tests/run.sh; sourced from the top of the project.

say() { printf '\n== %s\n' "$*"; }
run() {
  printf '$ %s\n' "$*"
  "$@"
}

# What the build needs, as Debian and Ubuntu name it.
GPUPLAN_PACKAGES="g++ cmake ninja-build libcli11-dev nlohmann-json3-dev libsimdjson-dev nettle-dev libfmt-dev libspdlog-dev catch2 libvalijson-dev"

missing_packages() {
  local package
  for package in $GPUPLAN_PACKAGES; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || printf '%s ' "$package"
  done
}

install_packages() {
  if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    if command -v cmake >/dev/null && command -v ninja >/dev/null && command -v c++ >/dev/null; then
      echo "Not a Debian or Ubuntu system: the packages are not checked, the build says what is missing."
      return
    fi
    echo "This system has no apt-get. Please install these and run this again: $GPUPLAN_PACKAGES" >&2
    exit 1
  fi
  local missing
  missing=$(missing_packages)
  if [ -z "$missing" ]; then
    echo "Everything is there."
    return
  fi
  local root=""
  if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
      echo "These packages are missing and this user can't install them: $missing" >&2
      exit 1
    fi
    root=sudo
  fi
  echo "Installing: $missing"
  $root env DEBIAN_FRONTEND=noninteractive apt-get update -qq
  # shellcheck disable=SC2086
  $root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null
}

# build_preset PRESET [cmake --build options]
build_preset() {
  local preset=$1
  shift
  cmake --preset "$preset" >/dev/null
  cmake --build --preset "$preset" "$@"
}

#!/usr/bin/env bash
# Installs the packages that the named goals need: Debian 12 and 13, Ubuntu 24.04. Asks nothing, and
# does nothing when they are all there.
#
#   tools/install_packages.sh build test
set -euo pipefail

# What each goal needs, a line a package. `a|b`: the first of them that the distribution has.
packages_of() {
  case "$1" in
    build)
      cat <<'LIST'
g++
cmake
ninja-build
make
libcli11-dev
libexpected-dev
libxxhash-dev
libboost1.81-dev|libboost1.83-dev|libboost-dev
libboost-json1.81-dev|libboost-json1.83-dev|libboost-json-dev
libssl-dev
libyaml-cpp-dev
libspdlog-dev
zlib1g-dev
libzstd-dev
libnghttp2-dev
libprotobuf-dev
protobuf-compiler
prometheus-cpp-dev
pkg-config|pkgconf
LIST
      ;;
    test)
      cat <<'LIST'
libgtest-dev
librapidcheck-dev
openssl
redis-server
redis-tools
LIST
      ;;
    e2e) # what clients of other languages need; a tool that is there from elsewhere will do
      python3 -c 'import ensurepip' 2>/dev/null || echo python3-venv
      tool node nodejs
      tool npm npm
      tool go golang-go
      tool javac default-jdk-headless
      tool mvn maven
      tool nginx nginx-light
      tool chromium chromium
      tool curl curl
      tool h2load nghttp2-client
      tool grpc_cpp_plugin protobuf-compiler-grpc
      echo libgrpc++-dev
      tool promtool prometheus
      ;;
    bench)
      cat <<'LIST'
libabsl-dev
libbenchmark-dev
libgrpc++-dev
mawk
nghttp2-client
protobuf-compiler-grpc
redis-server
redis-tools
LIST
      ;;
    fuzz)
      cat <<'LIST'
clang
libclang-rt-14-dev|libclang-rt-19-dev|libclang-rt-18-dev
LIST
      ;;
    sanitize) ;; # g++ brings its own
    lint)
      cat <<'LIST'
clang
clang-format
clang-tidy
git
shellcheck
LIST
      ;;
    *)
      echo "install_packages: no such group: $1 (build test e2e bench fuzz sanitize lint)" >&2
      exit 2
      ;;
  esac
}

tool() { # command, package: the package when the command is missing
  command -v "$1" >/dev/null || echo "$2"
}

fail() { # what is wrong, then what to do
  printf 'install_packages: %s\n  remedy: %s\n' "$1" "$2" >&2
  exit 1
}

installed() {
  [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

available() {
  [[ $(apt-cache policy "$1" 2>/dev/null) =~ "Candidate: "[^\(] ]]
}

as_root() {
  if [ "$(id -u)" -eq 0 ]; then
    "$@"
  else
    sudo -n "$@" # -n: a password is never asked for
  fi
}

any_installed() { # a|b|c
  local name
  for name in ${1//|/ }; do
    if installed "$name"; then return 0; fi
  done
  return 1
}

first_available() { # a|b|c
  local name
  for name in ${1//|/ }; do
    if available "$name"; then
      echo "$name"
      return 0
    fi
  done
  return 1
}

missing_of() { # the groups' lines that no installed package answers
  local group line
  for group in "$@"; do
    packages_of "$group" | while read -r line; do
      any_installed "$line" || echo "$line"
    done
  done | sort -u
}

check_able() { # the missing lines
  if [ "$(id -u)" -eq 0 ]; then return; fi
  if command -v sudo >/dev/null && sudo -n true 2>/dev/null; then return; fi
  fail "not installed: $1; installing needs root, and sudo is not there or wants a password" \
    "as root: apt-get install --no-install-recommends $1"
}

main() {
  local missing
  if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    fail "this is not Debian or Ubuntu, so packages are not looked for" \
      "install by hand: $(for group in "$@"; do packages_of "$group"; done | tr '\n' ' ')"
  fi
  missing=$(for group in "$@"; do packages_of "$group" >/dev/null; done && missing_of "$@")
  if [ -z "$missing" ]; then return; fi
  check_able "$(tr '\n' ' ' <<<"$missing")"
  install "$missing"
}

install() { # the missing lines
  local line name names=()
  echo "install_packages: installing" "${1//$'\n'/ }"
  as_root apt-get update -qq || echo "install_packages: some package lists are not up to date" >&2
  while read -r line; do
    name=$(first_available "$line") || fail "no package list has $line" \
      "enable the archive that has it ('main' on Debian, 'universe' on Ubuntu: sudo add-apt-repository universe), then apt-get update"
    names+=("$name")
  done <<<"$1"
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends \
    -o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0 "${names[@]}" >/dev/null ||
    fail "apt-get could not install: ${names[*]}" \
      "see its message above; then try: apt-get install --no-install-recommends ${names[*]}"
}

main "$@"

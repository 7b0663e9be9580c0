#!/usr/bin/env bash
# The library as other projects get it: installed into a prefix, then linked by CMake and by
# pkg-config.
#
#   tests/e2e/consumer.sh BUILD_FOLDER
# shellcheck source=tests/support/claims.sh
source "$(dirname "$0")/../support/claims.sh"

build=$1
root=$(cd "$(dirname "$0")/../.." && pwd)
prefix=$scratch/prefix
consumer=$scratch/consumer

expected="ann is in
ann is in
ann is in
ann must wait
bob is in
2 pages read, 98 left for the site
4 mails sent
5/6x is refused"

quietly() { # shows what a command says only when it fails
  "$@" >"$scratch/output" 2>&1 || {
    cat "$scratch/output"
    return 1
  }
}

with_cmake() {
  quietly cmake -S "$consumer" -B "$scratch/cmake" -DCMAKE_PREFIX_PATH="$prefix" &&
    quietly cmake --build "$scratch/cmake" &&
    equal "$("$scratch/cmake/consumer")" "$expected"
}

with_pkg_config() {
  quietly make -C "$consumer" "PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name tidegate.pc)")" &&
    equal "$("$consumer/consumer")" "$expected"
}

stands_alone() { # each installed header, and nothing but the prefix to find others in
  local header
  (cd "$prefix/include" && find tidegate -name '*.h') | while read -r header; do
    echo "#include \"$header\"" |
      quietly g++ -std=c++20 -fsyntax-only -x c++ -I "$prefix/include" - || return 1
  done
}

claim "installs into a prefix" quietly cmake --install "$build" --prefix "$prefix"

# Moved, so that a path into the place it was installed to first would be found out.
mv "$prefix" "$prefix.moved" && prefix=$prefix.moved
cp -r "$root/examples/consumer" "$consumer"

claim "the installed binary answers" equal "$("$prefix/bin/tidegate" take k 5/60s)" "allowed remaining=4"
claim "a project finds it with find_package" with_cmake
claim "a project finds it with pkg-config" with_pkg_config
claim "every installed header compiles by itself" stands_alone

conclude

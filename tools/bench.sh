#!/usr/bin/env bash
# Runs every benchmark of a build folder, one after the other; further arguments go to each.
#
#   tools/bench.sh build/bench/bench
set -euo pipefail

folder=$1
shift
for benchmark in "$folder"/*_bench; do
  if [ ! -x "$benchmark" ]; then
    echo "bench: no benchmark in $folder" >&2
    exit 1
  fi
  echo "== $(basename "$benchmark")"
  "$benchmark" "$@"
done

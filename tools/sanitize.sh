#!/usr/bin/env bash
# Builds a sanitizer preset and runs every test under it.
#
#   tools/sanitize.sh asan|tsan JOBS
set -euo pipefail
cd "$(dirname "$0")/.."

preset=$1
jobs=$2

# The thread sanitizer of g++ 12 and clang 14 cannot map its shadow where the kernel randomizes
# addresses by more than 28 bits; without randomization it can.
runner=()
bits=$(cat /proc/sys/vm/mmap_rnd_bits 2>/dev/null || echo 28)
if [ "$preset" = tsan ] && [ "$bits" -gt 28 ]; then
  if setarch -R true 2>/dev/null; then
    runner=(setarch -R)
  else
    echo "sanitize: tsan may fail to start here; remedy: sysctl vm.mmap_rnd_bits=28" >&2
  fi
fi

cmake --preset "$preset"
cmake --build --preset "$preset" --parallel "$jobs"
"${runner[@]}" ctest --preset "$preset"

#!/usr/bin/env bash
# Runs one fuzzer for FUZZ_SECONDS (60) from its corpus; new inputs and crashes stay in the build
# folder.
#
#   tools/fuzz.sh build/fuzz/fuzz/limit_grammar_fuzz fuzz/corpus/limit_grammar
set -euo pipefail

fuzzer=$(realpath "$1")
corpus=$2
found=$fuzzer.corpus
mkdir -p "$found"
inputs=("$found")
if [ -d "$corpus" ]; then inputs+=("$(realpath "$corpus")"); fi
if [ -f "$corpus.dict" ]; then dictionary=("-dict=$(realpath "$corpus.dict")"); fi

exec "$fuzzer" -max_total_time="${FUZZ_SECONDS:-60}" -timeout=10 -rss_limit_mb=2048 \
  -print_final_stats=1 -artifact_prefix="$fuzzer.crash-" "${dictionary[@]}" "${inputs[@]}"

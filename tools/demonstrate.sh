#!/usr/bin/env bash
# Fifteen views by one reader under a limit of five a minute, and a count of the answers.
#
#   tools/demonstrate.sh build/release/tidegate
set -euo pipefail

command=("$1" take liziba:view 5/60s --repeat 15 --every 1ms)
echo "\$ ${command[*]}"
# Exit 1 says that a take was denied, which is the point; 2 would be an error.
answers=$("${command[@]}") || [ $? -eq 1 ]
echo "$answers"

allowed=$(grep -c '^allowed' <<<"$answers" || true)
denied=$(grep -c '^denied' <<<"$answers" || true)
echo "$allowed allowed, $denied denied"
[ "$allowed" -eq 5 ] && [ "$denied" -eq 10 ]

#!/usr/bin/env bash
# Format, warnings as errors under clang and g++, shellcheck, clang-tidy.
#
#   tools/lint.sh changed|all JOBS
set -euo pipefail
cd "$(dirname "$0")/.."

scope=$1
jobs=$2

tracked() { # patterns
  git ls-files --cached --others --exclude-standard -- "$@" | while read -r file; do
    if [ -f "$file" ]; then echo "$file"; fi
  done
}

step() { printf '\n== %s\n' "$1"; }

# What differs from the main branch, or on it from the commit before.
changed() {
  local base
  base=$(git merge-base HEAD origin/main 2>/dev/null || true)
  if [ -z "$base" ] || [ "$base" = "$(git rev-parse HEAD)" ]; then
    base=$(git rev-parse --verify -q HEAD~1 || git rev-parse HEAD)
  fi
  {
    git diff --name-only --diff-filter=d "$base" -- '*.h' '*.cc'
    git ls-files --others --exclude-standard -- '*.h' '*.cc'
  } | sort -u
}

# A header is looked at through the sources that include it by name, as the compiler sees it.
sources_of() {
  while read -r file; do
    case "$file" in
      *.cc) echo "$file" ;;
      *.h) grep -lF "#include \"$file\"" -r tidegate tests fuzz bench --include='*.cc' || true ;;
    esac
  done | sort -u
}

compiled() { # those that the lint preset compiles
  while read -r file; do
    if grep -qF "\"file\": \"$PWD/$file\"" build/lint/compile_commands.json; then echo "$file"; fi
  done
}

tidy() {
  local files
  if [ "$scope" = all ]; then
    files=$(tracked '*.cc' | compiled)
  else
    files=$(changed | sources_of | compiled)
  fi
  if [ -z "$files" ]; then
    echo "nothing to look at"
    return
  fi
  echo "$files" | xargs -n 1 -P "$jobs" clang-tidy --quiet --warnings-as-errors='*' -p build/lint
}

step "format"
tracked '*.h' '*.cc' | xargs clang-format --dry-run --Werror

step "shellcheck"
{
  tracked '*.sh'
  tracked .ci/run
} | xargs shellcheck

for preset in lint lint-gcc; do
  step "warnings: $preset"
  cmake --preset "$preset" >/dev/null
  cmake --build --preset "$preset" --parallel "$jobs"
done

step "clang-tidy, $scope"
tidy
echo "lint: clean"

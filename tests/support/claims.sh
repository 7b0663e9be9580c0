# What the end-to-end scripts share: a claim a line, and a failure at the end when one did not hold.
# shellcheck shell=bash
set -uo pipefail

held=0
broken=0

# claim TEXT COMMAND...: holds when the command succeeds.
claim() {
  local text=$1
  shift
  if "$@"; then
    held=$((held + 1))
    echo "ok      $text"
  else
    broken=$((broken + 1))
    echo "BROKEN  $text"
  fi
}

# equal ACTUAL EXPECTED: shows both when they differ.
equal() {
  [ "$1" = "$2" ] && return
  printf '        got      %s\n        expected %s\n' "${1//$'\n'/$'\n                 '}" \
    "${2//$'\n'/$'\n                 '}"
  return 1
}

# claims_of NAME COMMAND...: takes over the claims of a program that prints `ok TEXT` or
# `BROKEN TEXT` for each.
claims_of() {
  local name=$1 verdict text
  shift
  timeout 120 "$@" >"$scratch/claims" 2>"$scratch/errors"
  claim "$name: runs to its end" ended_well $?
  while read -r verdict text; do
    claim "$name: $text" [ "$verdict" = ok ]
  done <"$scratch/claims"
}

ended_well() { # the exit code of a program that claims
  [ "$1" -eq 0 ] && [ -s "$scratch/claims" ] && return
  echo "        exit code $1"
  tail -n 20 "$scratch/errors"
  return 1
}

conclude() {
  echo "$held claims hold, $broken do not"
  [ "$broken" -eq 0 ] && [ "$held" -gt 0 ]
}

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

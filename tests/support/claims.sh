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

conclude() {
  echo "$held claims hold, $broken do not"
  [ "$broken" -eq 0 ] && [ "$held" -gt 0 ]
}

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

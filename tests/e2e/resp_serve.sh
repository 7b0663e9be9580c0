#!/usr/bin/env bash
# The server as a process: its end under load, hostile clients, what it says and exits with.
#
#   tests/e2e/resp_serve.sh BUILD_FOLDER
# shellcheck source=tests/support/claims.sh
source "$(dirname "$0")/../support/claims.sh"
# shellcheck source=tests/support/serve.sh
source "$(dirname "$0")/../support/serve.sh"

tidegate=$(realpath "$1/tidegate")
programs=$(cd "$(dirname "$0")/resp" && pwd)
ulimit -n "$(ulimit -Hn)"

address() { echo "127.0.0.1:${server_port[$1]}"; }

error_of() { { "$@" >/dev/null; } 2>&1; }

exit_of() {
  "$@" >/dev/null 2>&1
  echo $?
}

ended() { # the exit code of a server that is to end by itself
  local pid=${server_pid[$1]}
  unset "server_pid[$1]"
  wait "$pid"
}

# --- the end

claim "a server starts" start_server loaded --resp 127.0.0.1:0 --threads 2 --log-format json
claims_of "SIGTERM under load" python3 "$programs/drain.py" "${server_port[loaded]}" \
  "${server_pid[loaded]}" "$(log_of loaded)"
claim "it has ended with 0" ended loaded

# --- hostile clients

claim "a server for hostile clients starts" start_server hostile --resp 127.0.0.1:0 --threads 1
claims_of "hostile" python3 "$programs/hostile.py" "${server_port[hostile]}" "${server_pid[hostile]}"
claim "it ends with 0" stop_server hostile

# --- what it says

claim "a server that logs denials starts" start_server denials --resp "127.0.0.1:0,unix:$scratch/socket" \
  --log-denials 2/h --max-memory 64m
claim "take --server takes five of six there" \
  equal "$("$tidegate" take user:42 5/60s --repeat 6 --server "$(address denials)" | cut -d' ' -f1 | uniq -c | tr -s ' ')" \
  " 5 allowed
 1 denied"
claim "take --server over a unix socket sees the same counter" \
  equal "$("$tidegate" take user:42 5/60s --server "unix:$scratch/socket" | cut -d' ' -f1)" denied
claim "take --server takes from two limits or from none" \
  equal "$("$tidegate" take a 5/h --and b 2/h --repeat 3 --server "$(address denials)" | tail -n 1 | cut -d' ' -f1,3)" \
  "denied key=b"
claim "the banner says what listens, with which limits, and whose the counters are" \
  grep -q 'listening.*protocol=resp' "$(log_of denials)"
claim "the banner says that counters are this process' own" grep -q 'process' "$(log_of denials)"
claim "it ends with 0 and leaves no socket" stop_server denials
claim "the socket's file is gone" [ ! -e "$scratch/socket" ]
claim "two denials are logged, and how many more there were" \
  equal "$(grep -c ' denied key=' "$(log_of denials)") $(grep -c ' denied left_out=1$' "$(log_of denials)")" "2 1"

# --- what it refuses

printf 'threads: many\n' >"$scratch/settings.yaml"
claim "exit 2 on a flag that is wrong" equal "$(exit_of "$tidegate" serve --threads many)" 2
claim "a wrong variable is named" \
  grep -q 'TIDEGATE_THREADS "many": expected' <<<"$(TIDEGATE_THREADS=many error_of "$tidegate" serve)"
claim "a wrong line of a settings file is named" \
  grep -q 'settings.yaml:1:10: threads "many": expected' \
  <<<"$(error_of "$tidegate" serve --config "$scratch/settings.yaml")"
claim "a server that is there already is an error" start_server there --resp 127.0.0.1:0
claim "exit 2 on an address in use" \
  equal "$(exit_of "$tidegate" serve --resp "$(address there)")" 2
claim "take --server where nobody listens is an error" \
  equal "$(exit_of "$tidegate" take k 5/h --server 127.0.0.1:1)" 2

conclude

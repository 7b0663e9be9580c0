#!/usr/bin/env bash
# Limits by rules over HTTP: curl, reloads of a running server, and what watches it.
#
#   tests/e2e/rules_serve.sh BUILD_FOLDER
# shellcheck source=tests/support/claims.sh
source "$(dirname "$0")/../support/claims.sh"
# shellcheck source=tests/support/serve.sh
source "$(dirname "$0")/../support/serve.sh"

tidegate=$(realpath "$1/tidegate")
root=$(cd "$(dirname "$0")/../.." && pwd)

http_port() { # NAME: where that server serves HTTP
  grep 'listening protocol=http' "$(log_of "$1")" | grep -o 'address=[^ ]*' | grep -o '[0-9]*$'
}
url() { echo "http://127.0.0.1:$(http_port "$1")$2"; } # NAME PATH

ask() { # NAME USER: the status of a request of that user
  curl -s -o "$scratch/answer" -w '%{http_code}\n' -d "{\"domain\":\"api\",\"descriptors\":[{\"entries\":[{\"key\":\"user\",\"value\":\"$2\"}]}]}" \
    "$(url "$1" /json)"
}
statuses() { for _ in 1 2 3 4 5 6; do ask "$1" "$2"; done | xargs; }

metric() { # NAME SERIES: its value
  curl -s "$(url "$1" /metrics)" | awk -v series="$2" '$1 == series {print $2}'
}
uses() { curl -s "$(url "$1" /rlconfig)" | grep -qF "$2"; } # NAME TEXT: whether a rule says so
refused_once() { [ "$(metric "$1" 'tidegate_rule_loads_total{result="refused"}')" = 1 ]; }

# --- the quick start, as make run starts it

claim "a server with the quick start's rules starts" start_server quick --resp 127.0.0.1:0 \
  --http 127.0.0.1:0 --rules "$root/examples/rules/quickstart.yaml"
claim "POST /json: 200 five times, then 429" equal "$(statuses quick 42)" "200 200 200 200 200 429"
claim "the denial says OVER_LIMIT" grep -q '"overallCode":"OVER_LIMIT"' "$scratch/answer"
claim "another user has a count of its own" equal "$(ask quick 43)" 200
claim "the denial says when to come again" \
  grep -qi '^retry-after: [1-9]' <(curl -s -i -d '{"domain":"api","descriptors":[{"entries":[{"key":"user","value":"42"}]}]}' "$(url quick /json)")
claim "redis-cli sees the same count by RL.RULES" \
  equal "$(redis-cli -p "${server_port[quick]}" RL.RULES api 1 1 user 42 | head -n 1)" 0
claim "the health check of envoyproxy/ratelimit answers OK" equal "$(curl -s "$(url quick /healthcheck)")" OK
claim "GET /v1/top names who is denied most" \
  grep -q '^{"denied":\[{"key":"api|user=42","count":3,' <(curl -s "$(url quick /v1/top)")
claim "it ends with 0" stop_server quick

# --- reloads

cp "$root/examples/rules/quickstart.yaml" "$scratch/rules.yaml"
claim "a server whose rules will change starts" start_server changing --resp none \
  --http 127.0.0.1:0 --rules "$scratch/rules.yaml"
for _ in 1 2 3; do ask changing 42 >/dev/null; done
sed -i s,5/60s,6/60s, "$scratch/rules.yaml"
claim "what an editor writes is in use" within uses changing 'api|user: 6/min'
claim "what was used stays used: three of six are left" equal "$(statuses changing 42)" "200 200 200 429 429 429"
echo "domian: x" >"$scratch/rules.yaml"
claim "a broken file is refused" within refused_once changing
claim "the log says where and what would be right" \
  grep -q 'rules refused place=.*rules.yaml:1:1 why="unknown key \\"domian\\"; did you mean domain?"' "$(log_of changing)"
claim "and the rules in use go on" uses changing 'api|user: 6/min'
sed s,5/60s,7/60s, "$root/examples/rules/quickstart.yaml" >"$scratch/rules.yaml"
claim "the next good one is in use" within uses changing 'api|user: 7/min'
loads=$(metric changing 'tidegate_rule_loads_total{result="used"}')
kill -HUP "${server_pid[changing]}"
loaded_again() { [ "$(metric changing 'tidegate_rule_loads_total{result="used"}')" -gt "$loads" ]; }
claim "SIGHUP loads them again" within loaded_again
claim "POST /-/reload too, from this machine" equal "$(curl -s -X POST "$(url changing /-/reload)")" reloaded
claim "but not for a page in a browser" \
  equal "$(curl -s -o /dev/null -w '%{http_code}' -X POST -H 'Origin: http://elsewhere' "$(url changing /-/reload)")" 403
claim "it ends with 0" stop_server changing

# --- the ways of envoyproxy/ratelimit

claim "serve --compat envoy starts" start_server compat --resp none --http 127.0.0.1:0 \
  --compat envoy --rules "$root/examples/rules/envoy.yaml"
claim "its rules are fixed windows" uses compat 'algorithm fixed_window'
claim "it ends with 0" stop_server compat
claim "broken rules keep a server from starting, with file, line and column" \
  grep -q '^tidegate serve: .*broken.yaml:1:1: ' <("$tidegate" serve --resp 127.0.0.1:0 --rules <(:) 2>&1; echo 'x: 1' >"$scratch/broken.yaml"; "$tidegate" serve --resp 127.0.0.1:0 --rules "$scratch/broken.yaml" 2>&1)

# --- what watches it

redis-server --port 0 --unixsocket "$scratch/redis.sock" --save '' --dir "$scratch" >"$scratch/redis.log" 2>&1 &
server_pid[redis]=$!
claim "a Redis starts" within grep -sq 'eady to accept' "$scratch/redis.log"
claim "a server over it starts" start_server watched --resp 127.0.0.1:0 --http 127.0.0.1:0 \
  --rules "$root/examples/rules" --store "unix://$scratch/redis.sock"
connected() { [ "$(metric watched tidegate_store_connections)" -ge 1 ]; }
claim "it connects to its store" within connected
ask watched 42 >/dev/null
curl -s "$(url watched /metrics)" >"$scratch/metrics"
claim "its metrics are as Prometheus wants them" promtool check metrics <"$scratch/metrics"
claim "the example's scrape and alerts are as Prometheus wants them" \
  promtool check config "$root/examples/observability/prometheus.yml"
used_names() { grep -oh 'tidegate_[a-z_]*' "$root"/examples/observability/*.{yml,json} "$root/docs/metrics.md" | sort -u; }
missing() { # metrics that the examples and the documentation use and the server does not have
  for name in $(used_names); do grep -qE "^(# TYPE )?${name}[ {]" "$scratch/metrics" || echo "$name"; done
}
claim "every metric that the alerts, the dashboard and the documentation use is there" equal "$(missing)" ""
undocumented() {
  grep -o '^# TYPE tidegate_[a-z_]*' "$scratch/metrics" | awk '{print $3}' |
    while read -r name; do grep -q "\`$name\`" "$root/docs/metrics.md" || echo "$name"; done
}
claim "and every one that is there is documented" equal "$(undocumented)" ""
claim "the dashboard is JSON" python3 -m json.tool "$root/examples/observability/dashboard.json" "$scratch/dashboard"
kill -STOP "${server_pid[redis]}"
ask watched 42 >/dev/null
claim "a store that does not answer is told of" \
  [ "$(metric watched 'tidegate_store_fallback_total{why="late"}')" -ge 1 ]
kill -CONT "${server_pid[redis]}"
claim "it ends with 0" stop_server watched

conclude

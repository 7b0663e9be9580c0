#!/usr/bin/env bash
# nginx' limit_req against its mapping: rate r and burst b, nodelay, is a token_bucket of burst b + 1.
# nginx logs what it decided; the replay of that log must decide the same.
#
#   tests/e2e/replay_nginx.sh BUILD_FOLDER
# shellcheck source=tests/support/claims.sh
source "$(dirname "$0")/../support/claims.sh"

tidegate=$(realpath "$1/tidegate")
nginx=$(command -v nginx || echo /usr/sbin/nginx)

free_port() {
  python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}

# $msec is when nginx writes the line; what it decided by is a little before. So requests come in
# quick bursts, with pauses that leave no decision near an edge.
write_config() { # port, rate, burst
  cat >"$scratch/nginx.conf" <<CONFIG
daemon off;
worker_processes 1;
pid $scratch/nginx.pid;
error_log $scratch/error.log crit;
events { worker_connections 64; }
http {
  access_log off;
  log_format decided '\$msec \$arg_client \$status';
  limit_req_zone \$arg_client zone=clients:1m rate=$2;
  limit_req_status 429;
  client_body_temp_path $scratch/body; proxy_temp_path $scratch/proxy;
  fastcgi_temp_path $scratch/fastcgi; uwsgi_temp_path $scratch/uwsgi; scgi_temp_path $scratch/scgi;
  server {
    listen 127.0.0.1:$1;
    location / {
      limit_req zone=clients burst=$3 nodelay;
      access_log $scratch/decided.log decided;
      root $scratch;
    }
  }
}
CONFIG
}

serves() {
  local tries
  for ((tries = 0; tries < 100; ++tries)); do
    curl -s -o /dev/null "http://127.0.0.1:$1/index.html?client=warmup" && return
    sleep 0.05
  done
  return 1
}

# Bursts by four clients, with pauses after which whole tokens are back.
ask() { # port
  python3 - "$1" <<'PYTHON'
import http.client, sys, time
connection = http.client.HTTPConnection("127.0.0.1", int(sys.argv[1]))
for burst, pause in ((9, 0.35), (4, 0.15), (7, 0.25), (1, 0.05), (6, 0)):
    for client in "abcd":
        for _ in range(burst):
            connection.request("GET", f"/index.html?client={client}")
            connection.getresponse().read()
    time.sleep(pause)
PYTHON
}

run_nginx() { # rate, burst: leaves decided.log
  local port
  port=$(free_port)
  : >"$scratch/decided.log"
  echo hello >"$scratch/index.html"
  chmod 755 "$scratch"
  write_config "$port" "$1" "$2"
  "$nginx" -c "$scratch/nginx.conf" -p "$scratch" &
  local pid=$!
  local served=0
  serves "$port" && ask "$port" && served=1
  kill "$pid"
  wait "$pid" 2>/dev/null
  sed -i '/ warmup /d' "$scratch/decided.log"
  [ "$served" = 1 ] && [ -s "$scratch/decided.log" ]
}

refused_by_nginx() { grep -c ' 429$' "$scratch/decided.log"; }

denied_by_tidegate() { # limit
  "$tidegate" replay "$scratch/decided.log" --format "\$msec \$arg_client \$status" --by arg_client \
    --limit "$1" --json | python3 -c 'import json, sys; print(json.load(sys.stdin)["denied"])'
}

# A busy machine may hold a line back past an edge, so that its time is not that of the decision; so
# one run of three has to agree.
agrees() { # rate of nginx, burst, limit
  local tries refused denied
  for ((tries = 0; tries < 3; ++tries)); do
    run_nginx "$1" "$2" || return
    refused=$(refused_by_nginx)
    denied=$(denied_by_tidegate "$3")
    [ "$refused" -gt 0 ] && [ "$denied" = "$refused" ] && return
  done
  equal "$denied" "$refused"
}

compare() { # rate of nginx, burst, limit
  claim "rate=$1 burst=$2 nodelay denies what '$3' denies" agrees "$@"
}

compare 10r/s 4 "10/s burst 5"
compare 20r/s 1 "20/s burst 2"
compare 120r/m 2 "120/min burst 3"

conclude

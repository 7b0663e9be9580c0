#!/usr/bin/env bash
# Limits in a Redis, from outside: two servers and the command line over one redis-server.
#
#   tests/e2e/redis.sh BUILD_FOLDER
# shellcheck source=tests/support/claims.sh
source "$(dirname "$0")/../support/claims.sh"
tidegate=$1/tidegate
# shellcheck source=tests/support/serve.sh
source "$(dirname "$0")/../support/serve.sh"

# A redis-server on a unix socket and on a port that nobody else has.
start_redis() {
  local tries
  for tries in 1 2 3 4 5; do
    redis_port=$((20000 + (RANDOM + tries) % 10000))
    redis-server --port "$redis_port" --bind 127.0.0.1 --unixsocket "$scratch/redis.sock" \
      --save '' --dir "$scratch" >"$scratch/redis.log" 2>&1 &
    server_pid[redis]=$!
    within grep -sqE 'eady to accept|in use' "$scratch/redis.log"
    grep -q 'eady to accept' "$scratch/redis.log" && return
  done
  return 1
}

in_redis() { redis-cli -s "$scratch/redis.sock" "$@"; }

verdicts() { awk '{print $1}' | sort | uniq -c | awk '{printf "%s%s %s", sep, $1, $2; sep = " "}'; }

connected() { [ "$(grep -c 'store connected' "$(log_of "$1")")" -ge 2 ]; }

ask_both() { # ten takes of one key, split between the two servers: their verdicts
  local i
  for i in 1 2 3 4 5; do
    redis-cli -p "${server_port[one]}" RL.TAKE user:1 5/60s | head -n 1
    redis-cli -p "${server_port[two]}" RL.TAKE user:1 5/60s | head -n 1
  done | verdicts
}

at_once() { # four processes, 60 takes each, of one key
  local i pids=()
  for i in 1 2 3 4; do
    "$tidegate" take four 100/h --store "$url" --repeat 60 >"$scratch/four.$i" &
    pids+=($!)
  done
  wait "${pids[@]}"
  cat "$scratch"/four.* | verdicts
}

count_commands() { # of the kind, while the words run; script lines aside
  local kind=$1
  shift
  in_redis CONFIG RESETSTAT >"$scratch/ignored"
  "$@" >"$scratch/ignored"
  in_redis INFO commandstats | grep -o "cmdstat_$kind:calls=[0-9]*" | grep -o '[0-9]*$'
}

stopped_in_time() { # a take of the server `one`, its Redis stopped
  kill -STOP "${server_pid[redis]}"
  local said
  said=$(timeout 2 redis-cli -p "${server_port[one]}" RL.TAKE user:9 5/60s | head -n 1)
  kill -CONT "${server_pid[redis]}"
  [ "$said" = 1 ]
}

decided_by_redis() {
  redis-cli -p "${server_port[one]}" RL.TAKE back 1/h >"$scratch/ignored"
  [ "$(in_redis EXISTS 'tidegate:{back}:sliding_window')" = 1 ]
}

claim "redis-server starts" start_redis
url=redis://127.0.0.1:$redis_port
start_server one --resp 127.0.0.1:0 --threads 2 --store "$url" --store-timeout 1s
start_server two --resp 127.0.0.1:0 --threads 2 --store "$url?timeout=1s"
claim "both servers are connected" within connected one
claim "both servers are connected" within connected two

claim "ten takes split between two servers: 5 are allowed" equal "$(ask_both)" "5 0 5 1"
claim "the names of keys can be read" \
  equal "$(in_redis --scan)" "tidegate:{user:1}:sliding_window"
claim "every key has a TTL" [ "$(in_redis PTTL 'tidegate:{user:1}:sliding_window')" -gt 0 ]
claim "take --store lets 5 of 15 pass" \
  equal "$("$tidegate" take user:2 5/60s --store "$url" --repeat 15 | verdicts)" "5 allowed 10 denied"
claim "a decision is one command" \
  equal "$(count_commands evalsha "$tidegate" take user:3 5/60s --store "$url" --repeat 15)" 15
claim "a unix socket is the same Redis" \
  equal "$("$tidegate" take user:2 5/60s --store "unix://$scratch/redis.sock" | verdicts)" "1 denied"
claim "four processes on one key admit exactly the limit" equal "$(at_once)" "100 allowed 140 denied"
claim "keys lists what is used and what remains" \
  equal "$("$tidegate" keys --store "$url" --match 'user:1' | cut -d' ' -f1-4)" \
  'user:1 limit="5/min" used=5 remaining=0'
claim "keys --json is one object a line" \
  equal "$("$tidegate" keys --store "$url" --match 'user:[12]' --json | grep -c '"remaining":0')" 2
claim "reset forgets a key" "$tidegate" reset user:1 --store "$url"
claim "which then is no more" equal "$("$tidegate" keys --store "$url" --match 'user:1')" ""
claim "a take goes on while Redis is stopped" stopped_in_time
claim "and Redis decides again when it goes on" within decided_by_redis
claim "no Redis is an error, with exit code 2" \
  equal "$("$tidegate" take k 5/s --store redis://127.0.0.1:1 2>&1; echo $?)" \
  "tidegate take: redis://127.0.0.1:1/0: cannot connect: Connection refused
2"
claim "a password is shown nowhere" \
  equal "$("$tidegate" keys --store redis://:sesame@127.0.0.1:1 2>&1 | grep -c sesame)" 0
claim "the server ends with 0" stop_server one

conclude

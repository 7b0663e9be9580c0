#!/usr/bin/env bash
# Redis clients of five languages, from their registries, against a server: a claim a line. What
# they are built of stays in build/e2e. A client that cannot be installed is a claim that does not
# hold.
#
#   tests/e2e/resp_clients.sh BUILD_FOLDER
# shellcheck source=tests/support/claims.sh
source "$(dirname "$0")/../support/claims.sh"
# shellcheck source=tests/support/serve.sh
source "$(dirname "$0")/../support/serve.sh"

tidegate=$(realpath "$1/tidegate")
clients=$(cd "$(dirname "$0")/resp" && pwd)
environments=$(realpath "$1")/../e2e
mkdir -p "$environments"
certificates=$scratch/certificates
password=swordfish

quietly() { # shows what a command says only when it fails
  "$@" >"$scratch/output" 2>&1 || {
    tail -n 20 "$scratch/output"
    return 1
  }
}

# --- redis-cli and redis-benchmark, as the distribution has them

cli() { redis-cli -p "${server_port[plain]}" "$@"; }
secure_cli() {
  redis-cli -p "${server_port[secure]}" --tls --cacert "$certificates/ca.pem" \
    --cert "$certificates/client.pem" --key "$certificates/client.key" --no-auth-warning "$@"
}

six_limited() { # COMMAND...: the first number of six answers in a row
  for _ in 1 2 3 4 5 6; do "$@" | head -n 1; done | tr '\n' ' '
}

redis_cli() {
  claim "redis-cli: CL.THROTTLE user 4 5 60 lets five of six pass" \
    equal "$(six_limited cli CL.THROTTLE user 4 5 60)" "0 0 0 0 0 1 "
  claim "redis-cli: the sixth may come back after 12 s" \
    equal "$(cli CL.THROTTLE user 4 5 60 | sed -n 4p)" 12
  claim "redis-cli: 1000 commands piped in are all answered" \
    equal "$(yes "PING" | head -n 1000 | cli | sort | uniq -c | tr -s ' ')" " 1000 PONG"
  claim "redis-cli: --pipe counts every answer" \
    grep -q "errors: 0, replies: 1000" <(yes 'CL.THROTTLE pipe 4 5 60' | head -n 1000 | cli --pipe)
  claim "redis-cli: MULTI and EXEC" \
    equal "$(printf 'MULTI\nRL.TAKE m 2/h\nRL.TAKE m 2/h\nEXEC\n' | cli --csv | tail -n 1 | grep -o '"*1"*,2,[01]' | wc -l)" 2
  claim "redis-cli: RESP3 shows a map" \
    grep -q "remaining" <(cli -3 RL.TAKE three 5/h)
  claim "redis-cli: a unix socket" equal "$(redis-cli -s "$scratch/socket" PING)" PONG
  claim "redis-cli: TLS with a client certificate and a password" \
    equal "$(six_limited secure_cli -a "$password" CL.THROTTLE user 4 5 60)" "0 0 0 0 0 1 "
  claim "redis-cli: without the password nothing is answered" \
    grep -q NOAUTH <(secure_cli PING 2>&1)
  claim "redis-cli: a wrong password is refused" \
    grep -q WRONGPASS <(secure_cli -a wrong PING 2>&1)
  claim "redis-cli: without a client certificate nobody is let in" \
    without_certificate
}

without_certificate() {
  ! redis-cli -p "${server_port[secure]}" --tls --cacert "$certificates/ca.pem" \
    -a "$password" --no-auth-warning PING 2>/dev/null | grep -q PONG
}

benchmark() { # FLAG...: requests a second, of 20000 CL.THROTTLE
  timeout 60 redis-benchmark -p "${server_port[plain]}" -q -n 20000 -r 1000 "$@" \
    CL.THROTTLE key:__rand_int__ 4 5 60 | tr '\r' '\n' | grep -c 'requests per second'
}

redis_benchmark() {
  claim "redis-benchmark: PING, inline and as an array" \
    equal "$(timeout 60 redis-benchmark -p "${server_port[plain]}" -q -n 20000 -t ping | tr '\r' '\n' | grep -c 'requests per second')" 2
  claim "redis-benchmark: one request at a time" equal "$(benchmark)" 1
  claim "redis-benchmark: pipelines of 64" equal "$(benchmark -P 64)" 1
  claim "redis-benchmark: RESP3" equal "$(benchmark -3 -P 16)" 1
  claim "redis-benchmark: a connection for each request" equal "$(benchmark -k 0 -n 2000)" 1
  claim "redis-benchmark: TLS" \
    equal "$(timeout 60 redis-benchmark -p "${server_port[secure]}" --tls --cacert "$certificates/ca.pem" \
      --cert "$certificates/client.pem" --key "$certificates/client.key" -a "$password" -q -n 5000 \
      -t ping_mbulk -P 8 | tr '\r' '\n' | grep -c 'requests per second')" 1
}

# --- clients from registries

install_redis_py() {
  local folder=$environments/$1
  shift
  [ -x "$folder/bin/pip" ] || quietly python3 -m venv "$folder" || return
  quietly "$folder/bin/pip" install --disable-pip-version-check "$@"
}

redis_py() {
  claim "redis-py: installs" install_redis_py python redis==8.1.0
  claim "redis-py with hiredis: installs" install_redis_py hiredis redis==8.1.0 hiredis==3.5.0
  claims_of "redis-py" "$environments/python/bin/python" "$clients/redis_py.py" plain
  claims_of "redis-py with hiredis" "$environments/hiredis/bin/python" "$clients/redis_py.py" hiredis
}

install_ioredis() {
  mkdir -p "$environments/ioredis"
  cp "$clients/ioredis.js" "$environments/ioredis/"
  quietly npm install --prefix "$environments/ioredis" --no-audit --no-fund ioredis@6.0.0
}

ioredis() {
  claim "ioredis: installs" install_ioredis
  claims_of "ioredis" node "$environments/ioredis/ioredis.js"
}

install_go_redis() {
  mkdir -p "$environments/go_redis"
  cp "$clients"/go_redis/* "$environments/go_redis/"
  quietly go build -C "$environments/go_redis" -o claims .
}

go_redis() {
  claim "go-redis: installs" install_go_redis
  claims_of "go-redis" "$environments/go_redis/claims"
}

copy_dependencies=org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy-dependencies

install_jedis() {
  mkdir -p "$environments/jedis"
  cp "$clients"/jedis/* "$environments/jedis/"
  quietly mvn -q -B -f "$environments/jedis/pom.xml" "$copy_dependencies" -DoutputDirectory=lib &&
    quietly javac -cp "$environments/jedis/lib/*" -d "$environments/jedis/classes" \
      "$environments/jedis/Claims.java" && key_stores
}

key_stores() { # as Java wants them
  quietly keytool -importcert -noprompt -alias ca -file "$certificates/ca.pem" \
    -keystore "$certificates/ca.p12" -storetype PKCS12 -storepass changeit &&
    quietly openssl pkcs12 -export -in "$certificates/client.pem" -inkey "$certificates/client.key" \
      -out "$certificates/client.p12" -passout pass:changeit
}

jedis() {
  claim "Jedis: installs" install_jedis
  claims_of "Jedis" java -cp "$environments/jedis/classes:$environments/jedis/lib/*" Claims
}

make_certificates "$certificates" >/dev/null 2>&1
echo "$password" >"$scratch/password"
claim "a server starts" start_server plain --resp "127.0.0.1:0,unix:$scratch/socket"
claim "a server with TLS and a password starts" start_server secure --resp 127.0.0.1:0 \
  --resp-tls-cert "$certificates/server.pem" --resp-tls-key "$certificates/server.key" \
  --resp-tls-client-ca "$certificates/ca.pem" --resp-password-file "$scratch/password"

export PORT=${server_port[plain]} TLS_PORT=${server_port[secure]}
export PASSWORD=$password CERTIFICATES=$certificates
redis_cli
redis_benchmark
redis_py
ioredis
go_redis
jedis
claim "the server ends with 0" stop_server plain
claim "the server with TLS ends with 0" stop_server secure

conclude

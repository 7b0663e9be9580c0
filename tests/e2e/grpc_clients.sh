#!/usr/bin/env bash
# gRPC clients against a server: grpcio for Python, grpc-go with Envoy's own messages, gRPC's own C++,
# h2load, and a thousand connections that reset their calls. A claim a line; what they are built of stays in
# build/e2e.
#
#   tests/e2e/grpc_clients.sh BUILD_FOLDER
# shellcheck source=tests/support/claims.sh
source "$(dirname "$0")/../support/claims.sh"
# shellcheck source=tests/support/serve.sh
source "$(dirname "$0")/../support/serve.sh"

tidegate=$(realpath "$1/tidegate")
root=$(realpath "$(dirname "$0")/../..")
parts=$root/tests/e2e/grpc
environments=$(realpath "$1")/../e2e
mkdir -p "$environments"
method=envoy.service.ratelimit.v3.RateLimitService/ShouldRateLimit

install_grpcio() {
  local folder=$environments/grpcio
  [ -x "$folder/bin/pip" ] || python3 -m venv "$folder" || return
  "$folder/bin/pip" install -q --disable-pip-version-check grpcio==1.85.3 protobuf==7.36.2 &&
    (cd "$root/proto" && find . -name '*.proto' -printf '%P\n' | xargs protoc -I . \
      --include_imports --descriptor_set_out="$scratch/descriptors")
}

install_grpc_go() {
  mkdir -p "$environments/grpc_go" && cp -r "$parts"/grpc_go/* "$environments/grpc_go/" &&
    go build -C "$environments/grpc_go" -o bin/ ./...
}

# Of the messages of proto/ that the service needs; compiled once.
build_grpc_cpp() {
  local folder=$environments/grpc_cpp sources libraries
  [ "$folder/claims" -nt "$parts/cpp/claims.cc" ] && return
  mkdir -p "$folder" &&
    (cd "$root/proto" && find envoy -name '*.proto' -print0 |
      xargs -0 protoc -I . --cpp_out="$folder" --grpc_out="$folder" \
        --plugin=protoc-gen-grpc="$(command -v grpc_cpp_plugin)") || return
  mapfile -t sources < <(find "$folder" -name '*.cc')
  read -ra libraries < <(pkg-config --libs grpc++ protobuf)
  g++ -std=c++17 -O0 -I "$folder" -o "$folder/claims" "$parts/cpp/claims.cc" "${sources[@]}" \
    "${libraries[@]}"
}

write_rules() {
  cat >"$scratch/rules.yaml" <<'YAML'
domain: shop
descriptors:
  - key: user
    rate_limit: {unit: minute, requests_per_unit: 3}
  - key: many
    rate_limit: {unit: hour, requests_per_unit: 1500}
  - key: go
    rate_limit: {unit: hour, requests_per_unit: 1500}
  - key: inside
    rate_limit: {unlimited: true}
YAML
}

write_call() { # a request of user 7 in its frame of 5 bytes
  printf '\000\000\000\000\023\012\004shop\022\013\012\011\012\004user\022\001\067' >"$scratch/call"
}

load() { # H2LOAD_FLAG...: how many calls were answered
  timeout 60 h2load -d "$scratch/call" -H 'content-type: application/grpc' -H 'te: trailers' "$@" \
    "http://127.0.0.1:$PORT/$method" | sed -n 's/^requests:.* \([0-9]*\) succeeded, 0 failed.*/\1/p'
}

resident() { # KiB
  sed -n 's/^VmRSS:[^0-9]*\([0-9]*\).*/\1/p' "/proc/${server_pid[plain]}/status"
}

calls_with_resets() { # CONNECTIONS CALLS: whether all were answered that were not reset
  local answered reset
  read -r answered reset < <(timeout 250 "$environments/grpc_go/bin/resets" "$1" "$2")
  [ "$((answered + reset))" -eq "$(($1 * $2))" ] && [ "$reset" -gt "$(($1 * $2 / 50))" ]
}

resets() {
  local round sizes=()
  for round in 1 2 3 4 5; do
    claim "1000 connections with 200 calls each, some reset: all others are answered ($round of 5)" \
      calls_with_resets 1000 200
    sizes+=("$(resident)")
  done
  echo "        resident, in KiB: ${sizes[*]}"
  claim "from the third of five times 200,000 calls on, memory stays what it is (within 3%)" \
    [ "${sizes[4]}" -le "$((sizes[2] * 103 / 100))" ]
}

write_rules
write_call
make_certificates "$scratch/certificates" >/dev/null 2>&1
claim "a server starts" start_server plain --resp none --grpc 127.0.0.1:0 \
  --rules "$scratch/rules.yaml"
claim "a server with TLS and client certificates starts" start_server secure --resp none \
  --grpc 127.0.0.1:0 --rules "$scratch/rules.yaml" \
  --grpc-tls-cert "$scratch/certificates/server.pem" \
  --grpc-tls-key "$scratch/certificates/server.key" \
  --grpc-tls-client-ca "$scratch/certificates/ca.pem"
export PORT=${server_port[plain]} TLS_PORT=${server_port[secure]}
export CERTIFICATES=$scratch/certificates DESCRIPTORS=$scratch/descriptors

claim "grpcio: installs" install_grpcio
claims_of grpcio "$environments/grpcio/bin/python" "$parts/clients.py"
claim "grpc-go: installs" install_grpc_go
claims_of grpc-go "$environments/grpc_go/bin/claims"
claim "gRPC C++: builds" build_grpc_cpp
claims_of "gRPC C++" "$environments/grpc_cpp/claims"
claim "h2load: one connection, a call at a time" equal "$(load -n 2000 -c 1 -m 1)" 2000
claim "h2load: 8 connections with 32 calls at once" equal "$(load -n 100000 -c 8 -m 32)" 100000
claim "h2load: small windows" equal "$(load -n 5000 -c 4 -m 32 -w 10 -W 10)" 5000
resets
claim "the server ends with 0" stop_server plain
claim "the server with TLS ends with 0" stop_server secure

conclude

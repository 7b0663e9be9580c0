# Starts servers for the end-to-end scripts, each on a port of its own, and ends them at the exit.
# Needs claims.sh before it, and $tidegate.
# shellcheck shell=bash
# shellcheck disable=SC2154,SC2034  # scratch and tidegate come from there; server_port goes there

declare -A server_pid server_port
patience=10 # seconds, for whatever is waited for

# within COMMAND...: tries until it succeeds, or patience ends.
within() {
  local end=$((SECONDS + patience))
  until "$@"; do
    [ "$SECONDS" -lt "$end" ] || return 1
    sleep 0.02
  done
}

log_of() { echo "$scratch/$1.log"; }

listening_port() { # NAME: that of its first TCP address, from a log of either format
  grep -s listening "$(log_of "$1")" | grep -o 'address[":=]*[^ ,"]*:[0-9][0-9]*' | head -n 1 |
    grep -o '[0-9]*$'
}

is_listening() { [ -n "$(listening_port "$1")" ]; }

# start_server NAME FLAG...: its log is in $(log_of NAME), its port in ${server_port[NAME]}.
start_server() {
  local name=$1
  shift
  "$tidegate" serve "$@" 2>"$(log_of "$name")" &
  server_pid[$name]=$!
  if ! within is_listening "$name"; then
    echo "the server $name does not listen:"
    cat "$(log_of "$name")"
    return 1
  fi
  server_port[$name]=$(listening_port "$name")
}

# stop_server NAME: asks it to end; its exit code.
stop_server() {
  local pid=${server_pid[$1]}
  unset "server_pid[$1]"
  kill -TERM "$pid"
  wait "$pid"
}

end_servers() {
  local name
  for name in "${!server_pid[@]}"; do
    kill -KILL "${server_pid[$name]}"
    wait "${server_pid[$name]}"
  done 2>/dev/null
}
trap 'end_servers; rm -rf "$scratch"' EXIT

# make_certificates FOLDER: an authority, and a server and a client that it signed.
make_certificates() {
  local folder=$1 name
  mkdir -p "$folder"
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj "/CN=authority" \
    -keyout "$folder/ca.key" -out "$folder/ca.pem"
  for name in server client; do
    openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj "/CN=$name" \
      -keyout "$folder/$name.key" -out "$folder/$name.csr"
    openssl x509 -req -in "$folder/$name.csr" -days 2 -CA "$folder/ca.pem" -CAkey "$folder/ca.key" \
      -set_serial "0x$(openssl rand -hex 8)" -out "$folder/$name.pem" \
      -extfile <(echo "subjectAltName=DNS:localhost,IP:127.0.0.1")
  done
}

#!/usr/bin/env bash
# The replay from outside: a log in, the summary, the JSON and the page out; the page in a browser.
#
#   tests/e2e/replay_report.sh BUILD_FOLDER
# shellcheck source=tests/support/claims.sh
source "$(dirname "$0")/../support/claims.sh"

tidegate=$(realpath "$1/tidegate")
programs=$(cd "$(dirname "$0")/replay" && pwd)
tools=$(realpath "$1")/e2e/browser

# An hour of thirty steady clients and one flood, with a line that is none.
write_log() {
  awk 'BEGIN {
    for (s = 0; s < 3600; ++s) {
      stamp = sprintf("14/Nov/2023:22:%02d:%02d +0000", s / 60, s % 60)
      printf "198.51.100.%d - - [%s] \"GET /item/%d HTTP/1.1\" 200 512 \"-\" \"browser\"\n", s % 30, stamp, s
      if (s >= 1200 && s < 1260)
        for (i = 0; i < 5; ++i)
          printf "203.0.113.9 - - [%s] \"GET /login HTTP/1.1\" 200 99 \"-\" \"<script>\"\n", stamp
    }
    print "this is no request"
  }' >"$scratch/access.log"
}

field() { python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))[sys.argv[2]])' "$@"; }

replay_to_page() {
  "$tidegate" replay "$scratch/access.log" --limit 60/min --limit "60/min burst 5" --suggest \
    --html "$scratch/report.html" >"$scratch/report.txt" && [ -s "$scratch/report.txt" ]
}

replay_to_json() { "$tidegate" replay "$scratch/access.log" --limit 60/min --json >"$scratch/one.json"; }

install_browser_tools() {
  mkdir -p "$tools"
  [ -d "$tools/node_modules/playwright-core" ] ||
    npm --prefix "$tools" install --silent --no-audit --no-fund playwright-core >/dev/null
}

write_log
claim "a log is replayed to a page" replay_to_page
claim "a log is replayed to JSON" replay_to_json
claim "it counts lines" equal "$(field "$scratch/one.json" lines)" 3901
claim "it counts what is no request" equal "$(field "$scratch/one.json" bad_lines)" 1
claim "it counts keys" equal "$(field "$scratch/one.json" keys)" 31
claim "the flood is denied all but 60" equal "$(field "$scratch/one.json" denied)" 240
claim "one key is denied" equal "$(field "$scratch/one.json" denied_keys)" 1

gzip -k "$scratch/access.log"
claim "a packed log and standard input say the same" \
  equal "$("$tidegate" replay "$scratch/access.log.gz" --limit 60/min --json | sed 's/"file":[^,]*//g')" \
  "$("$tidegate" replay - --limit 60/min --json <"$scratch/access.log" | sed 's/"file":[^,]*//g')"

claim "the browser's driver is installed" install_browser_tools
mkdir -p "$tools/pictures"
export NODE_PATH=$tools/node_modules
claims_of "the page" node "$programs/look.js" "$scratch/report.html" "$tools/pictures"
echo "        pictures: $tools/pictures"

conclude

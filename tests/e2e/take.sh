#!/usr/bin/env bash
# The command line, run for real: what `take` answers, counts and exits with.
#
#   tests/e2e/take.sh BUILD_FOLDER
# shellcheck source=tests/support/claims.sh
source "$(dirname "$0")/../support/claims.sh"

tidegate=$1/tidegate
root=$(cd "$(dirname "$0")/../.." && pwd)

words() { # the first word of each answer, counted in order: `5 allowed 10 denied`
  awk '{print $1}' | uniq -c | awk '{printf "%s%s %s", sep, $1, $2; sep = " "}'
}

exit_of() { # the exit code of a command
  "$@" >/dev/null 2>&1
  echo $?
}

error_of() { { "$@" >/dev/null; } 2>&1; }

five_then_ten() {
  equal "$("$tidegate" take liziba:view 5/60s --repeat 15 "$@" | words)" "5 allowed 10 denied"
}

claim "5/60s lets 5 of 15 pass, 1 ms apart" five_then_ten --every 1ms
claim "5/60s lets 5 of 15 pass, all at once" five_then_ten --every 0
for algorithm in sliding_window sliding_window_counter fixed_window token_bucket; do
  claim "$algorithm lets 5 of 15 pass at once" \
    equal "$("$tidegate" take k "5/366d algorithm $algorithm" --repeat 15 | words)" "5 allowed 10 denied"
done
claim "the first answer says what remains" \
  equal "$("$tidegate" take k 5/60s)" "allowed remaining=4"
claim "a denial says when to come back" \
  equal "$("$tidegate" take k 1/60s --repeat 2 | tail -n 1 | sed -E 's/=(60|59\.[0-9])s$/=about a minute/')" \
  "denied retry_after=about a minute"
claim "capacity comes back: 20 takes 5 ms apart all pass under 1/1ms" \
  equal "$("$tidegate" take k 1/1ms --repeat 20 --every 5ms | words)" "20 allowed"
claim "a cost above the limit can never pass" \
  equal "$("$tidegate" take k 5/60s --cost 6)" "denied retry_after=never"
claim "cost is charged: 7/60s lets 2 of 4 takes of 3 pass" \
  equal "$("$tidegate" take k 7/60s --cost 3 --repeat 4 | words)" "2 allowed 2 denied"
claim "two keys, one answer: the tighter limit decides" \
  equal "$("$tidegate" take user 9/60s --and tenant 3/60s --repeat 9 | words)" "3 allowed 6 denied"
claim "--json prints an object for each decision" \
  equal "$("$tidegate" take k 2/60s --repeat 3 --json | grep -c '^{.*"allowed":\(true\|false\).*}$')" 3

claim "exit 0 when all were allowed" equal "$(exit_of "$tidegate" take k 5/60s --repeat 5)" 0
claim "exit 1 when any was denied" equal "$(exit_of "$tidegate" take k 5/60s --repeat 6)" 1
claim "exit 2 on a limit that is none" equal "$(exit_of "$tidegate" take k 5/6x)" 2
claim "exit 2 on an unknown command" equal "$(exit_of "$tidegate" gibberish)" 2
claim "exit 2 without a limit" equal "$(exit_of "$tidegate" take k)" 2
claim "exit 0 for --help, --version" \
  equal "$(exit_of "$tidegate" --help) $(exit_of "$tidegate" --version)" "0 0"
claim "a refused limit is shown, with an example" \
  grep -q '"5/6x".*60s' <<<"$(error_of "$tidegate" take k 5/6x)"
claim "errors go to standard error alone" equal "$("$tidegate" take k 5/6x 2>/dev/null)" ""

# Clients of very unequal eagerness: their n-th share of 20000 requests is about 1/n.
log=$scratch/requests
awk 'BEGIN {
  srand(7)
  for (i = 0; i < 20000; ++i) printf "10.0.%d.7 GET /\n", int(exp(rand() * log(3000)))
}' >"$log"
naive=$(awk '{print (++seen[$1] <= 10 ? "allowed" : "denied")}' "$log" | sort | uniq -c)
claim "--stdin counts a log of 20000 requests as a naive count by client does" \
  equal "$(awk '{print $1}' "$log" | "$tidegate" take --stdin 10/366d | awk '{print $1}' | sort | uniq -c)" \
  "$naive"
claim "--stdin answers in the order of the lines" \
  equal "$(printf 'a\nb\na\na\nb\n' | "$tidegate" take --stdin 1/60s | words)" "2 allowed 3 denied"

answers_while_open() { # an answer must come before the input ends
  local answer=""
  coproc "$tidegate" take --stdin 5/60s
  local asked=${COPROC[1]} answered=${COPROC[0]} pid=$COPROC_PID
  echo key >&"$asked"
  read -r -t 10 answer <&"$answered"
  eval "exec $asked>&-"
  wait "$pid"
  equal "$answer" "allowed remaining=4"
}
claim "--stdin answers a line before the next is asked" answers_while_open

claim "the demonstration ends with its count" \
  equal "$("$root/tools/demonstrate.sh" "$tidegate" | tail -n 1)" "5 allowed, 10 denied"

conclude

#!/usr/bin/env bash
# Processor time of short commands to `node -e 0` of the same Node, the least of 15 in alternation:  start-ratio.sh NODE [MOST]
# On a busy machine the least of 15 is still too much now and then: then of 30, then of 45.
# The bounds are 1.6 for one typing, 1.5 for --version, 1.7 for --help and 2.3 for a table of one row. Ends with
# status 1 where one typing takes more than MOST times, or --version more than 1.7 times as long.
set -euo pipefail
node=$1 most=${2:-1.6}
root=$(cd "$(dirname "$0")/.." && pwd)
home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT
export HOME=$home
# certificates that Node 20 reads at its start hide what the program takes
unset XDG_CACHE_HOME NODE_EXTRA_CA_CERTS NODE_OPTIONS
# a setting of the program, whichever, is a start of another kind: the tests' own HLA_CLIENTS looks like one
for name in "${!HLA_@}"; do unset "$name"; done
TIMEFORMAT='%3U %3S'
seconds() { { time "$node" "$@" > /dev/null 2>&1; } 2>&1 | awk '{ print $1 + $2 }'; }
printf 'id,A_1,A_2\nR1,A*01:01,A*02:01\n' > "$home/one.csv"
hla=$root/bin/hla.cjs
answer=("$hla" redux -q -r starter -m G 'A*01:01:01:01')
table=("$hla" redux -q -r starter -m G -i "$home/one.csv" -o "$home/out.csv")
# these write what V8 made of the program, for the others
for _ in 1 2; do
  "$node" "${answer[@]}" > /dev/null
  "$node" "$hla" --version > /dev/null
  "$node" "$hla" --help > /dev/null
  "$node" "${table[@]}"
done
runs=$home/runs
for _ in 1 2 3; do
  for _ in $(seq 15); do
    echo "$(seconds -e 0) $(seconds "${answer[@]}") $(seconds "$hla" --version) $(seconds "$hla" --help) $(seconds "${table[@]}")" >> "$runs"
  done
  awk -v most="$most" '
    { for (at = 1; at <= NF; at += 1) if (NR == 1 || $at < least[at]) least[at] = $at }
    END {
      printf "start-up to node -e 0, of %d: a typing %.2f, --version %.2f, --help %.2f, a table of one row %.2f\n", NR, least[2] / least[1], least[3] / least[1], least[4] / least[1], least[5] / least[1]
      exit least[3] / least[1] > 1.7 || least[2] / least[1] > most
    }' "$runs" && exit 0
done
exit 1

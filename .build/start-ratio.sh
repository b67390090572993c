#!/usr/bin/env bash
# Processor time of a first answer and of --version to `node -e 0` of the same Node, the least of 15 in alternation:  start-ratio.sh NODE MOST
# On a busy machine the least of 15 is still too much now and then: then of 30, then of 45.
# Ends with status 1 where --version takes more than 1.7 times, or the answer more than MOST times as long.
set -euo pipefail
node=$1 most=$2
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
answer=("$root/bin/hla.cjs" redux -q -r starter -m G 'A*01:01:01:01')
# these write what V8 made of the program, for the others
"$node" "${answer[@]}" > /dev/null
"$node" "$root/bin/hla.cjs" --version > /dev/null
runs=$(mktemp)
trap 'rm -rf "$home" "$runs"' EXIT
for _ in 1 2 3; do
  for _ in $(seq 15); do
    echo "$(seconds -e 0) $(seconds "$root/bin/hla.cjs" --version) $(seconds "${answer[@]}")" >> "$runs"
  done
  awk -v most="$most" '
    NR == 1 || $1 < none { none = $1 }
    NR == 1 || $2 < version { version = $2 }
    NR == 1 || $3 < answer { answer = $3 }
    END {
      printf "start-up to node -e 0, of %d: hla --version %.2f, an answer %.2f\n", NR, version / none, answer / none
      exit version / none > 1.7 || answer / none > most
    }' "$runs" && exit 0
done
exit 1

#!/usr/bin/env bash
# A store keeps and returns a file on this Node, whose SQLite may read a statement in its own way:  store-on-node.sh NODE
set -euo pipefail
node=$1
root=$(cd "$(dirname "$0")/.." && pwd)
home=$(mktemp -d)
export HOME=$home HLA_DRIVE_TOKEN_FILE=$home/store/owner-token
unset XDG_CACHE_HOME XDG_CONFIG_HOME XDG_STATE_HOME
hla() { "$node" "$root/bin/hla.cjs" drive "$@"; }
hla serve --data "$home/store" --port 0 --access-log off 2> "$home/said" &
served=$!
trap 'kill $served 2> /dev/null || true; wait $served 2> /dev/null || true; rm -rf "$home"' EXIT
for _ in $(seq 200); do
  HLA_DRIVE_URL=$(sed -n 's/.* on \(http:[^ ]*\)$/\1/p' "$home/said")
  [ -n "$HLA_DRIVE_URL" ] && break
  sleep 0.1
done
export HLA_DRIVE_URL
echo 'D1,A*01:01' > "$home/donors.csv"
hla mkdir /2026 > /dev/null
hla put -q "$home/donors.csv" /2026/ > /dev/null
hla ls /2026 | grep -q donors.csv
hla search donors | grep -q donors.csv
hla mv /2026/donors.csv /kept.csv > /dev/null
hla get -o - /kept.csv | cmp - "$home/donors.csv"
hla rm /kept.csv > /dev/null
hla empty-trash > /dev/null
hla fsck --data "$home/store" > /dev/null 2>&1
echo "a store on Node $("$node" --version) keeps and returns a file"

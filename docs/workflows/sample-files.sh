#!/usr/bin/env bash
# The first rows of each file of a registry, as one table, for hla --plan-from:  sample-files.sh FOLDER > sample.csv
# All files have the same header; plain, or gzip. So each is read as all are: what 2 or 0301 mean may not show in one file alone.
set -eu
if [ $# != 1 ]; then
  sed -n 2p "$0" | cut -c 3- >&2
  exit 2
fi
files=("$1"/*)
# hla decides by the first 1,000 rows
rows=$((1000 / ${#files[@]} + 2))
zcat -f "${files[0]}" | sed 1q
for file in "${files[@]}"; do
  zcat -f "$file" | sed -n "2,${rows}p;${rows}q"
done

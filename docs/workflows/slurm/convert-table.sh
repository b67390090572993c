#!/usr/bin/env bash
# Converts a table in parts on a Slurm cluster:  convert-table.sh TABLE OUTPUT PARTS [options of hla redux ...]
# The folder of OUTPUT must be one that all nodes see. HEADER_LINES=0 for a table without a header.
set -euo pipefail
if [ $# -lt 3 ]; then
  sed -n 2,3p "$0" | cut -c 3- >&2
  exit 2
fi
here=$(cd "$(dirname "$0")" && pwd)
table=$1 output=$2 parts=$3
shift 3
work=$output.parts

node "$here/../split-table.mjs" "$table" "$work/in" "$parts" --header-lines "${HEADER_LINES:-1}"
mkdir -p "$work/out" "$work/log"

array=$(sbatch --parsable --array="1-$parts" --output="$work/log/%a.log" "$here/convert-part.sh" "$work" "$@")
# only when every part has ended well; else it is cancelled, and nothing is joined
join=$(sbatch --parsable --dependency="afterok:${array%%;*}" --kill-on-invalid-dep=yes --job-name=hla-join \
  --output="$work/log/join.log" --wrap="$(printf '%q ' node "$here/../join-tables.mjs" "$work/in" "$work/out" "$output")")
echo "parts: job ${array%%;*}; join: job ${join%%;*}; logs: $work/log"

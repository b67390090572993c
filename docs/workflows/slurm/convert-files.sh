#!/usr/bin/env bash
# Converts a registry that is kept in many files on a Slurm cluster:  convert-files.sh FILES RESULTS TASKS [options of hla redux ...]
# Both folders must be ones that all nodes see. RESULTS.json is the record of all, when all have ended well.
set -euo pipefail
if [ $# -lt 3 ]; then
  sed -n 2,3p "$0" | cut -c 3- >&2
  exit 2
fi
here=$(cd "$(dirname "$0")" && pwd)
files=$1 results=${2%/} tasks=$3
shift 3

mkdir -p "$results" "$results.work/log"
"$here/../sample-files.sh" "$files" > "$results.work/sample.csv"

array=$(sbatch --parsable --array="1-$tasks" --output="$results.work/log/%a.log" "$here/convert-share.sh" "$files" "$results" "$tasks" "$@")
join=$(sbatch --parsable --dependency="afterok:${array%%;*}" --kill-on-invalid-dep=yes --job-name=hla-join \
  --output="$results.work/log/join.log" --wrap="$(printf '%q ' node "$here/../join-files.mjs" "$files" "$results" "$results.json")")
echo "files: job ${array%%;*}; record: job ${join%%;*}; logs: $results.work/log"

#!/usr/bin/env bash
# One task's share of the files of a registry, for a Slurm array job:  sbatch --array=1-N convert-share.sh FILES RESULTS N [options of hla redux ...]
#SBATCH --job-name=hla
#SBATCH --cpus-per-task=1
#SBATCH --mem=1G
#SBATCH --time=02:00:00
#SBATCH --requeue
set -euo pipefail
files=("$1"/*) results=$2 tasks=$3
shift 3

for ((at = SLURM_ARRAY_TASK_ID - 1; at < ${#files[@]}; at += tasks)); do
  name=$(basename "${files[at]}")
  # a task that is requeued goes on with the first file that is not done: the record is there only when it is
  [ -e "$results/$name.hla.json" ] && continue
  hla redux "$@" --exit-zero \
    -i "${files[at]}" --plan-from "$results.work/sample.csv" -o "$results/$name" --provenance
done

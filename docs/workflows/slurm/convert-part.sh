#!/usr/bin/env bash
# One part of a table, for a Slurm array job:  sbatch --array=1-N convert-part.sh FOLDER [options of hla redux ...]
#SBATCH --job-name=hla
#SBATCH --cpus-per-task=1
#SBATCH --mem=1G
#SBATCH --time=02:00:00
#SBATCH --requeue
set -euo pipefail
work=$1
shift
part=("$work/in/part-$(printf '%04d' "$SLURM_ARRAY_TASK_ID")"*)
name=$(basename "${part[0]}")

# a task that is requeued converts its part again; typings that fail are counted and reported
exec hla redux "$@" --exit-zero \
  -i "${part[0]}" --plan-from "$work/in/sample${name#part-????}" -o "$work/out/$name" --provenance

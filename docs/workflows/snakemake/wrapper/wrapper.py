"""Snakemake wrapper of `hla redux` for a table, or for a part of one that `sample` says how to read."""

from shlex import quote

from snakemake.shell import shell

plan = f"--plan-from {quote(snakemake.input.sample)}" if "sample" in snakemake.input.keys() else ""
options = snakemake.params.get("options", "")
log = snakemake.log_fmt_shell(stdout=False, stderr=True)

# typings that fail are counted and reported; they are no reason to stop
shell(
    "hla redux {options} --exit-zero"
    " -i {snakemake.input.table:q} {plan}"
    " -o {snakemake.output.table:q} --provenance {snakemake.output.provenance:q} {log}"
)

#!/usr/bin/env cwl-runner
# Reduces the HLA typings of a table:  cwltool hla-redux.cwl --table donors.csv --method lgx
cwlVersion: v1.2
class: CommandLineTool
label: Reduce the HLA typings of a table
doc: |
  Converts a table with hla redux. Typings that have no answer are counted and reported; they are no reason to stop.
  hla must be on the path, or in the container that the runner is told to use (--default-container).

hints:
  ResourceRequirement:
    coresMin: 1
    ramMin: 1000

baseCommand: [hla, redux]
arguments:
  - --exit-zero
  - --provenance
  - prefix: --jobs
    valueFrom: $(runtime.cores)
  - prefix: -o
    valueFrom: reduced-$(inputs.table.basename)
  - prefix: --summary
    valueFrom: json=reduced-$(inputs.table.basename).summary.json

inputs:
  table:
    type: File
    doc: A table of typings, plain, gzip or zstd
    inputBinding: { prefix: -i }
  method:
    type:
      - 'null'
      - type: array
        items: string
        inputBinding: { prefix: --method }
    default: [lgx]
    doc: G, P, lg, lgx, W, exon, U2, S, 1F or hats; one column each
  sample:
    type: File?
    doc: The first rows of the table that this one is a part of
    inputBinding: { prefix: --plan-from }
  options:
    type: string[]?
    doc: More options of hla redux, a word each
    inputBinding: { position: 1 }
  data_dir:
    type: Directory?
    doc: The folder in which releases are installed; without it the built-in starter set answers, as runners pass no environment on
    inputBinding: { prefix: --data-dir }

outputs:
  converted:
    type: File
    outputBinding: { glob: reduced-$(inputs.table.basename) }
  provenance:
    type: File
    outputBinding: { glob: reduced-$(inputs.table.basename).hla.json }
  summary:
    type: File
    outputBinding: { glob: reduced-$(inputs.table.basename).summary.json }
  errors:
    type: File?
    doc: The cells that have no answer; only when there are some
    outputBinding: { glob: reduced-$(inputs.table.basename).errors.csv }

#!/usr/bin/env cwl-runner
cwlVersion: v1.2
class: CommandLineTool
label: Reduce the HLA typings of a table, or of a part of one
doc: |
  Converts a table with hla redux. Typings that have no answer are counted and reported, and are no reason to stop.
  hla must be on the path, or in the container that the runner is told to use.

requirements:
  # the plan, the report and the record of a result stand beside it under its name
  InitialWorkDirRequirement:
    listing: $(inputs.data_dir === null ? [] : [{ entry: inputs.data_dir, entryname: 'hla-data', writable: false }])
  InlineJavascriptRequirement: {}

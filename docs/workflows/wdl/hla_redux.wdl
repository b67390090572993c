version 1.1

# Reduces the HLA typings of tables, each by itself and all read alike:
#   miniwdl run hla_redux.wdl tables=donors-1.csv tables=donors-2.csv image=localhost/hla

workflow hla_redux_tables {
  input {
    Array[File]+ tables
    File? sample
    String options = "-m lgx"
    String image = "localhost/hla"
  }

  scatter (table in tables) {
    call hla_redux { input: table = table, sample = sample, options = options, image = image }
  }

  output {
    Array[File] converted = hla_redux.converted
    Array[File] provenance = hla_redux.provenance
    Array[File] summary = hla_redux.summary
    Array[File?] errors = hla_redux.errors
  }
}

task hla_redux {
  meta {
    description: "Reduces the HLA typings of a table; typings that have no answer are counted and reported, and are no reason to stop"
  }

  parameter_meta {
    table: "A table of typings, plain, gzip or zstd"
    sample: "The first rows of the table that this one is a part of"
    options: "Options of hla redux, such as -m lgx -r 3.58.0"
    cpu: "Processors; one is enough up to some million rows"
    image: "A container with hla and the release, built from docs/deploy/Containerfile"
  }

  input {
    File table
    File? sample
    String options = "-m lgx"
    Int cpu = 1
    String image = "localhost/hla"
  }

  String name = basename(table)

  command <<<
    set -euo pipefail
    mkdir result
    hla redux ~{options} --exit-zero --jobs ~{cpu} \
      -i '~{table}' ~{"--plan-from '" + sample + "'"} \
      -o 'result/~{name}' --provenance --summary 'json=result/~{name}.summary.json'
  >>>

  output {
    File converted = "result/~{name}"
    File provenance = "result/~{name}.hla.json"
    File summary = "result/~{name}.summary.json"
    File? errors = "result/~{name}.errors.csv"
  }

  runtime {
    container: image
    cpu: cpu
    memory: "1 GiB"
  }
}

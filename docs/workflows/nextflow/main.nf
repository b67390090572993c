// Converts a table of typings in parts: split, convert each part with hla, join and check.
//   nextflow run main.nf --input donors.csv --output donors.lgx.csv --parts 8
nextflow.enable.dsl = 2

params.input        = null
params.output       = 'donors.lgx.csv'
params.outdir       = '.'
params.parts        = 8
params.header_lines = 1

include { HLA_REDUX } from './modules/local/hla/redux/main'

process SPLIT {
    label 'process_single'
    container "${task.ext.container ?: 'localhost/hla'}"

    input:
    path table
    path script

    output:
    path 'in/part-*'    , emit: parts
    path 'in/sample*'   , emit: sample
    path 'in/parts.json', emit: record

    script:
    """
    node '${script}' '${table}' in ${params.parts} --header-lines ${params.header_lines}
    """
}

process JOIN {
    label 'process_single'
    container "${task.ext.container ?: 'localhost/hla'}"
    publishDir params.outdir, mode: 'copy'

    input:
    path record, stageAs: 'in/*'
    path results, stageAs: 'out/*'
    path script
    path helper

    output:
    path "${params.output}"            , emit: table
    path "${params.output}.joined.json", emit: record
    path "${params.output}.errors.csv" , emit: errors, optional: true

    script:
    """
    node '${script}' in out '${params.output}'
    """
}

workflow {
    SPLIT(file(params.input, checkIfExists: true), file("${projectDir}/../split-table.mjs"))
    parts = SPLIT.out.parts.flatten().map { part -> [[id: part.simpleName], part] }
    HLA_REDUX(parts.combine(SPLIT.out.sample))
    results = HLA_REDUX.out.table
        .mix(HLA_REDUX.out.provenance, HLA_REDUX.out.errors)
        .map { meta, file -> file }
        .collect()
    JOIN(SPLIT.out.record, results, file("${projectDir}/../join-tables.mjs"), file("${projectDir}/../joined-records.mjs"))
    // modules say their versions on a topic, each task the same
    channel.topic('versions')
        .unique()
        .map { process, tool, version -> "${process}:\n    ${tool}: ${version}\n" }
        .collectFile(name: 'versions.yml', storeDir: params.outdir, sort: true)
}

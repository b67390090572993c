process HLA_REDUX {
    tag "$meta.id"
    label 'process_single'

    conda "${moduleDir}/environment.yml"
    // no public registry has an image yet: build docs/deploy/Containerfile, or set ext.container
    container "${task.ext.container ?: 'localhost/hla'}"

    input:
    tuple val(meta), path(table), path(sample)

    output:
    tuple val(meta), path("result/${table.name}")           , emit: table
    tuple val(meta), path("result/${table.name}.hla.json")  , emit: provenance
    tuple val(meta), path("result/${table.name}.errors.csv"), emit: errors, optional: true
    tuple val("${task.process}"), val('hla'), eval("hla --version | sed 's/^hla //'"), topic: versions, emit: versions_hla

    when:
    task.ext.when == null || task.ext.when

    script:
    def args = task.ext.args ?: '-m lgx'
    def plan = sample ? "--plan-from '${sample}'" : ''
    """
    mkdir -p result
    hla redux ${args} \\
        --exit-zero \\
        -i '${table}' ${plan} \\
        -o 'result/${table.name}' \\
        --provenance
    """

    stub:
    """
    mkdir -p result
    touch 'result/${table.name}' 'result/${table.name}.hla.json'
    """
}

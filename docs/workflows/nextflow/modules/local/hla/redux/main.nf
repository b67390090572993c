process HLA_REDUX {
    tag "$meta.id"
    label 'process_single'

    conda "${moduleDir}/environment.yml"
    // built from docs/deploy/Containerfile; no registry carries it
    container "${task.ext.container ?: 'localhost/hla'}"

    input:
    tuple val(meta), path(table), path(sample)

    output:
    tuple val(meta), path("result/${table.name}")           , emit: table
    tuple val(meta), path("result/${table.name}.hla.json")  , emit: provenance
    tuple val(meta), path("result/${table.name}.errors.csv"), emit: errors, optional: true
    path "versions.yml"                                     , emit: versions

    when:
    task.ext.when == null || task.ext.when

    script:
    def args = task.ext.args ?: '-m lgx'
    def plan = sample ? "--plan-from '${sample}'" : ''
    """
    mkdir -p result
    hla redux ${args} \\
        --jobs ${task.cpus} \\
        --exit-zero \\
        -i '${table}' ${plan} \\
        -o 'result/${table.name}' \\
        --provenance

    cat <<-END_VERSIONS > versions.yml
    "${task.process}":
        hla: \$(hla --version | sed 's|^hla ||')
    END_VERSIONS
    """

    stub:
    """
    mkdir -p result
    touch 'result/${table.name}' 'result/${table.name}.hla.json'

    cat <<-END_VERSIONS > versions.yml
    "${task.process}":
        hla: \$(hla --version | sed 's|^hla ||')
    END_VERSIONS
    """
}

/** The Nextflow module: read as Groovy, and its shell block by itself, as Nextflow would fill it in; all of it where Nextflow is installed. */
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { hasProgram } from '../support/programs.ts'
import { runShell } from '../support/run-hla.ts'
import { tempFolder } from '../support/temp.ts'
import { expectAsOneRun, SPLIT, WORKFLOWS, writeDonors } from '../support/workflow.ts'

const temp = tempFolder()
// Debian's groovy looks for Java where not every package of Java puts it
const GROOVY = 'JAVA_HOME=$(dirname $(dirname $(readlink -f $(command -v java)))) groovy'
const hasGroovy = hasProgram('groovy and java', 'bash', '-c', `${GROOVY} --version`)
const PARSER = join(import.meta.dirname, '../support/parse.groovy')
const hasNextflow = hasProgram('nextflow', 'nextflow', '-version')
const FOLDER = join(WORKFLOWS, 'nextflow')
const MODULE = join(FOLDER, 'modules/local/hla/redux')
const main = readFileSync(join(MODULE, 'main.nf'), 'utf8')

/** What stands between the quotes of `script:`, with values in the place of its variables. */
function shellBlock(values: Readonly<Record<string, string>>): string {
  const [, block = ''] = /script:[\s\S]*?"""\n([\s\S]*?)"""/.exec(main) ?? []
  const lines = block.split('\n').map((line) => line.replace(/^ {4}/, ''))
  // Groovy: ${…} is filled in, \$ and \\ stand for themselves
  return lines.join('\n').replace(/\\([\\$])|\$\{([^}]+)\}/g, (_, kept: string | undefined, name: string) => {
    if (kept !== undefined) return kept
    if (values[name] === undefined) throw new Error(`nothing for ${name}`)
    return values[name]
  })
}

describe('the Nextflow module', () => {
  test('has a shell block that converts a part', async () => {
    const cwd = temp('block')
    mkdirSync(cwd)
    writeDonors(join(cwd, 'donors.csv'), 500)
    const script = shellBlock({
      args: '-m lgx',
      'task.cpus': '1',
      'task.process': 'CONVERT:HLA_REDUX',
      table: 'in/part-0002.csv',
      plan: "--plan-from 'in/sample.csv'",
      'table.name': 'part-0002.csv',
    })
    // Nextflow runs blocks so
    const ran = await runShell(`${SPLIT} donors.csv in 2 && set -euo pipefail\n${script}`, { cwd })
    expect(ran).toMatchObject({ status: 0, stdout: '' })
    const made = await runShell('ls result; cat versions.yml; wc -l < result/part-0002.csv', { cwd })
    expect(made.stdout).toMatch(
      /^part-0002\.csv\npart-0002\.csv\.errors\.csv\npart-0002\.csv\.hla\.json\n"CONVERT:HLA_REDUX":\n {4}hla: \d+\.\d+\.\d+\S*\n251\n$/,
    )
  })

  test.skipIf(!hasGroovy)('is Groovy, as the workflow around it is', async () => {
    const files = [join(FOLDER, 'main.nf'), join(MODULE, 'main.nf')].map((file) => `'${file}'`).join(' ')
    const ran = await runShell(`${GROOVY} '${PARSER}' ${files}`, { cwd: temp('.') })
    expect(ran).toEqual({ status: 0, stdout: '', stderr: '' })
    const wrong = await runShell(
      `sed 's/emit: .*/emit:/' '${join(MODULE, 'main.nf')}' > wrong.nf; ${GROOVY} '${PARSER}' wrong.nf`,
      {
        cwd: temp('.'),
      },
    )
    expect(wrong.stderr).toMatch(/wrong\.nf: 1\d: /)
  })

  test('names in meta.yml what it takes and gives', () => {
    const meta = readFileSync(join(MODULE, 'meta.yml'), 'utf8')
    const emitted = [...main.matchAll(/emit: (\w+)/g)].map(([, name]) => name)
    expect(emitted).toEqual(['table', 'provenance', 'errors', 'versions'])
    expect(emitted.filter((name) => !meta.includes(`  - ${name}:\n`))).toEqual([])
  })

  test.skipIf(!hasNextflow)('joins parts into the bytes of one run', { timeout: 300_000 }, async () => {
    const cwd = temp('run')
    mkdirSync(cwd)
    writeDonors(join(cwd, 'donors.csv'), 5000)
    const ran = await runShell(
      `nextflow run '${join(FOLDER, 'main.nf')}' --input "$PWD/donors.csv" --outdir . --parts 3 2>&1`,
      { cwd },
    )
    expect(ran).toMatchObject({ status: 0 })
    await expectAsOneRun(cwd, 'donors.csv', 'donors.lgx.csv')
  })
})

/** The single-machine commands of docs/workflows: GNU parallel, and a plain shell. */
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { hasProgram } from '../support/programs.ts'
import { runShell } from '../support/run-hla.ts'
import { tempFolder } from '../support/temp.ts'
import { expectAsOneRun, WORKFLOWS, writeDonors } from '../support/workflow.ts'

const temp = tempFolder()
const hasParallel = hasProgram('GNU parallel', 'bash', '-c', 'parallel --version | grep -q "GNU parallel"')

describe.skipIf(!hasParallel)('the GNU parallel line', () => {
  test('makes the bytes of one run', async () => {
    const page = readFileSync(join(WORKFLOWS, 'README.md'), 'utf8')
    const [, lines = ''] = /```sh\n([^`]*parallel --halt[^`]*)```/.exec(page) ?? []
    const cwd = temp('run')
    mkdirSync(cwd)
    writeDonors(join(cwd, 'donors.csv'), 5000)
    const ran = await runShell(lines.replaceAll('docs/workflows', WORKFLOWS), { cwd })
    expect(ran).toMatchObject({ status: 0, stdout: '' })
    await expectAsOneRun(cwd, 'donors.csv', 'donors.lgx.csv')
  })
})

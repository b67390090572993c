/** The Snakemake workflow, run by Snakemake. */
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { hasProgram } from '../support/programs.ts'
import { runShell } from '../support/run-hla.ts'
import { tempFolder } from '../support/temp.ts'
import { expectAsOneRun, MANY_ROWS, WORKFLOWS, writeDonors } from '../support/workflow.ts'

const hasSnakemake = hasProgram('snakemake', 'snakemake', '--version')
const temp = tempFolder()
const RUN = `snakemake --snakefile '${join(WORKFLOWS, 'snakemake/Snakefile')}' --nocolor --cores 2`

describe.skipIf(!hasSnakemake)('the Snakemake workflow', () => {
  test(`joins ${MANY_ROWS.toLocaleString('en-US')} rows into the bytes of one run`, async () => {
    const cwd = temp('many')
    mkdirSync(cwd)
    writeDonors(join(cwd, 'donors.csv'), MANY_ROWS)
    const config = '--config input=donors.csv output=donors.lgx.csv parts=5 options="-m lgx --into replace"'
    const ran = await runShell(`${RUN} ${config} 2>&1`, { cwd })
    expect(ran).toMatchObject({ status: 0 })
    expect(ran.stdout).toMatch(/join-tables: donors\.lgx\.csv: \d+ rows, \d+ typings, \d+ failed; 5 parts/)
    await expectAsOneRun(cwd, 'donors.csv', 'donors.lgx.csv', '-m lgx --into replace')
    const again = await runShell(`${RUN} ${config} 2>&1`, { cwd })
    expect(again.stdout).toMatch(/Nothing to be done/)
  })

  test('stops with what hla says when a part cannot be converted', async () => {
    const cwd = temp('wrong')
    mkdirSync(cwd)
    writeDonors(join(cwd, 'donors.csv'), 50)
    const ran = await runShell(
      `${RUN} --config input=donors.csv output=out.csv parts=2 options="-l A=none" 2>&1; ls; cat out.csv.parts/log/*`,
      { cwd },
    )
    expect(ran.stdout).toMatch(/Error in rule convert/)
    expect(ran.stdout).toMatch(/no column "none"/)
    expect(ran.stdout).not.toMatch(/^out\.csv$/m)
  })

  test('has a wrapper whose own test passes', async () => {
    const cwd = temp('wrapper')
    mkdirSync(cwd)
    const wrapper = join(WORKFLOWS, 'snakemake/wrapper')
    const ran = await runShell(
      `cp -r '${wrapper}' . && cp '${wrapper}/test/donors.csv' . && snakemake -s wrapper/test/Snakefile --nocolor --cores 1 reduced/donors.csv 2>&1; cat logs/donors.log`,
      { cwd },
    )
    expect(ran).toMatchObject({ status: 0 })
    const made = (name: string) => readFileSync(join(cwd, 'reduced', name), 'utf8')
    expect(made('donors.csv')).toBe(readFileSync(join(WORKFLOWS, 'galaxy/test-data/donors.G.csv'), 'utf8'))
    expect(JSON.parse(made('donors.csv.hla.json')).summary).toMatchObject({ rows: 3, status: { error: 1 } })
  })
})

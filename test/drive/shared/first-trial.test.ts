/**
 * The shell commands of docs/deployment.md that start two servers of one store, pasted at once, with a real
 * PostgreSQL.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { blocksOf } from '../../support/doc-page.ts'
import { freePort } from '../../support/free-port.ts'
import { POSTGRES, startOwnPostgres } from '../../support/postgres.ts'
import { hasProgram } from '../../support/programs.ts'
import { RUN_FOLDER, runShell } from '../../support/run-hla.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()
const ROOT = join(import.meta.dirname, '../../..')
const MARK = 'run by: test/drive/shared/first-trial.test.ts'

/** The commands of the page. */
function firstTrial(): string {
  const page = readFileSync(join(ROOT, 'docs/deployment.md'), 'utf8')
  const [block] = blocksOf(page).filter(({ mark }) => mark === MARK)
  return block?.lines.join('\n') ?? ''
}

const hasCurl = hasProgram('curl', 'curl', '--version')

describe.skipIf(POSTGRES === undefined || !hasCurl)('the first trial of several servers', async () => {
  const postgres = POSTGRES === undefined ? undefined : await startOwnPostgres()

  test('is five lines, after which the second server answers', async () => {
    const lines = firstTrial()
    expect(lines.split('\n')).toHaveLength(5)
    const { port = 0, folder = '' } = postgres ?? {}
    const home = temp('home')
    const programs = temp('programs')
    mkdirSync(home)
    mkdirSync(programs)
    // the owner is `postgres` in the machine's PostgreSQL and `hla` in this one
    writeFileSync(join(programs, 'sudo'), '#!/bin/sh\nshift 2; PGUSER=hla exec "$@"\n', { mode: 0o755 })
    const places = [
      ['/var/run/postgresql', folder],
      ['8090', String(await freePort())],
      ['8091', String(await freePort())],
    ] as const
    const script = places.reduce((text, [shown, real]) => text.replaceAll(shown, real), lines)
    const { status, stdout, stderr } = await runShell(`${script}\nkill %1 %2; wait`, {
      cwd: home,
      env: {
        PATH: `${programs}:${POSTGRES}:${join(RUN_FOLDER, 'bin')}:${process.env['PATH']}`,
        USER: 'newcomer',
        PGHOST: folder,
        PGPORT: String(port),
        PGUSER: 'newcomer',
      },
    })
    // the first server may still have been starting when the second answered
    expect([status, stderr.replaceAll(/^(?:hla: |cat: ).*\n/gm, '')]).toEqual([0, ''])
    expect(stdout).toContain('"kind":"drive#about"')
  })
})

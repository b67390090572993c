/** The lines of docs/deployment.md by which a newcomer starts two servers of one store, pasted at once into a shell, beside a real PostgreSQL. */
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

/** As the page has it. */
function firstTrial(): string {
  const page = readFileSync(join(ROOT, 'docs/deployment.md'), 'utf8')
  const [block] = blocksOf(page).filter(({ mark }) => mark === MARK)
  return block?.lines.join('\n') ?? ''
}

const hasCurl = hasProgram('curl', 'curl', '--version')

describe.skipIf(POSTGRES === undefined || !hasCurl)('the first trial of several servers', async () => {
  const postgres = POSTGRES === undefined ? undefined : await startOwnPostgres()

  test('is five lines, after which the second server answers', { timeout: 60_000 }, async () => {
    const lines = firstTrial()
    expect(lines.split('\n')).toHaveLength(5)
    const { port = 0, folder = '' } = postgres ?? {}
    const home = temp('home')
    const programs = temp('programs')
    mkdirSync(home)
    mkdirSync(programs)
    // of the machine's own PostgreSQL the owner is `postgres`; of this one it is `hla`
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
    // the first may have been about to begin when the second answered
    expect([status, stderr.replaceAll(/^(?:hla: |cat: ).*\n/gm, '')]).toEqual([0, ''])
    expect(stdout).toContain('"kind":"drive#about"')
  })
})

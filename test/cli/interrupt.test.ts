/** Ctrl-C during a run: the exit status shows it, and no partial file is left. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { runHla } from '../support/run-hla.ts'
import { tempFolder } from '../support/temp.ts'

const temp = tempFolder()
const HLA = join(import.meta.dirname, '../../bin/hla.cjs')

function folder(name: string): string {
  mkdirSync(temp(name))
  return temp(name)
}

describe.concurrent('a signal', () => {
  test.for([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)(
    '%s while stdin is read ends with %i, and the part of a file is removed',
    async ([signal, status]) => {
      const cwd = folder(signal)
      // the message about the wrong typing shows that the run has begun
      const ran = await runHla(['redux', '-q', '-o', 'out.txt'], { cwd, stdin: 'A*99:99\n', signal })
      expect(ran).toMatchObject({ status, stdout: '' })
      expect(ran.stderr).toMatch(/^hla: error: .*\[starter\]$/m)
      expect(ran.stderr).not.toContain('at ')
      expect(readdirSync(cwd)).toEqual([])
    },
  )

  test('ends a comparison of all patients with all donors between two patients', async () => {
    const cwd = folder('match')
    const row = (at: number) => `${at},01:01,02:01,07:02,08:01,15:01,03:01\n`
    const table = (persons: number) => `id,A_1,A_2,B_1,B_2,DRB1_1,DRB1_2\n${Array.from({ length: persons }, (_, at) => row(at)).join('')}` // prettier-ignore
    writeFileSync(join(cwd, 'patients.csv'), table(1000))
    writeFileSync(join(cwd, 'donors.csv'), table(5000))
    const files = ['--patients', 'patients.csv', '--donors', 'donors.csv', '-o', 'out.csv']
    const run = spawn(process.execPath, [HLA, 'match', '-q', '-r', 'starter', ...files], {
      cwd,
      stdio: 'ignore',
    })
    const ended = once(run, 'exit')
    const part = join(cwd, '.out.csv.part')
    // the first pairs are written
    while (run.exitCode === null && !(existsSync(part) && statSync(part).size > 0)) await setTimeout(5)
    run.kill('SIGTERM')
    expect((await ended)[0]).toBe(143)
    expect(readdirSync(cwd).toSorted()).toEqual(['donors.csv', 'patients.csv'])
  })

  test('keeps the answers that were given before it', async () => {
    const stdin = 'A*01:01:01\nB*07:02:01\n'
    const ran = await runHla(['redux', '-q'], { cwd: folder('given'), stdin, signal: 'SIGINT' })
    expect(ran).toEqual({ status: 130, stdout: 'A*01:01\nB*07:02\n', stderr: '' })
  })

  test('ends the co-process, which answers each request at once', async () => {
    const stdin = '{"op":"ard","allele":"A*01:01"}\n'
    const ran = await runHla(['pipe', '-q', '-r', 'starter'], {
      cwd: folder('pipe'),
      stdin,
      signal: 'SIGINT',
    })
    expect(ran.status).toBe(130)
    expect(ran.stdout).toMatch(/^\{"allele":"A\*01:01","ard":"A\*01:01",.*\}\n$/)
  })
})

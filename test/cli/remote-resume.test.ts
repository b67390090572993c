/** A service that is killed while it answers a table: what it had answered is kept, and the run goes on with another. */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { namePart } from '../../src/io/part-file.ts'
import { freePort } from '../support/free-port.ts'
import { runHla, runShell } from '../support/run-hla.ts'
import { tempFolder } from '../support/temp.ts'

const PROGRAM = join(import.meta.dirname, '../../bin/hla.cjs')
const temp = tempFolder()

/** Resolves when it listens. */
function serve(cwd: string, port: number): Promise<ChildProcess> {
  const args = [PROGRAM, 'serve', '--port', String(port), '-r', 'starter', '--access-log', 'off']
  const child = spawn(process.execPath, args, { cwd, env: { HOME: cwd } })
  return new Promise((resolve, reject) => {
    child.stderr.on('data', (bytes: Buffer) => /on http:/.test(bytes.toString()) && resolve(child))
    child.on('exit', () => reject(new Error('the service ended')))
  })
}

function killed(child: ChildProcess): Promise<unknown> {
  const ended = new Promise((resolve) => child.on('exit', resolve))
  child.kill('SIGKILL')
  return ended
}

/** No name twice: each block of rows is a journey. */
function tableText(rows: number): string {
  const lines = Array.from({ length: rows }, (_, at) => `${at},A*01:01/A*0${(at % 3) + 1}:01,A*99:${at}`)
  return `id,A_1,A_2\n${lines.join('\n')}\n`
}

test(
  'a service that dies leaves the state of a run, which another goes on with',
  { timeout: 240_000 },
  async () => {
    const cwd = temp('dying')
    mkdirSync(cwd)
    writeFileSync(join(cwd, 'in.csv'), tableText(60_000))
    const port = await freePort()
    const table = ['redux', '-q', '-i', 'in.csv', '--remote', `http://127.0.0.1:${port}`, '--retries', '0']
    const first = await serve(cwd, port)
    expect(await runHla([...table, '-o', 'whole.csv'], { cwd })).toMatchObject({ status: 1 })
    const running = runHla([...table, '-o', 'out.csv'], { cwd })
    // the first rows are written, the next are asked for
    await expect
      .poll(() => sizeOf(namePart(join(cwd, 'out.csv'))), { timeout: 60_000, interval: 5 })
      .toBeGreaterThan(1)
    await killed(first)
    const { status, stderr } = await running
    expect(status).not.toBe(0)
    const [, command = ''] = /rows are kept; resume with: (hla .*--resume.*)\n/.exec(stderr) ?? []
    expect({ stderr, command }).toMatchObject({ command: expect.stringContaining('-o out.csv') })
    expect(existsSync(join(cwd, 'out.csv'))).toBe(false)
    const second = await serve(cwd, port)
    expect(await runShell(command, { cwd })).toMatchObject({ status: 1 })
    await killed(second)
    for (const name of ['', '.errors.csv'])
      expect(readFileSync(join(cwd, `out.csv${name}`), 'latin1')).toBe(
        readFileSync(join(cwd, `whole.csv${name}`), 'latin1'),
      )
    expect(existsSync(join(cwd, 'out.csv.hla-state.json'))).toBe(false)
  },
)

function sizeOf(path: string): number {
  return existsSync(path) ? readFileSync(path).length : 0
}

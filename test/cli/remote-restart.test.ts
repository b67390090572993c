/** A service restarts while it answers a table: the client waits, and the answers are the same. */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as rest } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { namePart } from '../../src/io/part-file.ts'
import { freePort } from '../support/free-port.ts'
import { runHla } from '../support/run-hla.ts'
import { tempFolder } from '../support/temp.ts'

const PROGRAM = join(import.meta.dirname, '../../bin/hla.cjs')
const temp = tempFolder()

/** ms without a service */
const OUTAGE = 5500

/** Resolves when it listens. */
function serve(cwd: string, port: number): Promise<ChildProcess> {
  const args = [PROGRAM, 'serve', '--port', String(port), '-r', 'starter', '--access-log', 'off']
  const child = spawn(process.execPath, args, { cwd, env: { HOME: cwd } })
  return new Promise((resolve, reject) => {
    child.stderr.on('data', (bytes: Buffer) => /on http:/.test(bytes.toString()) && resolve(child))
    child.on('exit', () => reject(new Error('the service ended')))
  })
}

function ended(child: ChildProcess): Promise<unknown> {
  const end = new Promise((resolve) => child.on('exit', resolve))
  child.kill('SIGKILL')
  return end
}

const NOTE = 'x'.repeat(200)

/** Distinct names in rows of several blocks, so that each block sends requests. */
function tableText(rows: number): string {
  const lines = Array.from(
    { length: rows },
    (_, at) => `${at},A*01:01/A*0${(at % 3) + 1}:01,A*99:${at},${NOTE}`,
  )
  return `id,A_1,A_2,note\n${lines.join('\n')}\n`
}

test.concurrent.for([
  ['by default', []],
  ['with --retries 50', ['--network', 'retries=50']],
] as const)('a table outlives five seconds without its service %s', async ([name, retries], { expect }) => {
  const cwd = temp(`restart ${name}`)
  mkdirSync(cwd)
  writeFileSync(join(cwd, 'in.csv'), tableText(40_000))
  const port = await freePort()
  const first = await serve(cwd, port)
  const table = ['redux', '-i', 'in.csv', '--remote', `http://127.0.0.1:${port}`, ...retries]
  const running = runHla([...table, '-o', 'out.csv'], { cwd })
  // the first rows are written, and requests for the next are under way
  await expect
    .poll(() => sizeOf(namePart(join(cwd, 'out.csv'))), { timeout: 60_000, interval: 5 })
    .toBeGreaterThan(1)
  await ended(first)
  await rest(OUTAGE)
  const second = await serve(cwd, port)
  const { status, stderr } = await running
  expect({ status, stderr }).toMatchObject({ status: 1 })
  if (retries.length === 0)
    expect(stderr).toContain(
      `hla: note: http://127.0.0.1:${port} cannot be reached: connection refused; retrying for up to 120 s [waiting]`,
    )
  expect(await runHla([...table, '-q', '-o', 'whole.csv'], { cwd })).toMatchObject({ status: 1 })
  await ended(second)
  for (const more of ['', '.errors.csv'])
    expect(readFileSync(join(cwd, `out.csv${more}`), 'latin1')).toBe(
      readFileSync(join(cwd, `whole.csv${more}`), 'latin1'),
    )
})

test('a service that dies while it answers a table ends the run, and leaves nothing', async () => {
  const cwd = temp('dying')
  mkdirSync(cwd)
  writeFileSync(join(cwd, 'in.csv'), tableText(60_000))
  const port = await freePort()
  const service = await serve(cwd, port)
  const words = ['redux', '-q', '-i', 'in.csv', '-o', 'out.csv', '--remote', `http://127.0.0.1:${port}`]
  const running = runHla([...words, '--network', 'retries=0'], { cwd })
  await expect
    .poll(() => sizeOf(namePart(join(cwd, 'out.csv'))), { timeout: 60_000, interval: 5 })
    .toBeGreaterThan(1)
  await ended(service)
  expect((await running).status).toBe(5)
  expect(readdirSync(cwd).filter((name) => name.includes('out.csv'))).toEqual([])
})

test('an address where no service is fails after the attempts that were asked for', async () => {
  const url = `http://127.0.0.1:${await freePort()}`
  const { status, stderr } = await runHla(['redux', '--remote', url, 'A*01:01'], { cwd: temp('') })
  expect({ status, stderr }).toEqual({
    status: 5,
    stderr: expect.stringMatching(
      /^hla: error: cannot reach \S+: connection refused \(5 attempts in \S.*s\)/,
    ),
  })
})

const BLEND = ['DRB1*03:01+DRB1*04:01', 'DRB3*01:01']

test.for([
  ['--remote', ['redux', '--remote', 'http://user:s3cret@127.0.0.1:9', 'A*01:01'], '--header-file'],
  ['--remote in a note', ['blend', '--remote', 'http://user:s3cret@127.0.0.1:9', ...BLEND], 'read as'],
  [
    '--remote=',
    ['blend', '--remote=http://user:s3cret@127.0.0.1:9', ...BLEND],
    '--remote=http://127.0.0.1:9',
  ],
  ['--drive-url', ['drive', 'ls', '--drive-url', 'http://user:s3cret@127.0.0.1:9'], '--drive-token-file'],
] as const)('%s with a password is refused, and the password not printed', async ([, args, hint]) => {
  const { status, stderr } = await runHla(args, { cwd: temp('') })
  expect(status).toBe(2)
  expect(stderr).toContain('the address contains a user name or password')
  expect(stderr).toContain(hint)
  expect(stderr).not.toContain('s3cret')
})

test.for([
  ['redux', '--remote', 'https://ard.example.org/hla/?key=1', 'A*01:01'],
  ['redux', '--remote', 'https://ard.example.org/hla#key', 'A*01:01'],
])('an address with a query is refused: %j', async (args) => {
  const { status, stderr } = await runHla(args, { cwd: temp('') })
  expect({ status, stderr }).toEqual({
    status: 2,
    stderr:
      'hla: error: --remote: the address contains a query\n  write --remote https://ard.example.org/hla\n',
  })
})

function sizeOf(path: string): number {
  return existsSync(path) ? statSync(path).size : 0
}

/** `hla serve` as a process: output, signals, workers, files. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { closeConnections } from '../support/close-connections.ts'
import { runHla } from '../support/run-hla.ts'
import { tempFolder } from '../support/temp.ts'

const temp = tempFolder()
const PROGRAM = join(import.meta.dirname, '../../bin/hla.cjs')
const running: ChildProcess[] = []
afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL')
})

interface Serving {
  readonly url: string
  readonly child: ChildProcess
  readonly said: () => string
  readonly printed: () => string
}

async function serve(...args: string[]): Promise<Serving> {
  const cwd = temp('.')
  const env = { HOME: cwd, HLA_DATA_DIR: join(cwd, 'data'), HLA_SYSTEM_DATA_DIR: join(cwd, 'none') }
  const child = spawn(process.execPath, [PROGRAM, 'serve', '--port', '0', ...args], { cwd, env })
  running.push(child)
  let [said, printed] = ['', '']
  child.stdout.on('data', (bytes: Buffer) => (printed += bytes.toString()))
  const url = await new Promise<string>((resolve, reject) => {
    child.stderr.on('data', (bytes: Buffer) => {
      said += bytes.toString()
      const found = /on (https?:\S+)\n/.exec(said)?.[1]
      if (found !== undefined) resolve(found)
    })
    child.on('exit', () => reject(new Error(said)))
  })
  return { url, child, said: () => said, printed: () => printed }
}

async function end({ child }: Serving, signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
  closeConnections()
  child.kill(signal)
  const [status] = (await once(child, 'exit')) as [number | null]
  return status
}

const redux = (url: string) =>
  fetch(`${url}/redux`, { method: 'POST', body: '{"gl_string":"A*01:AB","reduction_method":"lgx"}' })

describe('hla serve', () => {
  test('says where, answers, writes a line for a request, and ends well at SIGTERM', async () => {
    const serving = await serve()
    expect(await (await redux(serving.url)).json()).toMatchObject({
      ard: 'A*01:01/A*01:02',
      dataset: 'starter',
    })
    expect(await end(serving)).toBe(0)
    expect(serving.said()).toMatch(
      /^hla: note: built-in starter set .*\nhla: serving the built-in starter set of 3\.58\.0 on http:\/\/127\.0\.0\.1:\d+\n$/,
    )
    const lines = serving
      .printed()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(lines.at(-1)).toMatchObject({
      method: 'POST',
      route: '/redux',
      status: 200,
      ms: expect.any(Number),
    })
    expect(serving.printed()).not.toContain('A*01')
  })

  test('writes its log to a file, and to a new one after SIGHUP', async () => {
    const file = temp('access.log')
    const serving = await serve('--access-log', file)
    await redux(serving.url)
    await pause(300)
    renameSync(file, `${file}.1`)
    serving.child.kill('SIGHUP')
    await expect.poll(() => existsSync(file)).toBe(true)
    await redux(serving.url)
    expect(await end(serving)).toBe(0)
    expect(readFileSync(`${file}.1`, 'utf8')).toContain('"route":"/redux"')
    expect(readFileSync(file, 'utf8')).toContain('"route":"/redux"')
    expect(serving.said()).toContain('hla: reference data reloaded\n')
  })

  test('asks for a token of its file', async () => {
    const file = temp('tokens')
    writeFileSync(file, '# of the laboratory\nsecret\n')
    const serving = await serve('--token-file', file, '--access-log', 'off')
    expect((await redux(serving.url)).status).toBe(401)
    const headers = temp('headers')
    writeFileSync(headers, 'Authorization: Bearer secret\n')
    const remote = ['redux', '-q', '--remote', serving.url]
    const cwd = temp('.')
    expect(await runHla([...remote, '--header-file', headers, 'A*01:AB'], { cwd })).toMatchObject({
      stdout: 'A*01:01/A*01:02\n',
      status: 0,
    })
    const refused = await runHla([...remote, 'A*01:AB'], { cwd })
    expect(refused).toMatchObject({ stdout: '', status: 5 })
    expect(refused.stderr).toContain('--header-file')
    expect(await end(serving, 'SIGINT')).toBe(0)
  })

  test('reads its tokens again at SIGHUP, and goes on with those it has where it cannot', async () => {
    const file = temp('tokens-again')
    writeFileSync(file, 'first\n')
    const serving = await serve('--token-file', file, '--access-log', 'off')
    const status = async (token: string) =>
      (await fetch(`${serving.url}/version`, { headers: { authorization: `Bearer ${token}` } })).status
    expect([await status('first'), await status('second')]).toEqual([200, 401])
    writeFileSync(file, 'second\n')
    serving.child.kill('SIGHUP')
    await expect.poll(() => status('second')).toBe(200)
    expect(await status('first')).toBe(401)
    rmSync(file)
    serving.child.kill('SIGHUP')
    await expect.poll(serving.said).toContain('tokens and certificate could not be reloaded')
    expect(await status('second')).toBe(200)
    expect(await end(serving)).toBe(0)
  })

  test('converts tables beside its loop, by the bytes of the command line', async () => {
    const serving = await serve('--access-log', 'off')
    const rows = '1,01:01,02:01\n2,01:AB,99:99\n'.repeat(2000)
    const table = `id,A_1,A_2\n${rows}`
    const convert = () => fetch(`${serving.url}/table?name=donors.csv`, { method: 'POST', body: table })
    const started = convert()
    // the event loop answers while the thread starts
    expect((await redux(serving.url)).status).toBe(200)
    const form = await (await started).formData()
    const part = form.get('table')
    const { stdout } = await runHla(['redux', '-q', '-d', ','], { cwd: temp('.'), stdin: table })
    expect(typeof part === 'string' ? part : await part?.text()).toBe(stdout)
    const refused = await fetch(`${serving.url}/table?columns=none`, { method: 'POST', body: table })
    expect([refused.status, await refused.json()]).toMatchObject([400, { code: 'usage' }])
    serving.child.kill('SIGHUP')
    await expect.poll(serving.said).toContain('reference data reloaded')
    expect((await convert()).status).toBe(200)
    expect(await end(serving)).toBe(0)
  })

  test('with workers: both answer, a dead one is replaced, all end', async () => {
    const serving = await serve('--workers', '2', '--access-log', 'off')
    const metrics = async () => (await fetch(`${serving.url}/metrics`)).text()
    const workers = async () =>
      [...(await metrics()).matchAll(/^hla_info.*worker="(\d+)"/gm)].map(([, id]) => id)
    await expect.poll(workers, { timeout: 10_000 }).toEqual(['1', '2'])
    // one connection a request, so that both workers answer some; either reports for all
    const headers = { connection: 'close' }
    await Promise.all(Array.from({ length: 20 }, () => fetch(`${serving.url}/version`, { headers })))
    const counts = [...(await metrics()).matchAll(/^hla_requests_total.*"GET".*"\/version".* (\d+)$/gm)]
    expect(counts.reduce((sum, [, count]) => sum + Number(count), 0)).toBe(20)
    expect(counts).toHaveLength(2)
    const [first] = readFileSync(`/proc/${serving.child.pid}/task/${serving.child.pid}/children`, 'utf8')
      .trim()
      .split(' ')
    process.kill(Number(first), 'SIGKILL')
    await expect.poll(serving.said, { timeout: 10_000 }).toContain('another takes its place')
    expect(serving.said()).toContain('was killed by the system (SIGKILL), often because memory ran out')
    expect((await redux(serving.url)).status).toBe(200)
    await expect.poll(workers, { timeout: 10_000 }).toHaveLength(2)
    expect(await workers()).toContain('3')
    expect(await end(serving)).toBe(0)
  })

  test('with workers: one that hangs is replaced', async () => {
    const serving = await serve('--workers', '2', '--access-log', 'off')
    const children = () =>
      readFileSync(`/proc/${serving.child.pid}/task/${serving.child.pid}/children`, 'utf8').trim().split(' ')
    await expect.poll(children, { timeout: 10_000 }).toHaveLength(2)
    await expect.poll(async () => (await redux(serving.url)).status).toBe(200)
    const [first = ''] = children()
    await pause(1000)
    process.kill(Number(first), 'SIGSTOP')
    await expect.poll(serving.said, { timeout: 30_000 }).toContain('has not answered for 10 s')
    await expect.poll(serving.said, { timeout: 10_000 }).toContain('another takes its place')
    await expect.poll(() => children().length, { timeout: 10_000 }).toBe(2)
    expect(children()).not.toContain(first)
    expect(await end(serving)).toBe(0)
  })

  test.for(['serve --access-log off', 'serve --workers 2 --access-log off', 'drive serve'])(
    'tells systemd that it listens, and that it runs: %s',
    async (text) => {
      const words = text.split(' ')
      const bin = temp(`bin-${words.length}`)
      mkdirSync(bin)
      const told = join(bin, 'told')
      writeFileSync(join(bin, 'systemd-notify'), `#!/bin/sh\necho "$NOTIFY_SOCKET $@" >> ${told}\n`, {
        mode: 0o755,
      })
      const cwd = temp('.')
      const env = {
        HOME: cwd,
        HLA_DATA_DIR: join(cwd, 'data'),
        HLA_SYSTEM_DATA_DIR: join(cwd, 'none'),
        PATH: `${bin}:${process.env['PATH']}`,
        WATCHDOG_USEC: '600000',
        NOTIFY_SOCKET: '/run/x',
      }
      const data = words.includes('drive') ? ['--data', join(bin, 'store')] : []
      const child = spawn(process.execPath, [PROGRAM, ...words, ...data, '--port', '0'], { cwd, env })
      running.push(child)
      const lines = () => (existsSync(told) ? readFileSync(told, 'utf8').split('\n') : [])
      await expect
        .poll(lines, { timeout: 15_000 })
        .toEqual(expect.arrayContaining(['/run/x READY=1', '/run/x WATCHDOG=1']))
      expect(lines().filter((line) => line.includes('READY'))).toHaveLength(1)
    },
  )

  test('a token with a blank in it, which no request could bring, is refused at the start', async () => {
    const file = temp('tokens-with-blanks')
    writeFileSync(file, '# of two programs\nsecret\nhis secret\n')
    const { status, stderr } = await runHla(['serve', '--port', '0', '--token-file', file], {
      cwd: temp('.'),
    })
    expect([status, stderr]).toEqual([2, expect.stringContaining(`line 3 of ${file} contains a space`)])
    expect(stderr).not.toContain('his secret')
  })

  test('what is wrong is text on standard error, as all that is said there', async () => {
    const serving = await serve('--access-log', 'off')
    expect((await fetch(`${serving.url}/mac-hats/A*01:AB`)).status).toBe(501)
    await expect.poll(serving.said).toMatch(/^hla: warning: cannot answer \(reqId=[\w-]+ code=no-hats\)$/m)
    expect(serving.said()).not.toContain('{"level"')
  })

  test.for([
    [['--port', '99999'], 2, 'It must be a port from 0 to 65535'],
    [['--port', 'x'], 2, 'whole number'],
    [['--workers', '0'], 2, '1 to 256'],
    [['--request-timeout', 'soon'], 2, '500ms, 10s or 2m'],
    [['--max-body', '1 cup'], 2, '64KiB'],
    [['--token-file', 'none'], 4, 'cannot read none'],
    [['--tls-cert', 'none'], 2, 'both --tls-cert and --tls-key'],
    [['-r', '3.10.0'], 3, 'not installed'],
    [['-r', '3.10.0', '--workers', '2'], 3, 'not installed'],
    [['--host', '203.0.113.1'], 4, 'cannot listen on 203.0.113.1'],
    [['--host', '203.0.113.1', '--workers', '2'], 4, 'cannot listen on 203.0.113.1'],
  ] as const)('%j ends with status %i', async ([args, status, message]) => {
    const ran = await runHla(['serve', '--port', '0', ...args], { cwd: temp('.') })
    expect(ran.stderr).toContain(message)
    expect(ran).toMatchObject({ status, stdout: '' })
  })

  test('nothing of it is loaded by other commands', async () => {
    const { stdout } = await runHla(['redux', '-q', 'A*01:01'], {
      cwd: temp('.'),
      env: { NODE_OPTIONS: `--require=${loadedParts()}` },
    })
    expect(stdout).toBe('A*01:01\nloaded: none\n')
  })
})

/** Prints, at exit, which heavy packages were loaded. */
function loadedParts(): string {
  const file = temp('loaded.cjs')
  writeFileSync(
    file,
    `process.once('exit', () => {
  const loaded = Object.keys(require.cache).flatMap((path) => /node_modules.(fastify|pino|undici|ora|chalk)/.exec(path)?.[1] ?? [])
  require('node:fs').writeSync(1, 'loaded: ' + ([...new Set(loaded)].join(' ') || 'none') + '\\n')
})`,
  )
  return file
}

test('an address with its port is refused with the two options', async () => {
  const refused = { status: 2, stderr: expect.stringContaining('--host 0.0.0.0 --port 8080\n') as string }
  expect(await runHla(['serve', '--host', '0.0.0.0:8080'], { cwd: temp('.') })).toMatchObject(refused)
})

/** `hla drive` as whole processes: the service, its administration, the examples of the help. */
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { loadPrograms } from '../../../src/cli/commands/programs.ts'
import { manualFacts } from '../../../src/cli/run/manual/show.ts'
import { EXAMPLE_IDS } from '../../../src/drive/commands/store-command.ts'
import { commandLine, withSubcommands } from '../../../src/manual/command-facts.ts'
import { callHla, callLine } from '../../support/call-hla.ts'
import { type Drive, startDrive } from '../../support/drive.ts'
import { writeExampleFiles } from '../../support/example-files.ts'
import { beginRequest } from '../../support/raw-request.ts'
import { runHla, type RunOptions, runShell } from '../../support/run-hla.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()
const cwd = temp('.')
const hla = (...args: string[]) => callHla(['drive', ...args], { cwd })
const start = (...args: string[]) => runHla(['drive', ...args], { cwd })

/** The store that the examples find. */
const BEFORE = [
  'hla drive put -p donors.csv /registry/',
  'hla drive user add ben@lab.example',
  'hla drive group add typing@lab.example',
  'hla drive account add old-bot@lab.example --url https://lab.example > old.json',
  'hla drive token create --user ben@lab.example --refresh > refresh',
]

/** Kind of an id -> the list whose lines begin with it. */
const LISTS = {
  key: 'key list',
  token: 'token list',
  rule: 'rule list',
  revision: 'log /registry/donors.csv',
} as const

const PROGRAMS = await loadPrograms()

describe('the examples in the help', () => {
  const commands = withSubcommands(manualFacts(PROGRAMS).program).filter(({ words }) => words[0] === 'drive')
  const doing = commands.filter(({ commands: below }) => below.length === 0)
  // the program is started once for each command
  const examples = doing.flatMap((one) =>
    one.examples.map((example, at) => ({ ...example, isFirst: at === 0 })),
  )

  test('run, those of a command one after the other', async () => {
    const folder = temp('examples')
    writeExampleFiles(folder)
    const drive = await startDrive({ args: ['-r', 'starter'] })
    const tokenFile = temp('owner-token')
    writeFileSync(tokenFile, drive.token)
    const signedIn = { HLA_DRIVE_URL: drive.url, HLA_DRIVE: drive.folder, HLA_DRIVE_TOKEN_FILE: tokenFile }
    const print = async (command: string, more: Partial<RunOptions> = {}, run = runShell) => {
      const { stdout, stderr, status } = await run(command, { cwd: folder, env: signedIn, ...more })
      const expected = more.signal === undefined ? [0] : [0, 130, 143]
      expect(expected, `${command}: ${stderr}`).toContain(status)
      return stdout.trimEnd()
    }
    const firstOf = async (list: string) => {
      const [, id = ''] = /:"([^"]+)"/.exec(await print(`hla drive ${list} --json`, {}, callLine)) ?? []
      return id
    }
    const withIds = async (command: string) => {
      for (const [kind, id] of Object.entries(EXAMPLE_IDS))
        if (command.includes(id)) return command.replace(id, await firstOf(LISTS[kind as keyof typeof LISTS]))
      return command
    }
    for (const command of BEFORE) await print(command)
    for (const { command, output, isFirst } of examples) {
      const line = await withIds(command)
      if (line.startsWith('hla drive serve'))
        await print(`exec ${line} --port 0`, { env: {}, signal: 'SIGTERM', when: /on http:.*\n/ })
      else if (line === 'hla drive login')
        await print(`exec ${line}`, { env: { HLA_DRIVE_URL: drive.url }, signal: 'SIGINT', when: /http.*\n/ })
      else {
        // a sign-in takes the place of the token
        const isOfPerson = /log(?:in|out)/.test(line)
        const stdout = await print(
          line,
          isOfPerson ? { env: { HLA_DRIVE_URL: drive.url } } : {},
          isFirst ? runShell : callLine,
        )
        if (output !== undefined) expect({ command, stdout }).toEqual({ command, stdout: output })
      }
    }
    await drive.stop()
  }, 600_000)

  test('are there for every command that does something', () => {
    const without = doing.filter(
      (command) => !command.examples.some(({ command: line }) => line.includes(commandLine(command))),
    )
    expect(without.map(commandLine)).toEqual([])
  })
})

describe('hla drive serve', () => {
  test('leaves its owner a token that ends, in no journal, and serves the same store again', async () => {
    const first = await startDrive({ args: ['--owner', 'ada@example.org'] })
    expect(first.said()).toMatch(
      /^hla: created a store owned by ada@example\.org; its sign-in token, valid for a month, is in \S+\/owner-token\nhla: serving the files in \S+ on http:\/\/127\.0\.0\.1:\d+\n$/,
    )
    expect(first.said()).not.toContain('hla_')
    expect(statSync(join(first.folder, 'owner-token')).mode & 0o077).toBe(0)
    const [listed] = (await hla('token', 'list', '--json', '--data', first.folder)).stdout.split('\n')
    const { created, expires } = JSON.parse(listed ?? '') as Record<string, string>
    expect(Date.parse(expires ?? '') - Date.parse(created ?? '')).toBe(30 * 86_400_000)
    const { id } = (await first.ask('POST', '/drive/v2/files', { body: { title: 'kept' } })).json
    expect(await first.stop()).toBe(0)
    const second = await startDrive({ folder: first.folder, token: first.token })
    expect(second.said()).not.toContain('hla_')
    expect((await second.ask('GET', `/drive/v2/files/${id}`)).json.title).toBe('kept')
    expect(await second.stop('SIGINT')).toBe(0)
  })

  test('writes a line for a request, without token, title or id', async () => {
    const drive = await startDrive()
    const { id } = (await drive.ask('POST', '/drive/v2/files', { body: { title: 'secret' } })).json
    await drive.ask('GET', `/drive/v2/files/${id}`, {
      query: { access_token: drive.token },
      token: undefined,
    })
    await drive.stop()
    const lines = drive
      .printed()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object)
      .filter((line) => 'route' in line)
    expect(lines).toMatchObject([
      { method: 'POST', route: '/drive/v2/files', status: 200, ms: expect.any(Number) },
      { method: 'GET', route: '/drive/v2/files/:fileId', status: 200 },
    ])
    for (const word of [drive.token, 'secret', id]) expect(drive.printed()).not.toContain(word)
  })

  test('keeps its folder to itself, and from others', async () => {
    const drive = await startDrive()
    const other = await start('serve', '--data', drive.folder, '--port', '0')
    expect(other).toMatchObject({ status: 4, stdout: '' })
    expect(other.stderr).toContain('another service uses the store')
    for (const name of ['.', 'store.db', 'blobs', 'staging'])
      expect(statSync(join(drive.folder, name)).mode & 0o077).toBe(0)
  })

  test('answers health and counts', async () => {
    const drive = await startDrive({ args: ['--drain-delay', '2s'] })
    expect((await drive.ask('GET', '/healthz', { token: undefined })).json).toEqual({ status: 'ok' })
    expect((await drive.ask('GET', '/readyz', { token: undefined })).json).toEqual({ status: 'ready' })
    expect((await drive.ask('GET', '/metrics', { token: undefined })).status).toBe(401)
    await hla('user', 'add', 'eve@example.org', '--data', drive.folder)
    const made = await hla('token', 'create', '--user', 'eve@example.org', '--data', drive.folder)
    expect((await drive.ask('GET', '/metrics', { token: made.stdout.trim() })).status).toBe(403)
    // the default scopes open every operation
    expect((await drive.ask('GET', '/drive/v2/apps', { token: made.stdout.trim() })).status).toBe(200)
    const { text } = await drive.ask('GET', '/metrics')
    expect(text).toMatch(/^hla_drive_requests_total\{method="GET",route="\/readyz",status="200"\} 1$/m)
    const lines = text.split('\n')
    const described = [...text.matchAll(/^# HELP (\S+) (?=[A-Z\d])/gm)].map(([, name = '']) => name)
    expect(described).toEqual([...text.matchAll(/^# TYPE (\S+) (?:gauge|counter|histogram)$/gm)].map(([, name]) => name)) // prettier-ignore
    const empty = described.filter(
      (name) => !lines.some((line) => line.startsWith(name) && / [\d.e-]+$/.test(line)),
    )
    expect(described.slice(0, 8)).toEqual(['info', 'changes_total', 'contents_up', 'disk_full', 'disk_free_bytes', 'channels', 'notifications_waiting', 'notifications_total'].map((name) => `hla_drive_${name}`)) // prettier-ignore
    expect(empty).toEqual([])
    expect(lines).toEqual(expect.arrayContaining(['hla_drive_contents_up 1', 'hla_drive_disk_full 0', 'hla_drive_channels 0', 'hla_drive_notifications_waiting 0', 'hla_drive_notifications_total{outcome="done"} 0'])) // prettier-ignore
    drive.child.kill('SIGTERM')
    await expect.poll(async () => (await drive.ask('GET', '/readyz')).status).toBe(503)
  })

  test('waits for requests under way, and for none at the second signal', async () => {
    const drive = await startDrive({ args: ['--drain-timeout', '10m'] })
    const asked = beginRequest(drive, 'POST', '/drive/v2/files', {
      'content-type': 'application/json',
      'content-length': '100',
    })
    const lost = once(asked, 'error')
    asked.write('{')
    // it has arrived before this one
    await drive.ask('GET', '/drive/v2/about')
    drive.child.kill('SIGTERM')
    await expect.poll(() => drive.ask('GET', '/healthz').then(() => 'open', () => 'closed')).toBe('closed') // prettier-ignore
    expect(drive.child.exitCode).toBe(null)
    drive.child.kill('SIGTERM')
    await Promise.all([once(drive.child, 'exit'), lost])
    expect(drive.child.exitCode).toBe(0)
  })

  test.for([
    [['--port', 'x'], 2, 'whole number'],
    [['--host', '203.0.113.1'], 4, 'cannot listen on 203.0.113.1'],
    [['--tls-cert', 'none'], 2, 'both --tls-cert and --tls-key'],
    [['--owner', 'nobody'], 2, 'not an e-mail address: nobody'],
  ] as const)('%j ends with status %i', async ([args, status, message], { task }) => {
    const ran = await start('serve', '--data', `bad-${task.id}`, '--port', '0', ...args)
    expect(ran.stderr).toContain(message)
    expect(ran).toMatchObject({ status, stdout: '' })
  })
})

describe('administration, while the service runs', () => {
  let drive: Drive
  const at = (...args: string[]) => hla(...args, '--data', drive.folder)
  beforeAll(async () => {
    drive = await startDrive()
    await at('user', 'add', 'ada@example.org', '--quota', '1KiB')
  })

  test('of users', async () => {
    const again = await at('user', 'add', 'ADA@example.org')
    expect(again).toMatchObject({
      status: 2,
      stderr: 'hla: error: there is a user ADA@example.org already\n',
    })
    await at('user', 'set', 'ada@example.org', '--quota', '0', '--admin')
    const { stdout } = await at('user', 'list', '--json')
    const users = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object)
    expect(users).toMatchObject([
      { email: 'ada@example.org', admin: true, quota: null },
      { email: 'owner@localhost', admin: true, quota: null },
    ])
    expect(await at('user', 'set', 'eve@example.org', '--admin')).toMatchObject({ status: 4 })
  })

  test('of tokens: made, used, revoked', async () => {
    const made = await at(
      'token',
      'create',
      '--user',
      'ada@example.org',
      '--scopes',
      'drive.readonly',
      '--label',
      'l',
    )
    const token = made.stdout.trim()
    expect((await drive.ask('GET', '/drive/v2/about', { token })).json.name).toBe('ada')
    const refused = await drive.ask('POST', '/drive/v2/files', { token, body: {} })
    expect(refused.json.error).toMatchObject({ code: 403, errors: [{ reason: 'insufficientPermissions' }] })
    const list = (await at('token', 'list')).stdout
    expect(list).not.toContain(token)
    const name =
      list
        .split('\n')
        .find((line) => line.includes('drive.readonly'))
        ?.split(' ')[0] ?? ''
    expect(await at('token', 'revoke', name)).toMatchObject({ status: 0, stdout: '' })
    expect(await at('token', 'revoke', token)).toMatchObject({ status: 4 })
    // the revocation went through the service, so it applies at once
    expect((await drive.ask('GET', '/drive/v2/about', { token })).status).toBe(401)
  })

  test('of tokens, under load: all of it is done', async () => {
    const state = { isOver: false }
    const load = Array.from({ length: 12 }, async (_, one) => {
      let made = 0
      for (; !state.isOver; made++) {
        const body = { title: `${one} ${made}`, description: 'words '.repeat(2000) }
        expect((await drive.ask('POST', '/drive/v2/files', { body })).status).toBe(200)
      }
      return made
    })
    const outcomes = []
    for (let round = 0; round < 6; round += 1) {
      const token = (await at('token', 'create', '--user', 'owner@localhost')).stdout.trim()
      expect((await drive.ask('GET', '/drive/v2/about', { token })).status).toBe(200)
      outcomes.push((await at('token', 'revoke', token)).status)
      outcomes.push((await at('gc')).status)
      outcomes.push((await drive.ask('GET', '/drive/v2/about', { token })).status)
    }
    state.isOver = true
    expect(new Set(outcomes)).toEqual(new Set([0, 401]))
    expect(Math.min(...(await Promise.all(load)))).toBeGreaterThan(0)
  })

  test('by a socket that nobody else may open, and that goes with the service', async () => {
    const other = await startDrive()
    const socket = join(other.folder, 'service.sock')
    expect(statSync(socket).mode & 0o077).toBe(0)
    await other.stop('SIGKILL')
    expect(existsSync(socket)).toBe(true)
    const addEve = () => hla('user', 'add', 'eve@example.org', '--data', other.folder)
    // without a service the command opens the store itself
    expect((await addEve()).status).toBe(0)
    const again = await startDrive({ folder: other.folder, token: other.token })
    expect((await hla('user', 'list', '--data', other.folder)).stdout).toContain('eve@example.org')
    await again.stop()
    expect(existsSync(socket)).toBe(false)
  })

  test('of tokens: expired, or of scopes nobody knows', async () => {
    const made = await at('token', 'create', '--user', 'ada@example.org', '--expires', '1ms')
    const { status, json, headers } = await drive.ask('GET', '/drive/v2/about', { token: made.stdout.trim() })
    expect({ status, reason: json.error.errors[0].reason }).toEqual({ status: 401, reason: 'authError' })
    expect(headers.get('www-authenticate')).toMatch(
      /^Bearer realm=".*", error="invalid_token", error_description="expired at 20.*Z"$/,
    )
    const unknown = await at('token', 'create', '--user', 'ada@example.org', '--scopes', 'drive,everything')
    expect(unknown.stderr).toContain('unknown scope everything')
    expect((await at('token', 'create', '--user', 'eve@example.org')).status).toBe(4)
    expect((await at('token', 'create', '--user', 'ada@example.org', '--client', 'none')).status).toBe(4)
  })

  test('of programs: what one makes, another does not see of its own', async () => {
    await at('client', 'add', 'viewer', '--name', 'A viewer')
    expect((await at('client', 'list')).stdout).toMatch(
      /^ID +NAME +DISABLED +REDIRECT +SECRET\nhla +hla +false +- +false\nviewer +A viewer +false +- +false\n$/,
    )
    const made = await at(
      'token',
      'create',
      '--user',
      'owner@localhost',
      '--client',
      'viewer',
      '--scopes',
      'drive.file',
    )
    const token = made.stdout.trim()
    const { id } = (await drive.ask('POST', '/drive/v2/files', { body: { title: 'mine' } })).json
    const refused = await drive.ask('GET', `/drive/v2/files/${id}`, { token })
    expect(refused.json.error.errors[0].reason).toBe('appNotAuthorizedToFile')
    expect((await drive.ask('GET', '/drive/v2/files', { token })).json.items).toEqual([])
    const own = (await drive.ask('POST', '/drive/v2/files', { token, body: { title: 'its' } })).json
    expect((await drive.ask('GET', '/drive/v2/files', { token })).json.items).toMatchObject([{ id: own.id }])
  })

  test('counts, copies, checks and tidies up', async () => {
    expect((await at('status')).stdout).toMatch(/^files +\d/m)
    const copy = temp('second-copy')
    expect(await hla('backup', '--data', drive.folder, copy)).toMatchObject({
      status: 0,
      stdout: '',
      stderr: expect.stringContaining('is on the same disk as the store'),
    })
    expect(await hla('backup', '--data', drive.folder, copy)).toMatchObject({
      status: 4,
      stderr: expect.stringMatching(/is not empty[^]*It holds a backup[^]*rsync --link-dest/),
    })
    expect((await hla('restore', copy, '--data', temp('second-restored'))).status).toBe(0)
    const clean = await hla('fsck', '--deep', '--data', temp('second-restored'))
    expect(clean).toMatchObject({ status: 0, stdout: '', stderr: expect.stringContaining('clean; ') })
    expect((await at('gc', '--json')).stdout).toMatch(/^\{"purged":\d/)
    expect((await hla('fsck', '--data', drive.folder, '--repair')).stderr).toMatch(
      /(?:a|another) service uses the store/,
    )
  })
})

describe('a store that is not there, or broken', () => {
  test('is not made by administration', async () => {
    const ran = await hla('user', 'list', '--data', temp('nothing'))
    expect(ran).toMatchObject({ status: 4, stdout: '' })
    expect(ran.stderr).toContain('there is no store in')
    expect(existsSync(temp('nothing'))).toBe(false)
  })

  test('is not served', async () => {
    const drive = await startDrive()
    await drive.stop('SIGKILL')
    for (const name of readdirSync(drive.folder))
      if (name.startsWith('store.db-')) truncateSync(join(drive.folder, name))
    writeFileSync(join(drive.folder, 'store.db'), 'no database at all, whatever it is called')
    const ran = await start('serve', '--data', drive.folder, '--port', '0')
    expect(ran.status).not.toBe(0)
    expect(ran.stderr).toMatch(/^hla: error: /)
    expect(readFileSync(join(drive.folder, 'store.db'), 'utf8')).toContain('no database')
  })
})

/** `hla drive ls|get|put|rm|log` against a running service. */
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { cuttingProxy } from '../../support/cutting-proxy.ts'
import { type Drive, startDrive } from '../../support/drive.ts'
import { callHla } from '../../support/call-hla.ts'
import type { RunOptions } from '../../support/run-hla.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()
const cwd = temp('here')
const TABLE = 'ID,A1,A2\nR1,01:01,02:01\n'
let store: Drive

beforeAll(async () => {
  mkdirSync(cwd)
  store = await startDrive()
  writeFileSync(join(cwd, 'donors.csv'), TABLE)
})

function hla(words: readonly string[], options: Partial<RunOptions> = {}) {
  const env = { HLA_DRIVE_URL: store.url, HLA_DRIVE_TOKEN: store.token, ...options.env }
  return callHla(['drive', ...words], { cwd, ...options, env })
}

const md5 = (bytes: Buffer | string) => createHash('md5').update(bytes).digest('hex')
const rows = (stdout: string) =>
  stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)

async function make(title: string, parent = 'root'): Promise<string> {
  const body = { title, parents: [{ id: parent }] }
  return (await store.ask('POST', '/drive/v2/files', { body })).json.id
}

describe('put', () => {
  test('makes folders, stores, and adds a revision the second time', async () => {
    expect(await hla(['put', 'donors.csv', '/put/a/'])).toMatchObject({ status: 4, stdout: '' })
    expect(await hla(['put', '-p', 'donors.csv', '/put/a/'])).toEqual({ status: 0, stdout: '', stderr: '' })
    const [first] = rows((await hla(['ls', '/put/a', '--json'])).stdout)
    expect(first).toMatchObject({
      title: 'donors.csv',
      mimeType: 'text/csv',
      md5: md5(TABLE),
      size: TABLE.length,
    })
    writeFileSync(join(cwd, 'more.csv'), `${TABLE}R2,,\n`)
    const again = await hla(['put', '--json', 'more.csv', '/put/a/donors.csv'])
    expect(rows(again.stdout)).toMatchObject([{ id: first?.['id'], title: 'donors.csv' }])
    const log = rows((await hla(['log', '/put/a/donors.csv', '--json'])).stdout)
    expect(log.map((one) => one['md5'])).toEqual([md5(`${TABLE}R2,,\n`), md5(TABLE)])
    expect(log[0]).toMatchObject({ by: 'owner@localhost', size: TABLE.length + 5 })
  })

  test('waits for a store that is just started again, and says so', async () => {
    const { hostname, port } = new URL(store.url)
    const filePort = createServer((client) => {
      const target = connect(Number(port), hostname)
      client.pipe(target).pipe(client)
      for (const socket of [client, target]) socket.on('error', () => socket.destroy())
    })
    await once(filePort.listen(0, '127.0.0.1'), 'listening')
    const { port: own } = filePort.address() as AddressInfo // the server listens on TCP
    filePort.close()
    const env = { HLA_DRIVE_URL: `http://127.0.0.1:${own}` }
    expect(await hla(['put', '--retries', '0', 'donors.csv', '/'], { env })).toMatchObject({ status: 5 })
    const put = hla(['put', 'donors.csv', '/'], { env })
    // by now four attempts have failed
    await new Promise((over) => setTimeout(over, 5000))
    filePort.listen(own, '127.0.0.1')
    const { status, stderr } = await put
    expect(status).toBe(0)
    expect(stderr).toContain(
      `127.0.0.1:${own} cannot be reached: connection refused; retrying for up to 120 s`,
    )
    filePort.close()
  })

  test('with --new refuses what is there', async () => {
    await hla(['put', '-p', 'donors.csv', '/new/'])
    const ran = await hla(['put', '--new', 'donors.csv', '/new/'])
    expect(ran).toMatchObject({ status: 2, stdout: '' })
    expect(ran.stderr).toContain('a file donors.csv already exists in the store')
    expect(rows((await hla(['log', '/new/donors.csv', '--json'])).stdout)).toHaveLength(1)
  })

  test('takes standard input, and nothing at all', async () => {
    await hla(['put', '-p', '-', '/stdin/typed.txt'], { stdin: 'A*01:01\n' })
    expect((await hla(['get', '/stdin/typed.txt', '-o', '-'])).stdout).toBe('A*01:01\n')
    await hla(['put', '-', '/stdin/typed.txt'])
    const got = await hla(['get', '/stdin/typed.txt', '-o', '-'])
    expect(got).toEqual({ status: 0, stdout: '', stderr: '' })
    writeFileSync(join(cwd, 'empty.csv'), '')
    expect(await hla(['put', 'empty.csv', '/stdin/'])).toMatchObject({ status: 0 })
    expect(await hla(['get', '/stdin/empty.csv', '-o', '-'])).toMatchObject({ status: 0, stdout: '' })
  })

  test('gets through where connections break, and stores the bytes once', async () => {
    const bytes = randomBytes(9_000_000)
    writeFileSync(join(cwd, 'large.bin'), bytes)
    const proxy = await cuttingProxy(store.url, [100_000, 2_500_000, 700_000, 4_000_000])
    const env = { HLA_DRIVE_URL: proxy.url }
    const ran = await hla(['put', '-p', '--json', 'large.bin', '/broken/'], { env })
    expect({ ...ran, cuts: proxy.cuts() }).toMatchObject({ status: 0, stderr: '', cuts: 4 })
    expect(rows(ran.stdout)).toMatchObject([{ md5: md5(bytes) }])
    expect(rows((await hla(['log', '/broken/large.bin', '--json'])).stdout)).toHaveLength(1)
    const stdin = await hla(['put', '--json', '-', '/broken/stdin.bin'], {
      env: { HLA_DRIVE_URL: (await cuttingProxy(store.url, [300_000, 5_000_000])).url },
      stdin: bytes,
    })
    expect(rows(stdin.stdout)).toMatchObject([{ md5: md5(bytes) }])
  })

  test('goes on with what a run that gave up had begun', async () => {
    const bytes = randomBytes(30_000_000)
    writeFileSync(join(cwd, 'long.bin'), bytes)
    const proxy = await cuttingProxy(store.url, [20_000_000], { isLast: true })
    const env = { HLA_DRIVE_URL: proxy.url }
    expect(await hla(['put', '--retries', '1', 'long.bin', '/'], { env })).toMatchObject({ status: 5 })
    expect(await hla(['ls', '/long.bin'])).toMatchObject({ status: 4 })
    proxy.mend()
    expect(await hla(['put', 'long.bin', '/'], { env })).toMatchObject({ status: 0 })
    expect(rows((await hla(['log', '/long.bin', '--json'])).stdout)).toMatchObject([{ md5: md5(bytes) }])
    expect(proxy.passed()).toBeLessThan(45_000_000)
    expect(readdirSync(join(cwd, '.local/state/hla'))).toEqual([])
  })
})

describe('get', () => {
  test('gives the bytes under their title, and replaces nothing unasked', async () => {
    await hla(['put', '-p', 'donors.csv', '/get/fetched.csv'])
    expect(await hla(['get', '/get/fetched.csv'])).toEqual({ status: 0, stdout: '', stderr: '' })
    expect(readFileSync(join(cwd, 'fetched.csv'), 'utf8')).toBe(TABLE)
    const again = await hla(['get', '/get/fetched.csv'])
    expect(again).toMatchObject({ status: 2, stdout: '' })
    expect(await hla(['get', '/get/fetched.csv', '-o', 'fetched.csv'])).toMatchObject({ status: 0 })
    mkdirSync(join(cwd, 'inside'))
    await hla(['get', '/get/fetched.csv', '-o', 'inside'])
    expect(readFileSync(join(cwd, 'inside/fetched.csv'), 'utf8')).toBe(TABLE)
  })

  test('gives an older revision', async () => {
    await hla(['put', '-p', 'donors.csv', '/get/old.csv'])
    await hla(['put', '-', '/get/old.csv'], { stdin: 'new' })
    const [, old] = rows((await hla(['log', '/get/old.csv', '--json'])).stdout)
    const ran = await hla(['get', '/get/old.csv', '--revision', String(old?.['revision']), '-o', '-'])
    expect(ran).toMatchObject({ status: 0, stdout: TABLE })
    const none = await hla(['get', '/get/old.csv', '--revision', 'none', '-o', '-'])
    expect(none).toMatchObject({ status: 4, stdout: '' })
  })

  test('takes a broken connection up where it broke, also in a later run', async () => {
    const bytes = randomBytes(6_000_000)
    writeFileSync(join(cwd, 'down.bin'), bytes)
    await hla(['put', 'down.bin', '/down.bin'])
    const proxy = await cuttingProxy(store.url, [1_000_000, 900_000, 2_000_000])
    const ran = await hla(['get', '/down.bin', '-o', 'a.bin'], { env: { HLA_DRIVE_URL: proxy.url } })
    expect({ ...ran, cuts: proxy.cuts() }).toEqual({ status: 0, stdout: '', stderr: '', cuts: 3 })
    expect(md5(readFileSync(join(cwd, 'a.bin')))).toBe(md5(bytes))
    const short = await cuttingProxy(store.url, [2_000_000], { isLast: true })
    const env = { HLA_DRIVE_URL: short.url }
    const broken = await hla(['get', '/down.bin', '-o', 'b.bin', '--retries', '0'], { env })
    expect(broken).toMatchObject({ status: 5 })
    expect(existsSync(join(cwd, 'b.bin'))).toBe(false)
    const [part = ''] = readdirSync(cwd).filter((name) => name.startsWith('.b.bin'))
    const length = statSync(join(cwd, part)).size
    expect(length).toBeGreaterThan(1_000_000)
    const rest = await cuttingProxy(store.url, [])
    const later = await hla(['get', '/down.bin', '-o', 'b.bin'], { env: { HLA_DRIVE_URL: rest.url } })
    expect(later).toMatchObject({ status: 0 })
    expect(rest.passed()).toBeLessThan(bytes.length - length + 20_000)
    expect(md5(readFileSync(join(cwd, 'b.bin')))).toBe(md5(bytes))
    expect(readdirSync(cwd).filter((name) => name.endsWith('.part'))).toEqual([])
  })
})

describe('ls', () => {
  test('lists a folder, what fits a pattern, and a file', async () => {
    for (const name of ['b.csv', 'a.csv', 'c.txt', 'sub/d.csv'])
      await hla(['put', '-p', 'donors.csv', `/ls/${name}`])
    expect((await hla(['ls', '/ls'])).stdout).toBe('sub/\na.csv\nb.csv\nc.txt\n')
    expect((await hla(['ls', '/ls/*.csv'])).stdout).toBe('a.csv\nb.csv\n')
    expect((await hla(['ls', '/ls/sub/', '/ls/c.txt'])).stdout).toBe('d.csv\nc.txt\n')
    expect(await hla(['ls', '/ls/*.tsv'])).toMatchObject({ status: 4, stdout: '' })
    const long = await hla(['ls', '-l', '/ls/a.csv'])
    expect(long.stdout).toMatch(
      /^ID +SIZE +MODIFIED +BY +TITLE\n1\S+ +24 +\d{4}-\d\d-\d\dT\S+Z +owner@localhost +a\.csv\n$/,
    )
  })

  test('shows titles that hold signs of control as one line each', async () => {
    const folder = (
      await store.ask('POST', '/drive/v2/files', {
        body: { title: 'odd', mimeType: 'application/vnd.google-apps.folder' },
      })
    ).json.id as string
    await make('a\nb\u001b[31m', folder)
    expect((await hla(['ls', folder])).stdout).toBe('a?b?[31m\n')
    expect(rows((await hla(['ls', folder, '--json'])).stdout)).toMatchObject([{ title: 'a\nb\u001b[31m' }])
  })
})

describe('paths', () => {
  test('that several files have are refused, with their ids', async () => {
    const ids = [await make('twin.csv'), await make('twin.csv')]
    for (const words of [
      ['get', '/twin.csv', '-o', '-'],
      ['rm', '/twin.csv'],
      ['put', 'donors.csv', '/twin.csv'],
    ]) {
      const ran = await hla(words)
      expect(ran).toMatchObject({ status: 2, stdout: '' })
      expect(ran.stderr).toContain('2 files are called /twin.csv: give the id of one')
      for (const id of ids) expect(ran.stderr).toContain(id)
    }
    expect(await hla(['rm', ids[0] ?? ''])).toMatchObject({ status: 0 })
    expect(await hla(['get', '/twin.csv', '-o', '-'])).toMatchObject({ status: 0 })
  })

  test('tell upper from lower case, and files from folders', async () => {
    await hla(['put', '-p', 'donors.csv', '/Case/Donors.csv'])
    expect(await hla(['ls', '/Case/donors.csv'])).toMatchObject({ status: 4 })
    expect(await hla(['ls', '/case/Donors.csv'])).toMatchObject({ status: 4 })
    const below = await hla(['ls', '/Case/Donors.csv/more'])
    expect(below).toMatchObject({ status: 4, stderr: expect.stringContaining('is a file, not a folder') })
    const quoted = await hla(['put', '-p', 'donors.csv', `/Case/it's "so" \\ and/a.csv`])
    expect(quoted).toMatchObject({ status: 0 })
    expect((await hla(['ls', `/Case/it's "so" \\ and`])).stdout).toBe('a.csv\n')
  })

  test('go below a shared drive by its id', async () => {
    const query = { requestId: 'paths' }
    const { id } = (await store.ask('POST', '/drive/v2/drives', { body: { name: 'Registry' }, query })).json
    expect(await hla(['put', '-p', 'donors.csv', `${id}/in/`])).toMatchObject({ status: 0, stderr: '' })
    expect((await hla(['ls', `${id}/in`])).stdout).toBe('donors.csv\n')
    expect(await hla(['get', `${id}/in/donors.csv`, '-o', '-'])).toMatchObject({ status: 0, stdout: TABLE })
    expect(await hla(['rm', '-R', `${id}/in`])).toMatchObject({ status: 0, stderr: '' })
    expect((await hla(['ls', id])).stdout).toBe('')
  })

  test('that are neither paths nor ids say so', async () => {
    const ran = await hla(['get', 'donors.csv'])
    expect(ran).toMatchObject({ status: 2, stdout: '' })
    expect(ran.stderr).toContain('paths begin with a slash: /donors.csv')
  })
})

describe('rm', () => {
  test('puts into the trash, or removes for ever; folders when that is said', async () => {
    await hla(['put', '-p', 'donors.csv', '/rm/a.csv'])
    const [file] = rows((await hla(['ls', '/rm', '--json'])).stdout)
    const path = `/drive/v2/files/${String(file?.['id'])}`
    expect(await hla(['rm', '/rm/a.csv'])).toEqual({ status: 0, stdout: '', stderr: '' })
    expect((await hla(['ls', '/rm'])).stdout).toBe('')
    expect((await store.ask('GET', path)).json.labels.trashed).toBe(true)
    expect(await hla(['rm', '/rm'])).toMatchObject({ status: 2 })
    expect(await hla(['rm', '--forever', String(file?.['id'])])).toMatchObject({ status: 0 })
    expect((await store.ask('GET', path)).status).toBe(404)
    expect(await hla(['rm', '-R', '/rm'])).toMatchObject({ status: 0 })
    expect(await hla(['ls', '/rm'])).toMatchObject({ status: 4 })
  })
})

describe('share', () => {
  test('lists who may do what, gives and takes', async () => {
    await callHla(['drive', 'user', 'add', '--data', store.folder, 'ada@example.org'], { cwd })
    await hla(['put', '-p', 'donors.csv', '/share/a.csv'])
    const share = async (...words: string[]) =>
      rows((await hla(['share', '/share', '--json', ...words])).stdout)
    const owner = { who: 'owner@localhost', role: 'owner', inherited: false, link: false }
    expect(await share()).toEqual([owner])
    const given = await share('--with', 'ada@example.org', '--with', 'anyone', '--role', 'commenter')
    expect(given).toEqual([
      { who: 'anyone', role: 'commenter', inherited: false, link: true },
      { who: 'ada@example.org', role: 'commenter', inherited: false, link: false },
      owner,
    ])
    const below = rows((await hla(['share', '/share/a.csv', '--json'])).stdout)
    expect(below).toContainEqual({ who: 'ada@example.org', role: 'commenter', inherited: true, link: false })
    const [ada] = await share(
      '--with',
      'ada@example.org',
      '--role',
      'writer',
      '--expires',
      '12h',
      '--remove',
      'anyone',
    )
    expect(ada).toMatchObject({
      who: 'ada@example.org',
      role: 'writer',
      expires: expect.stringMatching(/^20.*Z$/),
    })
    expect(await share('--remove', 'ADA@example.org')).toEqual([owner])
  })

  test.for([
    [
      ['--with', 'nobody'],
      2,
      '"nobody" is not a user, group or domain to share with\n  ada@example.org, group:staff@example.org, domain:example.org or anyone',
    ],
    [
      ['--role', 'king'],
      2,
      "option '--role <role>' argument 'king' is invalid. Allowed choices are reader, commenter, writer, fileOrganizer, organizer, owner\n  Run hla drive share --help for all options.",
    ],
    [['--remove', 'eve@example.org'], 4, 'it is not shared with eve@example.org'],
    [['--remove', 'anyone'], 4, 'it is not shared with anyone'],
    [['--remove', 'domain:example.org'], 4, 'it is not shared with example.org'],
    [
      ['--remove', 'owner@localhost'],
      4,
      'the store says: The user does not have sufficient permissions for file ID',
    ],
  ] as const)('%j ends with status %i', async ([words, status, message]) => {
    await hla(['put', '-p', 'donors.csv', '/share/b.csv'])
    const ran = await hla(['share', '/share/b.csv', ...words])
    expect({ ...ran, stderr: ran.stderr.replace(/(?<=for file )\S+/, 'ID') }).toEqual({
      status,
      stdout: '',
      stderr: `hla: error: ${message}\n`,
    })
  })

  test('takes from the one that is named: a group by its address, a domain by its name', async () => {
    await callHla(['drive', 'group', 'add', '--data', store.folder, 'staff@example.org'], { cwd })
    await hla(['put', '-p', 'donors.csv', '/share/named.csv'])
    const share = async (...words: string[]) =>
      rows((await hla(['share', '/share/named.csv', '--json', ...words])).stdout)
        .map(({ who }) => String(who))
        .filter((who) => who.includes('example.org'))
    const both = ['--with', 'group:staff@example.org', '--with', 'domain:example.org', '--role', 'reader']
    expect((await share(...both)).toSorted()).toEqual(['domain:example.org', 'staff@example.org'])
    expect(await share('--remove', 'staff@example.org')).toEqual(['domain:example.org'])
    expect(await share('--remove', 'domain:example.org')).toEqual([])
  })
})

describe('the token', () => {
  test('that is wrong, or missing, or elsewhere', async () => {
    const wrong = await hla(['ls'], { env: { HLA_DRIVE_TOKEN: 'hla_wrong' } })
    expect(wrong).toMatchObject({ status: 5, stdout: '' })
    expect(wrong.stderr).toContain(`${store.url} does not accept the token: it is unknown there`)
    expect(wrong.stderr).not.toContain('hla_wrong')
    expect(await hla(['ls'], { env: { HLA_DRIVE_TOKEN: '' } })).toMatchObject({ status: 2, stdout: '' })
    writeFileSync(join(cwd, 'token'), `${store.token}\n`)
    const env = { HLA_DRIVE_TOKEN: '', HLA_DRIVE_TOKEN_FILE: 'token' }
    expect(await hla(['ls'], { env })).toMatchObject({ status: 0 })
    writeFileSync(join(cwd, 'settings.json'), JSON.stringify({ 'drive-token-file': 'token' }))
    expect(await hla(['ls', '--config', 'settings.json'], { env: { HLA_DRIVE_TOKEN: '' } })).toMatchObject({
      status: 0,
    })
    const secret = 'Bearer of: secrets'
    writeFileSync(join(cwd, 'other'), secret)
    expect(await hla(['ls', '--drive-token-file', 'other'])).toEqual({
      status: 2,
      stdout: '',
      stderr: 'hla: error: other contains no token\n',
    })
    expect(await hla(['ls'], { env: { HLA_DRIVE_TOKEN: secret } })).toEqual({
      status: 2,
      stdout: '',
      stderr: 'hla: error: HLA_DRIVE_TOKEN contains no token\n',
    })
  })

  test('that is good for reading alone opens no more', async () => {
    const made = await callHla(
      [
        'drive',
        'token',
        'create',
        '--data',
        store.folder,
        '--user',
        'owner@localhost',
        '--scopes',
        'drive.readonly',
      ],
      { cwd },
    )
    const env = { HLA_DRIVE_TOKEN: made.stdout.trim() }
    expect(await hla(['ls'], { env })).toMatchObject({ status: 0 })
    const put = await hla(['put', 'donors.csv', '/refused.csv'], { env })
    expect(put).toMatchObject({ status: 4, stdout: '' })
    expect(put.stderr).toContain('the store says: ')
    expect(await hla(['ls', '/refused.csv'])).toMatchObject({ status: 4 })
  })
})

test('a store that is not there is said so', async () => {
  const ran = await hla(['ls', '--retries', '0', '--drive-url', 'http://127.0.0.1:9'])
  expect(ran).toEqual({
    status: 5,
    stdout: '',
    stderr: 'hla: error: cannot reach http://127.0.0.1:9: connection refused (1 attempt)\n',
  })
})

test('what others can read on its way is warned of', async () => {
  const away = ['--retries', '0', '--connect-timeout', '1ms', '--drive-url', 'http://192.0.2.1:9']
  const { status, stdout, stderr } = await hla(['ls', ...away])
  expect([status, stdout]).toEqual([5, ''])
  expect(stderr.split('\n').slice(0, 2)).toEqual([
    'hla: warning: files and the token travel unencrypted to http://192.0.2.1:9 [unencrypted]',
    expect.stringMatching(/^hla: error: cannot reach http:\/\/192\.0\.2\.1:9: .* \(1 attempt\)$/),
  ])
})

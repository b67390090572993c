/** `hla drive sync` against a running store: random edits on both sides, and cases that could lose data. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callHla } from '../../support/call-hla.ts'
import { type Drive, startDrive } from '../../support/drive.ts'
import { rounds } from '../../support/rounds.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()
const PROGRAM = join(import.meta.dirname, '../../../bin/hla.cjs')
let drive: Drive
beforeAll(async () => {
  drive = await startDrive()
})
afterAll(() => drive.stop())

/** The owner's sync on one machine, with its state in a folder of `machine`. */
function machine(name: string) {
  const env = {
    HLA_DRIVE_URL: drive.url,
    HLA_DRIVE_TOKEN: drive.token,
    XDG_STATE_HOME: temp(`${name}-state`),
  }
  const hla = (...args: string[]) => callHla(['drive', ...args], { cwd: temp('.'), env })
  const root = temp(name)
  mkdirSync(root, { recursive: true })
  return { root, hla, sync: (...more: string[]) => hla('sync', '-q', root, '/both', ...more) }
}

function write(root: string, path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

/** Path -> text. */
function read(root: string, below = ''): Record<string, string> {
  const found: Record<string, string> = {}
  for (const entry of readdirSync(join(root, below), { withFileTypes: true })) {
    const path = join(below, entry.name)
    if (entry.isDirectory()) Object.assign(found, read(root, path))
    else found[path] = readFileSync(join(root, path), 'utf8')
  }
  return found
}

const PATHS = ['a.csv', 'b.csv', 'd/a.csv', 'd/e/b.csv', 'f/c']

/** Makes four edits, and records the files afterwards. */
function editSome(
  root: string,
  next: (below: number) => number,
  what: string,
  written: Map<string, string>,
): void {
  for (let edit = 0; edit < 4; edit += 1) {
    const path = PATHS[next(PATHS.length)] ?? ''
    const name = `${root} ${path}`
    if (next(4) === 0) {
      rmSync(join(root, path), { force: true })
      written.delete(name)
    } else {
      written.set(name, `${root} ${what} ${edit}\n`)
      write(root, path, written.get(name) ?? '')
    }
  }
}

/** A random generator that repeats its numbers in each run. */
function numbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

describe('two machines and one store', () => {
  test.for([1, 2])(
    'have the same after random edits, seed %i, and nothing that was written is lost',
    { timeout: 600_000 },
    async (seed) => {
      const next = numbers(seed * 7919)
      const [one, two] = [machine(`one-${seed}`), machine(`two-${seed}`)]
      const syncOne = () => one.hla('sync', '-q', one.root, `/seed-${seed}`)
      const syncTwo = () => two.hla('sync', '-q', two.root, `/seed-${seed}`)
      for (let round = 0; round < rounds(20, 2); round += 1) {
        /** Texts that only one side wrote in this round; afterwards both sides must have them. */
        const written = new Map<string, string>()
        for (const { root } of [one, two]) editSome(root, next, `round ${round}`, written)
        for (const run of [syncOne, syncTwo, syncOne, syncTwo])
          expect(await run()).toMatchObject({ status: 0, stderr: '' })
        const [here, there] = [read(one.root), read(two.root)]
        expect(there).toEqual(here)
        const texts = Object.values(here)
        for (const text of written.values()) expect(texts).toContain(text)
        expect((await syncOne()).stdout + (await syncTwo()).stdout).toBe('')
      }
    },
  )
})

describe('a sync', () => {
  test('says what it does, does it once, and does nothing with --dry-run', async () => {
    const { root, sync, hla } = machine('plain')
    write(root, 'sub/x.csv', 'x\n')
    await hla('mkdir', '-p', '/both/empty')
    await hla('put', '-q', join(root, 'sub/x.csv'), '/both/there.csv')
    expect((await sync('--dry-run')).stdout).toBe(
      'make-here empty\nmake-there sub\nupload sub/x.csv\ndownload there.csv\n',
    )
    expect(existsSync(join(root, 'there.csv'))).toBe(false)
    expect(await sync('--json')).toMatchObject({
      status: 0,
      stdout: [
        '{"action":"make-here","path":"empty"}', '{"action":"make-there","path":"sub"}', '{"action":"upload","path":"sub/x.csv"}',
        '{"action":"download","path":"there.csv"}', '',
      ].join('\n'),
    }) // prettier-ignore
    expect(await sync()).toMatchObject({ status: 0, stdout: '' })
    renameSync(join(root, 'sub/x.csv'), join(root, 'y.csv'))
    rmSync(join(root, 'sub'), { recursive: true })
    expect((await sync()).stdout).toBe('move-there sub/x.csv to y.csv\nremove-folder-there sub\n')
    expect((await hla('trash')).stdout).not.toContain('x.csv')
    // a new revision, not a new file
    write(root, 'y.csv', 'y\n')
    expect((await sync()).stdout).toBe('upload y.csv\n')
    expect((await hla('log', '/both/y.csv', '--json')).stdout.trim().split('\n').length).toBe(2)
  })

  test('keeps both of what both sides changed, under names that say so', async () => {
    const { root, sync, hla } = machine('conflict')
    rmSync(root, { recursive: true })
    await sync()
    write(root, 'there.csv', 'mine\n')
    writeFileSync(temp('theirs'), 'theirs\n')
    await hla('put', '-q', temp('theirs'), '/both/there.csv')
    expect((await sync()).stdout).toBe('conflict there.csv\n')
    const files = read(root)
    expect(files['there.csv']).toBe('theirs\n')
    const [copy = ''] = Object.keys(files).filter((path) => path.includes('(conflict '))
    expect(files[copy]).toBe('mine\n')
    expect((await hla('get', `/both/${copy}`, '-o', '-')).stdout).toBe('mine\n')
    expect(await sync()).toMatchObject({ status: 0, stdout: '' })
  })

  test('that was killed goes on, and nothing is there twice', async () => {
    const { root, hla } = machine('killed')
    const titles = Array.from({ length: 30 }, (_, at) => `file ${at}.csv`)
    for (const title of titles) write(root, title, `${title}\n`)
    const args = [PROGRAM, 'drive', 'sync', '-q', root, '/killed']
    const env = { ...process.env, HLA_DRIVE_URL: drive.url, HLA_DRIVE_TOKEN: drive.token }
    const own = { ...env, XDG_STATE_HOME: temp('killed-state') }
    const child = spawn(process.execPath, args, { env: own, stdio: ['ignore', 'pipe', 'ignore'] })
    await once(child.stdout, 'data')
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
    await hla('sync', '-q', root, '/killed')
    const { stdout } = await hla('ls', '/killed')
    expect(new Set(stdout.trim().split('\n'))).toEqual(new Set(titles))
    expect(stdout.trim().split('\n').length).toBe(titles.length)
    expect((await hla('sync', '-q', root, '/killed')).stdout).toBe('')
  })

  test('removes nothing where a whole side is gone, unless that is said', async () => {
    const { root, sync } = machine('gone')
    write(root, 'held.csv', 'held\n')
    await sync()
    const before = Object.keys(read(root)).length
    rmSync(root, { recursive: true })
    const refused = await sync()
    expect([refused.status, refused.stdout]).toEqual([2, ''])
    expect(refused.stderr).toBe(
      'hla: error: all files of the folder are missing here; syncing would delete them on the other side too\n' +
        '  if that is intended, add --delete-all\n',
    )
    rmSync(temp('gone-state'), { recursive: true })
    await sync()
    expect(Object.keys(read(root)).length).toBe(before)
  })

  test('a file or folder that was moved here stays the same one there, and the other way round', async () => {
    const { root, sync, hla } = machine('moved')
    const other = machine('moved-other')
    write(root, 'in/donors.csv', 'one')
    write(root, 'in/deep/more.csv', 'two')
    await sync()
    await other.sync()
    const [file, folder] = [await folderId('donors.csv'), await folderId('deep')]
    await drive.ask('POST', `/drive/v2/files/${file}/comments`, { body: { content: 'checked' } })
    renameSync(join(root, 'in/donors.csv'), join(root, 'cohort.csv'))
    renameSync(join(root, 'in/deep'), join(root, 'kept'))
    rmdirSync(join(root, 'in'))
    const moved = 'move-there in/donors.csv to cohort.csv\nmove-there in/deep to kept\n'
    expect(await sync()).toEqual({ status: 0, stdout: `${moved}remove-folder-there in\n`, stderr: '' })
    expect([await folderId('cohort.csv'), await folderId('kept')]).toEqual([file, folder])
    const { json } = await drive.ask('GET', `/drive/v2/files/${file}/comments`)
    expect(json.items.map(({ content }: { content: string }) => content)).toEqual(['checked'])
    // the inode shows that it is the same file
    const before = statSync(join(other.root, 'in/donors.csv')).ino
    const here = `${moved.replaceAll('-there', '-here')}remove-folder-here in\n`
    expect(await other.sync()).toEqual({ status: 0, stdout: here, stderr: '' })
    expect(statSync(join(other.root, 'cohort.csv')).ino).toBe(before)
    expect(read(other.root)).toEqual(read(root))
    expect(await sync()).toEqual({ status: 0, stdout: '', stderr: '' })
    expect(await other.sync()).toEqual({ status: 0, stdout: '', stderr: '' })
    await hla('rm', '-R', '/both')
  })

  test('put names it for a folder, in words that work when typed', async () => {
    const { root, hla } = machine('named by put')
    write(root, 'my data/a.csv', 'one')
    const folder = join(root, 'my data')
    const { status, stderr } = await hla('put', `${folder}/`, '/there/')
    expect(status).toBe(2)
    const [, typed = ''] = /(hla drive sync .*) uploads a folder/.exec(stderr) ?? []
    expect(typed).toBe(`hla drive sync '${folder}/' '/my data'`)
    const words = [...typed.matchAll(/'([^']*)'/g)].map(([, word = '']) => word)
    expect(await hla('sync', '-q', ...words)).toEqual({ status: 0, stdout: 'upload a.csv\n', stderr: '' })
    expect((await hla('get', '/my data/a.csv', '-o', '-')).stdout).toBe('one')
  })

  test('needs a folder: makes a missing one, but not with --dry-run', async () => {
    const { root, hla } = machine('folder or not')
    write(root, 'file', 'x')
    const [file, missing] = [join(root, 'file'), join(root, 'missing')]
    const refusal = (status: number, message: string) => ({
      status,
      stdout: '',
      stderr: `hla: error: ${message}\n`,
    })
    expect(await hla('sync', file, '/folder')).toEqual(refusal(2, `${file} is not a folder`))
    expect(await hla('sync', missing, '/folder', '--dry-run')).toEqual(
      refusal(4, `there is no folder ${missing}`),
    )
    expect(existsSync(missing)).toBe(false)
    expect(await hla('sync', missing, '/folder')).toEqual({ status: 0, stdout: '', stderr: '' })
    expect(statSync(missing).isDirectory()).toBe(true)
  })

  test('leaves what can only be on one side, says so, and ends with 1', async () => {
    const { root, sync, hla } = machine('left')
    await sync()
    symlinkSync('/etc/hostname', join(root, 'link'))
    execFileSync('mkfifo', [join(root, 'pipe')])
    write(root, 'kind', 'a file')
    const parents = [{ id: (await folderId('both')) ?? '' }]
    const shortcut = {
      mimeType: 'application/vnd.google-apps.shortcut',
      shortcutDetails: { targetId: parents[0]?.id },
    }
    for (const body of [
      { title: 'a/b' },
      { title: 'twice' },
      { title: 'twice' },
      { title: 'shortcut', ...shortcut },
      { title: 'kind', mimeType: 'application/vnd.google-apps.folder' },
    ])
      expect((await drive.ask('POST', '/drive/v2/files', { body: { parents, ...body } })).status).toBe(200)
    const { status, stderr, stdout } = await sync()
    expect([status, stdout]).toEqual([1, ''])
    expect(stderr.split('\n').toSorted()).toEqual(
      [
        '',
        'link was not synchronised: links are not followed',
        'pipe was not synchronised: it is neither a file nor a folder',
        'a/b was not synchronised: its title cannot be used as a file name here',
        'twice was not synchronised: the store has 2 files of this title in the folder',
        'shortcut was not synchronised: it has no content to fetch',
        'kind was not synchronised: it is a file on one side and a folder on the other',
      ]
        .map((line) => (line === '' ? '' : `hla: warning: ${line}`))
        .toSorted(),
    )
    expect((await hla('ls', '/both')).stdout).toContain('twice')
  })
})

async function folderId(title: string): Promise<string | undefined> {
  const { json } = await drive.ask('GET', '/drive/v2/files', { query: { q: `title = '${title}'` } })
  return json.items[0]?.id
}

/** Ways in which a sync could lose something, miss a change, or stop: each against a running store, with two machines. */
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PROGRAM, type Reply } from '../../support/drive.ts'
import {
  type Machine,
  type RestorableStore,
  makeMachine,
  readFiles,
  replaceFolder,
  startRestorable,
  writeFiles,
} from '../../support/machine.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()
let store: RestorableStore
beforeAll(async () => {
  store = await startRestorable(temp('store'))
})
afterAll(() => store.stop())

const DONE = { status: 0, stderr: '' }
const WENT_BACK = expect.stringContaining('[store-went-back]')

interface Synced extends Machine {
  readonly sync: () => ReturnType<Machine['hla']>
}

/** `name` is also the folder in the store. */
function machine(name: string, folder = name): Synced {
  const made = makeMachine(store.drive, temp, name)
  return { ...made, sync: () => made.hla('sync', '-q', made.root, `/${folder}`) }
}

/** Two machines with the same files. */
async function pair(
  name: string,
  files: Readonly<Record<string, string>>,
): Promise<readonly [Synced, Synced]> {
  const [one, two] = [machine(name), machine(`${name}-two`, name)]
  writeFiles(one.root, files)
  expect(await one.sync()).toMatchObject(DONE)
  expect(await two.sync()).toMatchObject(DONE)
  return [one, two]
}

/** Syncs until both have what the other did. */
async function settle(one: Synced, two: Synced): Promise<void> {
  for (const { sync } of [one, two, one, two]) expect(await sync()).toMatchObject(DONE)
}

const ask = (method: string, path: string, body?: unknown): Promise<Reply> =>
  store.drive().ask(method, `/drive/v2/${path}`, body === undefined ? {} : { body })

async function idOf(title: string): Promise<string> {
  const { json } = await ask('GET', `files?q=${encodeURIComponent(`title = '${title}' and trashed = false`)}`)
  return json.items[0]?.id
}

async function trashed(): Promise<string[]> {
  const { json } = await ask('GET', `files?q=${encodeURIComponent('trashed = true')}`)
  return json.items.map(({ title }: { title: string }) => title)
}

describe('a store that has gone back', () => {
  /** What happens after both machines have `kept.csv` and `edited.csv`, until the store lacks what followed. */
  const WAYS: Readonly<Record<string, (change: () => Promise<void>) => Promise<void>>> = {
    async 'to a restored backup'(change) {
      const { folder } = store.drive()
      const backup = temp(`backup-${Math.random()}`)
      const { hla } = machine('operator')
      expect(await hla('backup', '--data', folder, backup)).toMatchObject({ status: 0 })
      await change()
      const token = join(folder, 'owner-token')
      await store.restart('SIGTERM', () => {
        const made = temp(`made-${Math.random()}`)
        execFileSync(process.execPath, [PROGRAM, 'drive', 'restore', backup, '--data', made], {
          stdio: 'ignore',
        })
        cpSync(token, join(made, 'owner-token'))
        replaceFolder(folder, made)
      })
    },
    async 'to a snapshot of its volume'(change) {
      await store.keepSnapshot()
      await change()
      await store.returnToSnapshot()
    },
    async 'to a snapshot, and has more changes since then than the machine knew'(change) {
      await store.keepSnapshot()
      await change()
      await store.returnToSnapshot()
      for (let count = 0; count < 30; count += 1) await ask('POST', 'files', { title: 'later' })
    },
  }

  test.each(Object.entries(WAYS))('%s removes nothing, and both contents are kept', async (way, goBack) => {
    const name = `back ${Object.keys(WAYS).indexOf(way)}`
    const added = `new of ${name}.csv`
    const [one, two] = await pair(name, { 'kept.csv': 'kept', 'edited.csv': 'first', 'removed.csv': 'gone' })
    await goBack(async () => {
      writeFiles(one.root, { [added]: 'new', 'edited.csv': 'second' })
      rmSync(join(one.root, 'removed.csv'))
      expect(await one.sync()).toMatchObject(DONE)
      expect(await two.sync()).toMatchObject(DONE)
    })
    expect(await one.sync()).toMatchObject({ status: 0, stderr: WENT_BACK })
    expect(await two.sync()).toMatchObject({ status: 0, stderr: WENT_BACK })
    await settle(one, two)
    const files = readFiles(one.root)
    expect(readFiles(two.root)).toEqual(files)
    expect(files).toMatchObject({ 'kept.csv': 'kept', [added]: 'new', 'removed.csv': 'gone' })
    const edited = Object.entries(files).filter(([path]) => path.startsWith('edited'))
    expect(new Set(edited.map(([, text]) => text))).toEqual(new Set(['first', 'second']))
    expect(await trashed()).not.toContain(added)
    // from then on removals count again
    rmSync(join(one.root, added))
    await settle(one, two)
    expect(readFiles(two.root)).not.toHaveProperty([added])
  })

  test('is not what a store has done that was only started again, also after a kill', async () => {
    const [one, two] = await pair('restarted', { a: '1', b: '2' })
    await store.restart('SIGKILL')
    rmSync(join(one.root, 'a'))
    await settle(one, two)
    await store.restart()
    expect(await two.sync()).toEqual({ ...DONE, stdout: '' })
    expect(readFiles(two.root)).toEqual({ b: '2' })
  })

  test('is noticed by a sync whose last run was killed: what that run had uploaded is not removed', async () => {
    const one = machine('killed back')
    writeFiles(one.root, { first: '1' })
    expect(await one.sync()).toMatchObject(DONE)
    await store.keepSnapshot()
    const files = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`f${at}`, `${at}`]))
    writeFiles(one.root, files)
    const child = one.begin('sync', '-q', one.root, '/killed back')
    await once(child.stdout ?? child, 'data')
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
    await store.returnToSnapshot()
    await one.sync()
    expect(readFiles(one.root)).toEqual({ first: '1', ...files })
  })
})

describe('a file in two folders', () => {
  /** `p/x` and `q/x` are one file. */
  async function linked(name: string) {
    const machines = await pair(name, { [`p/${name}.csv`]: 'precious', 'q/k': 'k', 'r/k': 'k' })
    const [one, two] = machines
    const { json } = await ask('GET', `files/${await idOf(`${name}.csv`)}`)
    const root = json.parents[0].id
    const q = (await one.hla('ls', '-l', '--json', `/${name}`)).stdout
      .split('\n')
      .filter((line) => line.includes('"q'))
      .map((line) => JSON.parse(line).id)[0]
    expect((await ask('POST', `files/${json.id}/parents`, { id: q })).status).toBe(200)
    await settle(one, two)
    return { one, two, id: json.id, folders: { p: root, q } }
  }

  const parentsOf = async (id: string): Promise<string[]> =>
    (await ask('GET', `files/${id}`)).json.parents.map((parent: { id: string }) => parent.id)

  test('that is removed from one here stays in the other, and goes to the trash with the last', async () => {
    const { one, two, id, folders } = await linked('unlinked')
    rmSync(join(one.root, 'p/unlinked.csv'))
    await settle(one, two)
    expect(await parentsOf(id)).toEqual([folders.q])
    for (const { root } of [one, two])
      expect(readFiles(root)).toEqual({ 'q/unlinked.csv': 'precious', 'q/k': 'k', 'r/k': 'k' })
    expect(await trashed()).not.toContain('unlinked.csv')
    rmSync(join(two.root, 'q/unlinked.csv'))
    await settle(two, one)
    expect(await trashed()).toContain('unlinked.csv')
  })

  test('that is moved here leaves the one folder only', async () => {
    const { one, two, id, folders } = await linked('moved')
    renameSync(join(one.root, 'p/moved.csv'), join(one.root, 'r/moved.csv'))
    expect((await one.sync()).stdout).toBe('move-there p/moved.csv to r/moved.csv\n')
    await settle(two, one)
    expect(await parentsOf(id)).toContain(folders.q)
    for (const { root } of [one, two])
      expect(Object.keys(readFiles(root)).toSorted()).toEqual(['q/k', 'q/moved.csv', 'r/k', 'r/moved.csv'])
  })

  test.each([
    ['mv', ['/NAME/p/NAME.csv', '/NAME/r/'], ['q/NAME.csv', 'r/NAME.csv']],
    ['rm', ['/NAME/p/NAME.csv'], ['q/NAME.csv']],
    ['trash', ['/NAME/q/NAME.csv'], ['p/NAME.csv']],
  ])('hla drive %s takes it out of the folder of its path', async (command, words, left) => {
    const name = `by ${command}`
    const named = (text: string) => text.replaceAll('NAME', name)
    const { one, two, id } = await linked(name)
    expect(await one.hla(command, ...words.map(named))).toMatchObject(DONE)
    expect(await parentsOf(id)).toHaveLength(left.length)
    await settle(one, two)
    expect(Object.keys(readFiles(two.root)).toSorted()).toEqual([...left.map(named), 'q/k', 'r/k'].toSorted())
  })

  test('hla drive mv of its id asks which folder it leaves, in words that work when typed', async () => {
    const { one, id, folders } = await linked('by id')
    const { status, stderr } = await one.hla('mv', id, '/by id/r/')
    expect(status).toBe(2)
    const path = `${folders.p}/by id.csv`
    expect(stderr).toContain(path)
    expect(await one.hla('mv', path, '/by id/r/')).toMatchObject(DONE)
    expect(await parentsOf(id)).toContain(folders.q)
  })

  test('or a folder in two folders: removing it from one leaves all that it holds', async () => {
    const [one, two] = await pair('shared', { 'p/d/a': 'a', 'p/d/b/c': 'c', 'q/k': 'k' })
    const list = (await one.hla('ls', '-l', '--json', '/shared')).stdout
    const ids = list.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line).id]))
    const d = (await one.hla('ls', '-l', '--json', '/shared/p')).stdout
    await ask('POST', `files/${JSON.parse(d).id}/parents`, { id: ids[1] })
    await settle(one, two)
    expect(Object.keys(readFiles(two.root)).toSorted()).toEqual([
      'p/d/a',
      'p/d/b/c',
      'q/d/a',
      'q/d/b/c',
      'q/k',
    ])
    // of one file in it the other path is still wanted
    rmSync(join(one.root, 'p/d/a'))
    await settle(one, two)
    expect(readFiles(one.root)).toMatchObject({ 'p/d/a': 'a', 'q/d/a': 'a' })
    rmSync(join(one.root, 'p/d'), { recursive: true })
    expect((await one.sync()).stdout).toBe('remove-folder-there p/d\n')
    await settle(two, one)
    for (const { root } of [one, two])
      expect(readFiles(root)).toEqual({ 'q/d/a': 'a', 'q/d/b/c': 'c', 'q/k': 'k' })
    expect(await trashed()).toEqual(expect.not.arrayContaining(['a', 'c', 'd']))
    rmSync(join(one.root, 'q/d'), { recursive: true })
    await settle(one, two)
    expect(readFiles(two.root)).toEqual({ 'q/k': 'k' })
    expect(await trashed()).toEqual(expect.arrayContaining(['a', 'c']))
  })
})

describe('a content that changed', () => {
  test.each([
    ['is replaced in place', (file: string) => writeFileSync(file, 'bbbb')],
    [
      'is replaced by another file',
      (file: string) => {
        writeFileSync(`${file}.new`, 'bbbb')
        utimesSync(`${file}.new`, 1.5e9, 1.5e9)
        renameSync(`${file}.new`, file)
      },
    ],
  ])('and keeps size and date is uploaded: it %s', async (what, replace) => {
    const [one, two] = await pair(`dates ${what}`, { f: 'aaaa' })
    const file = join(one.root, 'f')
    utimesSync(file, 1.5e9, 1.5e9)
    // more than one step of the clock that dates files
    await pause(50)
    await settle(one, two)
    replace(file)
    utimesSync(file, 1.5e9, 1.5e9)
    expect(statSync(file).mtimeMs).toBe(1.5e12)
    expect((await one.sync()).stdout).toBe('upload f\n')
    await settle(two, one)
    expect(readFiles(two.root)).toEqual({ f: 'bbbb' })
  })

  test('at once after it was read is uploaded', async () => {
    const one = machine('at once')
    for (const text of ['aaaa', 'bbbb', 'cccc']) {
      writeFiles(one.root, { f: text })
      await one.sync()
      expect((await one.hla('get', '-o', '-', '/at once/f')).stdout).toBe(text)
    }
  })
})

describe('part files', () => {
  const TITLES = ['.hla-sync-1.part', '.hla-sync-d41d8cd98f00b204e9800998ecf8427e.part']

  test('are not confused with files of such a title', async () => {
    const one = machine('parts')
    writeFiles(one.root, { 'a.csv': 'a' })
    await one.sync()
    writeFileSync(temp('v'), 'v')
    for (const title of TITLES) await one.hla('put', '-q', temp('v'), `/parts/${title}`)
    const two = machine('parts-two', 'parts')
    await settle(one, two)
    await settle(one, two)
    for (const { root } of [one, two])
      expect(readFiles(root)).toEqual({ 'a.csv': 'a', [TITLES[0] ?? '']: 'v', [TITLES[1] ?? '']: 'v' })
    expect((await one.hla('ls', '/parts')).stdout.split('\n')).toEqual(expect.arrayContaining(TITLES))
  })

  test('of a killed sync are removed, and never uploaded, by it or by another sync of the folder', async () => {
    const one = machine('kept part')
    writeFileSync(join(one.root, 'large'), Buffer.alloc(300 * 1024 * 1024))
    await one.sync()
    const two = machine('kept part-two', 'kept part')
    const child = two.begin('sync', '-q', two.root, '/kept part')
    while (readdirSync(two.root).length === 0 && child.exitCode === null) await pause(5)
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
    expect(readdirSync(two.root)).toEqual([expect.stringMatching(/^\.hla-sync-.*\.part$/)])
    expect(await two.hla('sync', '-q', two.root, '/elsewhere')).toMatchObject({ ...DONE, stdout: '' })
    expect(await two.sync()).toMatchObject({ ...DONE, stdout: 'download large\n' })
    expect(readdirSync(two.root)).toEqual(['large'])
  })
})

describe('what cannot be synchronised is said with its path, and the rest goes on', () => {
  const left = (path: string, why: string) => expect.stringContaining(`${path} was not synchronised: ${why}`)

  test('a step that the store refuses: a writer removes what another owns', async () => {
    const { folder, url } = store.drive()
    const owner = machine('refused')
    writeFiles(owner.root, { 'm.txt': 'm', 'n.txt': 'n' })
    await owner.sync()
    await owner.hla('user', 'add', 'writer@example.org', '--data', folder)
    const token = (
      await owner.hla('token', 'create', '--user', 'writer@example.org', '--data', folder)
    ).stdout.trim()
    await owner.hla('share', '/refused', '--with', 'writer@example.org', '--role', 'writer')
    const writer = makeMachine(() => ({ url, token }), temp, 'refused-writer')
    const sync = async () => writer.hla('sync', '-q', writer.root, await idOf('refused'))
    expect(await sync()).toMatchObject(DONE)
    rmSync(join(writer.root, 'm.txt'))
    writeFiles(writer.root, { 'z.txt': 'z' })
    for (const stdout of ['upload z.txt\n', ''])
      expect(await sync()).toMatchObject({
        status: 1,
        stdout,
        stderr: left('m.txt', 'the store says: The user'),
      })
    expect((await owner.hla('ls', '/refused')).stdout).toBe('m.txt\nn.txt\nz.txt\n')
  })

  test('an unreadable file and folder, a name that is not UTF-8', async () => {
    const one = machine('unreadable')
    writeFiles(one.root, { 'a.txt': 'a', 'm.txt': 'm', 'closed/x': 'x', 'z.txt': 'z' })
    writeFileSync(
      Buffer.concat([Buffer.from(`${one.root}/caf`), Buffer.from([0xe9]), Buffer.from('.txt')]),
      'x',
    )
    chmodSync(join(one.root, 'm.txt'), 0)
    chmodSync(join(one.root, 'closed'), 0)
    const { status, stderr, stdout } = await asNobody(one, ['sync', '-q', one.root, '/unreadable'])
    expect(stderr).not.toContain('error')
    expect(stdout).toBe('upload a.txt\nupload z.txt\n')
    expect(status).toBe(1)
    for (const path of ['m.txt', 'closed']) expect(stderr).toEqual(left(path, 'permission denied'))
    expect(stderr).toEqual(left('caf\ufffd.txt', 'its name is not UTF-8'))
    chmodSync(join(one.root, 'm.txt'), 0o600)
    chmodSync(join(one.root, 'closed'), 0o700)
  })

  test('files that come and go while it reads', async () => {
    const one = machine('vanishing')
    writeFiles(one.root, { 'a.txt': 'a', 'z.txt': 'z' })
    const over = new AbortController()
    const vanishing = (async () => {
      for (let at = 0; !over.signal.aborted; at += 1) {
        writeFileSync(join(one.root, `tmp${at % 40}`), `${at}`)
        rmSync(join(one.root, `tmp${(at + 20) % 40}`), { force: true })
        await pause(0)
      }
    })()
    const others: string[] = []
    for (let run = 0; run < 4; run += 1) {
      const { status, stderr } = await one.sync()
      expect([0, 1]).toContain(status)
      others.push(
        ...stderr
          .split('\n')
          .filter((line) => !/^(?:hla: warning: tmp\d+ was not synchronised: .*)?$/.test(line)),
      )
    }
    over.abort()
    await vanishing
    expect(others).toEqual([])
    expect((await one.hla('ls', '/vanishing')).stdout).toMatch(/^a\.txt\n.*z\.txt\n$/s)
  })
})

/** Runs it without the rights of root, whom permissions do not restrict. */
async function asNobody({ root, state }: Machine, args: readonly string[]) {
  const { execFile } = await import('node:child_process')
  const { url, token } = store.drive()
  const isRoot = process.getuid?.() === 0
  if (isRoot) {
    mkdirSync(state, { recursive: true })
    execFileSync('chown', ['-R', 'nobody', root, state])
    chmodSync(join(root, '..'), 0o755)
  }
  const env = {
    ...process.env,
    HOME: state,
    XDG_CONFIG_HOME: state,
    XDG_STATE_HOME: state,
    HLA_DRIVE_URL: url,
    HLA_DRIVE_TOKEN: token,
  }
  return new Promise<{ status: number; stdout: string; stderr: string }>((resolve) => {
    execFile(
      process.execPath,
      [PROGRAM, 'drive', ...args],
      { env, ...(isRoot ? { uid: 65534, gid: 65534 } : {}) },
      (error, stdout, stderr) => resolve({ status: Number(error?.code ?? 0), stdout, stderr }),
    )
  })
}

test('the state of a sync grows by what a step changed, however many files it knows', async () => {
  const growth = async (count: number) => {
    const one = machine(`many ${count}`)
    writeFiles(one.root, Object.fromEntries(Array.from({ length: count }, (_, at) => [`f${at}`, `${at}`])))
    await one.sync()
    // files that were changed just before they were read are read once more
    await one.sync()
    const folder = join(one.state, 'hla/sync')
    const size = () =>
      readdirSync(folder)
        .filter((name) => /^[\da-f]{64}$/.test(name))
        .reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)
    const before = size()
    writeFiles(one.root, { f1: 'changed' })
    expect((await one.sync()).stdout).toBe('upload f1\n')
    return size() - before
  }
  expect(Math.abs((await growth(400)) - (await growth(10)))).toBeLessThan(100)
})

describe('what is moved in the store while a sync removes it stays:', () => {
  interface Way {
    /** Path that the first machine removes. */
    readonly gone: string
    /** Request about it before which the change comes. */
    readonly method: 'GET' | 'PATCH' | 'POST'
    readonly change: (two: Synced, folder: string) => unknown
    /** Its path in the end. */
    readonly stays: string
    /** Folder that holds it, too. */
    readonly alsoIn?: string
  }
  /** The second machine moves it, and has synchronised when the request goes on. */
  const moved = (from: string, to: string) => async (two: Synced, folder: string) => {
    renameSync(join(two.root, from), join(two.root, to))
    expect(await two.beside('sync', '-q', two.root, `/${folder}`)).toMatchObject(DONE)
  }
  const WAYS: Readonly<Record<string, Way>> = {
    'a file, with its folder': { gone: 'p/a', method: 'POST', change: moved('p', 's'), stays: 's/a' },
    'a file, with a folder above': {
      gone: 'p/d/a',
      method: 'POST',
      change: moved('p', 'q/s'),
      stays: 'q/s/d/a',
    },
    'a file, alone': { gone: 'p/a', method: 'GET', change: moved('p/a', 'p/name'), stays: 'p/name' },
    'a file of two folders, with one': {
      gone: 'p/a',
      method: 'PATCH',
      change: moved('p', 's'),
      stays: 's/a',
      alsoIn: 'q',
    },
    'an empty folder': {
      gone: 'p/e',
      method: 'POST',
      change: async (_, folder) => ask('PATCH', `files/${await idAt(`${folder}/p/e`)}`, { title: 'name' }),
      stays: 'p/name',
    },
  }

  test.each(Object.entries(WAYS))('%s', async (way, { gone, method, change, stays, alsoIn }) => {
    const folder = `meanwhile ${Object.keys(WAYS).indexOf(way)}`
    const { one, two, sync, before, close } = await interleaved(folder)
    try {
      writeFiles(one.root, { 'p/a': 'precious', 'p/d/a': 'precious, too', 'p/b': 'b', 'q/c': 'c' })
      mkdirSync(join(one.root, 'p/e'))
      expect(await sync()).toMatchObject(DONE)
      if (alsoIn !== undefined)
        await ask('POST', `files/${await idAt(`${folder}/${gone}`)}/parents`, {
          id: await idAt(`${folder}/${alsoIn}`),
        })
      for (const run of [sync, two.sync]) expect(await run()).toMatchObject(DONE)
      const id = await idAt(`${folder}/${gone}`)
      const files = readFiles(one.root)
      rmSync(join(one.root, gone), { recursive: true })
      const isOver = before(method, `/files/${id}`, () => change(two, folder))
      expect(await sync()).toMatchObject({ status: 1 })
      expect(isOver()).toBe(true)
      for (const run of [sync, two.sync]) expect(await run()).toMatchObject(DONE)
      expect(await idAt(`${folder}/${stays}`)).toBe(id)
      expect(readFiles(one.root)[stays]).toBe(files[gone])
      expect(readFiles(two.root)).toEqual(readFiles(one.root))
    } finally {
      close()
    }
  })
})

test('what another machine removes from a folder while a sync moves the folder stays with it', async () => {
  const folder = 'removed meanwhile'
  const { one, two, sync, before, close } = await interleaved(folder)
  try {
    writeFiles(one.root, { 'p/d/a': 'precious', 'p/d/b': 'b', c: 'c' })
    for (const run of [sync, two.sync]) expect(await run()).toMatchObject(DONE)
    renameSync(join(one.root, 'p/d'), join(one.root, 's'))
    const isOver = before('PATCH', `/files/${await idAt(`${folder}/p/d`)}`, async () => {
      rmSync(join(two.root, 'p/d/a'))
      expect(await two.beside('sync', '-q', two.root, `/${folder}`)).toMatchObject(DONE)
    })
    expect((await sync()).stdout).toContain('move-there p/d to s\n')
    expect(isOver()).toBe(true)
    for (const run of [sync, two.sync]) expect(await run()).toMatchObject(DONE)
    expect(readFiles(one.root)).toEqual({ 's/a': 'precious', 's/b': 'b', c: 'c' })
    expect(readFiles(two.root)).toEqual(readFiles(one.root))
  } finally {
    close()
  }
})

async function idAt(path: string): Promise<string> {
  let id = 'root'
  for (const title of path.split('/')) {
    const q = `'${id}' in parents and title = '${title}' and trashed = false`
    id = (await ask('GET', `files?q=${encodeURIComponent(q)}`)).json.items[0]?.id
  }
  return id
}

test.for([
  [
    'a store that goes back during a sync',
    'GET',
    '/point?since=',
    '/point?since=another.1',
    'the store went back to an earlier state during the sync\n  sync again: nothing is removed then',
  ],
  [
    'a token that is revoked during a sync',
    'POST',
    '/upload/',
    401,
    'STORE does not accept the token: it is unknown there, or was revoked\n' +
      '  sign in with hla drive login; or run hla drive token create --user EMAIL > FILE on the server, and set HLA_DRIVE_TOKEN_FILE=FILE here',
  ],
] as const)('%s ends it, and the next one goes on', async ([folder, method, part, other, message]) => {
  const { one, sync, before, close } = await interleaved(folder)
  try {
    writeFiles(one.root, { a: 'a', b: 'b' })
    const isOver = before(method, part, () => other)
    const { status, stderr } = await sync()
    expect([status, stderr.replace(/http:\S+/, 'STORE')]).toEqual([5, `hla: error: ${message}\n`])
    expect(isOver()).toBe(true)
    expect(await sync()).toMatchObject(DONE)
    expect((await one.hla('ls', `/${folder}`)).stdout).toBe('a\nb\n')
  } finally {
    close()
  }
})

/** Two machines; `before` does work when a request of the first arrives, which then goes on: to a path that the work gives, or no further than to a status. */
async function interleaved(folder: string) {
  let waiting: { readonly method: string; readonly url: string; readonly work: () => unknown } | undefined
  const proxy = createServer((asked, answer) => {
    void (async () => {
      const { method, headers, url = '' } = asked
      let path = url
      if (waiting !== undefined && waiting.method === method && url.includes(waiting.url)) {
        const { work } = waiting
        waiting = undefined
        const other = await work()
        if (typeof other === 'string') path = other
        if (typeof other === 'number') {
          asked.resume()
          answer.writeHead(other).end()
          return
        }
      }
      const sent = request(`${store.drive().url}${path}`, { method, headers }, (got) => {
        answer.writeHead(got.statusCode ?? 502, got.headers)
        got.pipe(answer)
      })
      asked.pipe(sent)
    })()
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  // a TCP server's address is an object
  const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
  const one = makeMachine(() => ({ url, token: store.drive().token }), temp, folder)
  return {
    one,
    two: machine(`${folder}-two`, folder),
    sync: () => one.hla('sync', '-q', one.root, `/${folder}`),
    /** @returns whether the request has arrived */
    before: (method: string, part: string, work: () => unknown) => {
      waiting = { method, url: part, work }
      return () => waiting === undefined
    },
    close: () => {
      proxy.closeAllConnections()
      proxy.close()
    },
  }
}

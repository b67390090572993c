/** `hla drive watch`: a table dropped into a folder appears converted, once, whatever happens. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Drive, startDrive } from '../support/drive.ts'
import { freePort } from '../support/free-port.ts'
import { holdingProxy } from '../support/holding-proxy.ts'
import { runHla, type RunOptions } from '../support/run-hla.ts'
import { hasShared, sharedPath } from '../support/shared.ts'
import { tempFolder } from '../support/temp.ts'
import { makeWorkbook, textRows } from '../support/workbook.ts'

const PROGRAM = join(import.meta.dirname, '../../bin/hla.cjs')
const temp = tempFolder()
const cwd = temp('here')
const GOOD = 'ID,A1,A2\nR1,A*01:01,02:01\n'
const running = new Set<ChildProcess>()
let store: Drive

beforeAll(async () => {
  mkdirSync(cwd)
  store = await startDrive()
})
afterAll(() => {
  for (const child of running) child.kill('SIGKILL')
})

const env = () => ({ HLA_DRIVE_URL: store.url, HLA_DRIVE_TOKEN: store.token, HLA_RELEASE: 'starter' })

function hla(words: readonly string[], options: Partial<RunOptions> = {}) {
  return runHla(words, { cwd, ...options, env: { ...env(), ...options.env } })
}

async function put(path: string, content: string | Buffer): Promise<string> {
  const ran = await hla(['drive', 'put', '-p', '--json', '-', path], { stdin: content })
  expect(ran).toMatchObject({ status: 0, stderr: '' })
  return (JSON.parse(ran.stdout) as { id: string }).id
}

const names = async (folder: string) => (await hla(['drive', 'ls', folder])).stdout.trim().split('\n')
const content = async (path: string) => (await hla(['drive', 'get', path, '-o', '-'])).stdout
const watchOnce = (folder: string, ...words: string[]) =>
  hla(['drive', 'watch', folder, '--once', '--', ...words])

/** Revisions of a file, by its id. */
async function revisionsOf(id: string): Promise<number> {
  return (await store.ask('GET', `/drive/v2/files/${id}/revisions`)).json.items.length
}

async function commentsOn(id: string): Promise<string[]> {
  const { items } = (await store.ask('GET', `/drive/v2/files/${id}/comments`)).json as {
    items: { content: string }[]
  }
  return items.map(({ content: text }) => text)
}

interface Made {
  readonly id: string
  readonly title: string
  readonly properties?: readonly { readonly key: string; readonly value: string }[]
}

/** Files made from a source, whatever they are. */
async function madeFrom(folder: string, source: string): Promise<Made[]> {
  const query = { q: `'${folder}' in parents`, maxResults: 1000 }
  const { items } = (await store.ask('GET', '/drive/v2/files', { query })).json as { items: Made[] }
  return items.filter(({ properties = [] }) =>
    properties.some(({ key, value }) => key === 'hla-made' && value.startsWith(source)),
  )
}

async function outputOf(folder: string, source: string): Promise<Made[]> {
  const made = await madeFrom(folder, source)
  return made.filter(({ properties = [] }) => properties.some(({ key }) => key === 'hla-done'))
}

async function folderId(path: string): Promise<string> {
  const above = (await hla(['drive', 'ls', '/', '--json'])).stdout.trim().split('\n')
  const rows = above.map((line) => JSON.parse(line) as { id: string; title: string })
  return rows.find(({ title }) => `/${title}` === path)?.id ?? ''
}

/** An administrative command on the folder of the store. */
async function operate(...words: string[]): Promise<string> {
  const ran = await hla(['drive', ...words, '--data', store.folder])
  expect(ran).toMatchObject({ status: 0 })
  return ran.stdout
}

describe('hla drive watch --once', () => {
  test('converts what is there, once, and what changes, once more', async () => {
    const id = await put('/once/donors.csv', GOOD)
    await put('/once/notes.txt', 'not a table')
    const words = ['redux', '-m', 'lgx', '-m', 'G'] as const
    const first = await watchOnce('/once', ...words)
    expect(first).toMatchObject({ status: 0, stdout: '' })
    expect(first.stderr).toContain('wrote drive:/once/donors.lgx-G.csv')
    expect(await names('/once')).toEqual([
      'donors.csv',
      'donors.lgx-G.csv',
      'donors.lgx-G.csv.hla.json',
      'notes.txt',
    ])
    writeFileSync(join(cwd, 'donors.csv'), GOOD)
    await hla(['redux', '-q', '-m', 'lgx', '-m', 'G', '-i', 'donors.csv', '-o', 'here.csv'])
    expect(await content('/once/donors.lgx-G.csv')).toBe(readFileSync(join(cwd, 'here.csv'), 'utf8'))
    expect(await watchOnce('/once', ...words)).toEqual({ status: 0, stdout: '', stderr: '' })
    await put('/once/donors.csv', `${GOOD}R2,03:01,\n`)
    expect((await watchOnce('/once', ...words)).stderr).toContain('2 rows')
    const folder = await folderId('/once')
    const [output, ...more] = await outputOf(folder, id)
    expect(more).toEqual([])
    expect(await revisionsOf(output?.id ?? '')).toBe(2)
  })

  test('says of a table that stays without content that it has none, once', async () => {
    const id = await put('/empty/none.csv', '')
    await put('/empty/none.txt', '')
    const state = ['--state', join(cwd, 'empty.json')]
    const once = () => hla(['drive', 'watch', '/empty', '--once', ...state, '--', 'redux'])
    expect(await once()).toMatchObject({ status: 0 })
    // content may still come
    expect(await commentsOn(id)).toEqual([])
    const old = new Date(Date.now() - 120_000).toISOString()
    const query = { setModifiedDate: true }
    expect(
      (await store.ask('PATCH', `/drive/v2/files/${id}`, { query, body: { modifiedDate: old } })).status,
    ).toBe(200)
    for (let time = 0; time < 2; time += 1) expect(await once()).toMatchObject({ status: 0 })
    expect(await commentsOn(id)).toEqual([expect.stringContaining('no content (0 bytes)')])
    await put('/empty/none.csv', GOOD)
    expect((await once()).stderr).toContain('wrote drive:/empty/none.lgx.csv')
  })

  test('converts a sheet of a workbook, to CSV', async () => {
    const rows = textRows(GOOD.trim().split('\n').map((line) => line.split(','))) // prettier-ignore
    await put('/sheets/donors.xlsx', makeWorkbook({ sheets: [{ name: 'Donors', rows }] }))
    expect((await watchOnce('/sheets', 'redux')).stderr).toContain('wrote drive:/sheets/donors.lgx.csv')
    writeFileSync(join(cwd, 'same.csv'), GOOD)
    await hla(['redux', '-q', '-i', 'same.csv', '-o', 'here.csv'])
    expect(await content('/sheets/donors.lgx.csv')).toBe(readFileSync(join(cwd, 'here.csv'), 'utf8'))
  })

  test('converts documents and what typing programs wrote, and leaves alone what is neither', async () => {
    const files = {
      'S1.xml': '<hml version="1.0.1"><sample id="S1"><typing><allele-assignment><glstring>HLA-A*01:01+HLA-A*02:01</glstring></allele-assignment></typing></sample></hml>',
      'donors.json': '{"donors": [{"recordId": "1", "hla": {"a": {"dna": {"field1": "*01:01", "field2": "*02:01"}}}}]}',
      'S2.txt': 'Locus\tAllele1\tAllele2\tLLtot\tPval1\tPval2\nHLA_A\tA*01:01\tA*02:01\t-1\t1\t1\n',
    } // prettier-ignore
    const others = { 'config.json': '{"x": 1}', 'page.xml': '<html><body/></html>', 'notes.txt': 'to do' }
    for (const [name, text] of Object.entries({ ...files, ...others })) writeFileSync(join(cwd, name), text)
    await hla(['drive', 'put', '-p', ...Object.keys({ ...files, ...others }), '/documents/'])
    expect(await watchOnce('/documents', 'redux')).toMatchObject({ status: 0 })
    const made = ['S1.lgx.tsv', 'S2.lgx.txt', 'donors.lgx.tsv']
    const there = [
      ...made.flatMap((name) => [name, `${name}.hla.json`]),
      ...Object.keys({ ...files, ...others }),
    ]
    expect((await names('/documents')).toSorted()).toEqual(there.toSorted())
    for (const [at, name] of ['S1.xml', 'S2.txt', 'donors.json'].entries()) {
      const here = await hla(['redux', '-q', '-i', name])
      expect(await content(`/documents/${made[at]}`)).toBe(here.stdout)
      expect((await hla(['redux', '-q', '-i', `drive:/documents/${name}`])).stdout).toBe(here.stdout)
    }
    expect(await watchOnce('/documents', 'redux')).toEqual({ status: 0, stdout: '', stderr: '' })
  })

  test.skipIf(!hasShared)(
    'converts every published document and file of a program, or says why not',
    async () => {
      const files = ['hml', 'donors', 'callers'].flatMap((folder) =>
        readdirSync(sharedPath(`formats/${folder}`)).map((name) => sharedPath(`formats/${folder}/${name}`)),
      )
      expect(await hla(['drive', 'put', '-p', ...files, '/published/'])).toMatchObject({ status: 0 })
      await hla(['drive', 'watch', '/published', '--once', '--', 'redux', '--on-error', 'keep'])
      const made = await names('/published')
      const stems = files.map((file) => basename(file).replace(/(?:\.[^.]{1,8})?(?:\.gz)?$/, ''))
      const missing = stems.filter((stem) => !made.some((name) => name.startsWith(`${stem}.lgx.`)))
      // genes of KIR alone; no JSON
      expect(missing.toSorted()).toEqual(['T1K_genotype', 'atlas-MalformedImport'])
      expect(made.filter((name) => /\.lgx\.(?:xml|json)/.test(name))).toEqual([])
    },
  )

  test('converts a long table, a row a person', async () => {
    await put('/long/typed.csv', 'ID,locus,allele\nR1,A,A*01:01\nR2,A,24:02\nR1,A,02:01\nR2,B,B*07:02\n')
    const { status, stderr } = await watchOnce('/long', 'redux', '-m', 'lgx', '--into', 'replace')
    expect({ status, stderr }).toMatchObject({
      status: 0,
      stderr: expect.stringContaining('wrote drive:/long/typed.lgx.csv') as string,
    })
    expect(await content('/long/typed.lgx.csv')).toBe(
      'ID,A_1,A_2,B_1,B_2\nR1,A*01:01,A*02:01,,\nR2,A*24:02,,B*07:02,\n',
    )
  })

  test('a cell of a workbook that fails is told with its address', async () => {
    const rows = textRows([['id', 'A_1', 'A_2'], ['R1', 'A*99:99', 'A*02:01']]) // prettier-ignore
    await put('/failing/donors.xlsx', makeWorkbook({ sheets: [{ name: 'Donors', rows }] }))
    expect((await watchOnce('/failing', 'redux')).status).toBe(1)
    expect(await content('/failing/donors.lgx.csv.errors.csv')).toContain('Donors!B2')
  })

  test('reads no results as typings: what was made by hand beside, as README has it, fails nothing', async () => {
    await put('/readme/donors.csv', GOOD)
    const words = ['redux', '-m', 'lgx'] as const
    expect((await watchOnce('/readme', ...words)).status).toBe(0)
    const made = ['-i', 'drive:/readme/donors.csv', '-o', 'drive:/readme/donors.G.csv']
    expect((await hla(['redux', '-q', '-m', 'G', ...made])).status).toBe(0)
    const again = await watchOnce('/readme', ...words)
    expect(again.status).toBe(0)
    expect(again.stderr).not.toContain('failed')
    expect(await names('/readme')).not.toContain('donors.G.lgx.csv.errors.csv')
    expect(await content('/readme/donors.G.lgx.csv')).toMatch(/^ID,A1,A1_lgx,A1_G,A2,A2_lgx,A2_G\n/)
  })

  test('with --recursive converts what is in the folders below, beside it, also in one that is moved there later', async () => {
    const once = () => hla(['drive', 'watch', '-R', '/deep', '--once', '--', 'redux', '-q', '-m', 'lgx'])
    await put('/deep/top.csv', GOOD)
    await put('/deep/a/b/below.csv', GOOD)
    await put('/aside/c/later.csv', GOOD)
    expect(await once()).toMatchObject({ status: 0 })
    expect(await names('/deep/a/b')).toContain('below.lgx.csv')
    expect(await names('/deep')).toContain('top.lgx.csv')
    expect(await names('/aside/c')).toEqual(['later.csv'])
    await hla(['drive', 'mv', '/aside', '/deep/a'])
    await put('/deep/a/new.csv', GOOD)
    expect(await once()).toMatchObject({ status: 0 })
    expect(await names('/deep/a/aside/c')).toContain('later.lgx.csv')
    expect(await names('/deep/a')).toContain('new.lgx.csv')
    // what is moved away is of no interest any more
    await hla(['drive', 'mv', '/deep/a/aside', '/'])
    await put('/aside/c/after.csv', GOOD)
    expect(await once()).toMatchObject({ status: 0 })
    expect((await names('/aside/c')).filter((name) => name.startsWith('after'))).toEqual(['after.csv'])
    // without it, only what is in the folder itself
    await put('/flat/below/x.csv', GOOD)
    expect(await watchOnce('/flat', 'redux', '-q', '-m', 'lgx')).toMatchObject({ status: 0 })
    expect(await names('/flat/below')).toEqual(['x.csv'])
    const mixed = await hla([
      'drive',
      'watch',
      '-R',
      '/deep',
      '--to',
      '/flat',
      '--once',
      '--',
      'redux',
      '-m',
      'lgx',
    ])
    expect(mixed).toMatchObject({ status: 2, stdout: '' })
    expect(mixed.stderr).toContain('either --recursive or --to')
  })

  test('needs no state to know what is done', async () => {
    const id = await put('/state/donors.csv', GOOD)
    for (const state of ['one', 'two', 'three']) {
      const ran = await hla(['drive', 'watch', '/state', '--once', '--state', state, '--', 'redux'])
      expect(ran.status).toBe(0)
    }
    const [output, ...more] = await outputOf(await folderId('/state'), id)
    expect({ more, count: await revisionsOf(output?.id ?? '') }).toEqual({ more: [], count: 1 })
  })

  test('finds its output again when somebody has renamed it, and leaves copies alone', async () => {
    const id = await put('/renamed/donors.csv', GOOD)
    await watchOnce('/renamed', 'redux')
    const folder = await folderId('/renamed')
    const [output] = await outputOf(folder, id)
    const path = `/drive/v2/files/${output?.id ?? ''}`
    await store.ask('PATCH', path, { body: { title: 'ours.csv' } })
    await store.ask('POST', `${path}/copy`, { body: { title: 'copy.csv', parents: [{ id: folder }] } })
    await put('/renamed/donors.csv', `${GOOD}R2,,\n`)
    await watchOnce('/renamed', 'redux')
    expect(await names('/renamed')).toEqual(['copy.csv', 'donors.csv', 'donors.lgx.csv.hla.json', 'ours.csv'])
    expect(await revisionsOf(output?.id ?? '')).toBe(2)
  })

  test('puts outputs elsewhere, under other names, from titles that fit', async () => {
    await put('/from/a.csv.gz', GOOD)
    await put('/from/b.dat', GOOD)
    await put('/to/there.txt', '')
    const ran = await hla([
      'drive',
      'watch',
      '/from',
      '--once',
      '--to=/to',
      '--name={stem}-reduced{suffix}',
      '--match=*.dat',
      '--',
      'redux',
      '--csv',
      '-q',
    ])
    expect(ran.status).toBe(0)
    expect(await names('/to')).toEqual(['b-reduced.dat', 'b-reduced.dat.hla.json', 'there.txt'])
  })

  test('says on the table why it cannot be converted, once for each revision', async () => {
    const id = await put('/wrong/donors.csv', 'ID,NAME\n1,x\n')
    await put('/wrong/empty.csv', '')
    await put('/wrong/good.csv', GOOD)
    const first = await watchOnce('/wrong', 'redux')
    expect(first).toMatchObject({ status: 1, stdout: '' })
    expect(first.stderr).toContain('hla: error: ')
    const files = ['donors.csv', 'empty.csv', 'good.csv', 'good.lgx.csv', 'good.lgx.csv.hla.json']
    expect(await names('/wrong')).toEqual(files)
    const [said, ...more] = await commentsOn(id)
    expect(more).toEqual([])
    expect(said).toMatch(/^hla could not convert this table: .*\[usage\]\n[^]*: failed, revision \S+\)$/)
    expect(await watchOnce('/wrong', 'redux')).toEqual({ status: 0, stdout: '', stderr: '' })
    await put('/wrong/donors.csv', 'ID,NAME\n1,y\n')
    expect((await watchOnce('/wrong', 'redux')).status).toBe(1)
    expect(await commentsOn(id)).toHaveLength(2)
    await put('/wrong/donors.csv', GOOD)
    expect((await watchOnce('/wrong', 'redux')).status).toBe(0)
    expect(await names('/wrong')).toContain('donors.lgx.csv')
    expect(await commentsOn(id)).toHaveLength(2)
  })

  test('says how many cells failed, and where they are listed until there are none', async () => {
    const id = await put('/cells/donors.csv', 'ID,A1,A2\nR1,A*01:01,A*99:99\n')
    expect((await watchOnce('/cells', 'redux')).status).toBe(1)
    const all = ['donors.csv', 'donors.lgx.csv', 'donors.lgx.csv.errors.csv', 'donors.lgx.csv.hla.json']
    expect(await names('/cells')).toEqual(all)
    expect(await commentsOn(id)).toEqual([
      expect.stringMatching(
        /^hla could not convert 1 of 2 typings \(1 starter\):\ndrive:\/cells\/donors\.lgx\.csv\.errors\.csv lists them\n/,
      ),
    ])
    await watchOnce('/cells', 'redux')
    expect(await commentsOn(id)).toHaveLength(1)
    await put('/cells/donors.csv', GOOD)
    await watchOnce('/cells', 'redux')
    expect(await names('/cells')).toEqual(all.filter((name) => !name.endsWith('.errors.csv')))
  })

  test('does not wait for a table that the store refuses, and comes back to it', async () => {
    const id = await put('/refused/a.csv', GOOD)
    await watchOnce('/refused', 'redux')
    const folder = await folderId('/refused')
    const [output] = await outputOf(folder, id)
    const path = `/drive/v2/files/${output?.id ?? ''}`
    await store.ask('PATCH', path, { body: { contentRestrictions: [{ readOnly: true }] } })
    await put('/refused/a.csv', `${GOOD}R2,,\n`)
    await put('/refused/b.csv', GOOD)
    const ran = await watchOnce('/refused', 'redux')
    expect(ran).toMatchObject({ status: 4, stdout: '' })
    expect(ran.stderr).toContain('hla: a.csv has to wait\n')
    expect(await names('/refused')).toContain('b.lgx.csv')
    await store.ask('PATCH', path, { body: { contentRestrictions: [{ readOnly: false }] } })
    expect((await watchOnce('/refused', 'redux')).status).toBe(0)
    expect(await revisionsOf(output?.id ?? '')).toBe(2)
  })

  test('two at a time make one of each', async () => {
    const ids: string[] = []
    for (const name of ['a', 'b', 'c', 'd']) ids.push(await put(`/two/${name}.csv`, GOOD))
    const run = (state: string) => hla(['drive', 'watch', '/two', '--once', '--state', state, '--', 'redux'])
    await run('first')
    for (const name of ['a', 'b', 'c', 'd']) await put(`/two/${name}.csv`, `${GOOD}R2,,\n`)
    const ran = await Promise.all([run('first'), run('second')])
    expect(ran.map(({ status }) => status)).toEqual([0, 0])
    const folder = await folderId('/two')
    for (const id of ids) {
      const [output, ...more] = await outputOf(folder, id)
      expect({ more, count: await revisionsOf(output?.id ?? '') }).toEqual({ more: [], count: 2 })
    }
  })

  test('an output follows the name of its table, and a new table of the old name has its own', async () => {
    const cells = 'ID,A1,A2\nR1,A*01:01,A*99:99\n'
    const id = await put('/names/donors.csv', cells)
    await watchOnce('/names', 'redux')
    await store.ask('PATCH', `/drive/v2/files/${id}`, { body: { title: 'cohort.csv' } })
    const next = await put('/names/donors.csv', GOOD)
    expect((await watchOnce('/names', 'redux')).status).toBe(0)
    const endings = ['', '.errors.csv', '.hla.json']
    expect(await names('/names')).toEqual([
      'cohort.csv',
      ...endings.map((ending) => `cohort.lgx.csv${ending}`),
      'donors.csv',
      'donors.lgx.csv',
      'donors.lgx.csv.hla.json',
    ])
    const folder = await folderId('/names')
    const [[renamed], [own]] = [await outputOf(folder, id), await outputOf(folder, next)]
    expect([renamed?.title, own?.title]).toEqual(['cohort.lgx.csv', 'donors.lgx.csv'])
    expect(await revisionsOf(renamed?.id ?? '')).toBe(1)
    // renamed and changed at once
    await store.ask('PATCH', `/drive/v2/files/${id}`, { body: { title: 'third.csv' } })
    await put('/names/third.csv', GOOD)
    await watchOnce('/names', 'redux')
    expect(await names('/names')).toEqual([
      'donors.csv',
      'donors.lgx.csv',
      'donors.lgx.csv.hla.json',
      'third.csv',
      'third.lgx.csv',
      'third.lgx.csv.hla.json',
    ])
    expect(await revisionsOf(renamed?.id ?? '')).toBe(2)
  })

  test('an output that was removed for ever is made again', async () => {
    const id = await put('/again/donors.csv', GOOD)
    const folder = await folderId('/again')
    for (let round = 0; round < 3; round += 1) {
      await watchOnce('/again', 'redux')
      const [output, ...more] = await outputOf(folder, id)
      expect({ isThere: output !== undefined, more }).toEqual({ isThere: true, more: [] })
      await store.ask('DELETE', `/drive/v2/files/${output?.id ?? ''}`)
      await put('/again/donors.csv', `${GOOD}R${round + 2},,\n`)
    }
  })

  test('one who may only read the tables converts them elsewhere', async () => {
    const reader = 'reader@example.org'
    await operate('user', 'add', reader)
    const token = await operate('token', 'create', '--user', reader)
    await put('/read-only/donors.csv', GOOD)
    await hla(['drive', 'share', '/read-only', '--with', reader, '--role', 'reader'])
    const own = { HLA_DRIVE_TOKEN: token.trim() }
    const made = await hla(['drive', 'put', '-p', '-', '/mine/there.txt'], { env: own, stdin: 'x' })
    expect(made.status).toBe(0)
    const from = await folderId('/read-only')
    for (let round = 0; round < 2; round += 1) {
      const watches = ['a', 'b', 'c'].map((home) =>
        hla(['drive', 'watch', from, '--to=/mine', '--once', '--', 'redux'], {
          env: { ...own, HOME: join(cwd, `reader-${home}`) },
        }),
      )
      const ran = await Promise.all(watches)
      expect(ran.map(({ status, stderr }) => ({ status, error: stderr.includes('error') }))).toEqual(
        ran.map(() => ({ status: 0, error: false })),
      )
      const listed = await hla(['drive', 'ls', '/mine'], { env: own })
      expect(listed.stdout).toBe('donors.lgx.csv\ndonors.lgx.csv.hla.json\nthere.txt\n')
    }
    const [folder] = (await hla(['drive', 'ls', '/', '--json'], { env: own })).stdout.trim().split('\n')
    const { id } = JSON.parse(folder ?? '{}') as { id: string }
    const properties = await store.ask('GET', `/drive/v2/files/${id}/properties`, { token: token.trim() })
    expect(properties.json.items).toEqual([])
  })

  test("what another user's watch is converting is left to it", async () => {
    const other = 'other@example.org'
    await operate('user', 'add', other)
    const token = (await operate('token', 'create', '--user', other)).trim()
    const id = await put('/shared/donors.csv', GOOD)
    await hla(['drive', 'share', '/shared', '--with', other, '--role', 'writer'])
    const folder = await folderId('/shared')
    // it has claimed the table, and is about to upload
    const proxy = await holdingProxy(store.url, /^POST \/upload\S+ /)
    const child = spawnWatch(['watch', '/shared', '--once', '--', 'redux'], {
      ...env(),
      HLA_DRIVE_URL: proxy.url,
    })
    await proxy.held
    const theirs = ['drive', 'watch', folder, '--once', '--', 'redux']
    const waits = await hla(theirs, { env: { HLA_DRIVE_TOKEN: token, HOME: join(cwd, 'other') } })
    expect(waits).toMatchObject({ status: 4, stdout: '' })
    expect(waits.stderr).toContain('the watch of another user is converting donors.csv')
    await proxy.release()
    child.kill('SIGKILL')
    expect((await watchOnce('/shared', 'redux')).status).toBe(0)
    const done = await hla(theirs, { env: { HLA_DRIVE_TOKEN: token, HOME: join(cwd, 'other') } })
    expect(done).toEqual({ status: 0, stdout: '', stderr: '' })
    expect(await outputOf(folder, id)).toHaveLength(1)
  })

  test.for([
    [['/once'], 2, 'the command to run is missing'],
    [['/once', '--', 'redux', '-i', 'x.csv'], 2, '--input cannot be used in the command of a watch'],
    [['/once', '--', 'redux', '-o', 'x.csv'], 2, '--output cannot be used in the command of a watch'],
    [['/once', '--', 'data', 'list'], 2, 'data does not convert tables'],
    [['/none', '--', 'redux'], 4, 'there is no /none in the store'],
    [['/once/notes.txt', '--', 'redux'], 2, 'is not a folder'],
    [['/once', '--name', 'same.csv', '--', 'redux'], 2, '--name is a template'],
  ] as const)('%j ends with status %i', async ([words, status, message]) => {
    await put('/once/notes.txt', 'x')
    const ran = await hla(['drive', 'watch', '--once', ...words])
    expect(ran).toMatchObject({ status, stdout: '' })
    expect(ran.stderr).toContain(message)
  })
})

describe('hla drive watch', () => {
  test('sees a table that is dropped, and ends when it is asked to', async () => {
    await put('/dropped/old.csv', GOOD)
    const child = start('/dropped')
    await expect.poll(() => names('/dropped'), { timeout: 20_000 }).toContain('old.lgx.csv')
    const second = await hla(['drive', 'watch', '/dropped', '--interval', '1s', '--', 'redux'])
    expect(second).toMatchObject({ status: 4, stdout: '' })
    expect(second.stderr).toContain('another watch of the same')
    await put('/dropped/new.csv', GOOD)
    await expect.poll(() => names('/dropped'), { timeout: 20_000 }).toContain('new.lgx.csv')
    child.kill('SIGTERM')
    expect((await once(child, 'exit'))[0]).toBe(0)
  }, 60_000)

  test('is told of changes by a store that may, and looks no sooner', async () => {
    const telling = await startDrive({ args: ['--allow-local-notifications'] })
    const own = { HLA_DRIVE_URL: telling.url, HLA_DRIVE_TOKEN: telling.token, HLA_RELEASE: 'starter' }
    const child = spawnWatch(['watch', '/', '--interval', '10m', '--', 'redux'], own)
    let said = ''
    child.stderr?.on('data', (bytes: Buffer) => (said += bytes.toString()))
    await expect.poll(() => said, { timeout: 20_000 }).toContain('hla: watching /, told of changes\n')
    for (const slug of ['first.csv', 'second.csv']) {
      await telling.ask('POST', '/upload/drive/v2/files', { body: GOOD, headers: { slug } })
      const query = { q: `title = '${slug.replace('.csv', '.lgx.csv')}'` }
      const found = async () => (await telling.ask('GET', '/drive/v2/files', { query })).json.items
      await expect.poll(found, { timeout: 20_000 }).toHaveLength(1)
    }
    child.kill('SIGTERM')
    expect((await once(child, 'exit'))[0]).toBe(0)
    const place = ['--notify', 'http://203.0.113.9/', '--notify-listen', `127.0.0.1:${await freePort()}`]
    const refused = await hla(['drive', 'watch', '/dropped', '--state', 'refused', ...place, '--', 'redux'])
    expect(refused).toMatchObject({ status: 2, stdout: '' })
    expect(refused.stderr).toContain('the store cannot send notifications to http://203.0.113.9/')
  }, 60_000)

  test('waits for a store that is away', async () => {
    const away = await startDrive()
    const child = spawnWatch(['watch', '/', '--interval', '500ms', '--retries', '0', '--', 'redux'], {
      HLA_DRIVE_URL: away.url,
      HLA_DRIVE_TOKEN: away.token,
      HLA_RELEASE: 'starter',
    })
    let said = ''
    child.stderr?.on('data', (bytes: Buffer) => (said += bytes.toString()))
    const port = new URL(away.url).port
    // one that cannot even begin ends: on a busy machine that takes longer than a second
    await expect.poll(() => said, { timeout: 20_000 }).toContain('watching /')
    await away.stop('SIGKILL')
    await expect.poll(() => said, { timeout: 20_000 }).toContain('cannot reach')
    const back = await startDrive({ folder: away.folder, token: away.token, args: ['--port', port] })
    const body = 'ID,A1,A2\nR1,A*01:01,02:01\n'
    await back.ask('POST', '/upload/drive/v2/files', { body, headers: { slug: 'late.csv' } })
    await expect
      .poll(
        async () =>
          (await back.ask('GET', '/drive/v2/files', { query: { q: "title = 'late.lgx.csv'" } })).json.items,
        {
          timeout: 20_000,
        },
      )
      .toHaveLength(1)
    child.kill('SIGTERM')
    await once(child, 'exit')
    await back.stop()
  }, 60_000)

  test.for([
    ['its first output', 0, 409],
    ['a revision of it', 1, 412],
  ] as const)(
    'whose last request arrives when another has made %s makes no second',
    async ([, before, status]) => {
      const path = `/late${before}`
      const id = await put(`${path}/donors.csv`, GOOD)
      const folder = await folderId(path)
      if (before > 0) {
        await watchOnce(path, 'redux')
        await put(`${path}/donors.csv`, `${GOOD}R2,,\n`)
      }
      // the end of the output, which its provenance goes before
      const proxy = await holdingProxy(
        store.url,
        /^PUT \S+upload_id=\S+ [^]*content-range: bytes 0-[5-9]\d\/[5-9]\d\r/i,
      )
      const words = ['watch', path, '--state', `late${before}`, '--interval', '1s', '--', 'redux']
      const child = spawnWatch(words, { ...env(), HLA_DRIVE_URL: proxy.url })
      await proxy.held
      child.kill('SIGKILL')
      await once(child, 'exit')
      const next = await hla(['drive', ...words.toSpliced(2, 0, '--once')], {
        env: { HLA_DRIVE_URL: proxy.url },
      })
      expect(next).toMatchObject({ status: 0, stdout: '' })
      expect(await proxy.release()).toBe(status)
      const outputs = await outputOf(folder, id)
      expect(outputs).toHaveLength(1)
      expect(await revisionsOf(outputs[0]?.id ?? '')).toBe(before + 1)
    },
  )

  const ROUNDS = process.env['HLA_LONG'] === undefined ? 6 : 50

  test.for([2, 3])(
    'of %i watches on machines of their own, each table has one output',
    { timeout: 1_200_000 },
    async (count) => {
      const path = `/watches${count}`
      const sources: string[] = []
      for (let round = 0; round < ROUNDS; round += 1) {
        const there = `${path}/there${round}.csv`
        sources.push(await put(there, GOOD))
        const children = Array.from({ length: count }, (_, at) =>
          spawnWatch(['watch', path, '--interval', '500ms', '--', 'redux'], {
            ...env(),
            HOME: join(cwd, `machine-${count}-${at}`),
          }),
        )
        const folder = await folderId(path)
        const title = `dropped${round}.csv`
        const id = await put(`${path}/${title}`, GOOD)
        sources.push(id)
        await expect.poll(() => outputOf(folder, id), { timeout: 30_000, interval: 200 }).toHaveLength(1)
        for (const child of children) child.kill(round % 2 === 0 ? 'SIGTERM' : 'SIGKILL')
        await Promise.all(children.map((child) => once(child, 'exit')))
      }
      expect((await watchOnce(path, 'redux')).status).toBe(0)
      const folder = await folderId(path)
      for (const id of sources) {
        const [outputs, made] = [await outputOf(folder, id), await madeFrom(folder, id)]
        expect({ id, outputs: outputs.length, made: made.length }).toEqual({ id, outputs: 1, made: 2 })
        expect(await revisionsOf(outputs[0]?.id ?? '')).toBe(1)
      }
    },
  )

  test(`is killed ${ROUNDS} times, and each revision has exactly one of its output`, async () => {
    const rows = (count: number) =>
      `ID,A1,A2\n${Array.from({ length: count }, (_, at) => `R${at},A*01:01,02:0${1 + (at % 9)}\n`).join('')}`
    const sources = new Map<string, { readonly title: string; revisions: number }>()
    await put('/killed/first.csv', rows(10))
    const folder = await folderId('/killed')
    for (let round = 0; round < ROUNDS; round += 1) {
      for (let more = 0; more < 3; more += 1) {
        const title = `t${round}-${more}.csv`
        sources.set(await put(`/killed/${title}`, rows(3000 + 500 * more)), { title, revisions: 1 })
      }
      for (const [id, source] of shuffled([...sources].slice(0, 3 * round)).slice(0, 4)) {
        // the feed tells of the latest revision alone: the next one comes when this one is done
        const [output] = await outputOf(folder, id)
        if (output === undefined || (await revisionsOf(output.id)) < source.revisions) continue
        await put(`/killed/${source.title}`, rows(2000 + 10 * round))
        source.revisions += 1
      }
      const child = start('/killed')
      await new Promise((over) => setTimeout(over, 150 + Math.random() * 900))
      child.kill('SIGKILL')
      await once(child, 'exit')
    }
    expect((await watchOnce('/killed', 'redux')).status).toBe(0)
    expect(await watchOnce('/killed', 'redux')).toEqual({ status: 0, stdout: '', stderr: '' })
    for (const [id, { title, revisions }] of sources) {
      const outputs = await outputOf(folder, id)
      const [output] = outputs
      const found = { title, outputs: outputs.length, revisions: await revisionsOf(output?.id ?? '') }
      expect(found).toEqual({ title, outputs: 1, revisions })
      expect(output?.title).toBe(title.replace('.csv', '.lgx.csv'))
    }
  }, 1_200_000)
})

function shuffled<Item>(items: readonly Item[]): Item[] {
  return items
    .map((item) => ({ item, at: Math.random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item)
}

function start(folder: string): ChildProcess {
  return spawnWatch(['watch', folder, '--interval', '1s', '--', 'redux'], env())
}

function spawnWatch(words: readonly string[], more: Readonly<Record<string, string>>): ChildProcess {
  const child = spawn(process.execPath, [PROGRAM, 'drive', ...words], {
    cwd,
    env: { PATH: process.env['PATH'] ?? '', HOME: cwd, HLA_DATA_DIR: join(cwd, 'data'), ...more },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  // a full pipe would stop it
  child.stderr.resume()
  running.add(child)
  child.once('exit', () => running.delete(child))
  return child
}

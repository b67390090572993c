/**
 * The rule engine in a store of this process: each test runs single passes over a folder whose tables change in between.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { StorageFailure } from '../../src/drive/contract/failure.ts'
import { HlaError } from '../../src/errors.ts'
import { type DriveService, openDriveService } from '../../src/drive/api/service.ts'
import { tableConverter } from '../../src/drive/commands/tables/table-converter.ts'
import { digestToken, newToken } from '../../src/drive/domain/accounts/tokens.ts'
import { COMMANDS, command, OPERATOR } from '../../src/drive/domain/commands.ts'
import { findRule, type RuleProgress, type RuleTerms } from '../../src/drive/domain/rules/rule-rows.ts'
import { openStore, type Store } from '../../src/drive/persistence/store.ts'
import { openRuleThread, type RuleThread } from '../../src/drive/rules/rule-thread.ts'
import { outputName, runRule } from '../../src/drive/rules/run-rule.ts'
import { ask } from '../support/drive.ts'
import { type People, peopleOf, type Person } from '../support/people.ts'
import { rounds } from '../support/rounds.ts'
import { callHla } from '../support/call-hla.ts'
import { hasShared, sharedPath } from '../support/shared.ts'
import { tempFolder } from '../support/temp.ts'
import { makeWorkbook, textRows } from '../support/workbook.ts'

const FOLDER = 'application/vnd.google-apps.folder'
const GOOD = 'ID,A1,A2\nR1,A*01:01,02:01\n'
const DATA = { release: 'starter', dataDir: undefined }
const temp = tempFolder()
const cwd = temp('here')
let store: Store
let service: DriveService
let url: string
let people: People
let thread: RuleThread
let ada: Person
let bo: Person

beforeAll(async () => {
  mkdirSync(cwd)
  const fail = (error: Error) => {
    throw error
  }
  const opening = { writer: COMMANDS, isService: true, onBroken: fail, onWarning: () => undefined }
  store = await openStore(temp('store'), opening)
  await command(store, 'setUp', OPERATOR, { email: 'owner@lab.example', digest: digestToken(newToken()) })
  service = await openDriveService(store, { tables: tableConverter(DATA) })
  await service.app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = service.app.server.address() as AddressInfo // a TCP server's address is never a string
  url = `http://127.0.0.1:${port}`
  const folder = store.folder.path
  people = await peopleOf({
    folder,
    ask: (method, path, asking = {}) => ask(`${url}${path}`, method, asking),
  })
  ada = await people.add('ada@lab.example')
  bo = await people.add('bo@lab.example')
  thread = openRuleThread(DATA, 60_000)
})
afterAll(async () => {
  await thread.close()
  await people.store.close()
  await service.app.close()
  await store.close()
})

type Who = Pick<Person, 'ask' | 'token'>

async function folder(title: string, parent?: string, who: Who = ada): Promise<string> {
  const parents = parent === undefined ? {} : { parents: [{ id: parent }] }
  return (await who.ask('POST', '/drive/v2/files', { body: { title, mimeType: FOLDER, ...parents } })).json.id
}

/** Creates a file, or replaces the content of the file with that title. */
async function put(parent: string, title: string, body: string | Buffer, type = 'text/csv'): Promise<string> {
  const there = (await listed(parent)).find((one) => one.title === title)
  const about = { title, mimeType: type, parents: [{ id: parent }] }
  const id = there?.id ?? (await ada.ask('POST', '/drive/v2/files', { body: about })).json.id
  const sent = { body, headers: { 'content-type': type } }
  expect((await ada.ask('PUT', `/upload/drive/v2/files/${id}`, sent)).status).toBe(200)
  return id
}

interface Listed {
  readonly id: string
  readonly title: string
  readonly properties?: readonly { readonly key: string; readonly value: string }[]
}

async function listed(parent: string, who: Who = ada): Promise<readonly Listed[]> {
  const query = { q: `'${parent}' in parents and trashed = false`, orderBy: 'title', maxResults: 1000 }
  return (await who.ask('GET', '/drive/v2/files', { query })).json.items
}
const names = async (parent: string, who: Who = ada) => (await listed(parent, who)).map(({ title }) => title)
const text = async (parent: string, title: string) => {
  const id = (await listed(parent)).find((one) => one.title === title)?.id ?? ''
  const content = await fetch(`${url}/drive/v2/files/${id}?alt=media`, {
    headers: { authorization: `Bearer ${ada.token}` },
  })
  return Buffer.from(await content.arrayBuffer()).toString()
}
const change = (id: string, body: object) => ada.ask('PATCH', `/drive/v2/files/${id}`, { body })
const move = (id: string, from: string, to: string) =>
  ada.ask('PUT', `/drive/v2/files/${id}`, { query: { removeParents: from, addParents: to }, body: {} })
const share = (id: string, value: string, role: string) =>
  ada.ask('POST', `/drive/v2/files/${id}/permissions`, { body: { type: 'user', role, value } })
const comments = async (id: string): Promise<string[]> =>
  (await ada.ask('GET', `/drive/v2/files/${id}/comments`)).json.items.map(
    (one: { content: string }) => one.content,
  )
const revisionsOf = async (id = ''): Promise<number> =>
  (await ada.ask('GET', `/drive/v2/files/${id}/revisions`)).json.items.length

/** The outputs of a table: one is expected. */
async function outputsOf(parent: string, source: string): Promise<readonly Listed[]> {
  const has = ({ properties = [] }: Listed, key: string, value: string) =>
    properties.some((one) => one.key === key && one.value.startsWith(value))
  return (await listed(parent)).filter((one) => has(one, 'hla-made', source) && has(one, 'hla-done', ''))
}

interface Terms extends Partial<Pick<RuleTerms, 'method' | 'match' | 'withSubfolders'>> {
  readonly to?: string
  readonly who?: Person
  /** Bytes of the largest file that the store takes. */
  readonly maxUpload?: number
  /** Called before and after a table is converted. */
  readonly before?: () => Promise<unknown>
  readonly after?: () => Promise<unknown>
  /** Called for each access that is recorded. */
  readonly noting?: () => void
  readonly warn?: (text: string) => void
}

interface Looked {
  readonly outcomes: readonly string[]
  readonly heldUp: string | undefined
}

/** A rule of a folder: each call makes one pass, and continues after the one before. A second one of the same method has the first's place. */
function rule(place: string, terms: Terms = {}): () => Promise<Looked> {
  const { method = 'lgx', match, withSubfolders, to, who = ada, maxUpload = 1e9 } = terms
  const own = { method, release: 'starter', match, withSubfolders }
  let progress: RuleProgress = {}
  return async () => {
    const id = await storedRule(place, { ...own, to, who })
    // what a pass keeps stays with this rule, also where several have one row
    await people.store.write('noteRule', OPERATOR, { id, progress: { ...NONE, ...progress } })
    const row = findRule(store.read, id)
    if (row === undefined) throw new Error(`there is no rule ${id}`)
    const watched: RuleThread = {
      ...thread,
      async convert(table) {
        await terms.before?.()
        const made = await thread.convert(table)
        await terms.after?.()
        return made
      },
    }
    await runRule({
      store,
      rule: row,
      thread: watched,
      maxUpload,
      accesses: {
        note(access) {
          terms.noting?.()
          service.accesses.note(access)
        },
      },
      warn:
        terms.warn ??
        ((text) => {
          throw new Error(text)
        }),
      isOver: () => false,
    })
    const now = findRule(store.read, id)?.progress ?? {}
    const outcomes = (['converted', 'failed'] as const).flatMap((outcome) =>
      Array.from({ length: (now[outcome] ?? 0) - (progress[outcome] ?? 0) }, () => outcome),
    )
    progress = now
    return { outcomes, heldUp: now.trouble }
  }
}

const NONE = {
  from: undefined,
  converted: undefined,
  failed: undefined,
  trouble: undefined,
}
const stored = new Map<string, Promise<string>>()

function storedRule(
  folder: string,
  { to: target, who, ...terms }: RuleTerms & { to: string | undefined; who: Person },
) {
  const key = JSON.stringify([folder, terms.method, target])
  const caller = { user: who.pk, client: 0, scopes: ['drive' as const] }
  const made =
    stored.get(key) ??
    command(store, 'addRule', caller, { folder, target, terms, includesExisting: true }).then(({ id }) => id)
  stored.set(key, made)
  return made
}

const NOTHING = { outcomes: [], heldUp: undefined }
const CONVERTED = { outcomes: ['converted'], heldUp: undefined }
const FAILED = { outcomes: ['failed'], heldUp: undefined }

/** Output of the command line for the same file. */
async function converted(name: string, content: string | Buffer, ...more: string[]): Promise<string> {
  writeFileSync(join(cwd, name), content)
  const words = ['redux', '-q', '-r', 'starter', '-m', 'lgx', ...more, '-i', name, '-o', 'here']
  await callHla(words, { cwd })
  return readFileSync(join(cwd, 'here'), 'utf8')
}

describe('what is converted', () => {
  test('what is there, once, and what changes, once more, as the command line would', async () => {
    const place = await folder('once')
    const id = await put(place, 'donors.csv', GOOD)
    await put(place, 'notes.txt', 'not a table', 'text/plain')
    const look = rule(place)
    expect(await look()).toEqual(CONVERTED)
    expect(await names(place)).toEqual([
      'donors.csv',
      'donors.lgx.csv',
      'donors.lgx.csv.hla.json',
      'notes.txt',
    ])
    expect(await text(place, 'donors.lgx.csv')).toBe(await converted('donors.csv', GOOD))
    expect(await look()).toEqual(NOTHING)
    await put(place, 'donors.csv', `${GOOD}R2,03:01,\n`)
    expect(await look()).toEqual(CONVERTED)
    const [output, ...more] = await outputsOf(place, id)
    expect([more, await revisionsOf(output?.id)]).toEqual([[], 2])
  })

  test('a sheet of a workbook, to CSV, whose failed cell is told with its address', async () => {
    const place = await folder('sheets')
    const book = (typing: string) =>
      makeWorkbook({ sheets: [{ name: 'Donors', rows: textRows([['ID', 'A1', 'A2'], ['R1', typing, '02:01']]) }] }) // prettier-ignore
    const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
    await put(place, 'donors.xlsx', book('A*01:01'), type)
    const look = rule(place)
    expect(await look()).toEqual(CONVERTED)
    expect(await text(place, 'donors.lgx.csv')).toBe(await converted('same.csv', GOOD))
    await put(place, 'failing.xlsx', book('A*99:99'), type)
    expect(await look()).toEqual(FAILED)
    expect(await text(place, 'failing.lgx.csv.errors.csv')).toContain('Donors!B2')
  })

  test('documents and what typing programs wrote, and nothing of what is neither', async () => {
    const files = {
      'S1.xml': '<hml version="1.0.1"><sample id="S1"><typing><allele-assignment><glstring>HLA-A*01:01+HLA-A*02:01</glstring></allele-assignment></typing></sample></hml>',
      'S2.txt': 'Locus\tAllele1\tAllele2\tLLtot\tPval1\tPval2\nHLA_A\tA*01:01\tA*02:01\t-1\t1\t1\n',
      'donors.json': '{"donors": [{"recordId": "1", "hla": {"a": {"dna": {"field1": "*01:01", "field2": "*02:01"}}}}]}',
    } // prettier-ignore
    const others = { 'config.json': '{"x": 1}', 'page.xml': '<html><body/></html>', 'notes.txt': 'to do' }
    const place = await folder('documents')
    for (const [name, content] of Object.entries({ ...files, ...others })) await put(place, name, content)
    const look = rule(place)
    expect((await look()).outcomes).toEqual(Array.from({ length: 3 }, () => 'converted'))
    const made = { 'S1.lgx.tsv': 'S1.xml', 'S2.lgx.txt': 'S2.txt', 'donors.lgx.tsv': 'donors.json' } as const
    const there = Object.keys(made).flatMap((name) => [name, `${name}.hla.json`])
    expect((await names(place)).toSorted()).toEqual(
      [...there, ...Object.keys({ ...files, ...others })].toSorted(),
    )
    for (const [name, from] of Object.entries(made))
      expect(await text(place, name)).toBe(await converted(from, files[from]))
    expect(await look()).toEqual(NOTHING)
  })

  test.skipIf(!hasShared)(
    'every published document and file of a program, or it is said why not',
    async () => {
      const files = ['hml', 'donors', 'callers'].flatMap((one) =>
        readdirSync(sharedPath(`formats/${one}`)).map((name) => sharedPath(`formats/${one}/${name}`)),
      )
      const place = await folder('published')
      for (const file of files)
        await put(place, basename(file), readFileSync(file), 'application/octet-stream')
      await rule(place)()
      const made = await names(place)
      const stems = files.map((file) => basename(file).replace(/(?:\.[^.]{1,8})?(?:\.gz)?$/, ''))
      const missing = stems.filter((stem) => !made.some((name) => name.startsWith(`${stem}.lgx.`)))
      // one file has only KIR genes, the other is invalid JSON
      expect(missing.toSorted()).toEqual(['T1K_genotype', 'atlas-MalformedImport'])
      expect(made.filter((name) => /\.lgx\.(?:xml|json)/.test(name))).toEqual([])
    },
  )

  test('a long table, a row a person', async () => {
    const place = await folder('long')
    await put(place, 'typed.csv', 'ID,locus,allele\nR1,A,A*01:01\nR2,A,24:02\nR1,A,02:01\nR2,B,B*07:02\n')
    expect(await rule(place)()).toEqual(CONVERTED)
    expect(await text(place, 'typed.lgx.csv')).toBe(
      'ID,A_1,A_1_lgx,A_2,A_2_lgx,B_1,B_1_lgx,B_2,B_2_lgx\nR1,A*01:01,A*01:01,02:01,A*02:01,,,,\nR2,24:02,A*24:02,,,B*07:02,B*07:02,,\n',
    )
  })

  test('what was made by hand beside, whose results are no typings', async () => {
    const place = await folder('by hand')
    await put(place, 'donors.csv', GOOD)
    const look = rule(place)
    expect(await look()).toEqual(CONVERTED)
    await put(place, 'donors.G.csv', 'ID,A1,A1_G,A2,A2_G\nR1,A*01:01,A*01:01:01G,02:01,A*02:01:01G\n')
    expect(await look()).toEqual(CONVERTED)
    expect(await names(place)).not.toContain('donors.G.lgx.csv.errors.csv')
  })

  test('what is in the folders below, beside it, also in one that is moved there later', async () => {
    const place = await folder('deep')
    const [below, aside] = [await folder('below', await folder('a', place)), await folder('aside')]
    const inside = await folder('c', aside)
    await put(place, 'top.csv', GOOD)
    await put(below, 'below.csv', GOOD)
    await put(inside, 'later.csv', GOOD)
    const [look, flat] = [rule(place, { withSubfolders: true }), rule(place, { method: 'G' })]
    expect((await look()).outcomes).toEqual(['converted', 'converted'])
    expect([await names(below), await names(inside)]).toEqual([
      ['below.csv', 'below.lgx.csv', 'below.lgx.csv.hla.json'],
      ['later.csv'],
    ])
    await move(aside, 'root', below)
    expect(await look()).toEqual(CONVERTED)
    expect(await names(inside)).toContain('later.lgx.csv')
    // changes of a table that was moved away are ignored
    await move(aside, below, 'root')
    await put(inside, 'after.csv', GOOD)
    expect(await look()).toEqual(NOTHING)
    // a rule without subfolders
    await put(below, 'other.csv', GOOD)
    await flat()
    expect(await names(below)).not.toContain('other.G.csv')
  })

  test('titles that fit, elsewhere', async () => {
    const [place, to] = [await folder('from'), await folder('to')]
    await put(place, 'a.csv', GOOD)
    await put(place, 'b.dat', GOOD)
    const look = rule(place, { to, match: '*.dat' })
    expect(await look()).toEqual(CONVERTED)
    expect(await names(to)).toEqual(['b.lgx.dat', 'b.lgx.dat.hla.json'])
  })

  test('a table of the store itself, once for each revision', async () => {
    const place = await folder('tables of the store')
    const made = await ada.ask('POST', '/upload/drive/v2/files', {
      query: { convert: true },
      headers: { 'content-type': 'text/csv', slug: 'donors.csv' },
      body: GOOD,
    })
    const { id, mimeType } = made.json
    expect(mimeType).toBe('application/vnd.google-apps.spreadsheet')
    await move(id, 'root', place)
    const look = rule(place)
    expect(await look()).toEqual(CONVERTED)
    expect(await look()).toEqual(NOTHING)
    const sent = {
      query: { convert: true },
      body: `${GOOD}R2,03:01,\n`,
      headers: { 'content-type': 'text/csv' },
    }
    expect((await ada.ask('PUT', `/upload/drive/v2/files/${id}`, sent)).status).toBe(200)
    expect(await look()).toEqual(CONVERTED)
    const [output, ...more] = await outputsOf(place, id)
    expect([more, await revisionsOf(output?.id)]).toEqual([[], 2])
    expect(await text(place, output?.title ?? '')).toContain('R2,03:01,A*03:01')
  })

  test('nothing larger than the store allows', async () => {
    const most = (value: number | null) => command(store, 'setLimit', OPERATOR, { name: 'rule-bytes', value })
    const place = await folder('large')
    const id = await put(place, 'donors.csv', GOOD)
    await most(GOOD.length - 1)
    expect(await rule(place)()).toEqual(FAILED)
    expect((await comments(id))[0]).toContain(`it exceeds the size limit for rules in this store`)
    await most(GOOD.length)
    expect(await rule(place)()).toEqual(NOTHING)
    const other = await folder('as large')
    await put(other, 'donors.csv', GOOD)
    expect(await rule(other)()).toEqual(CONVERTED)
    await most(null)
  })

  test('a table in two folders once, and none of a folder in the trash or out of reach', async () => {
    const place = await folder('links')
    const [one, other, bin] = [
      await folder('one', place),
      await folder('other', place),
      await folder('bin', place),
    ]
    const id = await put(one, 'twice.csv', GOOD)
    await ada.ask('PUT', `/drive/v2/files/${id}`, { query: { addParents: other }, body: {} })
    const alive = await put(bin, 'alive.csv', GOOD)
    await ada.ask('PUT', `/drive/v2/files/${alive}`, { query: { addParents: place }, body: {} })
    await put(bin, 'gone.csv', GOOD)
    await ada.ask('POST', `/drive/v2/files/${bin}/trash`)
    const look = rule(place, { withSubfolders: true })
    expect((await look()).outcomes).toEqual(['converted', 'converted'])
    expect(await outputsOf(one, id)).toHaveLength(1)
    expect(await names(place)).toEqual([
      'alive.csv',
      'alive.lgx.csv',
      'alive.lgx.csv.hla.json',
      'one',
      'other',
    ])
    expect(await look()).toEqual(NOTHING)
  })
})

test.each([
  ['donors.csv', 'donors.lgx.csv'],
  ['donors.csv.gz', 'donors.lgx.csv.gz'],
  ['donors.xlsx', 'donors.lgx.csv'],
  ['message.xml', 'message.lgx.tsv'],
  ['message.hml.gz', 'message.lgx.tsv.gz'],
  ['donors.json', 'donors.lgx.tsv'],
  ['S1.txt', 'S1.lgx.txt'],
])('%s becomes %s', (title, table) => {
  expect(outputName(title, 'lgx')).toBe(table)
})

describe('what is said on a table', () => {
  test('that it stays without content, once', async () => {
    const place = await folder('empty')
    const id = await put(place, 'none.csv', '')
    await put(place, 'none.txt', '', 'text/plain')
    const look = rule(place)
    expect(await look()).toEqual(NOTHING)
    // no comment yet: the content may still arrive
    expect(await comments(id)).toEqual([])
    const old = new Date(Date.now() - 120_000).toISOString()
    const dated = { query: { setModifiedDate: true }, body: { modifiedDate: old } }
    expect((await ada.ask('PATCH', `/drive/v2/files/${id}`, dated)).status).toBe(200)
    for (let time = 0; time < 2; time += 1) expect(await look()).toEqual(NOTHING)
    expect(await comments(id)).toEqual([expect.stringContaining('empty (0 bytes)')])
    await put(place, 'none.csv', GOOD)
    expect(await look()).toEqual(CONVERTED)
  })

  test('why it cannot be converted, once for each revision', async () => {
    const place = await folder('wrong')
    const id = await put(place, 'donors.csv', 'ID,NAME\n1,x\n')
    await put(place, 'good.csv', GOOD)
    const look = rule(place)
    expect((await look()).outcomes.toSorted()).toEqual(['converted', 'failed'])
    expect(await names(place)).toEqual(['donors.csv', 'good.csv', 'good.lgx.csv', 'good.lgx.csv.hla.json'])
    const [said, ...more] = await comments(id)
    expect(more).toEqual([])
    expect(said).toMatch(/^hla could not convert this table: .*\[usage\]\n[^]*: failed, revision \S+\)$/)
    // a rule without the progress of the first
    expect(await rule(place)()).toEqual(NOTHING)
    await put(place, 'donors.csv', 'ID,NAME\n1,y\n')
    expect(await look()).toEqual(FAILED)
    expect(await comments(id)).toHaveLength(2)
    await put(place, 'donors.csv', GOOD)
    expect(await look()).toEqual(CONVERTED)
    expect(await comments(id)).toHaveLength(2)
  })

  test('how many cells failed, and where they are listed until there are none', async () => {
    const place = await folder('cells')
    const id = await put(place, 'donors.csv', 'ID,A1,A2\nR1,A*01:01,A*99:99\n')
    const look = rule(place)
    expect(await look()).toEqual(FAILED)
    const all = ['donors.csv', 'donors.lgx.csv', 'donors.lgx.csv.errors.csv', 'donors.lgx.csv.hla.json']
    expect(await names(place)).toEqual(all)
    expect(await comments(id)).toEqual([
      expect.stringMatching(
        /^hla could not convert 1 of 2 typings \(1 starter\):\ndrive:cells\/donors\.lgx\.csv\.errors\.csv lists them\n/,
      ),
    ])
    await rule(place)()
    expect(await comments(id)).toHaveLength(1)
    await put(place, 'donors.csv', GOOD)
    expect(await look()).toEqual(CONVERTED)
    expect(await names(place)).toEqual(all.filter((name) => !name.endsWith('.errors.csv')))
  })
})

describe('outputs', () => {
  test('are known by what is on them alone', async () => {
    const place = await folder('no state')
    const id = await put(place, 'donors.csv', GOOD)
    for (let time = 0; time < 3; time += 1) await rule(place)()
    const [output, ...more] = await outputsOf(place, id)
    expect([more, await revisionsOf(output?.id)]).toEqual([[], 1])
  })

  test('are found when somebody has renamed them; copies of them are left alone', async () => {
    const place = await folder('renamed')
    const id = await put(place, 'donors.csv', GOOD)
    const look = rule(place)
    await look()
    const [output] = await outputsOf(place, id)
    await change(output?.id ?? '', { title: 'ours.csv' })
    const copy = { body: { title: 'copy.csv', parents: [{ id: place }] } }
    await ada.ask('POST', `/drive/v2/files/${output?.id}/copy`, copy)
    await put(place, 'donors.csv', `${GOOD}R2,,\n`)
    expect(await look()).toEqual(CONVERTED)
    expect(await names(place)).toEqual(['copy.csv', 'donors.csv', 'donors.lgx.csv.hla.json', 'ours.csv'])
    expect(await revisionsOf(output?.id)).toBe(2)
  })

  test('follow the name of their table, and a new table of the old name has its own', async () => {
    const place = await folder('names')
    const id = await put(place, 'donors.csv', 'ID,A1,A2\nR1,A*01:01,A*99:99\n')
    const look = rule(place)
    await look()
    await change(id, { title: 'cohort.csv' })
    const next = await put(place, 'donors.csv', GOOD)
    await look()
    const of = (stem: string, ...endings: string[]) => [
      `${stem}.csv`,
      ...endings.map((ending) => `${stem}.lgx.csv${ending}`),
    ]
    const own = of('donors', '', '.hla.json')
    expect(await names(place)).toEqual([...of('cohort', '', '.errors.csv', '.hla.json'), ...own])
    const [[renamed], [new_]] = [await outputsOf(place, id), await outputsOf(place, next)]
    expect([renamed?.title, new_?.title]).toEqual(['cohort.lgx.csv', 'donors.lgx.csv'])
    expect(await revisionsOf(renamed?.id)).toBe(1)
    // a rename and a change in one pass
    await change(id, { title: 'third.csv' })
    await put(place, 'third.csv', GOOD)
    await look()
    expect(await names(place)).toEqual([...own, ...of('third', '', '.hla.json')])
    expect(await revisionsOf(renamed?.id)).toBe(2)
  })

  test('that were removed for ever are made again', async () => {
    const place = await folder('again')
    const id = await put(place, 'donors.csv', GOOD)
    const look = rule(place)
    for (let round = 0; round < 3; round += 1) {
      await look()
      const [output, ...more] = await outputsOf(place, id)
      expect([output !== undefined, more]).toEqual([true, []])
      await ada.ask('DELETE', `/drive/v2/files/${output?.id}`)
      await put(place, 'donors.csv', `${GOOD}R${round + 2},,\n`)
    }
  })

  test('that the store refuses wait, alone, and are made later', async () => {
    const place = await folder('refused')
    const id = await put(place, 'a.csv', GOOD)
    const look = rule(place)
    await look()
    const [output] = await outputsOf(place, id)
    await change(output?.id ?? '', { contentRestrictions: [{ readOnly: true }] })
    await put(place, 'a.csv', `${GOOD}R2,,\n`)
    await put(place, 'b.csv', GOOD)
    const { heldUp } = await look()
    expect(heldUp).toContain('sufficient permissions')
    expect(await names(place)).toContain('b.lgx.csv')
    await change(output?.id ?? '', { contentRestrictions: [{ readOnly: false }] })
    expect((await look()).outcomes).toContain('converted')
    expect(await revisionsOf(output?.id)).toBe(2)
  })
})

test('the maker of a rule is recorded as who read the table and changed the output', async () => {
  const place = await folder('recorded')
  const id = await put(place, 'donors.csv', GOOD)
  await rule(place)()
  const [output] = await outputsOf(place, id)
  const recorded = async (file: string | undefined) =>
    (await service.accesses.page({ file }, 100)).items.map(({ action, method, user }) => [
      action,
      method,
      user,
    ])
  expect(await recorded(id)).toContainEqual(['download', 'files.get', ada.pk])
  expect(await recorded(output?.id)).toContainEqual(['change', 'files.update', ada.pk])
})

test('outputs are made together, or none of them where one is larger than a file may be', async () => {
  const place = await folder('one too large')
  await put(place, 'donors.csv', GOOD)
  // the record of the run is longer than the table
  expect(await rule(place, { maxUpload: 300 })()).toEqual({
    outcomes: [],
    heldUp: 'the store says: A file has at most 300 bytes',
  })
  expect(await names(place)).toEqual(['donors.csv'])
  expect(await rule(place)()).toEqual(CONVERTED)
  expect(await names(place)).toEqual(['donors.csv', 'donors.lgx.csv', 'donors.lgx.csv.hla.json'])
  expect((await text(place, 'donors.lgx.csv')).length).toBeLessThan(300)
})

describe('several at a time', () => {
  test.each([2, 3])('%i make one of each', async (count) => {
    const place = await folder(`at a time ${count}`)
    const looks = Array.from({ length: count }, () => rule(place))
    const ids: string[] = []
    for (let round = 0; round < rounds(30, 3); round += 1) {
      ids.push(await put(place, `t${round}.csv`, GOOD))
      await Promise.all(looks.map((look) => look()))
    }
    for (const name of ['t0', 't1']) await put(place, `${name}.csv`, `${GOOD}R2,,\n`)
    await Promise.all(looks.map((look) => look()))
    for (const [at, id] of ids.entries()) {
      const [output, ...more] = await outputsOf(place, id)
      expect([more, await revisionsOf(output?.id)]).toEqual([[], at < 2 ? 2 : 1])
    }
    expect(await names(place)).toHaveLength(3 * ids.length)
  })
})

describe('while a table is converted', () => {
  const next = 'ID,A1,A2\nR7,A*24:02,A*99:99\n'

  test.each(['before', 'after'] as const)(
    'its content changes %s: only the new one gets an output',
    async (when) => {
      const place = await folder(`changing ${when}`)
      const id = await put(place, 'donors.csv', GOOD)
      let isFirst = true
      const change = async () => {
        if (isFirst) await put(place, 'donors.csv', next)
        isFirst = false
      }
      const look = rule(place, { [when]: change })
      expect(await look()).toEqual(NOTHING)
      expect([await names(place), await comments(id)]).toEqual([['donors.csv'], []])
      expect(await look()).toEqual(FAILED)
      const [output, ...more] = await outputsOf(place, id)
      expect([more, await revisionsOf(output?.id)]).toEqual([[], 1])
      expect(await text(place, output?.title ?? '')).toContain('R7')
      expect(await comments(id)).toHaveLength(1)
    },
  )

  test.each([
    ['removed', (id: string) => ada.ask('DELETE', `/drive/v2/files/${id}`)],
    ['put into the trash', (id: string) => ada.ask('POST', `/drive/v2/files/${id}/trash`)],
  ] as const)('it is %s: nothing is made', async (what, act) => {
    const place = await folder(`gone ${what}`)
    const id = await put(place, 'donors.csv', next)
    const look = rule(place, { after: () => act(id) })
    expect(await look()).toEqual(NOTHING)
    expect(await names(place)).toEqual([])
  })

  test('its maker loses the folder: nothing is made or said', async () => {
    const place = await folder('lost')
    const { json } = await share(place, bo.email, 'writer')
    const id = await put(place, 'donors.csv', next)
    const after = () => ada.ask('DELETE', `/drive/v2/files/${place}/permissions/${json.id}`)
    expect(await rule(place, { who: bo, after })()).toEqual(NOTHING)
    expect([await names(place), await comments(id)]).toEqual([['donors.csv'], []])
  })

  test('the store refuses the output: no comment, no count, no file, until it can be made', async () => {
    const place = await folder('all or nothing')
    const id = await put(place, 'donors.csv', GOOD)
    const look = rule(place)
    await look()
    const [output] = await outputsOf(place, id)
    await change(output?.id ?? '', { contentRestrictions: [{ readOnly: true }] })
    await put(place, 'donors.csv', next)
    const { outcomes, heldUp } = await look()
    expect([outcomes, heldUp]).toEqual([[], expect.stringContaining('the store says: ')])
    expect([await comments(id), await names(place)]).toEqual([
      [],
      ['donors.csv', 'donors.lgx.csv', 'donors.lgx.csv.hla.json'],
    ])
    await change(output?.id ?? '', { contentRestrictions: [{ readOnly: false }] })
    expect(await look()).toEqual(FAILED)
    expect(await comments(id)).toHaveLength(1)
    expect(await revisionsOf(output?.id)).toBe(2)
  })

  test('the conversion breaks: the table is told why, and the server warns', async () => {
    const place = await folder('broken')
    const id = await put(place, 'donors.csv', GOOD)
    const warnings: string[] = []
    const before = () => Promise.reject(new Error('out of order'))
    expect(await rule(place, { before, warn: (text) => warnings.push(text) })()).toEqual(FAILED)
    expect(warnings).toEqual([expect.stringMatching(/^rule [\w-]+: out of order$/)])
    expect(await comments(id)).toEqual([
      expect.stringMatching(/^hla could not convert this table: out of order \[io\]\n/),
    ])
    expect(await names(place)).toEqual(['donors.csv'])
  })

  test('the data of the server cannot be read: the run ends, and no table is told', async () => {
    const place = await folder('no data')
    const id = await put(place, 'donors.csv', GOOD)
    const before = () => Promise.reject(new HlaError('no-data', 'the release is gone'))
    await expect(rule(place, { before })()).rejects.toThrow('the release is gone')
    expect([await comments(id), await names(place)]).toEqual([[], ['donors.csv']])
  })

  test('the store is busy: the table waits, and is made later', async () => {
    const place = await folder('busy')
    const id = await put(place, 'donors.csv', GOOD)
    let isFirst = true
    const before = async () => {
      const fails = isFirst
      isFirst = false
      if (fails) throw new StorageFailure(503, 'backendError', 'Too busy.')
    }
    const look = rule(place, { before })
    expect(await look()).toEqual({ outcomes: [], heldUp: 'the store says: Too busy' })
    expect(await comments(id)).toEqual([])
    expect(await look()).toEqual(CONVERTED)
  })

  test('a fault of one table holds up no other, and the server warns', async () => {
    const place = await folder('one fault')
    await put(place, 'a.csv', GOOD)
    await put(place, 'b.csv', GOOD)
    let count = 0
    const noting = () => {
      count += 1
      if (count === 1) throw new Error('no record')
    }
    const warnings: string[] = []
    const look = rule(place, { noting, warn: (text) => warnings.push(text) })
    expect(await look()).toEqual({ outcomes: ['converted'], heldUp: 'the store says: no record' })
    expect(warnings).toEqual([expect.stringMatching(/^rule [\w-]+: no record$/)])
    expect(await look()).toEqual(CONVERTED)
    expect(warnings).toHaveLength(1)
    expect((await names(place)).filter((name) => name.endsWith('.lgx.csv'))).toEqual([
      'a.lgx.csv',
      'b.lgx.csv',
    ])
  })

  test('nothing stays in the staging folder', () => {
    expect(readdirSync(store.folder.staging)).toEqual([])
  })
})

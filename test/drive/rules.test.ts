/** Folder rules: the server converts each new table of a folder once, as the user who made the rule. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { command, OPERATOR } from '../../src/drive/domain/commands.ts'
import { type Drive, startDrive } from '../support/drive.ts'
import { type People, peopleOf, type Person } from '../support/people.ts'
import { callHla } from '../support/call-hla.ts'
import { IS_LONG } from '../support/rounds.ts'
import { tempFolder } from '../support/temp.ts'

const FOLDER = 'application/vnd.google-apps.folder'
const GOOD = 'ID,A1,A2\nR1,A*01:01:01,02:01:01\n'
/** 120,000 distinct ambiguous typings, which take several seconds. */
function slowTable(): string {
  const names = ['01:01', '02:01', '03:01', '11:01', '24:02', '23:01', '68:01', '31:01', '26:01', '30:01', '32:01', '25:01', '29:02', '33:01', '68:02', '30:02', '66:01'] // prettier-ignore
  const list = (bits: number) => names.filter((_, at) => ((bits >> at) & 1) === 1).join('/')
  const rows = Array.from({ length: 120_000 }, (_, at) => `R${at},A*${list(at + 1)},A*${list(131_071 - at)}`)
  return `ID,A1,A2\n${rows.join('\n')}\n`
}

const env = { HLA_RELEASE: 'starter' }
const temp = tempFolder()
let drive: Drive
let people: People
let ada: Person
let bo: Person

beforeAll(async () => {
  drive = await startDrive({ env })
  people = await peopleOf(drive)
  ada = await people.add('ada@lab.example')
  bo = await people.add('bo@lab.example')
})
afterAll(async () => {
  await people.store.close()
  await drive.stop()
})

async function folder(
  title: string,
  who: Pick<Person, 'ask'> = ada,
  parents: readonly string[] = [],
): Promise<string> {
  const body = {
    title,
    mimeType: FOLDER,
    ...(parents.length === 0 ? {} : { parents: parents.map((id) => ({ id })) }),
  }
  return (await who.ask('POST', '/drive/v2/files', { body })).json.id
}
const move = (id: string, query: Readonly<Record<string, string>>) =>
  ada.ask('PUT', `/drive/v2/files/${id}`, { query, body: {} })

async function put(
  parent: string,
  title: string,
  body: string,
  who: Pick<Person, 'ask'> = ada,
): Promise<string> {
  const { json } = await who.ask('POST', '/drive/v2/files', {
    body: { title, mimeType: 'text/csv', parents: [{ id: parent }] },
  })
  await content(json.id, body, who)
  return json.id
}
const content = (id: string, body: string, who: Pick<Person, 'ask'> = ada) =>
  who.ask('PUT', `/upload/drive/v2/files/${id}`, { body, headers: { 'content-type': 'text/csv' } })

interface Listed {
  readonly id: string
  readonly title: string
}

async function list(parent: string, who: Pick<Person, 'ask'> = ada): Promise<Listed[]> {
  const query = { q: `'${parent}' in parents and trashed = false`, orderBy: 'title' }
  return (await who.ask('GET', '/drive/v2/files', { query })).json.items
}
const titles = async (parent: string, who: Pick<Person, 'ask'> = ada) =>
  (await list(parent, who)).map(({ title }) => title)
const make = (body: object, who: Pick<Person, 'ask'> = ada) => who.ask('POST', '/rules', { body })
const rules = async (id: string, who: Pick<Person, 'ask'> = ada) =>
  (await who.ask('GET', '/rules', { query: { folder: id } })).json.items
const comments = async (id: string): Promise<string[]> =>
  (await ada.ask('GET', `/drive/v2/files/${id}/comments`)).json.items.map(
    (one: { content: string }) => one.content,
  )
const share = (id: string, value: string, role: string) =>
  ada.ask('POST', `/drive/v2/files/${id}/permissions`, { body: { type: 'user', role, value } })

describe('a rule', () => {
  test('converts each table that is put into its folder, once, and each new content, once more', async () => {
    const place = await folder('new tables')
    await put(place, 'old.csv', GOOD)
    const made = await make({ folder: place, method: 'lgx' })
    expect(made).toMatchObject({
      status: 200,
      json: { method: 'lgx', converted: 0 },
    })
    const id = await put(place, 'donors.csv', GOOD)
    await put(place, 'notes.md', 'to do')
    const all = ['donors.csv', 'donors.lgx.csv', 'donors.lgx.csv.hla.json', 'notes.md', 'old.csv']
    await expect.poll(() => titles(place), { timeout: 20_000 }).toEqual(all)
    const output = (await list(place)).find(({ title }) => title === 'donors.lgx.csv')?.id ?? ''
    expect((await ada.ask('GET', `/drive/v2/files/${output}?alt=media`)).text).toContain('A*01:01')
    await content(id, `${GOOD}R2,03:01,\n`)
    const revisions = async () =>
      (await ada.ask('GET', `/drive/v2/files/${output}/revisions`)).json.items.length
    await expect.poll(revisions, { timeout: 20_000 }).toBe(2)
    await expect
      .poll(async () => (await rules(place))[0], { timeout: 20_000 })
      .toMatchObject({ converted: 2, failed: 0 })
    // outputs are not converted again
    await new Promise((resolve) => setTimeout(resolve, 3000))
    expect([await titles(place), await revisions()]).toEqual([all, 2])
  })

  test('also converts what is there, into another folder, if it says so', async () => {
    const [place, to] = [await folder('from'), await folder('to')]
    await put(place, 'donors.csv', GOOD)
    await put(place, 'other.csv', GOOD)
    const said = {
      method: 'G',
      target: to,
      match: 'don*',
      includesExisting: true,
    }
    expect(await make({ folder: place, ...said })).toMatchObject({
      status: 200,
      json: { target: { id: to } },
    })
    await expect
      .poll(() => titles(to), { timeout: 20_000 })
      .toEqual(['donors.G.csv', 'donors.G.csv.hla.json'])
    expect(await titles(place)).toEqual(['donors.csv', 'other.csv'])
  })

  test('is about the folders below as well, if it says so: new ones, moved ones and those that are deep, each table once', async () => {
    const place = await folder('with folders below')
    const near = await folder('near', ada, [place])
    let deep = near
    for (let at = 0; at < 20; at += 1) deep = await folder(`deep ${at}`, ada, [deep])
    await put(near, 'there.csv', GOOD)
    const made = await make({ folder: place, method: 'lgx', withSubfolders: true, includesExisting: true })
    expect(made).toMatchObject({ status: 200, json: { withSubfolders: true } })
    await put(place, 'own.csv', GOOD)
    await put(deep, 'deep.csv', GOOD)
    const all = (title: string) => [`${title}.csv`, `${title}.lgx.csv`, `${title}.lgx.csv.hla.json`]
    await expect.poll(() => titles(near), { timeout: 40_000 }).toEqual(['deep 0', ...all('there')])
    await expect.poll(() => titles(deep), { timeout: 40_000 }).toEqual(all('deep'))
    await expect.poll(() => titles(place), { timeout: 40_000 }).toEqual(['near', ...all('own')])
    // a folder moves in with its files; a subfolder with two parents in it is read once
    const outside = await folder('outside')
    const [left, right] = [await folder('left', ada, [outside]), await folder('right', ada, [outside])]
    const both = await folder('both', ada, [left])
    await move(both, { addParents: right })
    await put(both, 'moved.csv', GOOD)
    await move(outside, { addParents: near, removeParents: 'root' })
    await expect.poll(() => titles(both), { timeout: 40_000 }).toEqual(all('moved'))
    const counts = async () => (await rules(place))[0]
    await expect.poll(counts, { timeout: 40_000 }).toMatchObject({ converted: 4, failed: 0 })
    // a folder that was moved out is no longer covered
    await move(both, { addParents: 'root', removeParents: `${left},${right}` })
    await put(both, 'later.csv', GOOD)
    await put(near, 'last.csv', GOOD)
    await expect.poll(() => titles(near), { timeout: 40_000 }).toContain('last.lgx.csv')
    await expect.poll(counts, { timeout: 20_000 }).toMatchObject({ converted: 5, failed: 0 })
    expect(await titles(both)).toEqual(['later.csv', ...all('moved')])
  })

  test('of a folder alone leaves the folders below to others', async () => {
    const place = await folder('alone')
    const below = await folder('below', ada, [place])
    expect((await make({ folder: place, method: 'lgx' })).json).toMatchObject({ withSubfolders: false })
    await put(below, 'one.csv', GOOD)
    await put(place, 'two.csv', GOOD)
    await expect.poll(() => titles(place), { timeout: 40_000 }).toContain('two.lgx.csv')
    expect(await titles(below)).toEqual(['one.csv'])
  })

  test('of a folder above is shown with those of the folder, to who may write there', async () => {
    const place = await folder('above')
    const below = await folder('seen below', ada, [place])
    const { json } = await make({ folder: place, method: 'lgx', withSubfolders: true, match: 'none' })
    expect(await rules(below)).toMatchObject([{ id: json.id, folder: { id: place } }])
    await share(below, bo.email, 'writer')
    expect(await rules(below, bo)).toEqual([])
    const own = (await make({ folder: below, method: 'G', match: 'none' }, bo)).json
    expect((await rules(below)).map(({ id }: { id: string }) => id)).toEqual([own.id, json.id])
    expect((await rules(place)).map(({ id }: { id: string }) => id)).toEqual([json.id])
  })

  test('that would put its files in place of those of another is refused, and waits where folders are moved', async () => {
    const place = await folder('same names')
    const [below, other] = [await folder('below', ada, [place]), await folder('other')]
    const elder = await make({ folder: place, method: 'lgx', withSubfolders: true })
    expect(elder.status).toBe(200)
    expect((await make({ folder: below, method: 'lgx', release: 'starter' })).json.error).toMatchObject({
      code: 409,
      message: expect.stringContaining('a folder above it or below it'),
    })
    expect((await make({ folder: place, method: 'lgx', target: other })).status).toBe(409)
    expect((await make({ folder: below, method: 'G' })).status).toBe(200)
    expect((await make({ folder: other, method: 'lgx' })).status).toBe(200)
    expect((await make({ folder: await folder('third'), method: 'lgx', withSubfolders: true })).status).toBe(200)
    const root = (await ada.ask('GET', '/drive/v2/about')).json.rootFolderId
    expect((await make({ folder: root, method: 'lgx', withSubfolders: true })).status).toBe(409)
    await move(other, { addParents: place, removeParents: 'root' })
    const id = await put(other, 'one.csv', GOOD)
    const waiting = async () => (await rules(other)).map(({ trouble, converted }: Record<string, unknown>) => [converted, trouble])
    await expect
      .poll(waiting, { timeout: 40_000 })
      .toEqual([[0, expect.stringContaining(`an older rule, ${elder.json.id}`)], [1, undefined]])
    expect(await titles(other)).toEqual(['one.csv', 'one.lgx.csv', 'one.lgx.csv.hla.json'])
    expect(await comments(id)).toEqual([])
  }, 90_000) // prettier-ignore

  test('is about so many folders below, and waits where more come', async () => {
    const limit = (value: number | null) =>
      command(people.store, 'setLimit', OPERATOR, { name: 'rule-folders', value })
    await limit(2)
    const place = await folder('wide')
    for (const title of ['a', 'b']) await folder(title, ada, [place])
    const body = { method: 'lgx', withSubfolders: true }
    expect((await make({ folder: place, ...body })).status).toBe(200)
    const third = await folder('c', ada, [place])
    const trouble = async () => (await rules(place))[0].trouble
    await expect.poll(trouble, { timeout: 20_000 }).toBe('there are more than 2 folders below')
    const wide = await folder('too wide')
    for (const title of ['a', 'b', 'c']) await folder(title, ada, [wide])
    expect((await make({ folder: wide, ...body })).json.error.message).toContain('more subfolders')
    expect((await make({ folder: wide, method: 'lgx' })).status).toBe(200)
    await limit(null)
    await put(third, 'one.csv', GOOD)
    await expect.poll(() => titles(third), { timeout: 40_000 }).toContain('one.lgx.csv')
  })

  test('says beside the table why it could not', async () => {
    const place = await folder('failures')
    await make({ folder: place, method: 'lgx' })
    const id = await put(place, 'no typings.csv', 'a,b\n1,2\n')
    await expect
      .poll(() => comments(id), { timeout: 20_000 })
      .toEqual([expect.stringContaining('could not convert')])
    expect((await rules(place))[0]).toMatchObject({ converted: 0 })
    await expect.poll(async () => (await rules(place))[0].failed, { timeout: 20_000 }).toBe(1)
    const picture = await put(place, 'scan.csv', '%PDF-1.7\nID,A1,A2\nR1,A*01:01,A*02:01\n')
    await expect
      .poll(() => comments(picture), { timeout: 20_000 })
      .toEqual([expect.stringContaining('scan.csv is a PDF document: export its table as CSV or text')])
    expect(await titles(place)).toEqual(['no typings.csv', 'scan.csv'])
  })

  test('is made, seen and ended by who may write the folder, and by nobody else', async () => {
    const place = await folder('whose')
    const body = { folder: place, method: 'lgx' }
    expect((await make(body, bo)).status).toBe(404)
    await share(place, bo.email, 'reader')
    expect((await make(body, bo)).status).toBe(403)
    expect((await bo.ask('GET', '/rules', { query: { folder: place } })).status).toBe(403)
    const { json } = await make(body)
    expect((await bo.ask('DELETE', `/rules/${json.id}`)).status).toBe(404)
    await share(place, bo.email, 'writer')
    expect(await rules(place, bo)).toMatchObject([{ id: json.id, maker: { emailAddress: ada.email } }])
    expect((await make(body, bo)).status).toBe(409)
    expect((await bo.ask('DELETE', `/rules/${json.id}`)).status).toBe(204)
    expect(await rules(place)).toEqual([])
    for (const scopes of [['drive.readonly'], ['drive.file'], ['drive.metadata']] as const) {
      const token = await people.token(ada.pk, scopes)
      expect((await drive.ask('POST', '/rules', { token, body })).status).toBe(403)
    }
    expect((await drive.ask('POST', '/rules', { token: undefined, body })).status).toBe(401)
  })

  test('writes in the name of its maker, and ends when that person may not write the folder any more', async () => {
    const place = await folder('of others')
    await share(place, bo.email, 'writer')
    await make({ folder: place, method: 'lgx' }, bo)
    await put(place, 'one.csv', GOOD)
    await expect.poll(() => titles(place), { timeout: 20_000 }).toContain('one.lgx.csv')
    const output = (await list(place)).find(({ title }) => title === 'one.lgx.csv')?.id ?? ''
    expect((await ada.ask('GET', `/drive/v2/files/${output}`)).json.lastModifyingUser.emailAddress).toBe(
      bo.email,
    )
    const { items } = (await ada.ask('GET', `/drive/v2/files/${place}/permissions`)).json
    const his = items.find((one: { emailAddress?: string }) => one.emailAddress === bo.email)
    await ada.ask('DELETE', `/drive/v2/files/${place}/permissions/${his.id}`)
    const reason = 'its owner may no longer write to the folder'
    await expect
      .poll(() => rules(place), { timeout: 20_000 })
      .toMatchObject([{ reason, endedDate: expect.any(String) }])
    await put(place, 'two.csv', GOOD)
    await new Promise((resolve) => setTimeout(resolve, 2500))
    expect(await titles(place)).not.toContain('two.lgx.csv')
  })

  test.for([
    [{ method: 'nope' }, 'no method nope'], [{ method: '--help' }, 'no method --help'], [{ release: '-o/tmp/x' }, 'not a release'],
    [{ name: 'all.csv' }, 'Unknown member of the request: name'], [{ release: '9.9.9' }, 'not installed'], [{ every: 'x' }, 'Unknown member of the request: every'], [{ method: 1 }, 'must be a string'],
    [{ withSubfolders: 'yes' }, 'true or false'], [{ withSubfolders: true, target: 'root' }, 'would mix'],
  ] as const)('is refused with its reason: %j', async ([more, why]) => {
    const place = await folder('refused')
    const made = await make({ folder: place, method: 'lgx', ...more })
    expect([400, 503]).toContain(made.status)
    expect(made.json.error.message).toContain(why)
    expect(await rules(place)).toEqual([])
  }) // prettier-ignore

  test('writes on the output what it was made from, how, and by which release', async () => {
    const place = await folder('marks')
    const { json } = await make({ folder: place, method: 'lgx' })
    const id = await put(place, 'donors.csv', GOOD)
    await expect.poll(() => titles(place), { timeout: 30_000 }).toContain('donors.lgx.csv')
    const query = { q: `properties has { key='hla-from' and value='${id}' and visibility='PUBLIC' }` }
    const { items } = (await ada.ask('GET', '/drive/v2/files', { query })).json
    const marks = items[0].properties.map(({ key, value }: { key: string; value: string }) => [key, value])
    expect([items.length, Object.fromEntries(marks)]).toEqual([
      1,
      expect.objectContaining({
        'hla-by': `rule ${json.id}`,
        'hla-how': 'redux -m lgx',
        'hla-data': expect.stringMatching(/^3\./),
      }),
    ])
  })

  test('is made, listed and removed on the command line', async () => {
    const place = await folder('on the command line')
    const options = { cwd: drive.folder, env: { HLA_DRIVE_URL: drive.url, HLA_DRIVE_TOKEN: ada.token } }
    const hla = (...words: string[]) => callHla(['drive', 'rule', ...words], options)
    const added = await hla('add', place, '-m', 'G', '--match', '*.tsv', '-R', '--json')
    expect(added).toMatchObject({ status: 0, stderr: '' })
    const { id } = JSON.parse(added.stdout)
    expect(JSON.parse((await hla('list', place, '--json')).stdout)).toMatchObject({
      id,
      method: 'G',
      match: '*.tsv',
      recursive: true,
      maker: ada.email,
    })
    expect(await hla('add', place, '-m', 'nope')).toMatchObject({
      status: 4,
      stderr: expect.stringContaining('no method nope'),
    })
    expect(await hla('remove', id)).toEqual({ status: 0, stdout: '', stderr: '' })
    expect(await rules(place)).toEqual([])
  })

  test('gives up a table that takes too long, says so beside it, and goes on', async () => {
    const limit = (value: number | null) =>
      command(people.store, 'setLimit', OPERATOR, { name: 'rule-seconds', value })
    await limit(1)
    const place = await folder('too long')
    await make({ folder: place, method: 'lgx' })
    const id = await put(place, 'long.csv', slowTable())
    await expect
      .poll(() => comments(id), { timeout: 40_000 })
      .toEqual([expect.stringContaining('it took longer than this store allows a rule: 1 s [io]')])
    await limit(null)
    await put(place, 'short.csv', GOOD)
    await expect.poll(() => titles(place), { timeout: 30_000 }).toContain('short.lgx.csv')
    expect(await titles(place)).not.toContain('long.lgx.csv')
  })

  test('stops at once in the middle of a table when it is removed, and does not hold up the others', async () => {
    const [place, other] = [await folder('removed'), await folder('of another rule')]
    const { json } = await make({ folder: place, method: 'lgx' })
    await make({ folder: other, method: 'lgx' })
    await put(place, 'long.csv', slowTable())
    await new Promise((resolve) => setTimeout(resolve, 1500))
    await put(other, 'short.csv', GOOD)
    expect(await titles(other)).toEqual(['short.csv'])
    expect((await ada.ask('DELETE', `/rules/${json.id}`)).status).toBe(204)
    await expect.poll(() => titles(other), { timeout: 8000 }).toContain('short.lgx.csv')
    expect(await titles(place)).toEqual(['long.csv'])
  })

  test('is bounded in number and in the size of tables', async () => {
    const limit = (name: string, value: number | null) =>
      command(people.store, 'setLimit', OPERATOR, { name, value })
    await limit('folder-rules', 1)
    await limit('rule-bytes', 40)
    const place = await folder('bounded')
    expect((await make({ folder: place, method: 'lgx' })).status).toBe(200)
    expect((await make({ folder: place, method: 'G' })).status).toBe(403)
    const id = await put(place, 'large.csv', `${GOOD}${'R2,A*01:01:01,02:01:01\n'.repeat(10)}`)
    await expect
      .poll(() => comments(id), { timeout: 20_000 })
      .toEqual([expect.stringContaining('exceeds the size limit')])
    await limit('folder-rules', null)
    await limit('store-rules', 1)
    expect((await make({ folder: await folder('one too many'), method: 'lgx' })).status).toBe(403)
    await limit('store-rules', null)
    await limit('rule-bytes', null)
  })
})

test('rules convert by the release that the server was started with', async () => {
  const data = temp('no-releases')
  const args = ['--release', 'starter', '--data-dir', data]
  const other = await startDrive({ args, env: { HLA_DATA_DIR: temp('elsewhere') } })
  const asked = { body: { title: 'in', mimeType: FOLDER }, token: other.token }
  const { json } = await other.ask('POST', '/drive/v2/files', asked)
  const rule = await other.ask('POST', '/rules', {
    body: { folder: json.id, method: 'lgx' },
    token: other.token,
  })
  expect(rule).toMatchObject({ status: 200 })
  await other.stop()
})

test('a server without a release says so, and makes no rule', async () => {
  const data = temp('no data')
  const other = await startDrive({ env: { HLA_DATA_DIR: data, HLA_RELEASE: 'active' } })
  const { json } = await other.ask('POST', '/drive/v2/files', { body: { title: 'x', mimeType: FOLDER } })
  const made = await other.ask('POST', '/rules', { body: { folder: json.id, method: 'lgx' } })
  expect([made.status, made.json.error.message]).toEqual([
    503,
    expect.stringContaining('no release of HLA data'),
  ])
  expect((await other.ask('GET', '/rules')).json).toMatchObject({ items: [], offers: { releases: [] } })
  const options = { cwd: other.folder, env: { HLA_DRIVE_URL: other.url, HLA_DRIVE_TOKEN: other.token } }
  expect(await callHla(['drive', 'rule', 'add', '/x', '-m', 'lgx'], options)).toMatchObject({
    status: 5,
    stderr: expect.stringMatching(/status 503: .*no release of HLA data.*hla data install/),
  })
  await other.stop()
})

test('after kill -9 at random places each revision has one output, one comment and one count', async () => {
  const kills = IS_LONG ? 200 : 5
  let other = await startDrive({ env })
  const ask = () => ({ ask: other.ask })
  const place = await folder('killed', ask())
  const made = await make({ folder: place, method: 'lgx' }, ask())
  const ids: string[] = []
  const { folder: kept, token } = other
  for (let kill = 0; kill < kills; kill += 1) {
    const body = `ID,A1,A2\nR${kill},A*01:01,${kill % 3 === 0 ? 'A*99:99' : '02:01'}\n`
    if (ids.length < 6) ids.push(await put(place, `t${kill}.csv`, body, ask()))
    else expect((await content(ids[kill % 6] ?? '', body, ask())).status).toBe(200)
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 900))
    await other.stop('SIGKILL')
    other = await startDrive({ folder: kept, token, env })
  }
  const each = <Result>(work: (id: string) => Promise<Result>) => Promise.all(ids.map(work))
  /** Contents of all revisions of the output of a table. */
  const outputsOf = async (source: string): Promise<string[]> => {
    const query = { q: `properties has { key='hla-from' and value='${source}' and visibility='PUBLIC' }` }
    const { items } = (await other.ask('GET', '/drive/v2/files', { query })).json
    expect(items.length).toBeLessThan(2)
    if (items.length === 0) return []
    const revisions = (await other.ask('GET', `/drive/v2/files/${items[0].id}/revisions`)).json.items
    return Promise.all(
      revisions.map(
        async ({ id }: { id: string }) =>
          (await other.ask('GET', `/drive/v2/files/${items[0].id}/revisions/${id}?alt=media`)).text,
      ),
    )
  }
  const personOf = (text: string) => /^R\d+/m.exec(text)?.[0]
  const sourceOf = async (id: string) => (await other.ask('GET', `/drive/v2/files/${id}?alt=media`)).text
  const latest = async () => (await each(outputsOf)).map((all) => personOf(all.at(-1) ?? ''))
  await expect.poll(latest, { timeout: 60_000 }).toEqual((await each(sourceOf)).map(personOf))
  const outputs = await each(outputsOf)
  for (const texts of outputs) expect(new Set(texts.map(personOf)).size).toBe(texts.length)
  const failing = outputs.map((texts) => texts.filter((text) => text.includes('A*99:99')).length)
  const commented = await each(
    async (id) =>
      (await other.ask('GET', `/drive/v2/files/${id}/comments`, { query: { maxResults: 100 } })).json.items
        .length,
  )
  expect(commented).toEqual(failing)
  const sum = (numbers: readonly number[]) => numbers.reduce((one, next) => one + next, 0)
  const rule = (await rules(place, ask())).find(({ id }: { id: string }) => id === made.json.id)
  const total = sum(outputs.map((texts) => texts.length))
  expect([rule.converted, rule.failed]).toEqual([total - sum(failing), sum(failing)])
  // titles: a table, its output and provenance, and a list of failures where the last revision has one
  const last = outputs.map((texts) => texts.at(-1)?.includes('A*99:99') === true)
  const all = ids.flatMap((_, at) =>
    ['csv', 'lgx.csv', ...(last[at] === true ? ['lgx.csv.errors.csv'] : []), 'lgx.csv.hla.json'].map(
      (end) => `t${at}.${end}`,
    ),
  )
  expect(await titles(place, ask())).toEqual(all)
  await other.stop()
}, 1_500_000)

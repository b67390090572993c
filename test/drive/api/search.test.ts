/** The search language over HTTP: results of each operator (spec 8). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { serveHere, type ServiceHere } from '../../support/service-here.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()
let drive: ServiceHere
let folder: string
const FOLDER = 'application/vnd.google-apps.folder'

beforeAll(async () => {
  drive = await serveHere(temp('store'))
  const insert = async (body: object) => (await drive.ask('POST', '/drive/v2/files', { body })).json.id
  folder = await insert({ title: 'Straße', mimeType: FOLDER })
  await insert({
    title: 'HelloWorld typing.csv',
    mimeType: 'text/csv',
    parents: [{ id: folder }],
    description: 'Donors of Zürich',
  })
  const seen = await insert({
    title: 'it\'s "new".txt',
    mimeType: 'text/plain',
    indexableText: { text: 'crossmatch was negative' },
  })
  await drive.ask('PATCH', `/drive/v2/files/${seen}`, { body: { labels: { starred: true } } })
  await insert({
    title: 'old',
    createdDate: '2001-01-01T00:00:00Z',
    modifiedDate: '2002-01-01T00:00:00Z',
    properties: [
      { key: 'lab', value: 'north', visibility: 'PUBLIC' },
      { key: 'own', value: '1' },
    ],
  })
})
afterAll(() => drive.stop())

const titles = async (q: string): Promise<string[]> => {
  const { json } = await drive.ask('GET', '/drive/v2/files', {
    query: { q, orderBy: /fullText/.test(q) ? '' : 'title' },
  })
  return json.items.map(({ title }: { title: string }) => title)
}
const [CSV, NEW, OLD, STREET] = ['HelloWorld typing.csv', 'it\'s "new".txt', 'old', 'Straße']

describe('q', () => {
  test.for([
    ['', [CSV, NEW, OLD, STREET]],
    ["title = 'STRASSE'", [STREET]],
    ["title = 'it\\'s \"new\".txt'", [NEW]],
    ["title != 'OLD' and title != 'strasse'", [CSV, NEW]],
    ["title contains 'hello'", [CSV]],
    ["title contains 'typ Hel'", [CSV]],
    ["title contains 'World'", []],
    ["fullText contains 'zurich'", [CSV]],
    ["fullText contains 'zur'", []],
    ["fullText contains 'negative crossmatch'", [NEW]],
    ['fullText contains \'"crossmatch was negative"\'', [NEW]],
    ['fullText contains \'"negative crossmatch"\'', []],
    ["fullText contains 'donors' or title = 'old'", [CSV, OLD]],
    [`mimeType = '${FOLDER}'`, [STREET]],
    ["mimeType contains 'text/'", [CSV, NEW]],
    [`mimeType != '${FOLDER}' and not mimeType contains 'text'`, [OLD]],
    ["fileExtension = 'CSV'", [CSV]],
    ["fileExtension != 'csv'", [NEW, OLD, STREET]],
    ["createdDate < '2001-06-01'", [OLD]],
    ["modifiedDate >= '2002-01-01T00:00:00'", [CSV, NEW, OLD, STREET]],
    ["modifiedDate > '2002-01-01T00:00:00+00:00' and starred = true", [NEW]],
    ["lastViewedByMeDate > '2020-01-01'", [NEW]],
    ["not lastViewedByMeDate > '2020-01-01'", [CSV, OLD, STREET]],
    ["lastViewedByMeDate != '2020-01-01'", [CSV, NEW, OLD, STREET]],
    ['starred', [NEW]],
    ['not starred', [CSV, OLD, STREET]],
    ['trashed = true', []],
    ['sharedWithMe', []],
    ["'Root' in parents", [NEW, OLD, STREET]],
    ["'none' in parents", []],
    ["not 'root' in parents", [CSV]],
    ["'me' in owners", [CSV, NEW, OLD, STREET]],
    ["'OWNER@localhost' in writers and title='old'", [OLD]],
    ["'nobody@localhost' in readers", []],
    ["properties has {key='lab' and value='north' and visibility='PUBLIC'}", [OLD]],
    ["properties has {key='lab' and visibility='PRIVATE'}", []],
    ["properties has {key='own'}", [OLD]],
    ["properties has {key='own' and value='2'}", []],
    ["visibility = 'limited'", [CSV, NEW, OLD, STREET]],
    ["visibility = 'anyoneCanFind'", []],
    ["title = 'old' or title = 'strasse' and starred = false", [OLD, STREET]],
  ] as const)('%s', async ([q, expected]) => {
    expect((await titles(q)).toSorted()).toEqual([...expected].toSorted())
  })

  test('finds what is in a folder', async () => {
    expect(await titles(`'${folder}' in parents and trashed=false`)).toEqual([CSV])
  })

  test('may come as a form when the address would be too long', async () => {
    const q = `title = 'old' or title = '${'x'.repeat(3000)}'`
    const { json } = await drive.ask('POST', '/drive/v2/files', {
      body: new URLSearchParams({ q, fields: 'items/title' }).toString(),
      headers: { 'x-http-method-override': 'GET', 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect(json).toEqual({ items: [{ title: 'old' }] })
  })
})

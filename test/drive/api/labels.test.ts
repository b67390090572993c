/** File labels: the operator defines them, writers apply them. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Drive, startDrive } from '../../support/drive.ts'
import { callHla } from '../../support/call-hla.ts'

let drive: Drive
const FIELDS = [
  { id: 'note', valueType: 'text', maxLength: 5 },
  { id: 'count', valueType: 'integer', maxValues: 2 },
  { id: 'day', valueType: 'dateString' },
  { id: 'state', valueType: 'selection', choices: ['open', 'done'] },
  { id: 'who', valueType: 'user' },
]

beforeAll(async () => {
  drive = await startDrive()
  const file = join(drive.folder, 'fields.json')
  writeFileSync(file, JSON.stringify(FIELDS))
  const label = (...args: string[]) =>
    callHla(['drive', 'label', ...args, '--data', drive.folder], { cwd: drive.folder })
  await label('set', 'review', '--fields', file)
  await label('set', 'plain')
})

test('are listed by the operator', async () => {
  const { stdout } = await callHla(['drive', 'label', 'list', '--json', '--data', drive.folder], {
    cwd: drive.folder,
  })
  expect(stdout).toBe(
    '{"id":"plain","revision":1,"fields":"","disabled":false}\n{"id":"review","revision":1,"fields":"note, count, day, state, who","disabled":false}\n',
  )
})

const insert = async (body: object = {}) => (await drive.ask('POST', '/drive/v2/files', { body })).json.id
const modify = (file: string, ...labelModifications: object[]) =>
  drive.ask('POST', `/drive/v2/files/${file}/modifyLabels`, { body: { labelModifications } })
const list = async (file: string, query = {}) =>
  (await drive.ask('GET', `/drive/v2/files/${file}/listLabels`, { query })).json

const ALL = {
  labelId: 'review',
  fieldModifications: [
    { fieldId: 'note', setTextValues: ['äöüßé'] },
    { fieldId: 'count', setIntegerValues: ['7', 8] },
    { fieldId: 'day', setDateValues: ['2026-11-21'] },
    { fieldId: 'state', setSelectionValues: ['done'] },
    { fieldId: 'who', setUserValues: ['owner@localhost'] },
  ],
}

test('have fields of any id', async () => {
  const ids = ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'toJSON', 'jsonText', 'valueOf']
  const path = join(drive.folder, 'odd.json')
  writeFileSync(path, JSON.stringify(ids.map((id) => ({ id, valueType: 'text' }))))
  const args = ['drive', 'label', 'set', 'odd', '--fields', path, '--data', drive.folder]
  expect((await callHla(args, { cwd: drive.folder })).status).toBe(0)
  const file = await insert()
  expect((await modify(file, { labelId: 'odd' })).json.modifiedLabels[0].fields).toEqual({})
  for (const fieldId of ids) {
    const put = await modify(file, {
      labelId: 'odd',
      fieldModifications: [{ fieldId, setTextValues: [fieldId] }],
    })
    expect(put.status).toBe(200)
  }
  const shown = Object.fromEntries(ids.map((id) => [id, [id]]))
  const textsOf = (text: string) => {
    const fields = JSON.parse(text).items[0].fields as Record<string, { text: string[] }>
    return Object.fromEntries(Object.entries(fields).map(([id, field]) => [id, field.text]))
  }
  const listed = (query = {}) => drive.ask('GET', `/drive/v2/files/${file}/listLabels`, { query })
  expect(textsOf((await listed()).text)).toEqual(shown)
  for (const id of ids)
    expect(textsOf((await listed({ fields: `items/fields/${id}` })).text)).toEqual({ [id]: [id] })
  const whole = await drive.ask('GET', `/drive/v2/files/${file}`, { query: { includeLabels: 'odd' } })
  expect(Object.keys(JSON.parse(whole.text).labelInfo.labels[0].fields).toSorted()).toEqual(ids.toSorted())
  const unset = ids.map((fieldId) => ({ fieldId, unsetValues: true }))
  expect((await modify(file, { labelId: 'odd', fieldModifications: unset })).status).toBe(200)
  expect(textsOf((await listed()).text)).toEqual({})
  for (const fieldId of ['isPrototypeOf', 'x']) {
    const fieldModifications = [{ fieldId, setTextValues: ['x'] }]
    expect((await modify(file, { labelId: 'odd', fieldModifications })).status).toBe(400)
  }
})

test('are put on with values, shown, changed and taken off', async () => {
  const file = await insert()
  const put = (await modify(file, ALL)).json
  const label = {
    kind: 'drive#label',
    id: 'review',
    revisionId: '1',
    fields: {
      note: { kind: 'drive#labelField', id: 'note', valueType: 'text', text: ['äöüßé'] },
      count: { valueType: 'integer', integer: ['7', '8'] },
      day: { dateString: ['2026-11-21'] },
      state: { selection: ['done'] },
      who: { user: [{ kind: 'drive#user', emailAddress: 'owner@localhost' }] },
    },
  }
  expect(put).toMatchObject({ kind: 'drive#modifyLabelsResponse', modifiedLabels: [label] })
  expect(await list(file)).toMatchObject({ kind: 'drive#labelList', items: [label] })
  const less = [
    { fieldId: 'note', unsetValues: true },
    { fieldId: 'count', setIntegerValues: [1] },
  ]
  await modify(file, { labelId: 'review', fieldModifications: less }, { labelId: 'plain' })
  const page = await list(file, { maxResults: 1 })
  const rest = await list(file, { maxResults: 1, pageToken: page.nextPageToken })
  expect([...page.items, ...rest.items].map(({ id }: { id: string }) => id).toSorted()).toEqual([
    'plain',
    'review',
  ])
  const { fields } = [...page.items, ...rest.items].find(({ id }: { id: string }) => id === 'review')
  expect(Object.keys(fields).toSorted()).toEqual(['count', 'day', 'state', 'who'])
  const off = await modify(file, { labelId: 'review', removeLabel: true })
  expect(off.json.modifiedLabels).toEqual([])
  expect((await list(file)).items).toMatchObject([{ id: 'plain' }])
})

test('are found, shown where they are asked for, and in the version', async () => {
  const file = await insert()
  const before = (await drive.ask('GET', `/drive/v2/files/${file}`)).json
  expect(before).not.toHaveProperty('labelInfo')
  await modify(file, ALL)
  const query = { includeLabels: 'review, none' }
  const after = (await drive.ask('GET', `/drive/v2/files/${file}`, { query })).json
  expect(after.labelInfo.labels).toMatchObject([
    { id: 'review', fields: { day: { dateString: ['2026-11-21'] } } },
  ])
  expect(Number(after.version)).toBe(Number(before.version) + 1)
  const found = await drive.ask('GET', '/drive/v2/files', {
    query: { ...query, q: `'labels/review' in labels` },
  })
  expect(found.json.items.map(({ id }: { id: string }) => id)).toContain(file)
  expect(found.json.items[0].labelInfo.labels).toHaveLength(1)
  const none = await drive.ask('GET', '/drive/v2/files', { query: { q: `'labels/none' in labels` } })
  expect(none.json.items).toEqual([])
  expect((await drive.ask('POST', `/drive/v2/files/${file}/copy`)).json).not.toHaveProperty('labelInfo')
})

test('an empty list changes nothing', async () => {
  const file = await insert()
  const { etag } = (await drive.ask('GET', `/drive/v2/files/${file}`)).json
  expect((await modify(file)).json).toEqual({ kind: 'drive#modifyLabelsResponse', modifiedLabels: [] })
  expect((await drive.ask('GET', `/drive/v2/files/${file}`)).json.etag).toBe(etag)
})

describe('all or nothing', () => {
  const field = (modification: object) => ({ labelId: 'review', fieldModifications: [modification] })

  test.for<[object, string]>([
    [{}, 'required'],
    [{ labelId: 'none' }, 'invalid'],
    [field({}), 'required'],
    [field({ fieldId: 'none', setTextValues: ['x'] }), 'invalid'],
    [field({ fieldId: 'note', setIntegerValues: [1] }), 'invalid'],
    [field({ fieldId: 'note', setTextValues: ['longer'] }), 'invalid'],
    [field({ fieldId: 'note', setTextValues: ['a', 'b'] }), 'invalid'],
    [field({ fieldId: 'state', setSelectionValues: ['closed'] }), 'invalid'],
    [field({ fieldId: 'who', setUserValues: ['nobody@localhost'] }), 'invalid'],
    [field({ fieldId: 'day', setDateValues: ['soon'] }), 'invalid'],
    [field({ fieldId: 'count', setIntegerValues: ['x'] }), 'invalid'],
  ])('%j: %s', async ([modification, reason]) => {
    const file = await insert()
    const { status, json } = await modify(file, { labelId: 'plain' }, modification)
    expect([status, json.error.errors[0].reason]).toEqual([400, reason])
    expect((await list(file)).items).toEqual([])
  })
})

test('are modified only where the file is still what was seen', async () => {
  const id = await insert()
  const { etag } = (await drive.ask('GET', `/drive/v2/files/${id}`)).json
  const body = { labelModifications: [{ labelId: 'plain' }] }
  const ask = () =>
    drive.ask('POST', `/drive/v2/files/${id}/modifyLabels`, { body, headers: { 'if-match': etag } })
  expect([(await ask()).status, (await ask()).status]).toEqual([200, 412])
})

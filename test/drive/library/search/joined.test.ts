/** Several tests of one kind, joined by "and" or "or". */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../../../../src/drive/contract/failure.ts'
import { FOLDER_MIME } from '../../../../src/drive/contract/kinds.ts'
import { OPERATOR } from '../../../../src/drive/domain/commands.ts'
import { listFiles } from '../../../../src/drive/domain/search/list-files.ts'
import { parseOrderBy } from '../../../../src/drive/protocol/q/q-fields.ts'
import { parseFileQuery } from '../../../../src/drive/protocol/q/q.ts'
import { type Library, openLibrary } from '../../../support/library.ts'
import { tempFolder } from '../../../support/temp.ts'

const temp = tempFolder()
let library: Library
let ada: Caller
/** Name in a query -> id. */
const ids = new Map<string, string>()
beforeAll(async () => {
  library = await openLibrary(temp('store'))
  const [caller, bo] = library.callers
  ada = caller
  const insert = (who: Caller, title: string, mimeType: string, parents: string[] = []) => {
    const body = { title, mimeType, parents: parents.map((id) => ({ id: ids.get(id) ?? '' })) }
    ids.set(title, library.run('insertFile', who, { body }).row.id)
  }
  for (const name of ['F', 'G', 'H']) insert(ada, name, FOLDER_MIME)
  insert(bo, 'HIS', FOLDER_MIME)
  insert(ada, 'one', 'text/csv', ['F'])
  insert(ada, 'two', 'text/plain', ['G'])
  insert(ada, 'both', 'a/b', ['F', 'G'])
  insert(ada, 'other', 'a/c', ['H'])
  for (const [title, value] of [
    ['one', 'x'],
    ['two', 'y'],
    ['both', 'z'],
  ] as const)
    library.run('putProperty', ada, { id: ids.get(title) ?? '', key: 'k', value, visibility: 'PUBLIC' })
  for (const label of ['l', 'm', 'xl']) library.run('putLabel', OPERATOR, { id: label })
  for (const [title, labels] of [
    ['one', ['l']],
    ['two', ['m']],
    ['both', ['l', 'm']],
    ['other', ['xl']],
  ] as const)
    library.run('modifyLabels', ada, {
      id: ids.get(title) ?? '',
      modifications: labels.map((labelId) => ({ labelId })),
    })
  for (const [title, body] of [
    ['one', { type: 'anyone', withLink: true }],
    ['two', { type: 'domain', value: 'lab.example', withLink: false }],
  ] as const)
    library.run('insertPermission', ada, { id: ids.get(title) ?? '', body: { role: 'reader', ...body } })
})
afterAll(() => library.close())

const X = "properties has {key='k' and value='x' and visibility='PUBLIC'}"
const Y = X.replace("'x'", "'y'")

test.for([
  ["'F' in parents or 'G' in parents", ['both', 'one', 'two']],
  ["'F' in parents or 'F' in parents", ['both', 'one']],
  ["'F' in parents or 'none' in parents", ['both', 'one']],
  ["'none' in parents or 'HIS' in parents", []],
  ["'F' in parents and 'G' in parents", ['both']],
  ["not 'F' in parents and not 'G' in parents", ['F', 'G', 'H', 'other']],
  ["not ('none' in parents or 'HIS' in parents)", ['both', 'F', 'G', 'H', 'one', 'other', 'two']],
  ["'l' in labels or 'm' in labels", ['both', 'one', 'two']],
  ["'l' in labels or 'l' in labels", ['both', 'one']],
  ["not 'l' in labels and not 'm' in labels", ['F', 'G', 'H', 'other']],
  [
    "(title contains 'on' and mimeType contains 'zip') or mimeType = 'application/vnd.google-apps.folder'",
    ['F', 'G', 'H'],
  ],
  ["'labels/xl' in labels", ['other']],
  ["'xlabels/l' in labels", []],
  ["visibility = 'anyoneWithLink'", ['one']],
  ["visibility = 'anyoneCanFind'", []],
  ["visibility = 'domainCanFind'", ['two']],
  ["visibility = 'domainWithLink'", []],
  ["title = 'ONE' or title = 'two'", ['one', 'two']],
  ["title contains 'on' or title contains 'tw'", ['one', 'two']],
  ["mimeType = 'TEXT/csv' or mimeType = 'a/b'", ['both', 'one']],
  ["not mimeType = 'text/csv' and not mimeType = 'a/b'", ['F', 'G', 'H', 'other', 'two']],
  [`${X} or ${Y}`, ['one', 'two']],
  [`${X} or ${Y.replace("'y'", "'none'")}`, ['one']],
  [`not ${X} and not ${Y}`, ['both', 'F', 'G', 'H', 'other']],
] as const)('%s', ([q, expected]) => {
  const named = q.replaceAll(/'([A-Z]+)' in/g, (_, name: string) => `'${ids.get(name) ?? name}' in`)
  expect(titles(ada, named)).toEqual(expected)
})

test.for<[Caller['scopes'], string[]]>([
  [['drive'], ['one', 'two']],
  [['drive.appdata'], []],
  [
    ['drive.appdata', 'drive.file'],
    ['one', 'two'],
  ],
  [
    ['drive.readonly', 'drive.appdata'],
    ['one', 'two'],
  ],
])('a program with the scopes %j finds %j', ([scopes, expected]) => {
  expect(titles({ ...ada, scopes }, "title = 'one' or title = 'two'")).toEqual(expected)
})

function titles(caller: Caller, q: string): string[] {
  const { files } = listFiles(library.db, caller, {
    search: parseFileQuery(q),
    orders: parseOrderBy('title'),
    spaces: ['drive'],
    corpus: { kind: 'mine' },
    most: 100,
    after: undefined,
  })
  return files.map(({ row }) => row.title)
}

/** Searches of shared drives: by name, date and number of members. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../../../../src/drive/contract/failure.ts'
import { OPERATOR } from '../../../../src/drive/domain/commands.ts'
import { listDrives } from '../../../../src/drive/domain/drives/drives.ts'
import { parseDriveQuery } from '../../../../src/drive/protocol/q/q.ts'
import { type Library, openLibrary } from '../../../support/library.ts'
import { tempFolder } from '../../../support/temp.ts'

const temp = tempFolder()
let library: Library
let ada: Caller
let bo: Caller
beforeAll(async () => {
  library = await openLibrary(temp('store'))
  ;[ada, bo] = library.callers
  library.run('changeUser', OPERATOR, { pk: ada.user, isAdmin: true })
  for (const [at, name] of ['Typing', 'typing 2', 'Zed'].entries()) {
    // each is made at the beginning of a day
    library.wait(Date.parse(`2026-02-0${at + 1}T00:00:00Z`) - library.now() - 1000)
    const { id } = library.run('insertDrive', ada, { request: name, body: { name } })
    const members = [['organizer'], ['writer', 'reader']][at] ?? []
    for (const [n, role] of members.entries())
      library.run('insertPermission', ada, { id, body: { type: 'user', role, value: `p${n}@example.org` } })
    if (at === 2) library.run('hideDrive', ada, { id, isHidden: true })
  }
})
afterAll(() => library.close())

const names = (caller: Caller, q: string, more: object = {}) =>
  listDrives(library.db, caller, {
    search: q === '' ? undefined : parseDriveQuery(q),
    most: 10,
    after: undefined,
    asAdmin: false,
    ...more,
  }).drives.map(({ name }) => name)

const DAY_2 = "'2026-02-02T00:00:00'"

test.for([
  ['', ['Typing', 'typing 2', 'Zed']],
  ["name = 'TYPING'", ['Typing']],
  ["name != 'typing'", ['typing 2', 'Zed']],
  ["name contains 'TYP'", ['Typing', 'typing 2']],
  ["name contains '2 ty'", ['typing 2']],
  ["name contains 'ping'", []],
  [`createdDate = ${DAY_2}`, ['typing 2']],
  [`createdDate != ${DAY_2}`, ['Typing', 'Zed']],
  [`createdDate < ${DAY_2}`, ['Typing']],
  [`createdDate <= ${DAY_2}`, ['Typing', 'typing 2']],
  [`createdDate > ${DAY_2}`, ['Zed']],
  [`createdDate >= ${DAY_2}`, ['typing 2', 'Zed']],
  ['hidden', ['Zed']],
  ['hidden = false', ['Typing', 'typing 2']],
  [`hidden or createdDate < ${DAY_2}`, ['Typing', 'Zed']],
  [`createdDate >= ${DAY_2} and not hidden`, ['typing 2']],
  [`not (hidden or createdDate < ${DAY_2})`, ['typing 2']],
] as const)('%s', ([q, expected]) => {
  expect(names(ada, q)).toEqual(expected)
  expect(names(bo, q)).toEqual([])
})

test.for([
  ['memberCount = 2', ['Typing']],
  ['memberCount != 2', ['typing 2', 'Zed']],
  ['memberCount < 2', ['Zed']],
  ['memberCount <= 2', ['Typing', 'Zed']],
  ['memberCount > 2', ['typing 2']],
  ['memberCount >= 2', ['Typing', 'typing 2']],
  ['organizerCount = 1', ['typing 2', 'Zed']],
  ['organizerCount = 2', ['Typing']],
] as const)('%s, of an administrator only', ([q, expected]) => {
  expect(names(ada, q, { asAdmin: true })).toEqual(expected)
  const [field] = q.split(' ')
  const message = `Invalid query at character 12: ${field} needs useDomainAdminAccess`
  expect(() => names(ada, `hidden and ${q}`)).toThrow(expect.objectContaining({ status: 400, message }))
  expect(() => names(bo, q, { asAdmin: true })).toThrow(
    expect.objectContaining({ status: 403, message: 'The user does not administer this service.' }),
  )
})

test('pages end before the next drive, and begin after the last', () => {
  const page = (most: number, after?: readonly [string, string]) => {
    const { drives, next } = listDrives(library.db, ada, { search: undefined, most, after, asAdmin: false })
    return { names: drives.map(({ name }) => name), next }
  }
  const first = page(2)
  expect(first.names).toEqual(['Typing', 'typing 2'])
  expect(page(2, first.next)).toEqual({ names: ['Zed'], next: undefined })
  expect(page(3)).toEqual({ names: ['Typing', 'typing 2', 'Zed'], next: undefined })
})

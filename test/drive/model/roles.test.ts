/** The order of roles. */
import { expect, test } from 'vitest'
import {
  classifyItem,
  isAtLeast,
  isNativeDocument,
  type Role,
  strongest,
  stronger,
} from '../../../src/drive/contract/kinds.ts'

const WEAKEST_FIRST: readonly (readonly Role[])[] = [
  ['reader'],
  ['commenter'],
  ['writer'],
  ['fileOrganizer'],
  // of a shared drive and of My Drive
  ['organizer', 'owner'],
]

const ranked = WEAKEST_FIRST.flatMap((roles, rank) => roles.map((role) => ({ role, rank })))

test.for(ranked)('$role is at least itself and what is weaker', ({ role, rank }) => {
  for (const other of ranked) {
    expect([other.role, isAtLeast(role, other.role)]).toEqual([other.role, rank >= other.rank])
    expect(stronger(role, other.role)).toBe(rank >= other.rank ? role : other.role)
    expect(strongest(['reader', role, other.role])).toBe(rank >= other.rank ? role : other.role)
  }
})

test('there is no strongest of no roles', () => {
  expect(strongest([])).toBeUndefined()
})

test.for([
  ['application/vnd.google-apps.document', 'file', true],
  ['application/vnd.google-apps.spreadsheet', 'file', true],
  ['application/vnd.google-apps.folder', 'folder', false],
  ['application/vnd.google-apps.shortcut', 'shortcut', false],
  ['text/csv', 'file', false],
  ['text/application/vnd.google-apps.', 'file', false],
] as const)('%s is a %s; a document to export: %s', ([mime, kind, isDocument]) => {
  expect([classifyItem(mime), isNativeDocument(mime)]).toEqual([kind, isDocument])
})

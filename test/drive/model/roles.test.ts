/** The order of roles. */
import { expect, test } from 'vitest'
import { isAtLeast, type Role, strongest, stronger } from '../../../src/drive/contract/kinds.ts'

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

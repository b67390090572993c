/** Where failures end a run: by their number, and by their share of the typings. */
import { expect, test } from 'vitest'
import { isTooMany, tooMany } from '../../../src/table/rows/convert-rows.ts'
import { newTally } from '../../../src/table/output/summary.ts'

function tally(typings: number, error: number, rows = 0) {
  const all = newTally()
  all.typings = typings
  all.statuses.error = error
  all.rows = rows
  return all
}

test.for([
  // a number counts at once
  [{ count: 2 }, 5, 2, false, false],
  [{ count: 2 }, 5, 3, true, true],
  [{ count: 0 }, 1, 0, false, false],
  [{ count: 0 }, 1, 1, true, true],
  // a share counts from 1000 typings on, or at the end
  [{ share: 0.1 }, 999, 500, false, true],
  [{ share: 0.1 }, 1000, 100, false, false],
  [{ share: 0.1 }, 1000, 101, true, true],
  [{ share: 0.1 }, 10, 1, false, false],
  [{ share: 0 }, 10, 0, false, false],
  [{ share: 1 }, 1000, 1000, false, false],
] as const)('%j: of %d typings %d failed', ([limit, typings, error, during, end]) => {
  expect(isTooMany(tally(typings, error), limit)).toBe(during)
  expect(isTooMany(tally(typings, error), limit, true)).toBe(end)
})

test.for([
  [1, 1, '1 typing failed up to row 1, more than --max-errors allows'],
  [1200, 34_567, '1,200 typings failed up to row 34,567, more than --max-errors allows'],
] as const)('%d failed up to row %d', ([error, rows, message]) => {
  expect(tooMany(tally(error, error, rows))).toMatchObject({ code: 'too-many-failures', message })
})

/** The table of conventions: what each way to name columns is read as. */
import { describe, expect, test } from 'vitest'
import { conventionPlan, groupsText } from '../support/convention-tables.ts'
import { CONVENTIONS } from './conventions.ts'

describe('conventions of naming columns', () => {
  test('there are many', () => expect(CONVENTIONS.length).toBeGreaterThan(150))

  test.for(CONVENTIONS)('$header', async ({ header, groups, values, unread = [], refused }) => {
    const plan = await conventionPlan(header, values)
    if (refused !== undefined) {
      expect(plan).toMatchObject({ code: 'usage', message: expect.stringContaining(refused) as string })
      return
    }
    if (plan instanceof Error) throw plan
    expect(groupsText(plan)).toEqual(groups)
    expect(plan.unread.map(({ columns }) => columns.map((at) => plan.header.labels[at]).join(' '))).toEqual(
      unread,
    )
  })
})

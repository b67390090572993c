/** The table of conventions: how each naming of columns is read. */
import { describe, expect, test } from 'vitest'
import { conventionPlan, groupsText, openBytes } from '../support/convention-tables.ts'
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

  // spreadsheets write a cell of two lines this way
  test.for<readonly [cells: readonly string[], groups: readonly string[]]>([
    [['id', 'A\n1', 'A\n2'], ['A=A\n1,A\n2']],
    [['id', 'HLA-A\r\nallele 1', 'HLA-A\r\nallele 2'], ['A=HLA-A\r\nallele 1,HLA-A\r\nallele 2']],
    [['Sample\nID', 'DRB1\n(first)', 'DRB1\n(second)'], ['DRB1=DRB1\n(first),DRB1\n(second)']],
  ])('a line break in %j', async ([cells, groups]) => {
    const rows = 'D1,01:01,24:02\nD2,02:01,03:01\nD3,11:01,01:01\n'
    const opened = await openBytes(
      't.csv',
      Buffer.from(`${cells.map((cell) => `"${cell}"`).join(',')}\n${rows}`),
    )
    if (opened instanceof Error) throw opened
    expect(groupsText(opened.plan)).toEqual(groups)
    const [, first] = opened.first.filter(({ kind }) => kind === 'row')
    expect(first?.line).toBe(2 + (cells.join('').match(/\n/g)?.length ?? 0))
  })
})

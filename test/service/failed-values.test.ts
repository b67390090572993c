/** Failed cells grouped by value, and their replacements. */
import { expect, test } from 'vitest'
import { HlaError } from '../../src/errors.ts'
import { groupFailedValues } from '../../src/service/table/failed-values.ts'
import { guessSeparator, replaceCells, splitRows } from '../../src/web/page/csv.ts'

const failure = (
  value: string,
  offending: string,
  { column = 'A_1', line = 2, suggestions = ['A*02:01'] } = {},
) => ({
  row: line - 1,
  line,
  id: '',
  column,
  locus: 'A',
  value,
  error: new HlaError('unknown-allele', `${offending} is not in 3.58.0`, { offending, suggestions }),
})

test.for<[cell: string, offending: string, replacements: readonly string[]]>([
  ['A*2:01', 'A*2:01', ['A*02:01']],
  ['2:01', 'A*2:01', ['A*02:01']],
  // the other names of a cell stay
  ['A*01:01+A*2:01', 'A*2:01', ['A*01:01+A*02:01']],
  ['A*2:01/A*2:02', 'A*2:01', ['A*02:01/A*2:02']],
  // places that are not certain
  ['A*2:01+A*2:01', 'A*2:01', []],
  ['A*2:011', 'A*2:01', []],
  ['2:01/2:02', 'A*2:01', []],
  ['A*2:01', '', []],
])('%s with %s wrong', ([cell, offending, replacements]) => {
  const groups = groupFailedValues('page')
  groups.add(failure(cell, offending))
  expect(groups.values()[0]?.replacements).toEqual(replacements)
})

test('cells with the same value are one group; rows are grouped by message; values are bounded, cells are not', () => {
  const groups = groupFailedValues('page')
  for (let line = 2; line < 12; line += 1) groups.add(failure('2:01', 'A*2:01', { line, column: line % 2 === 0 ? 'A_1' : 'A_2' }))
  groups.add(failure('', 'row 1'))
  groups.add(failure('', 'row 2'))
  expect(groups.values()[0]).toMatchObject({ value: '2:01', cells: 10, columns: ['A_1', 'A_2'], lines: [2, 3, 4] })
  expect(groups.values().map(({ message }) => message)).toEqual(['A*2:01', 'row 1', 'row 2'].map((name) => `${name} is not in 3.58.0`))
  for (let at = 0; at < 200; at += 1) groups.add(failure(`9:${at}`, `A*9:${at}`))
  groups.add(failure('2:01', 'A*2:01'))
  expect(groups.values().length).toBe(100)
  expect(groups.values()[0]?.cells).toBe(11)
}) // prettier-ignore

test.for([
  ['id,a,b\n1,x,x\n', 'id,a,b\n1,y,x\n'],
  ['\uFEFFid;a\r\n1;"x"\r\n2;x', '\uFEFFid;a\r\n1;"y"\r\n2;y'],
  ['id\ta\n"a ""b""\n"\tx\n\n', 'id\ta\n"a ""b""\n"\ty\n\n'],
  ['id,a\n1,xx\n2,', 'id,a\n1,xx\n2,'],
] as const)('replaces cells of %j alone', ([text, replaced]) => {
  const separator = guessSeparator(text)
  const made = replaceCells(text, separator, (cell, column) =>
    cell === 'x' && column === 1 ? 'y' : undefined,
  )
  expect(made).toBe(replaced)
  expect(splitRows(made, separator, 10, true).length).toBe(splitRows(text, separator, 10, true).length)
})

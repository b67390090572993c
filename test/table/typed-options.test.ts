/** Options of an advice as if they were typed, and lines of a report by the name of its file. */
import { expect, test } from 'vitest'
import { recordLines } from '../../src/table/output/failure-report.ts'
import { withTyped } from '../../src/table/plan/raw-table-options.ts'

test.for([
  [{}, { option: 'no-header' }, { header: false }],
  [{}, { option: 'merge' }, { merge: true }],
  [{ into: 'after' }, { option: 'into', value: 'none' }, { into: 'none' }],
  [{}, { option: 'locus', value: 'A=1,2' }, { locus: ['A=1,2'] }],
  [{ locus: ['B=3,4'] }, { option: 'locus', value: 'A=1,2' }, { locus: ['B=3,4', 'A=1,2'] }],
  [{ missing: ['x'] }, { option: 'missing', value: 'a,b' }, { missing: ['x', 'a', 'b'] }],
  [{}, { option: 'missing', value: 'a' }, { missing: ['a'] }],
  [{}, { option: 'header-row', value: '3' }, { headerRow: 3 }],
  [{}, { option: 'exclude', value: 'B' }, { exclude: 'B' }],
  [{ exclude: 'A' }, { option: 'exclude', value: 'B' }, { exclude: 'A,B' }],
] as const)('%j with %j', ([options, typed, expected]) => {
  expect(withTyped(options as Parameters<typeof withTyped>[0], [typed])).toEqual(expected)
})

test.for([
  ['e.csv', 'row,value\n', '1,"a,b"\n'],
  ['e.tsv', 'row\tvalue\n', '1\ta,b\n'],
  ['e.json', '', '{"row":1,"value":"a,b"}\n'],
  ['e.jsonl', '', '{"row":1,"value":"a,b"}\n'],
  ['e.jsonl.gz', '', '{"row":1,"value":"a,b"}\n'],
  ['json', 'row,value\n', '1,"a,b"\n'],
] as const)('a report %s', ([file, head, line]) => {
  const lines = recordLines(file, ['row', 'value'])
  expect([lines.head, lines.record({ row: 1, value: 'a,b' })]).toEqual([head, line])
})

/** Names of the outputs of a folder's rule. */
import { expect, test } from 'vitest'
import { outputName } from '../../src/drive/rules/output-name.ts'

test.each([
  ['donors.csv', 'donors.lgx.csv'],
  ['donors.csv.gz', 'donors.lgx.csv.gz'],
  ['donors.xlsx', 'donors.lgx.csv'],
  ['message.xml', 'message.lgx.tsv'],
  ['message.hml.gz', 'message.lgx.tsv.gz'],
  ['donors.json', 'donors.lgx.tsv'],
  ['S1.txt', 'S1.lgx.txt'],
])('%s becomes %s', (title, table) => {
  expect(outputName(title, '{stem}.lgx{suffix}')).toBe(table)
})

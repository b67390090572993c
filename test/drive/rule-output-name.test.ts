/** Names of the outputs of `hla drive watch`. */
import { expect, test } from 'vitest'
import { outputName } from '../../src/client/drive/cli/rules/output-name.ts'

test.each([
  ['donors.csv', 'donors.lgx.csv', 'donors.lgx.csv'],
  ['donors.csv.gz', 'donors.lgx.csv.gz', 'donors.lgx.csv.gz'],
  ['donors.xlsx', 'donors.lgx.csv', 'donors.lgx.xlsx'],
  ['message.xml', 'message.lgx.tsv', 'message.lgx.xml'],
  ['message.hml.gz', 'message.lgx.tsv.gz', 'message.lgx.hml.gz'],
  ['donors.json', 'donors.lgx.tsv', 'donors.lgx.json'],
  ['S1.txt', 'S1.lgx.txt', 'S1.lgx.txt'],
])('%s becomes %s, and %s where documents stay what they are', (title, table, same) => {
  const names = [false, true].map((isSame) => outputName(title, '{stem}.lgx{suffix}', isSame))
  expect(names).toEqual([table, same])
})

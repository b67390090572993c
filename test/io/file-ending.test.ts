import { expect, test } from 'vitest'
import { fileEnding } from '../../src/io/file-ending.ts'

test.for([
  ['donors.csv', 'csv'],
  ['Donors.CSV.GZ', 'csv'],
  ['lab/2024.1/donors.errors.tsv.zst', 'tsv'],
  ['donors.csv.bgz', 'csv'],
  ['donors.csv.zip', 'zip'],
  ['donors.gz', ''],
  ['csv', ''],
  ['lab.csv/donors', 'csv/donors'],
  ['.csv', 'csv'],
  ['', ''],
])('%s ends with %j', ([name, ending]) => {
  expect(fileEnding(name ?? '')).toBe(ending)
})

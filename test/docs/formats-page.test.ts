/** docs/formats.md has a row for each input format, and names each output format. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { OUTPUT_FORMAT_NAMES, RECORD_FORMAT_NAMES } from '../../src/options/choices.ts'

const PAGE = readFileSync(join(import.meta.dirname, '../../docs/formats.md'), 'utf8')

/** Cells of its table rows, without headings. */
const rows = PAGE.split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| format'))
  .map((line) => line.split('|').slice(1, -1).map((cell) => cell.trim())) // prettier-ignore

const named = (column: number) =>
  rows.flatMap((cells) => [...(cells[column] ?? '').matchAll(/^`([^`]+)`$/g)].map(([, name]) => name ?? ''))

test('each format that is read has one row, and no other is named', () => {
  const read = named(1).filter((name) => name !== 'table')
  expect(read.toSorted()).toEqual([...RECORD_FORMAT_NAMES].toSorted())
})

test('each format that is written is named, and no other', () => {
  expect([...new Set(named(2))].toSorted()).toEqual([...OUTPUT_FORMAT_NAMES].toSorted())
})

test('each row says how a format that is read is recognized, and what it was tested with', () => {
  const silent = rows.filter(([, read = '', , sign = '', tested = '']) => tested === '' || (read !== '' && sign === '')) // prettier-ignore
  expect(silent).toEqual([])
})

/**
 * Tables of the conventions, damaged at random: planned or refused, and no column that clearly contains typings is
 * skipped without a message.
 */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { TablePlan } from '../../src/table/plan/plan.ts'
import { planText } from '../support/convention-tables.ts'
import { CONVENTIONS } from './conventions.ts'

const TABLES = process.env['HLA_LONG'] === undefined ? 300 : 10_000
/** ms; one takes about five. */
const LONGEST = 5000

const VALUES = [
  '01:01',
  '24:02',
  'A*01:01',
  '68:01:01',
  'ND',
  '*',
  '',
  '0201',
  '7',
  '02:AB',
  'x y',
  '32:01',
  '26:01/26:02',
]
const PIECES = ['\t', ',', ';', '"', '\n', '\r', '|', 'A_1', '\u0000', 'é', '  ', '*', ':', '01:01', '#N/A', '....', '[', '\\'] // prettier-ignore

const table = fc.record({
  header: fc.constantFrom(...CONVENTIONS.map(({ header }) => header)),
  cells: fc.array(fc.constantFrom(...VALUES), { minLength: 3, maxLength: 40 }),
  rows: fc.integer({ min: 0, max: 20 }),
  delimiter: fc.constantFrom('\t', ',', ';'),
  changes: fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.constantFrom(...PIECES), fc.integer({ min: 0, max: 12 })), { maxLength: 6 }), // prettier-ignore
})

/** Each change inserts a text and removes a number of characters. */
function damaged({ header, cells, rows, delimiter, changes }: Parameters<typeof make>[0]): string {
  return changes.reduce((text, [at, piece, count]) => {
    const place = Math.floor(at * text.length)
    return text.slice(0, place) + piece + text.slice(place + count)
  }, make({ header, cells, rows, delimiter, changes }))
}

function make(made: typeof table extends fc.Arbitrary<infer T> ? T : never): string {
  const { header, cells, rows, delimiter } = made
  const lines = header.map((line) => line.split('|'))
  const width = lines[0]?.length ?? 1
  const body = Array.from({ length: rows }, (_, row) =>
    Array.from({ length: width }, (__, column) =>
      column === 0 ? `D${row}` : (cells[(row * width + column * 7) % cells.length] ?? ''),
    ),
  )
  return [...lines, ...body].map((row) => row.join(delimiter)).join('\n')
}

/** Suffix, after another column's name, of a result of an earlier conversion. */
const RESULT = /^(?:_(?:G|P|lgx|1F|valid))+$/

function isResult(label: string, labels: readonly string[]): boolean {
  return labels.some((other) => label.startsWith(other) && RESULT.test(label.slice(other.length)))
}

/** Columns in which nine cells of ten are two fields or names, and some cannot be times of day. */
function plainlyTyped({ header, groups }: TablePlan, rows: readonly (readonly string[])[]): number[] {
  const none = new Set(['', 'ND', '*', '#N/A'])
  return header.labels.flatMap((label, column) => {
    const values = rows.map((row) => row[column]?.trim() ?? '').filter((value) => !none.has(value))
    const typed = values.filter((value) => /^(?:A\*|\*)?\d\d:(?:\d\d|AB)(?:[:/][\d:]+)?$/.test(value))
    const isSure = values.some((value) => /^(?:A\*|[3-9]|2[4-9])/.test(value))
    const isRead = groups.some(({ columns }) => columns.includes(column)) || isResult(label, header.labels)
    return values.length > 2 && isSure && typed.length >= 0.9 * values.length && !isRead ? [column] : []
  })
}

describe('damaged tables', () => {
  test(
    'are planned or refused, and silent about no column',
    async () => {
      await fc.assert(
        fc.asyncProperty(table, async (made) => {
          const text = damaged(made)
          const started = performance.now()
          const plan = await planText(text).catch((error: unknown) => error)
          expect(performance.now() - started).toBeLessThan(LONGEST)
          if (plan instanceof Error) {
            // an unclosed quote, or no table
            expect(plan).toMatchObject({ code: expect.stringMatching(/^(?:usage|bad-quote|io)$/) as string })
            return
          }
          const { header, headerRow, upperRow, unread } = plan as TablePlan
          const width = header.labels.length
          const head = [upperRow, headerRow].filter((row) => row !== undefined).length
          const all = text.split(/\r?\n/).filter((line) => line !== '').map((line) => line.split(made.delimiter)) // prettier-ignore
          // only if a simple reader sees the same rows
          if (/["\r]/.test(text) || !all.every((row) => row.length === width)) return
          const said = new Set(unread.flatMap(({ columns }) => columns))
          const silent = plainlyTyped(plan as TablePlan, all.slice(head)).filter(
            (column) => !said.has(column),
          )
          expect(silent.map((column) => header.labels[column])).toEqual([])
        }),
        { numRuns: TABLES },
      )
    },
    TABLES * 60,
  )
})

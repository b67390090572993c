/**
 * Tables combined at random from conventions, words for missing typings and other columns: no column is dropped without
 * a message.
 */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { OpenTable } from '../../src/table/plan/open-table.ts'
import { type PlannedGroup, tryRead } from '../../src/table/plan/plan.ts'
import { openBytes } from '../support/convention-tables.ts'
import { composeLong, composeTable, joinedTable, type MadeTable } from '../support/joined-tables.ts'

const LONG = process.env['HLA_LONG'] !== undefined
const TABLES = LONG ? 20_000 : 300
/** `HLA_SEED` and `HLA_PATH` repeat a failed search. */
const AGAIN = { seed: Number(process.env['HLA_SEED']), path: process.env['HLA_PATH'] ?? '' }
const REPEATED = process.env['HLA_SEED'] === undefined ? {} : AGAIN

function titleOf({ subject, locus, among }: PlannedGroup): string {
  const title = locus ?? (among === undefined ? 'GL' : 'DRB3/4/5')
  return `${subject === '' ? '' : `${subject} `}${title}`
}

/** Faults of a plan; none if every column with typings is read correctly, or reported as not read. */
function faultsInColumns({ plan }: OpenTable, { truths, rows }: MadeTable): string[] {
  const { groups, unread, header, headerRow } = plan
  if (headerRow === undefined) return ['no header']
  const said = new Set(unread.flatMap(({ columns }) => columns))
  const typed = new Set(truths.flatMap(({ columns }) => columns))
  const label = (columns: readonly number[]) => columns.map((at) => header.labels[at]).join(' ')
  const read = groups.map((group) => ({ title: titleOf(group), columns: group.columns }))
  const strange = read.filter(({ columns }) => columns.some((column) => !typed.has(column)))
  const wrong = truths.flatMap(({ title, columns }) => {
    const own = read.filter((group) => group.columns.some((column) => columns.includes(column)))
    const [group] = own
    if (own.length === 1 && group?.title === title && label(group.columns) === label(columns)) return []
    if (own.length === 0 && columns.every((column) => said.has(column))) return []
    // the cells of a column without a locus in its name show that they are typings
    const isSpoken = (column: number) =>
      rows.filter((row) => /\d\D*[1-9]|^[AB]\d/.test(row[column] ?? '')).length > 1
    if (title.startsWith('?') && own.length === 0 && columns.filter(isSpoken).every((at) => said.has(at)))
      return []
    // plain numbers below E, F, G or H are not typings: these letters have many meanings, and no antigens
    const isNumbered = (column: number) =>
      rows.every((row) => !/[1-9]\d*[:*]|^[A-Z]+\d/.test(row[column] ?? ''))
    if (/(?:^| )[EFGH]$/.test(title) && own.length === 0 && columns.every(isNumbered)) return []
    // columns without a locus in their name may be read by the names in their cells
    if (title.startsWith('?') && own.every((one) => one.title === 'GL') && own.length === columns.length)
      return []
    return [
      `${label(columns)} is ${title}, read as ${own.map((one) => `${one.title}=${label(one.columns)}`).join(' and ')}`,
    ]
  })
  return [...strange.map(({ title, columns }) => `${label(columns)} read as ${title}`), ...wrong]
}

/** Cells that differ from the table's, and cells of two typings that are read as one. */
function faultsInCells({ plan, first }: OpenTable, { head, rows }: MadeTable): string[] {
  const body = first.filter(({ kind }) => kind === 'row').slice(head.length)
  const moved = rows.filter((row, at) => row.join('\n') !== (body[at]?.values ?? []).join('\n'))
  const isListed = plan.groups.some(({ values }) => values.some((value) => /\d[+,; ]+[\d*]/.test(value)))
  const halved = plan.groups.flatMap(({ context, columns }) =>
    rows.flatMap((row) =>
      columns.flatMap((column) => {
        const cell = row[column] ?? ''
        const reading = tryRead(cell, context)
        if (reading instanceof Error || reading.kind === 'token') return []
        const count = typingsIn(cell, isListed)
        // words for missing typings, and characters that GL Strings cannot have, fail in the reduction
        if (count === 0 || /[,;\s]/.test(reading.glString)) return []
        return reading.glString.split(/[+^]/).length === count
          ? []
          : [`${cell} of ${count} read as ${reading.glString}`]
      }),
    ),
  )
  return [...moved.map((row) => `${row.join(' ')} moved`), ...new Set(halved)]
}

/** Number of typings, by an independent reading of the cell; 0 if uncertain. */
function typingsIn(cell: string, isListed: boolean): number {
  const parts = cell.split(/[+^,; ]+/).filter((part) => /\d/.test(part))
  const [only = '', second] = parts
  const families = new Set(only.split('/').map((name) => /\d+/.exec(name)?.[0]))
  // if other cells use other separators between typings, `/` joins possible alleles
  return second !== undefined || families.size < 2 ? parts.length : isListed ? 0 : 2
}

/** Typings of a person that the long table has and its conversion lacks. */
function faultsInRecords({ plan, first }: OpenTable, { rows, head, truths }: MadeTable): string[] {
  const [made] = [plan.source]
  if (made === undefined) return ['not read as a long table']
  const people = new Map(
    first.flatMap(({ kind, values }) => (kind === 'row' ? [[values[0] ?? '', values] as const] : [])),
  )
  const alleles = (head[0] ?? []).filter((name) => /^(?:allele|typing|value)/i.test(name)).length
  return truths.flatMap(({ title }) => {
    const group = plan.groups.find(({ locus }) => locus === title)
    const isSaid = plan.unread.some(({ columns }) =>
      columns.some((at) => plan.header.labels[at]?.startsWith(`${title}_`)),
    )
    if (group === undefined) return isSaid ? [] : [`${title} is not read`]
    return rows
      .filter(([, locus]) => locus === title)
      .flatMap((row) => row.slice(2, 2 + alleles).map((typing) => [row[0] ?? '', typing] as const))
      .flatMap(([person, typing]) => typing.split('+').map((one) => [person, one] as const))
      .filter(([, typing]) => /\d\d:\d\d/.test(typing))
      .filter(([person, typing]) => !group.columns.some((at) => people.get(person)?.[at] === typing))
      .map(([person, typing]) => `${typing} of ${person} is lost`)
  })
}

describe('tables joined from conventions', () => {
  test(
    'are read whole, refused, or say which columns they leave out',
    async () => {
      const outcomes = { whole: 0, warned: 0, refused: 0 }
      const forms = new Map<string, number>()
      await fc.assert(
        fc.asyncProperty(joinedTable, async (made) => {
          const wide = composeTable(made)
          const long = made.form === 'long' ? composeLong(made, wide) : undefined
          const composed = long ?? wide
          const form = long === undefined && made.form === 'long' ? 'text' : made.form
          const opened = await openBytes(composed.name, composed.bytes)
          if (opened instanceof Error) {
            expect(opened).toMatchObject({ code: expect.stringMatching(/^(?:usage|io)$/) as string })
            outcomes.refused += 1
            forms.set(`${form} refused`, (forms.get(`${form} refused`) ?? 0) + 1)
            return
          }
          const faults =
            long === undefined
              ? [...faultsInColumns(opened, wide), ...faultsInCells(opened, wide)]
              : faultsInRecords(opened, long)
          const table = faults.length === 0 ? '' : composed.bytes.toString()
          expect({ faults, table }).toEqual({ faults: [], table: '' })
          outcomes[opened.plan.unread.length === 0 ? 'whole' : 'warned'] += 1
          forms.set(form, (forms.get(form) ?? 0) + 1)
        }),
        { numRuns: TABLES, ...REPEATED },
      )
      if (LONG) process.stderr.write(`${JSON.stringify({ ...outcomes, ...Object.fromEntries(forms) })}\n`)
      // refusing every table would be too easy
      expect(outcomes.refused).toBeLessThan(TABLES / 5)
      expect(outcomes.whole).toBeGreaterThan(TABLES / 3)
    },
    TABLES * 60,
  )
})

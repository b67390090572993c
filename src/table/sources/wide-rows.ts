/**
 * A table with one person per row as typing records, read as when it is converted alone: each row is a separate person.
 */
import { conversionError } from '../plan/row-error.ts'
import { readCell } from '../cells/cells.ts'
import { type SettlingFacts, settleFacts } from '../cells/name-facts.ts'
import type { OpenTable } from '../plan/open-table.ts'
import { findIdColumn, isGroupName, isIdName, selectColumns } from '../plan/header.ts'
import { plainName } from '../words/header-words.ts'
import { readLocusHeader } from '../words/locus-header.ts'
import { isOfHeader, type PlannedGroup, isBodyRow } from '../plan/plan.ts'
import { otherTableError, beginsOtherTable, repeatedHeaderCounter } from '../plan/recognition/odd-rows.ts'
import { HlaError, isHlaError } from '../../errors.ts'
import { encodeByteText, readable } from '../input/encoding.ts'
import type { TableRow } from '../input/read-table.ts'
import { gatheredDialect } from './long-table.ts'
import { glTypings } from './gl-rows.ts'
import type { RecordSource, TypingRecord } from './typing-record.ts'

/** Format name of rows of persons. */
export const WIDE = 'wide table'

export interface WideRequest {
  /** Column of the person; undefined: the one that the plan has. */
  readonly idColumn: string | undefined
  /** Column of the person, used only if the table has it. */
  readonly sample: string | undefined
  readonly ragged: 'error' | 'pad'
  readonly facts: SettlingFacts
  /** Name of the person in a one-row table without names, as byte text of the table. */
  readonly person: string
  /** A row that cannot be read becomes a record with its error; otherwise it ends the table. */
  readonly keepsRows: boolean
}

/** @throws {HlaError} usage — several persons a row, no such column */
export function wideRows(table: OpenTable, request: WideRequest): RecordSource {
  const { plan, dialect } = table
  const { header, groups } = plan
  refuseSeveral(groups, header.table)
  const numbers = rowNumberColumns(table)
  const person = personColumn(table, numbers, request)
  const typed = new Set([...groups.flatMap(({ columns }) => columns), ...numbers])
  const facts = header.labels.map((_, at) => at).filter((at) => at !== person && !typed.has(at))
  const label = (column: number) => encodeByteText(header.labels[column] ?? '', dialect.encoding)
  const ignored: string[] = []
  const isGl = groups.every(({ locus, among }) => locus === undefined && among === undefined)
  return {
    format: isGl ? 'GL Strings' : WIDE,
    reading: `one row per sample${person === undefined ? '' : ` (${header.labels[person]})`}`,
    personName: person === undefined ? 'sample' : label(person) || 'sample',
    extras: facts.map((at) => ({
      name: header.names === undefined ? `column_${label(at)}` : label(at),
      isOfTyping: false,
    })),
    ignored,
    dialect: gatheredDialect(dialect),
    blocks: () => wideRecords(table, { request, person, facts, ignored }),
  }
}

/** @throws {HlaError} usage */
function refuseSeveral(groups: readonly PlannedGroup[], table: string): void {
  const people = groups.find(({ subject }) => subject !== '')
  if (people === undefined) return
  throw new HlaError('usage', `${table}: a row has several persons (${people.subject})`, {
    hint: 'convert this file alone',
  })
}

/** Columns without a name that hold whole numbers: data frames number their rows in one. */
function rowNumberColumns(table: OpenTable): readonly number[] {
  const { names, labels } = table.plan.header
  if (names === undefined) return []
  return labels.flatMap((_, at) =>
    plainName(names[at] ?? '') === '' && valuesOf(table, at).every((value) => /^\d*$/.test(value))
      ? [at]
      : [],
  )
}

/**
 * undefined when the rows do not name persons. A column not called an id names persons only before the typings, with
 * a name for each row, and a group column never.
 */
function personColumn(
  table: OpenTable,
  numbers: readonly number[],
  { idColumn, sample }: WideRequest,
): number | undefined {
  const { header, groups } = table.plan
  const asked = idColumn ?? (sample !== undefined && header.labels.includes(sample) ? sample : undefined)
  if (asked !== undefined) return selectColumns(asked, header)[0]
  const typed = groups.flatMap(({ columns }) => columns)
  const mayName = (at: number) => {
    const isNamed = isIdName(header.names?.[at] ?? '')
    const isOther = (text: string) => isLocus(text) || (header.names !== undefined && NUMBER.test(text))
    return isNamed || !valuesOf(table, at).every(isOther)
  }
  const others = header.labels
    .map((_, at) => at)
    .filter((at) => !typed.includes(at) && !numbers.includes(at) && mayName(at))
  const found = findIdColumn(others, header, (column) => valuesOf(table, column))
  const name = header.names?.[found ?? -1]
  if (found === undefined || (name !== undefined && isIdName(name))) return found
  if (found >= Math.min(...typed) || (name !== undefined && isGroupName(name))) return undefined
  const values = valuesOf(table, found)
  return new Set(values).size === values.length ? found : undefined
}

/** A length or a score, unless the column is called an id. */
const NUMBER = /^-?\d+(?:[.,]\d+)?$/

/** `HLA-A_0`, which may be a row of any person. */
function isLocus(text: string): boolean {
  return readLocusHeader(text).some(({ isSure, subject }) => isSure && subject === '')
}

/** Cells of the first rows. */
function valuesOf(table: OpenTable, column: number): readonly string[] {
  return firstRows(table).map(({ values }) => readable(values[column] ?? '', table.dialect.encoding))
}

function firstRows({ first, plan }: OpenTable): readonly TableRow[] {
  return first.filter((row) => isBodyRow(row, plan))
}

interface WideColumns {
  readonly request: WideRequest
  readonly person: number | undefined
  readonly facts: readonly number[]
  readonly ignored: string[]
}

/** @throws {HlaError} ragged-row, bad-quote — with the line, unless rows are kept; usage — the header of another table */
async function* wideRecords(table: OpenTable, columns: WideColumns): AsyncGenerator<readonly TypingRecord[]> {
  const { plan } = table
  const { facts } = columns.request
  const isAlone = firstRows(table).length === 1
  const tellHeader = repeatedHeaderCounter(columns.ignored)
  for await (const rows of table.blocks()) {
    const body = rows.filter((row) => {
      if (row.kind !== 'row') return false
      const isHeader = isOfHeader(row, plan)
      if (isHeader && row !== plan.headerRow && row !== plan.upperRow) tellHeader(row.line)
      return !isHeader
    })
    yield await settleFacts(facts, () => body.flatMap((row) => recordsOf(row, isAlone, table, columns)))
  }
}

function recordsOf(
  row: TableRow,
  isAlone: boolean,
  { plan, dialect }: OpenTable,
  { request, person, facts }: WideColumns,
): readonly TypingRecord[] {
  const { values, line } = row
  const named = person === undefined ? undefined : values[person]
  const name = person !== undefined || isAlone ? named : `${request.person}:${line}`
  const fault = conversionError(row, { plan, dialect, ragged: request.ragged })
  if (fault !== undefined) {
    if (!request.keepsRows) throw new HlaError(fault.code, fault.said, { line, hint: fault.hint })
    const error = new HlaError('bad-record', fault.said, { hint: fault.hint })
    return [{ person: name, locus: '', typing: '', slot: undefined, line, values: [], error }]
  }
  const cells = values.map((value) => readable(value, dialect.encoding))
  if (beginsOtherTable(cells, plan)) throw otherTableError(plan.header.table, line, cells)
  const of = { person: name, isRow: true, line, values: facts.map((at) => values[at] ?? '') }
  const records = plan.groups.flatMap((group) =>
    group.columns.flatMap((column, at): TypingRecord[] => {
      const read = ownReading(values[column] ?? '', group.context, cells[column] ?? '')
      if (group.locus !== undefined) return [{ ...of, ...read, locus: group.locus, slot: at === 0 ? 1 : 2 }]
      // of several columns each cell names the locus of its typing
      const slot = group.columns.length > 1 ? { slot: undefined } : {}
      return glTypings(read.typing).map((one) => ({ ...of, ...one, ...slot, fault: read.fault }))
    }),
  )
  return records.length > 0 ? records : [{ ...of, locus: '', typing: '', slot: undefined }]
}

/**
 * Text of a cell as this table reads it, when that differs: digits, two typings per cell, names of peptide-binding
 * predictors. Columns of the whole table hold cells of many files, which do not decide this one.
 */
function ownReading(
  text: string,
  context: PlannedGroup['context'],
  cell: string,
): Pick<TypingRecord, 'typing' | 'fault'> {
  const typing = text.trim()
  if (context.joined === undefined && context.isNotation !== true && !DIGITS.test(cell)) return { typing }
  try {
    const reading = readCell(cell, context)
    return { typing: reading.kind === 'typing' ? reading.glString : typing }
  } catch (error) {
    if (!isHlaError(error)) throw error
    // others are errors in any table
    return OF_TABLE.includes(error.code) ? { typing, fault: error } : { typing }
  }
}

const OF_TABLE: readonly string[] = ['ambiguous-digits', 'ambiguous-separator']
const DIGITS = /^\s*\*?\d+[A-Z]*(?:\/\d+)*\s*$/

/** The conversion of a table: planned at once, converted while it is read. */
import { answersOf } from '../../table/cells/answers.ts'
import { type Conversion, convertRows } from '../../table/run/convert.ts'
import { fromByteText } from '../../table/input/encoding.ts'
import { type Failure, failureRecord, reportFormat } from '../../table/output/failure-report.ts'
import { readTableInput } from '../../table/input/input.ts'
import { layoutFor } from '../../table/plan/layouts.ts'
import { nameFactsOf } from '../../table/cells/name-facts.ts'
import { type OpenTable, openTable } from '../../table/plan/open-table.ts'
import { type OutputColumns, outputColumns } from '../../table/plan/output-columns.ts'
import { planText } from '../../table/plan/plan-text.ts'
import { rowWriter } from '../../table/output/row-writer.ts'
import { type Distinct, noteTexts, summaryRecord, summaryText } from '../../table/output/summary.ts'
import type { WriteRequest } from '../../table/plan/table-request.ts'
import { readRequest, writeRequest } from '../../table/plan/table-wishes.ts'
import { newTally } from '../../table/output/tally.ts'
import { HlaError } from '../../errors.ts'
import { localExecutor } from '../../operations/executor.ts'
import { type AdviceBudget, adviceBudget, budgetText, withBudget } from '../../operations/knowledge.ts'
import { cellOperationNamed } from '../../operations/registry.ts'
import { errorInWords, inWords, type Words } from '../../operations/words.ts'
import type { Served } from '../current.ts'
import type { readTableQuery } from './table-query.ts'

export interface TableJob extends ReturnType<typeof readTableQuery> {
  readonly served: Served
  /** As they came, maybe compressed. */
  readonly bytes: AsyncIterable<Buffer>
  /** Bytes of the table, unpacked. */
  readonly most: number
  /** Of whoever reads what is wrong with it. */
  readonly words: Words
}

export interface TableConversion {
  /** How the table is read. */
  readonly plan: string
  /** The converted table, a piece at a time. @throws {HlaError} what only shows when all is read */
  readonly pieces: () => AsyncGenerator<Buffer>
  readonly words: Words
  /** When all pieces were read: */
  readonly report: () => TableReport
}

export interface TableReport {
  /** For programs. */
  readonly summary: Readonly<Record<string, unknown>>
  /** The failed cells as CSV; undefined when there are none. */
  readonly errors: string | undefined
}

/** @throws {HlaError} the bytes are no table, or nobody can say where its typings are */
export async function openConversion(job: TableJob): Promise<TableConversion> {
  const { name, wishes, methods, accept = [], served, bytes, most } = job
  const layout = layoutFor(wishes.layout, name)
  const reading = readRequest(wishes, layout, accept)
  const writing = writeRequest(wishes, methods)
  const input = await readTableInput(name, bytes)
  const bounded = { ...input, chunks: () => atMost(input.chunks(), most) }
  const table = await openTable(bounded, reading, layout, nameFactsOf(served.knowledge.release))
  const output = outputColumns(table.plan, writing)
  const { failures, conversion, encode, distinct, advice } = prepare(job, { table, writing, output })
  const { compression } = input
  const written = { request: writing, output }
  const context = { ...table, compression, operation: 'redux', methods, written }
  return {
    plan: planText(table.plan, { ...context, release: served.knowledge.release.facts.label }),
    words: job.words,
    pieces: () => convert(table, { ...conversion, ragged: reading.ragged }, encode),
    report: () =>
      reportOf({ tally: conversion.tally, distinct: distinct(), failures, advice, words: job.words }),
  }
}

interface Prepared {
  readonly table: OpenTable
  readonly writing: WriteRequest
  readonly output: OutputColumns
}

function prepare({ served, accept, methods, words }: TableJob, { table, writing, output }: Prepared) {
  const { plan, dialect } = table
  const failures = keptFailures()
  const advice = adviceBudget()
  const answers = answersOf({
    executor: localExecutor(withBudget(served.knowledge, advice)),
    operation: cellOperationNamed('redux'),
    inputs: methods.map((method) => ({
      reduction_method: method,
      ...(accept === undefined ? {} : { accept }),
    })),
    width: 1,
    release: served.knowledge.release.facts.label,
  })
  const conversion = {
    plan,
    dialect,
    answers,
    writer: rowWriter(plan, dialect, writing, output),
    tally: newTally(),
    stopAtFirst: false,
    maxErrors: undefined,
    failed: (failure: Failure) => failures.add({ ...failure, error: errorInWords(failure.error, words) }),
  }
  const encode = (text: string) => fromByteText(text, dialect.encoding)
  return { failures, conversion, encode, distinct: answers.distinct, advice }
}

/** Rows converted before others get their turn: some milliseconds. */
const TURN = 200

/** Of the shortest that say something, the longest table has half as many. */
const MOST_LINES = 5_000_000

function tooManyLines(): string {
  const most = MOST_LINES.toLocaleString('en-US')
  return `the table has more than ${most} lines; the command line converts tables of any length`
}

async function* convert(
  table: OpenTable,
  conversion: Omit<Conversion, 'write'>,
  encode: (text: string) => Buffer,
): AsyncGenerator<Buffer> {
  let text = conversion.writer.mark
  let lines = 0
  const write = (more: string) => (text += more)
  for await (const rows of table.blocks()) {
    lines += rows.length
    if (lines > MOST_LINES) throw new HlaError('bad-request', tooManyLines())
    for (let at = 0; at < rows.length; at += TURN) {
      convertRows(rows.slice(at, at + TURN), { ...conversion, write })
      yield encode(text)
      text = ''
      await new Promise((soon) => setImmediate(soon))
    }
  }
  if (text !== '') yield encode(text)
}

/** A small file may hold a large table. */
async function* atMost(chunks: AsyncIterable<Buffer>, most: number): AsyncGenerator<Buffer> {
  let size = 0
  for await (const chunk of chunks) {
    size += chunk.length
    if (size > most) throw new HlaError('bad-request', tooLong(most))
    yield chunk
  }
}

export function tooLong(most: number): string {
  if (most === 0) return 'this service converts no tables; the command line does'
  const size = `${(most / 1024 ** 2).toLocaleString('en', { maximumFractionDigits: 1 })} MiB`
  return `the table is longer than ${size}; the command line converts tables of any length`
}

/** Failures in full; more of them are only counted. */
const MOST_FAILURES = 100_000
const MOST_SHOWN = 20

function keptFailures() {
  const format = reportFormat('errors.csv')
  const lines: string[] = []
  const shown: unknown[] = []
  let count = 0
  return {
    lines: () => (count === 0 ? undefined : format.head + lines.join('')),
    shown,
    count: () => count,
    add(failure: Failure) {
      count += 1
      if (count <= MOST_SHOWN) shown.push(failureRecord(failure))
      if (count <= MOST_FAILURES) lines.push(format.record(failure))
    },
  }
}

interface Reported {
  readonly tally: Conversion['tally']
  readonly distinct: Distinct
  readonly failures: ReturnType<typeof keptFailures>
  readonly advice: AdviceBudget
  readonly words: Words
}

function reportOf({ tally, distinct, failures, advice, words }: Reported): TableReport {
  const failed = failures.count()
  const notes = [
    ...noteTexts(tally),
    ...(advice.refused === 0 ? [] : [{ code: 'suggestions', message: budgetText() }]),
  ]
  return {
    errors: failures.lines(),
    summary: {
      ...summaryRecord(tally, distinct),
      text: summaryText(tally, distinct),
      said: notes.map((note) => ({ ...note, message: inWords(note.message, words, false) })),
      failed,
      reported: Math.min(failed, MOST_FAILURES),
      failures: failures.shown,
    },
  }
}

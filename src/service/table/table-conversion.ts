/** Converts an uploaded table: plans it at once, and converts it while the result is read. */
import type { ByteInput, FilePort } from '../../io/file-port.ts'
import { readableSink } from '../../io/readable-sink.ts'
import { type AdviceBudget, adviceBudget, budgetText, withBudget } from '../../operations/knowledge.ts'
import { cellOperationNamed } from '../../operations/registry.ts'
import type { Face } from '../../operations/faces.ts'
import { type Failure, failureRecord, reportFormat } from '../../table/output/failure-report.ts'
import { notesBefore } from '../../table/plan/recognition/table-notes.ts'
import { chooseExamples, describeKinds, type PlanLine } from '../../table/plan/text/plan-text.ts'
import type { TablePlan } from '../../table/plan/plan.ts'
import { noteTexts, summaryText } from '../../table/output/summary.ts'
import { layoutFor } from '../../table/plan/layouts.ts'
import {
  type TableJob,
  type TableQuestion,
  type TableReporter,
  type TableResult,
  localAnswering,
  resolvedOptions,
} from '../../table/run/table-job.ts'
import { openJob } from '../../table/run/run-table.ts'
import type { ServedData } from '../current.ts'
import { groupFailedValues } from './failed-values.ts'
import { MAX_FAILURES, MAX_FAILURES_LENGTH, MAX_SHOWN, tableLimits } from './table-limits.ts'
import type { readTableQuery } from './table-query.ts'

export interface SentTable extends ReturnType<typeof readTableQuery> {
  readonly served: ServedData
  /** Operation on the cells instead of reduction. */
  readonly operation?: 'validate'
  /** Maximum number of failures listed in full; the default is small. */
  readonly shown?: number
  /** Bytes as received, possibly compressed. */
  readonly bytes: AsyncIterable<Buffer>
  /** Maximum size of the unpacked table, in bytes. */
  readonly most: number
  /** Maximum working time in ms; 0 means no limit. */
  readonly time: number
  /** Client type, which selects the wording of errors. */
  readonly face: Face
}

export interface TableConversion {
  /** Description of how the table is read. */
  readonly plan: string
  /**
   * Converted table in chunks, then the report on it.
   * @throws {HlaError} errors that appear only while reading
   */
  readonly pieces: () => AsyncGenerator<Uint8Array, TableReport>
  readonly face: Face
}

export interface TableReport {
  /** Summary for programs. */
  readonly summary: Readonly<Record<string, unknown>>
  /** Failed cells as CSV; undefined without any. */
  readonly errors: string | undefined
}

/** @throws {HlaError} not a table, or the columns of typings cannot be found */
export async function openConversion(table: SentTable): Promise<TableConversion> {
  const { face } = table
  const advice = adviceBudget()
  const failures = collectFailures(face, table.shown)
  const sink = readableSink()
  const planned: { plan?: TablePlan } = {}
  const job = makeJob(table, { advice, failures, planned, sink: sink.open })
  const { planText, planLines, refusal, convert } = await openJob(job)
  if (refusal !== undefined) throw refusal
  return {
    plan: planText(),
    face,
    async *pieces() {
      return makeReport(yield* sink.pieces(convert), {
        failures,
        advice,
        face,
        plan: planned.plan,
        lines: planLines(),
      })
    },
  }
}

interface ConversionParts {
  readonly advice: AdviceBudget
  readonly failures: FailureLists
  readonly planned: { plan?: TablePlan }
  readonly sink: (options: Parameters<FilePort['sink']>[1]) => Awaited<ReturnType<FilePort['sink']>>
}

/** Job that writes no files and converts in one thread, the one for tables. */
function makeJob(table: SentTable, { advice, failures, planned, sink }: ConversionParts): TableJob {
  const { name, rawOptions, served, bytes, most, time, face } = table
  const source: ByteInput = { name, title: name, size: undefined, bytes: () => bytes }
  const question = questionOf(table, source)
  return {
    source,
    question,
    output: '-',
    filePort: {
      source: notHere,
      sink: (_, options) => Promise.resolve(sink(options)),
      isRemote: () => false,
      beside: (file) => file,
      removeOwn: () => undefined,
      close: () => Promise.resolve(),
    },
    answering: localAnswering(withBudget(served.knowledge, advice)),
    operation: question.operation,
    inputs: question.inputs,
    layout: layoutFor(rawOptions.inputFormat, name),
    options: resolvedOptions(question),
    face,
    limits: tableLimits(most, time),
    reporter: {
      ...SILENT_TABLE,
      planned: (plan) => (planned.plan = plan),
      failed: (failure, count) => failures.add(failure, count),
    },
  }
}

function questionOf(
  { rawOptions, methods, options, accept, operation: asked }: SentTable,
  source: TableQuestion['source'],
): TableQuestion {
  const operation = cellOperationNamed(asked ?? 'redux')
  const questions = asked === undefined ? methods.map((method) => ({ reduction_method: method })) : [{}]
  const inputs = questions.map((question) => ({
    ...question,
    ...(options === undefined ? {} : { options }),
    ...(accept === undefined ? {} : { accept }),
  }))
  return { source, options: rawOptions, operation, inputs, accept: accept ?? [] }
}

function notHere(): never {
  throw new Error('a table that was sent is no file')
}

/** Reports nothing: the answer has everything. */
export const SILENT_TABLE: TableReporter = {
  planned: nothing,
  progress: () => ({ passed: nothing, clear: nothing, finish: nothing }),
  failed: nothing,
  allFailed: nothing,
  finished: nothing,
}

function nothing(): void {}

type FailureLists = ReturnType<typeof collectFailures>

function collectFailures(face: Face, most = MAX_SHOWN) {
  // whether the report has paths is decided by the first failure
  let format = reportFormat('errors.csv', undefined, face)
  const lines: string[] = []
  const shown: unknown[] = []
  const grouped = groupFailedValues(face)
  let [all, length] = [0, 0]
  return {
    lines: () => (all === 0 ? undefined : format.head + lines.join('')),
    shown,
    values: grouped.values,
    count: () => all,
    reported: () => lines.length,
    add(failure: Failure, count: number) {
      if (all === 0 && failure.path !== undefined)
        format = reportFormat('errors.csv', { withPaths: true }, face)
      all = count
      grouped.add(failure)
      const path = failure.path === undefined ? {} : { path: failure.path }
      if (count <= most) shown.push({ ...failureRecord(failure, face), ...path })
      if (count > MAX_FAILURES || length > MAX_FAILURES_LENGTH) return
      const line = format.record(failure)
      length += line.length
      lines.push(line)
    },
  }
}

interface ReportParts {
  readonly failures: FailureLists
  readonly advice: AdviceBudget
  readonly face: Face
  readonly plan: TablePlan | undefined
  readonly lines: readonly PlanLine[]
}

function makeReport(
  { tally, distinct, record }: TableResult,
  { failures, advice, face, plan, lines }: ReportParts,
): TableReport {
  const failed = failures.count()
  const notes = [
    ...(plan === undefined ? [] : notesBefore(plan, face)),
    ...noteTexts(tally),
    ...(advice.refused === 0 ? [] : [{ code: 'suggestions', message: budgetText() }]),
  ]
  return {
    errors: failures.lines(),
    summary: {
      ...record,
      text: summaryText(tally, distinct, record),
      said: notes.map(({ code, message }) => ({ code, message })),
      failed,
      reported: failures.reported(),
      failures: failures.shown,
      values: failures.values(),
      columns: plan === undefined ? [] : readColumns(plan, face),
      plan: lines,
    },
  }
}

/** Reading of each column, in table order. */
function readColumns({ header, groups, idColumn, unread }: TablePlan, face: Face) {
  const read = new Map(groups.flatMap((group) => group.columns.map((at) => [at, group] as const)))
  const reasons = new Map(unread.flatMap(({ columns, why }) => columns.map((at) => [at, why] as const)))
  return header.labels.map((name, at) => {
    const group = read.get(at)
    if (group === undefined) {
      const why = reasons.get(at)
      return {
        name,
        read: at === idColumn ? 'id' : 'no',
        locus: '',
        ...(why === undefined ? {} : { why }),
      }
    }
    const { locus = '' } = group
    const examples = chooseExamples(group, face)
    return { name, read: 'typing', locus, reading: describeKinds(group), examples }
  })
}

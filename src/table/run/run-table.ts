/** Conversion of a table: the same table with an answer for each typing; opened and planned, then converted.  [disk] */
import { advice, option, type OptionAdvice } from '../../advice.ts'
import { HlaError, isHlaError } from '../../errors.ts'
import { parseReleaseNumber } from '../../reference/release-number.ts'
import { beginningOf, OF_SHEETS, readTableInput } from '../input/input.ts'
import type { TableInput } from '../plan/table-input.ts'
import { openPart, openTable, type OpenTable, undecidedDigits } from '../plan/open-table.ts'
import { processorLimit } from './working-time.ts'
import { openInput } from './open-input.ts'
import { selectPresent } from '../plan/header.ts'
import { layoutFor } from '../plan/layouts.ts'
import { withTyped } from '../plan/raw-table-options.ts'
import type { TablePlan } from '../plan/plan.ts'
import type { WriteRequest } from '../plan/table-request.ts'
import { outputColumns } from '../plan/output-columns.ts'
import { type PlanContext, type PlanLine, planLines, planText } from '../plan/text/plan-text.ts'
import { type Dialect, delimitersOf } from '../input/dialect.ts'
import { openRowWriter } from '../output/row-writer.ts'
import { convertTable } from './convert-table.ts'
import { resolvedOptions, type TableJob, type TableLimits, type TableResult } from './table-job.ts'
import { type Retry, triedError } from '../tried-error.ts'
import { triedPlan } from './tried-advice.ts'

/** A planned table that has not been converted. */
export interface OpenJob {
  /** Display text. */
  readonly planText: () => string
  /** The same without its columns, a line at a time. */
  readonly planLines: () => readonly PlanLine[]
  /** True when columns look like typings and are not read. */
  readonly hasUnread: boolean
  /** Reason why it is not converted, despite a plan. */
  readonly refusal: HlaError | undefined
  /** Call once. @throws {HlaError} `refusal`; and errors of reading, converting and writing */
  readonly convert: () => Promise<TableResult>
}

export async function runTable(job: TableJob): Promise<TableResult> {
  return (await openJob(job)).convert()
}

/** @throws {HlaError} not a table, or its typing columns cannot be determined */
export async function openJob(asked: TableJob): Promise<OpenJob> {
  const { options } = asked
  const began: Beginnings = {}
  const again: Retry<TablePlan> = async (typed) => {
    const { table, refusal } = await planJob(retyped(asked, began, typed))
    if (refusal !== undefined) throw refusal
    return table.plan
  }
  const retry = isReadAgain(asked) ? again : undefined
  const tried = async (error: HlaError) => (began.input === undefined ? error : triedError(error, retry))
  const planned = await planJob(asked, began).catch(async (error: unknown) => {
    throw isHlaError(error) ? await tried(error) : error
  })
  const { writing } = planned
  const plan = await triedPlan(planned.table.plan, retry)
  const table = { ...planned.table, plan }
  const refusal = planned.refusal && (await tried(planned.refusal))
  const job = { ...asked, options: { ...options, writing } }
  return {
    planText: () => planText(table.plan, planContext(job, table)),
    planLines: () => planLines(table.plan, planContext(job, table)),
    hasUnread: table.plan.unread.length > 0,
    refusal,
    async convert() {
      if (refusal !== undefined) throw refusal
      return convertTable(job, table)
    },
  }
}

interface PlannedJob {
  readonly table: OpenTable
  readonly writing: WriteRequest
  readonly refusal: HlaError | undefined
}

/** Inputs of which the first bytes were read, so that a plan can be tried on these. */
interface Beginnings {
  /** The input; of several files the last. */
  input?: TableInput
  /** Table of which the input is a part. */
  whole?: TableInput
}

/** Everything that is decided before the first row is converted. `began`: omit to try nothing. */
async function planJob(asked: TableJob, began?: Beginnings): Promise<PlannedJob> {
  const { layout, options, answering, limits } = asked
  const input = await openInput(asked, (one) => limited(one, limits), began && ((one) => (began.input = one))) // prettier-ignore
  const whole = await openWhole(asked, began)
  const look = limits && processorLimit(limits.planning)
  const opened =
    whole === undefined
      ? await openTable({ ...input, look }, options.reading, layout, answering.facts)
      : await openPart(input, whole)
  const { table, writing } = await withPersonColumns(opened, asked)
  // refuses here what cannot be written
  const output = outputColumns(table.plan, writing)
  if (writing.format !== undefined || writing.shape === 'long' || writing.consensus !== undefined)
    await openRowWriter(table.plan, table.dialect, writing, output)
  return { table, writing, refusal: undecidedDigits(table.plan, options.reading, look) }
}

/** True unless one of several files, which are read again, is a pipe. */
function isReadAgain({ parts = [] }: TableJob): boolean {
  return parts.every(({ size }) => size !== undefined)
}

/** The job on its first rows alone, or on all of several files, with further options typed. @throws {HlaError} usage */
function retyped(
  { question, ...job }: TableJob,
  { input, whole }: Beginnings,
  typed: readonly OptionAdvice[],
): TableJob {
  const asked = { ...question, options: withTyped(question.options, typed) }
  const resolved = resolvedOptions(asked)
  const { dialect } = resolved.reading
  const again = {
    ...job,
    question: asked,
    layout: layoutFor(asked.options.inputFormat, question.source.title),
    options: resolved,
    provenance: undefined,
  }
  if (job.parts !== undefined || input === undefined) return again
  const { name, sample, workbook } = input
  const reading =
    workbook === undefined
      ? resolved.reading
      : { ...resolved.reading, sheet: undefined, dialect: { ...dialect, ...OF_SHEETS } }
  return {
    ...again,
    source: beginningOf(job.source, { name, sample }),
    filePort: whole === undefined ? job.filePort : { ...job.filePort, source: async (file) => beginningOf(await job.filePort.source(file), whole) }, // prettier-ignore
    options: { ...resolved, reading },
  }
}

/** What is written, and the plan with a note on columns about persons that the output format holds. */
async function withPersonColumns(table: OpenTable, asked: TableJob) {
  const { reading, writing } = asked.options
  const release = writtenRelease(asked)
  const request = { ...writing, release, delimiter: outputDelimiter(asked, table.dialect) }
  if (writing.format === undefined) return { table, writing: request }
  const { withFieldColumns } = await import('../output/population/population-writer.ts')
  const { exclude } = reading.choice
  const excluded = exclude === undefined ? [] : selectPresent(exclude, table.plan.header, new Set())
  const found = withFieldColumns(writing.format, table.plan, request, excluded)
  return { table: { ...table, plan: found.plan }, writing: found.request }
}

/**
 * Delimiter of the written table: as asked, else by the ending of its name; undefined: that of the input. A `.csv` may
 * have semicolons.
 */
function outputDelimiter(
  { options: { writing }, output }: TableJob,
  { delimiter }: Dialect,
): string | undefined {
  if (writing.delimiter !== undefined || writing.format !== undefined) return writing.delimiter
  const [usual, ...others] = delimitersOf(output)
  return others.includes(delimiter) ? undefined : usual
}

/** Limits the unpacked size, since a small file may hold a large table. */
function limited(input: TableInput, limits: TableLimits | undefined): TableInput {
  if (limits === undefined) return input
  const { most, refusal } = limits.bytes
  return {
    ...input,
    async *chunks() {
      let size = 0
      for await (const chunk of input.chunks()) {
        size += chunk.length
        if (size > most) throw refusal()
        yield chunk
      }
    },
  }
}

function planContext(job: TableJob, table: OpenTable): PlanContext {
  const { plan, dialect } = table
  const { compression } = table.input
  const { operation, options } = job
  const { writing } = options
  const asked = { operation: operation.name, release: releaseText(job) }
  const methods = operation.name === 'redux' ? writing.results : []
  const written = { request: writing, output: outputColumns(plan, writing) }
  return {
    dialect,
    compression,
    ...asked,
    methods,
    written,
    face: job.face,
  }
}

/** Table of which the input is a part, if any: its first rows decide how both are read. */
async function openWhole(job: TableJob, began?: Beginnings): Promise<OpenTable | undefined> {
  const { planFrom, answering, filePort, layout, options } = job
  if (planFrom === undefined) return undefined
  if (planFrom === '-')
    throw new HlaError('usage', advice`${option('plan-from')} names a file, not standard input`)
  const { name, bytes } = await filePort.source(planFrom)
  const input = await readTableInput(name, bytes(), { dialect: options.reading.dialect })
  if (began !== undefined) began.whole = input
  return openTable(input, options.reading, layout, answering.facts)
}

function writtenRelease({ inputs, answering }: TableJob): string {
  const { to } = inputs[0] ?? {}
  return typeof to === 'string' ? parseReleaseNumber(to).label : answering.facts.label
}

/** `3.58.0, names of 3.29.0` */
function releaseText(job: TableJob): string {
  const { from, lift } = job.inputs[0] ?? {}
  const release = writtenRelease(job)
  if (typeof from === 'string') return `${release}, names of ${parseReleaseNumber(from).label}`
  return lift === true ? `${release}, names of any release` : release
}

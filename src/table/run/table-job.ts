/**
 * One conversion of a table: the request and its destination, with defaults. Command line, service and rules of the store
 * each make one. Pure.
 */
import type { AnswerRequest } from '../answers/answers.ts'
import { advice, option } from '../../advice.ts'
import { type Face } from '../../operations/faces.ts'
import { HlaError } from '../../errors.ts'
import type { ByteInput, FilePort } from '../../io/file-port.ts'
import { type CellOperation, cellColumns } from '../../operations/operation.ts'
import type { Failure } from '../output/failure-report.ts'
import type { Distinct, SummaryRecord, Tally } from '../output/summary.ts'
import { type TableLayout, layoutFor } from '../plan/layouts.ts'
import type { TablePlan } from '../plan/plan.ts'
import type { ReadRequest, WriteRequest } from '../plan/table-request.ts'
import type { SkippedFile } from '../input/places.ts'
import type { Conversion } from '../rows/convert-rows.ts'
import type { Leniency } from '../../engine/accept.ts'
import type { RawTableOptions } from '../../options/table-options.ts'
import { readRequest, writeRequest } from '../plan/raw-table-options.ts'
import { type Method, releaseMethods } from '../../engine/reduce/methods.ts'
import { type SettlingFacts, makeNameFacts } from '../cells/name-facts.ts'
import { type PastNames, pastNames } from '../cells/past-names.ts'
import type { DataFacts } from '../output/provenance.ts'
import { type Executor, localExecutor } from '../../operations/executor.ts'
import { type Knowledge, dataIdText } from '../../operations/knowledge.ts'

export interface TableJob {
  readonly source: ByteInput
  /** Files that the source stands for, when several make one table. */
  readonly parts?: readonly ByteInput[] | undefined
  /** Files of folders that are not read. */
  readonly skipped?: readonly SkippedFile[] | undefined
  /** `-` is standard output, or another reader that gets each row as soon as it is converted. */
  readonly output: string
  readonly filePort: FilePort
  readonly answering: Answering
  readonly operation: CellOperation
  /** Input of each question about a typing, without the typing itself. */
  readonly inputs: readonly Readonly<Record<string, unknown>>[]
  readonly layout: TableLayout | undefined
  readonly options: ResolvedOptions
  /** The options as given, to try an advice with them. */
  readonly question: TableQuestion
  /** Name of the table of which the input is a part, whose first rows decide how it is read. */
  readonly planFrom?: string | undefined
  readonly maxErrors?: Conversion['maxErrors']
  readonly report?: ReportPlace | undefined
  readonly provenance?: ProvenanceRequest | undefined
  readonly limits?: TableLimits | undefined
  readonly reporter: TableReporter
  /** Face whose wording plan and summary use; default: command line. */
  readonly face?: Face | undefined
}

/** Options that decide the output. */
export interface ResolvedOptions {
  readonly reading: ReadRequest
  readonly writing: WriteRequest
  /** Question about each typing, for any column. */
  readonly engine: Readonly<Record<string, unknown>>
}

/** Report of failed cells. */
export interface ReportPlace {
  readonly file: string
  /** True when it is written even without failures. */
  readonly isAsked: boolean
}

export interface ProvenanceRequest {
  readonly file: string
  /** Command line of the same conversion. */
  readonly argv: readonly string[]
  /** Options that `argv` resolves to. Those of the job may add what follows from its files. */
  readonly options: ResolvedOptions
  /** Exit status of a conversion with this result. */
  readonly status: (record: SummaryRecord) => number
}

/** Limits for conversions on behalf of others. */
export interface TableLimits {
  /** Unpacked bytes of the table. */
  readonly bytes: Limit
  readonly lines: Limit
  /** Milliseconds of processor time until the columns are recognised. */
  readonly planning: Limit
  /** Milliseconds of work on cells; 0 means no limit. */
  readonly time: Limit
  /** Milliseconds of work on cells before other work gets its turn. */
  readonly turn: number
  /** Tables that one thread converts at a time; the memory for typings is divided among them. */
  readonly atOnce: number
}

export interface Limit {
  readonly most: number
  readonly refusal: () => HlaError
}

export interface TableReporter {
  /** Called with the plan. */
  readonly planned: (plan: TablePlan) => void
  /** Called while rows are converted. */
  readonly warned?: (note: { readonly code: string; readonly message: string }) => void
  readonly progress: (watched: ObservedRun) => Progress
  /** `count`: number of failures, including this one. */
  readonly failed: (failure: Failure, count: number) => void
  /** Called after the last failure; `report`: the file with all of them. */
  readonly allFailed: (count: number, report: string | undefined) => void
  /** Called when all requested files have their names. */
  readonly finished: (result: TableResult) => void
}

export interface TableResult {
  readonly tally: Tally
  readonly distinct: Distinct
  readonly record: SummaryRecord
  /** Names of the files. */
  readonly wrote: readonly string[]
}

/** Observable state of a running conversion. */
export interface ObservedRun {
  readonly tally: Tally
  /** Stored bytes of the input read so far. */
  readonly bytesRead: () => number
  /** Total; undefined when unknown. */
  readonly bytes: number | undefined
}

export interface Progress {
  /** Call after each block of rows. */
  readonly passed: () => void
  /** Clears the progress line for other output. */
  readonly clear: () => void
  /** Call when all rows are converted. */
  readonly finish: () => void
}

export interface TableQuestion {
  readonly source: { readonly title: string }
  /** `details`: include optional columns. */
  readonly options: RawTableOptions & { readonly details?: boolean }
  readonly operation: CellOperation
  /** Input of each question about a typing, without the typing itself. */
  readonly inputs: readonly Readonly<Record<string, unknown>>[]
  readonly accept: readonly Leniency[]
}

/** Request for the answers to the cells of a job. */
export function answerRequest({
  answering: { executor, facts },
  operation,
  inputs,
  options,
}: Pick<TableJob, 'answering' | 'operation' | 'inputs' | 'options'>): AnswerRequest {
  const { width, consensus } = options.writing
  const asked = consensus === undefined ? inputs : inputs.map((input) => ({ ...input, copies: true }))
  return { executor, operation, inputs: asked, width, release: facts.label }
}

export function resolvedOptions(run: TableQuestion): ResolvedOptions {
  const layout = layoutFor(run.options.inputFormat, run.source.title)
  return {
    reading: readRequest(run.options, layout, run.accept),
    writing: requireTypings(writeRequest(run.options, ...resultColumns(run)), run),
    engine: engineInputs(run),
  }
}

/** @throws {HlaError} usage — categories have no place among typings */
function requireTypings(writing: WriteRequest, { operation, inputs }: TableQuestion): WriteRequest {
  const { into, glOut, drbx, format, locusPrefix } = writing
  const { cells } = operation
  if (!inputs.some((input) => cells.isAboutTypings?.(input as never) === true)) return writing
  const others = [
    // a format leaves the columns of results out
    ...(format === undefined ? [] : [option('output-format')]),
    ...(into === 'replace' || into === 'none' ? [option('into', into)] : []),
    ...(glOut === undefined ? [] : [option('gl-out')]),
    ...(drbx === undefined ? [] : [option('drbx')]),
    ...(locusPrefix === 'bare' ? [option('locus-prefix')] : []),
  ]
  const [first] = others
  if (first === undefined) return writing
  throw new HlaError(
    'usage',
    advice`${first} writes results in the place of typings, but these results are not typings`,
    {
      hint: advice`without this option, the results go into separate columns`,
    },
  )
}

/** Input common to all columns. */
function engineInputs({ operation, inputs }: TableQuestion): Record<string, unknown> {
  const { reduction_method: _, ...engine } = inputs[0] ?? {}
  return { operation: operation.name, ...engine }
}

/** Columns of all questions, and the number that one question fills. */
function resultColumns({ operation: { cells }, inputs, options }: TableQuestion): [string[], number] {
  const names = inputs.map((input) => cellColumns(cells, input, options.details === true))
  return [names.flat(), names[0]?.length ?? 1]
}

export interface Answering {
  readonly executor: Executor
  /** Facts of the answering release. */
  readonly facts: SettlingFacts
  /** Facts of another release. @throws {HlaError} no-data, unknown-release */
  readonly factsOf: (release: string) => SettlingFacts
  /** undefined with a remote service. */
  readonly past?: PastNames
  /** Identity of the data, as a text to compare. */
  readonly dataId: string
  /** Identity of the data, for provenance. */
  readonly dataFacts: () => Promise<DataFacts> | DataFacts
  /** Methods that `-m all` stands for. */
  readonly methods: readonly Method[]
}

export function localAnswering(knowledge: Knowledge): Answering {
  const { release, mac } = knowledge
  const { label, dataset, hasHats } = release.facts
  return {
    methods: releaseMethods(hasHats),
    executor: localExecutor(knowledge),
    facts: makeNameFacts(release),
    past: pastNames(knowledge),
    factsOf: (other) => makeNameFacts(knowledge.other(other).release),
    // computed on demand, since it needs a digest
    get dataId() {
      return dataIdText(knowledge.identity) ?? starterId(label)
    },
    dataFacts: () => ({
      release: label,
      dataset,
      identity: knowledge.identity,
      mac: mac === undefined ? undefined : { date: mac.date, codes: mac.size },
    }),
  }
}

/** Same form as in the service. */
function starterId(label: string): string {
  return `${label}+starter`
}

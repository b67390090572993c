/** One conversion of a table: all that is asked, and where it goes, with the defaults. Command line, service and watch each make one. Pure. */
import type { Face } from '../../advice.ts'
import type { HlaError } from '../../errors.ts'
import type { ByteInput, FilePort } from '../../io/file-port.ts'
import { type CellOperation, cellColumns } from '../../operations/operation.ts'
import type { Failure } from '../output/failure-report.ts'
import type { Distinct, SummaryRecord, Tally } from '../output/summary.ts'
import { type TableLayout, layoutFor } from '../plan/layouts.ts'
import type { TablePlan } from '../plan/plan.ts'
import type { ReadRequest, WriteRequest } from '../plan/table-request.ts'
import type { SkippedFile } from '../input/records/gathering/places.ts'
import type { Conversion } from './convert.ts'
import type { Leniency } from '../../engine/accept.ts'
import type { ThreadEntry } from '../../package-root.ts'
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
  /** The files that the source stands for, when it is several of one table; undefined: it is one. */
  readonly parts?: readonly ByteInput[] | undefined
  /** Files of folders that are not read. */
  readonly skipped?: readonly SkippedFile[] | undefined
  /** `-` is standard output, or whoever else reads each row as soon as it is converted. */
  readonly output: string
  readonly filePort: FilePort
  readonly answering: Answering
  readonly operation: CellOperation
  /** What is asked about each typing: the properties of each question besides the typing. */
  readonly inputs: readonly Readonly<Record<string, unknown>>[]
  readonly layout: TableLayout | undefined
  readonly options: ResolvedOptions
  /** Name of the table that the input is a part of, whose first rows decide how it is read. */
  readonly planFrom?: string | undefined
  readonly maxErrors?: Conversion['maxErrors']
  /** undefined: one thread converts. */
  readonly workers?: WorkersAsked | undefined
  readonly report?: ReportPlace | undefined
  readonly provenance?: ProvenanceRequest | undefined
  /** Signals are the business of whoever runs it. */
  readonly isUnbroken?: boolean | undefined
  readonly limits?: TableLimits | undefined
  readonly reporter: TableReporter
  /** In whose words the plan and the summary give advice; undefined: of the command line. */
  readonly face?: Face | undefined
  /** Told when all is converted and nothing has its name yet. */
  readonly converted?: ((record: SummaryRecord) => Promise<void>) | undefined
}

/** All that decides what is written. */
export interface ResolvedOptions {
  readonly reading: ReadRequest
  readonly writing: WriteRequest
  /** What is asked about each typing, whichever column it fills. */
  readonly engine: Readonly<Record<string, unknown>>
}

export interface WorkersAsked {
  /** Beside this thread. */
  readonly count: number
  /** With this thread they leave no processor to others. */
  readonly takeAll: boolean
  readonly script: WorkerScript
}

/** What a worker runs: it calls `convertBlocks` with the data it has opened. */
export type WorkerScript = ThreadEntry

/** The report of failed cells. */
export interface ReportPlace {
  readonly file: string
  /** It is written even if nothing has failed. */
  readonly isAsked: boolean
}

export interface ProvenanceRequest {
  readonly file: string
  /** The command line that does the same. */
  readonly argv: readonly string[]
  /** The exit status of a conversion with this result. */
  readonly status: (record: SummaryRecord) => number
}

/** For who converts the tables of others. */
export interface TableLimits {
  /** Of the table, unpacked. */
  readonly bytes: Limit
  readonly lines: Limit
  /** ms that cells are worked on; 0 is no limit. */
  readonly time: Limit
  /** ms that cells are worked on before others get their turn. */
  readonly turn: number
  /** Tables that one thread converts at a time: what they remember in bytes is divided among them. */
  readonly atOnce: number
}

export interface Limit {
  readonly most: number
  readonly refusal: () => HlaError
}

export interface TableReporter {
  /** The table is read so. */
  readonly planned: (plan: TablePlan) => void
  /** Before the first row is converted. */
  readonly warned?: (note: { readonly code: string; readonly message: string }) => void
  readonly progress: (watched: ObservedRun) => Progress
  /** `count`: this one, and those before it. */
  readonly failed: (failure: Failure, count: number) => void
  /** Nothing more fails; `report`: where they stand. */
  readonly allFailed: (count: number, report: string | undefined) => void
  /** All that was asked for has its name. */
  readonly finished: (result: TableResult) => void
}

export interface TableResult {
  readonly tally: Tally
  readonly distinct: Distinct
  readonly record: SummaryRecord
  /** Names of the files. */
  readonly wrote: readonly string[]
}

/** What there is to see of a conversion that goes on. */
export interface ObservedRun {
  readonly tally: Tally
  /** Of the input as it is stored. */
  readonly bytesRead: () => number
  /** undefined: nobody knows how much there is. */
  readonly bytes: number | undefined
}

export interface Progress {
  /** After each block of rows. */
  readonly passed: () => void
  /** Something else is to be said: the line makes room. */
  readonly clear: () => void
  /** All is converted. */
  readonly finish: () => void
}

export interface TableQuestion {
  readonly source: { readonly title: string }
  /** `details`: also the columns that not everybody wants. */
  readonly options: RawTableOptions & { readonly details?: boolean }
  readonly operation: CellOperation
  /** What is asked about each typing: the properties of each question besides the typing. */
  readonly inputs: readonly Readonly<Record<string, unknown>>[]
  readonly accept: readonly Leniency[]
}

export function resolvedOptions(run: TableQuestion): ResolvedOptions {
  const layout = layoutFor(run.options.layout, run.source.title)
  return {
    reading: readRequest(run.options, layout, run.accept),
    writing: writeRequest(run.options, ...resultColumns(run)),
    engine: engineInputs(run),
  }
}

/** What was asked about each typing, whichever column it fills. */
function engineInputs({ operation, inputs }: TableQuestion): Record<string, unknown> {
  const { reduction_method: _, ...engine } = inputs[0] ?? {}
  return { operation: operation.name, ...engine }
}

/** The columns of all questions, and how many one of them fills. */
function resultColumns({ operation: { cells }, inputs, options }: TableQuestion): [string[], number] {
  const names = inputs.map((input) => cellColumns(cells, input, options.details === true))
  return [names.flat(), names[0]?.length ?? 1]
}

export interface Answering {
  readonly executor: Executor
  /** Of the release that answers. */
  readonly facts: SettlingFacts
  /** Of another one. @throws {HlaError} no-data, unknown-release */
  readonly factsOf: (release: string) => SettlingFacts
  /** undefined: whoever answers is far away. */
  readonly past?: PastNames
  /** What the answers come from, as a text to compare. */
  readonly dataId: string
  /** The same for provenance. */
  readonly dataFacts: () => Promise<DataFacts> | DataFacts
  /** What `-m all` stands for. */
  readonly methods: readonly Method[]
  /** How workers open it; undefined: it is not here. */
  readonly data: { readonly release: string; readonly dataDir: string | undefined } | undefined
}

export function localAnswering(knowledge: Knowledge, data: Answering['data']): Answering {
  const { release, mac } = knowledge
  const { label, dataset, hasHats } = release.facts
  return {
    methods: releaseMethods(hasHats),
    executor: localExecutor(knowledge),
    facts: makeNameFacts(release),
    past: pastNames(knowledge),
    factsOf: (other) => makeNameFacts(knowledge.other(other).release),
    // hashed when it is asked for
    get dataId() {
      return dataIdText(knowledge.identity) ?? starterId(label)
    },
    dataFacts: () => ({
      release: label,
      dataset,
      identity: knowledge.identity,
      mac: mac === undefined ? undefined : { date: mac.date, codes: mac.size },
    }),
    data,
  }
}

/** As the service has it. */
function starterId(label: string): string {
  return `${label}+starter`
}

/** A command line that converts a table: its options as they were given, and what they are about. Types only. */
import type { SkippedFile } from '../../../table/input/records/gathering/places.ts'
import type { Leniency } from '../../../engine/accept.ts'
import type { CellOperation } from '../../../operations/operation.ts'
import type { SummaryRecord } from '../../../table/output/summary.ts'
import type { TableOptions } from '../../options/table-options.ts'
import type { FilePort, ByteInput } from '../../../io/file-port.ts'
import type { Reporter } from '../reporter.ts'
import type { Answering } from '../../../table/run/table-job.ts'

export interface TableRun {
  readonly source: ByteInput
  /** The files that the source stands for, when it is several. */
  readonly parts?: readonly ByteInput[] | undefined
  /** Files of folders that are not read. */
  readonly skipped?: readonly SkippedFile[] | undefined
  /** `-` is standard output. */
  readonly output: string
  /** What the names of its report and its provenance begin with. */
  readonly beside: string
  readonly filePort: FilePort
  readonly options: TableOptions
  readonly answering: Answering
  readonly operation: CellOperation
  /** What is asked about each typing: the properties of each question besides the typing. */
  readonly inputs: readonly Readonly<Record<string, unknown>>[]
  readonly accept: readonly Leniency[]
  readonly quiet: boolean
  readonly reporter: Reporter
  /** The command line that does the same, where it is not that of this process. */
  readonly argv?: readonly string[]
  /** Signals are the business of whoever runs it. */
  readonly isUnbroken?: boolean
  /** Told when all is converted and nothing has its name yet. */
  readonly converted?: (record: SummaryRecord) => Promise<void>
}

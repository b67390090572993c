/** Run of a table conversion: its options as given, and its input and output. Types only. */
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
  /** Files that the source combines, when there are several. */
  readonly parts?: readonly ByteInput[] | undefined
  /** Files of folders that were not read. */
  readonly skipped?: readonly SkippedFile[] | undefined
  /** `-` is standard output. */
  readonly output: string
  /** Start of the names of the report and the provenance file. */
  readonly beside: string
  readonly filePort: FilePort
  readonly options: TableOptions
  readonly answering: Answering
  readonly operation: CellOperation
  /** Properties of each question about a typing, without the typing. */
  readonly inputs: readonly Readonly<Record<string, unknown>>[]
  readonly accept: readonly Leniency[]
  readonly quiet: boolean
  readonly reporter: Reporter
  /** Command line that repeats the run; default is that of this process. */
  readonly argv?: readonly string[]
  /** The caller handles signals. */
  readonly isUnbroken?: boolean
  /** Called when everything is converted and no output file has its final name yet. */
  readonly converted?: (record: SummaryRecord) => Promise<void>
}

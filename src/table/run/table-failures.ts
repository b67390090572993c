/**
 * Failed cells of a table with their place in the original file or sheet; all are reported and written to the report.
 */
import { advice } from '../../advice.ts'
import { type Failure, type MoreColumns, REPORT_COLUMNS, reportFormat } from '../output/failure-report.ts'
import type { FilePort } from '../../io/file-port.ts'
import type { ReportPlace, TableReporter } from './table-job.ts'
import type { RowPlace } from '../input/places.ts'
import type { OpenTable } from '../plan/open-table.ts'
import { readable } from '../input/encoding.ts'
import { countBroken, type Tally } from '../output/summary.ts'
import { HlaError } from '../../errors.ts'

export interface Failures {
  readonly add: (failure: Failure) => void
  readonly complete: () => Promise<void> | void
  /** Name of the report, if one was written. */
  readonly finish: () => Promise<string | undefined>
  readonly abandon: () => Promise<void> | void
}

/** `place`: that of the report; undefined for none. */
export async function openFailures(
  filePort: FilePort,
  place: ReportPlace | undefined,
  reporter: Pick<TableReporter, 'failed' | 'allFailed'>,
  more?: MoreColumns,
): Promise<Failures> {
  const { file, isAsked = false } = place ?? {}
  const format = reportFormat(file ?? '', more)
  const sink = file === undefined ? undefined : await filePort.sink(file, { isMaybe: !isAsked })
  sink?.write(format.head)
  let count = 0
  const isKept = () => count > 0 || isAsked
  return {
    add(failure) {
      count += 1
      reporter.failed(failure, count)
      sink?.write(format.record(failure))
    },
    complete: () => (isKept() ? sink?.complete() : undefined),
    async finish() {
      await (isKept() ? sink?.finish() : sink?.abandon())
      // an earlier run's report would be mistaken for this one's
      if (!isKept() && file !== undefined) await filePort.removeOwn(file, OWN)
      reporter.allFailed(count, file)
      return isKept() ? file : undefined
    },
    abandon: () => sink?.abandon(),
  }
}

/** First columns of our reports, which may have one more. */
const OWN = REPORT_COLUMNS.join(',')

interface FailureCourse {
  readonly tally: Tally
  readonly stopAtFirst: boolean
  readonly add: (failure: Failure) => void
}

/** Reports failures in the order of the rows. */
export function orderedFailures(table: Pick<OpenTable, 'input' | 'plan'>, { add, ...course }: FailureCourse) {
  const placed = (failure: Failure) => inSheet(failure, table)
  return {
    placed,
    failed: (failure: Failure): void => add(placed(failure)),
    /** Reports the rules that a person breaks. @throws {HlaError} bad-record — with `stopAtFirst` */
    broken(place: RowPlace): void {
      for (const failure of brokenFailures(place, course)) add(failure)
    },
  }
}

function brokenFailures(
  { broken, file }: RowPlace,
  { tally, stopAtFirst }: Pick<FailureCourse, 'tally' | 'stopAtFirst'>,
): readonly Failure[] {
  if (broken === undefined) return []
  const { person, row, rules } = broken
  const of = { row, id: readable(person, 'utf8'), column: '', locus: '', file }
  const failures = rules.map((rule): Failure => ({ ...rule, ...of }))
  const [first] = failures
  if (stopAtFirst && first !== undefined) {
    const { error, line, path = '' } = first
    throw new HlaError(error.code, advice`line ${String(line)}: ${path}: ${error.said}`, { cause: error })
  }
  for (const { error } of failures) countBroken(tally, error.code)
  return failures
}

/** Adds the address in a workbook's sheet. */
export function inSheet(failure: Failure, { input, plan }: Pick<OpenTable, 'input' | 'plan'>): Failure {
  const { workbook } = input
  if (workbook === undefined) return failure
  // columns of gathered rows are not those of the sheet
  const column = plan.source === undefined ? plan.header.labels.indexOf(failure.column) : -1
  const line = workbook.rowAt(failure.line)
  const address = workbook.address(line, column < 0 ? undefined : column)
  const { code, said, offending, position, suggestions, hint, facts } = failure.error
  const details = { offending, position, suggestions, hint, facts, cause: failure.error }
  return { ...failure, line, error: new HlaError(code, advice`${address}: ${said}`, details) }
}

/**
 * Failed cells of a table with their place in the original file or sheet; all are reported and written to the report.
 */
import { surplusTypings } from '../input/records/gathering/person.ts'
import { advice } from '../../advice.ts'
import { type Failure, REPORT_COLUMNS, reportFormat } from '../output/failure-report.ts'
import type { FilePort } from '../../io/file-port.ts'
import type { ReportPlace, TableReporter } from './table-job.ts'
import type { MadeTable } from '../input/input.ts'
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

interface Report {
  /** Report each with its file. */
  readonly withFiles?: boolean
  /** Report each with its path in a document. */
  readonly withPaths?: boolean
}

/** `place`: that of the report; undefined for none. */
export async function openFailures(
  filePort: FilePort,
  place: ReportPlace | undefined,
  reporter: Pick<TableReporter, 'failed' | 'allFailed'>,
  { withFiles = false, withPaths = false }: Report = {},
): Promise<Failures> {
  const { file, isAsked = false } = place ?? {}
  const format = reportFormat(file ?? '', { withFiles, withPaths })
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

/** Adds addresses in a workbook's sheet. */
export function placeFailures(table: Pick<OpenTable, 'input' | 'plan'>): (failure: Failure) => Failure {
  const placed = placeRecords(table.input.made)
  return (failure) => inSheet(placed(failure), table)
}

/**
 * Adds the place in the records' file; a fault of the record itself replaces the error of reading the cell, but keeps
 * its code.
 */
function placeRecords(made: MadeTable | undefined): (failure: Failure) => Failure {
  if (made === undefined) return (failure) => failure
  const { places, columns } = made
  return (failure) => {
    const found = places.find(failure.line, columns.get(failure.column) ?? -1)
    if (found === undefined) return failure
    const { line, file, path, error = failure.error } = found
    return { ...failure, line, file, path, error, value: surplusTypings(failure.value) }
  }
}

interface FailureCourse {
  readonly tally: Tally
  readonly stopAtFirst: boolean
  readonly add: (failure: Failure) => void
}

export interface OrderedFailures {
  /** Reports a failed cell. */
  readonly failed: (failure: Failure) => void
  /** Adds the place to a failure, after everything before it is reported. */
  readonly placed: (failure: Failure) => Failure
  /** Reports broken rules of persons before a line of the table. @throws {HlaError} bad-record — with `stopAtFirst` */
  readonly tellBroken: (line: number) => void
}

/** Reports failures in the order of the rows, across blocks. */
export function orderedFailures(
  table: Pick<OpenTable, 'input' | 'plan'>,
  { add, ...course }: FailureCourse,
): OrderedFailures {
  const { made } = table.input
  const place = placeFailures(table)
  const tellBroken = (line: number) => {
    if (made === undefined) return
    for (const failure of brokenFailures(made.places.forget(line), course)) add(failure)
  }
  const placed = (failure: Failure) => {
    tellBroken(failure.line)
    return place(failure)
  }
  return { placed, tellBroken, failed: (failure) => add(placed(failure)) }
}

function brokenFailures(
  broken: ReturnType<MadeTable['places']['forget']>,
  { tally, stopAtFirst }: Pick<FailureCourse, 'tally' | 'stopAtFirst'>,
): readonly Failure[] {
  const failures = broken.flatMap(({ person, row, file, rules }) =>
    rules.map((rule): Failure => {
      const id = readable(person, 'utf8')
      return { ...rule, row, id, column: '', locus: '', file }
    }),
  )
  const [first] = failures
  if (stopAtFirst && first !== undefined) {
    const { error, line, path = '' } = first
    throw new HlaError(error.code, advice`line ${String(line)}: ${path}: ${error.said}`, { cause: error })
  }
  for (const { error } of failures) countBroken(tally, error.code)
  return failures
}

function inSheet(failure: Failure, { input, plan }: Pick<OpenTable, 'input' | 'plan'>): Failure {
  const { workbook } = input
  if (workbook === undefined) return failure
  // columns of a table made of records are not those of the sheet
  const column = plan.made === undefined ? plan.header.labels.indexOf(failure.column) : -1
  const line = workbook.rowAt(failure.line)
  const address = workbook.address(line, column < 0 ? undefined : column)
  const { code, said, offending, position, suggestions, hint, facts } = failure.error
  const details = { offending, position, suggestions, hint, facts, cause: failure.error }
  return { ...failure, line, error: new HlaError(code, advice`${address}: ${said}`, details) }
}

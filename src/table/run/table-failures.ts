/** Failed cells of a table: each is told, and all go to the report. */
import { type Failure, REPORT_COLUMNS, reportFormat } from '../output/failure-report.ts'
import type { FilePort } from '../../io/file-port.ts'
import type { SinkMark } from '../../io/sink.ts'
import type { ReportPlace, TableReporter } from './table-job.ts'

export interface Failures {
  readonly add: (failure: Failure) => void
  readonly count: () => number
  /** Of the report, when there is one, or may be. */
  readonly mark: () => SinkMark | undefined
  readonly complete: () => Promise<void> | void
  /** The report's name, when there is one. */
  readonly finish: () => Promise<string | undefined>
  readonly keep: () => void
  readonly abandon: () => Promise<void> | void
}

/** What an earlier run had found. */
export interface EarlierFailures {
  readonly failures: number
  readonly report: SinkMark | undefined
}

interface Course {
  readonly earlier?: EarlierFailures | undefined
  /** There will be marks. */
  readonly isMarked?: boolean
  /** Each is told with its file. */
  readonly withFiles?: boolean
}

/** `place`: of the report; undefined: there is none. */
export async function openFailures(
  filePort: FilePort,
  place: ReportPlace | undefined,
  reporter: Pick<TableReporter, 'failed' | 'allFailed'>,
  { earlier, isMarked = false, withFiles = false }: Course = {},
): Promise<Failures> {
  const { file, isAsked = false } = place ?? {}
  const format = reportFormat(file ?? '', withFiles)
  const options = { from: earlier?.report, isMaybe: !isAsked, isMarked }
  const sink = file === undefined ? undefined : await filePort.sink(file, options)
  if (earlier === undefined) sink?.write(format.head)
  let count = earlier?.failures ?? 0
  const isKept = () => count > 0 || isAsked
  let isLeft = false
  return {
    add(failure) {
      count += 1
      reporter.failed(failure, count)
      sink?.write(format.record(failure))
    },
    count: () => count,
    mark: () => (isLeft ? undefined : sink?.mark()),
    complete() {
      isLeft = !isKept()
      return isLeft ? undefined : sink?.complete()
    },
    async finish() {
      await (isKept() ? sink?.finish() : sink?.abandon())
      // the report of an earlier run would be taken for this one's
      if (!isKept() && file !== undefined) await filePort.removeOwn(file, OWN)
      reporter.allFailed(count, file)
      return isKept() ? file : undefined
    },
    keep: () => sink?.keep(),
    abandon: () => sink?.abandon(),
  }
}

/** Ours has them all, and perhaps one more. */
const OWN = REPORT_COLUMNS.join(',')

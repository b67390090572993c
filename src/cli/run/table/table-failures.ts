/** Failed cells of a table: the first are shown, all go to the report. */
import {
  type Failure,
  failureText,
  REPORT_COLUMNS,
  reportFormat,
} from '../../../table/output/failure-report.ts'
import type { Door } from '../../../io/door.ts'
import type { SinkMark } from '../../../io/sink.ts'
import { isOfSystem } from '../../../io/part-file.ts'
import { writeAll } from '../../../io/stdout.ts'

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
}

/** Shown one by one; the others are in the report, or counted. */
const MOST_SHOWN = 20

export interface ReportPlace {
  readonly asked: string | undefined
  readonly output: string
  /** What the name beside the output begins with, where that is not its own. */
  readonly beside?: string
}

/** undefined: there is none. Among the devices stands nothing of ours. */
export function reportFile({ asked, output, beside = output }: ReportPlace): string | undefined {
  return asked ?? (output === '-' || isOfSystem(output) ? undefined : `${beside}.errors.csv`)
}

/** `asked` is always written; the default stands next to the output, and only when something failed. */
export async function openFailures(
  door: Door,
  table: string,
  place: ReportPlace,
  { earlier, isMarked = false }: Course = {},
): Promise<Failures> {
  const file = reportFile(place)
  const isAsked = place.asked !== undefined
  const format = reportFormat(file ?? '')
  const options = { from: earlier?.report, isMaybe: !isAsked, isMarked }
  const sink = file === undefined ? undefined : await door.sink(file, options)
  if (earlier === undefined) sink?.write(format.head)
  let count = earlier?.failures ?? 0
  const isKept = () => count > 0 || isAsked
  let isLeft = false
  return {
    add(failure) {
      count += 1
      if (count <= MOST_SHOWN) writeAll(2, `hla: ${failureText(failure, table)}\n`)
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
      if (!isKept() && file !== undefined) await door.removeOwn(file, OWN)
      if (count > MOST_SHOWN) {
        const where = file === undefined ? '' : ` in ${file}`
        writeAll(2, `hla: … ${(count - MOST_SHOWN).toLocaleString('en-US')} more${where}\n`)
      }
      return isKept() ? file : undefined
    },
    keep: () => sink?.keep(),
    abandon: () => sink?.abandon(),
  }
}

const OWN = `${REPORT_COLUMNS.join(',')}\n`

/** Failed cells of a table: the first are shown, all go to the report.  [disk] */
import { openSync, closeSync, readSync, rmSync } from 'node:fs'
import { type Failure, failureText, REPORT_COLUMNS, reportFormat } from '../../batch/failure-report.ts'
import { openSink, type SinkMark } from '../io/sink.ts'
import { writeAll } from '../io/stdout.ts'

export interface Failures {
  readonly add: (failure: Failure) => void
  readonly count: () => number
  /** Of the report, when there is one. */
  readonly mark: () => SinkMark | undefined
  readonly complete: () => void
  /** The report's name, when there is one. */
  readonly finish: () => string | undefined
  readonly keep: () => void
  readonly abandon: () => void
}

/** What an earlier run had found. */
export interface EarlierFailures {
  readonly failures: number
  readonly report: SinkMark | undefined
}

/** Shown one by one; the others are in the report, or counted. */
const MOST_SHOWN = 20

/** undefined: there is none. */
export function reportFile(asked: string | undefined, output: string): string | undefined {
  return asked ?? (output === '-' ? undefined : `${output}.errors.csv`)
}

/** `asked` is always written; the default stands next to the output, and only when something failed. */
export async function openFailures(
  table: string,
  asked: string | undefined,
  output: string,
  earlier?: EarlierFailures,
): Promise<Failures> {
  const file = reportFile(asked, output)
  const format = reportFormat(file ?? '')
  const sink = file === undefined ? undefined : await openSink(file, { from: earlier?.report })
  if (earlier === undefined) sink?.write(format.head)
  let count = earlier?.failures ?? 0
  return {
    add(failure) {
      count += 1
      if (count <= MOST_SHOWN) writeAll(2, `hla: ${failureText(failure, table)}\n`)
      sink?.write(format.record(failure))
    },
    count: () => count,
    mark: () => sink?.mark(),
    complete: () => sink?.complete(),
    finish() {
      const isKept = count > 0 || asked !== undefined
      if (isKept) sink?.finish()
      else sink?.abandon()
      if (!isKept && file !== undefined) removeOwn(file)
      if (count > MOST_SHOWN) {
        const where = file === undefined ? '' : ` in ${file}`
        writeAll(2, `hla: … ${(count - MOST_SHOWN).toLocaleString('en-US')} more${where}\n`)
      }
      return isKept ? file : undefined
    },
    keep: () => sink?.keep(),
    abandon: () => sink?.abandon(),
  }
}

/** The report of an earlier run would be taken for this one's. */
function removeOwn(file: string): void {
  if (firstBytes(file, OWN.length) === OWN) rmSync(file)
}

const OWN = `${REPORT_COLUMNS.join(',')}\n`

function firstBytes(file: string, count: number): string | undefined {
  const bytes = Buffer.alloc(count)
  try {
    const handle = openSync(file, 'r')
    readSync(handle, bytes, 0, count, 0)
    closeSync(handle)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  return bytes.toString('latin1')
}

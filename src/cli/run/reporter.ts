/** The reporter: everything that goes to stderr, with what was asked to be said and in which colour. */
import type { HlaError, Note } from '../../errors.ts'
import { isTerminal, tell } from '../../io/stdout.ts'
import { formatError, formatKinds, formatNote, formatSummary, type InputPlace } from '../messages.ts'

export interface Reporter {
  /** The first of them are shown, the others counted. */
  error(error: HlaError, text?: string, place?: InputPlace): void
  /** The same note is shown once; of different ones, the first. `isAsked`: however many there are. */
  note(note: Pick<Note, 'level' | 'code' | 'message'>, isAsked?: boolean): void
  /** Failures by code, after inputs that came from files or a pipe. */
  summary(total: number, failures: ReadonlyMap<string, number>): void
  /** `81 typings: 62 same, 19 gained` */
  kinds(total: number, kinds: ReadonlyMap<string, number>): void
  /** How many errors and notes were not shown one by one. */
  more(): void
}

/** Errors, and notes, that are shown one by one. */
export const MOST_SHOWN = 20

export interface ReporterOptions {
  readonly quiet: boolean
  readonly verbose: number
  readonly color: 'auto' | 'always' | 'never'
  /** Note that a release is over a year old, on a terminal. */
  readonly ageNote?: boolean
}

/** Colours on a terminal only, and only where nothing says no. chalk is loaded for that alone. */
export async function openReporter({
  quiet,
  verbose,
  color,
  ageNote = true,
}: ReporterOptions): Promise<Reporter> {
  const paint = isColored(color) ? await painter() : (text: string) => text
  const say = (text: string) => tell(text, paint)
  const notes = new Set<string>()
  const unshown = { errors: 0, notes: 0 }
  let errors = 0
  return {
    error(error, text, place) {
      errors += 1
      if (errors <= MOST_SHOWN) say(formatError(error, text, place))
      else unshown.errors += 1
    },
    note(note, isAsked = false) {
      if (note.level === 'detail' ? verbose === 0 : quiet) return
      // a program that runs every night need not be told every night, and laboratories pin releases
      if (note.code === 'old-release' && !(ageNote && isTerminal(2))) return
      const text = formatNote(note)
      if (notes.has(text)) return
      if (notes.size >= MOST_SHOWN && !isAsked) unshown.notes += 1
      else {
        notes.add(text)
        say(text)
      }
    },
    more() {
      for (const [what, count] of Object.entries(unshown)) {
        if (count > 0) say(`hla: … ${count.toLocaleString('en-US')} more ${what}\n`)
      }
    },
    summary(total, failures) {
      if (!quiet && (failures.size > 0 || verbose > 0)) say(formatSummary(total, failures))
    },
    kinds: (total, kinds) => say(formatKinds(total, kinds)),
  }
}

function isColored(color: ReporterOptions['color']): boolean {
  if (color !== 'auto') return color === 'always'
  const { env } = process
  if (env['NO_COLOR']) return false
  if (env['FORCE_COLOR'] !== undefined) return !['0', 'false'].includes(env['FORCE_COLOR'])
  return isTerminal(2) && env['TERM'] !== 'dumb' && !env['CI']
}

async function painter(): Promise<(text: string) => string> {
  const { Chalk } = await import('chalk')
  const chalk = new Chalk({ level: 1 })
  return (text) =>
    text
      .replace(
        /^(hla: )(error|warning|note)(:)/,
        (_, hla: string, level: 'error' | 'warning' | 'note', colon: string) => {
          const paint = { error: chalk.red.bold, warning: chalk.yellow, note: chalk.cyan }[level]
          return hla + paint(level) + colon
        },
      )
      .replace(/^( *)(\^+)$/m, (_, space: string, carets: string) => space + chalk.red(carets))
}

/** Prints everything that goes to stderr, at the requested verbosity and in colour. */
import type { HlaError, Note } from '../../errors.ts'
import { isTerminal, tell } from '../../io/stdout.ts'
import { formatError, formatKinds, formatNote, formatSummary, type InputPlace } from '../messages.ts'
import { formatCount } from '../../format-count.ts'

export interface Reporter {
  /** Print more: details of answers. */
  readonly isVerbose: boolean
  /** Prints the first errors and counts the others. */
  error(error: HlaError, text?: string, place?: InputPlace): void
  /** Prints distinct notes, up to a maximum; `isAsked` lifts the maximum. */
  note(note: Pick<Note, 'level' | 'code' | 'message'>, isAsked?: boolean): void
  /** Failures by code. Printed for inputs from files or a pipe. */
  summary(total: number, failures: ReadonlyMap<string, number>): void
  /** `81 typings: 62 same, 19 gained` */
  kinds(total: number, kinds: ReadonlyMap<string, number>): void
  /** Prints the number of errors and notes not shown. */
  more(): void
}

/** Maximum number of errors, and of notes, shown individually. */
export const MAX_MESSAGES = 20

export interface ReporterOptions {
  readonly quiet?: boolean
  readonly verbose: number
  readonly color: 'auto' | 'always' | 'never'
}

/** Colours only on a terminal, and only if no setting forbids it. Loads chalk only then. */
export async function openReporter({ quiet = false, verbose, color }: ReporterOptions): Promise<Reporter> {
  const paint = isColored(color) ? await painter() : (text: string) => text
  const say = (text: string) => tell(text, paint)
  const notes = new Set<string>()
  const omitted = { errors: 0, notes: 0 }
  let errors = 0
  return {
    isVerbose: verbose > 0,
    error(error, text, place) {
      errors += 1
      if (errors <= MAX_MESSAGES) say(formatError(error, text, place))
      else omitted.errors += 1
    },
    note(note, isAsked = false) {
      if (note.level === 'detail' ? verbose === 0 : quiet) return
      // `hla version` has it; programs that run unattended need none
      if (note.code === 'old-release' && !isTerminal('messages')) return
      const text = formatNote(note)
      if (notes.has(text)) return
      if (notes.size >= MAX_MESSAGES && !isAsked) omitted.notes += 1
      else {
        notes.add(text)
        say(text)
      }
    },
    more() {
      for (const [what, count] of Object.entries(omitted)) {
        if (count > 0) say(`hla: … ${formatCount(count)} more ${what}\n`)
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
  return isTerminal('messages') && env['TERM'] !== 'dumb' && !env['CI']
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

/** Talk: everything that goes to stderr, with what was asked to be said and in which colour. */
import type { HlaError, Note } from '../errors.ts'
import { writeAll } from './io/stdout.ts'
import { formatError, formatNote, formatSummary, type Place } from './messages.ts'

export interface Talk {
  error(error: HlaError, text?: string, place?: Place): void
  note(note: Pick<Note, 'level' | 'code' | 'message'>): void
  /** Failures by code, after inputs that came from files or a pipe. */
  summary(total: number, failures: ReadonlyMap<string, number>): void
  /** How many errors were not shown one by one. */
  more(count: number): void
}

export interface TalkOptions {
  readonly quiet: boolean
  readonly verbose: number
  readonly color: 'auto' | 'always' | 'never'
}

/** Colours on a terminal only, and only where nothing says no. chalk is loaded for that alone. */
export async function openTalk({ quiet, verbose, color }: TalkOptions): Promise<Talk> {
  const paint = isColored(color) ? await painter() : (text: string) => text
  const say = (text: string) => writeAll(2, paint(text))
  return {
    error: (error, text, place) => say(formatError(error, text, place)),
    note(note) {
      if (note.level === 'detail' ? verbose > 0 : !quiet) say(formatNote(note))
    },
    summary(total, failures) {
      if (!quiet && (failures.size > 0 || verbose > 0)) say(formatSummary(total, failures))
    },
    more: (count) => say(`hla: … ${count.toLocaleString('en-US')} more\n`),
  }
}

function isColored(color: TalkOptions['color']): boolean {
  if (color !== 'auto') return color === 'always'
  const { env } = process
  if (env['NO_COLOR'] || env['TERM'] === 'dumb' || env['CI']) return false
  return process.stderr.isTTY || Boolean(env['FORCE_COLOR'])
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

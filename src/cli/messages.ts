/** Messages on stderr: errors with the place marked, notes, summaries. */
import { adviceText, errorText } from '../operations/faces.ts'
import { errorMessage, type HlaError, type Note, type Position } from '../errors.ts'
import { EXIT } from '../io/exit-status.ts'
import { tell } from '../io/stdout.ts'
import { packageVersion } from '../package-root.ts'
import { visibleLine } from '../io/visible-text.ts'
import { counted, formatCount } from '../format-count.ts'

/** Source of a typing; undefined for an argument. */
export interface InputPlace {
  readonly file: string
  /** 1-based */
  readonly line: number
}

/** Longest shown excerpt of a typing, in characters. */
const WIDTH = 100

/** `hla: error: … [code]`, the text with carets, then suggestions and hints. */
export function formatError(error: HlaError, text?: string, place?: InputPlace): string {
  const marked =
    text === undefined || error.position === undefined ? [] : markText(text, error.position, place)
  const hints = (adviceText(error.hint, 'command-line') ?? '')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => `  ${line}`)
  const suggested =
    hints.length === 0 && error.suggestions.length > 0 && !error.message.includes('Did you mean')
      ? [`  did you mean ${visibleLine(error.suggestions.join(', '))}?`]
      : []
  return lines([
    `hla: error: ${visibleLine(errorText(error, 'command-line'))}${errorTag(error.code)}`,
    ...marked,
    ...hints,
    ...suggested,
  ])
}

export function formatNote({ level, code, message }: Pick<Note, 'level' | 'code' | 'message'>): string {
  return lines([`hla: ${level === 'warning' ? 'warning' : 'note'}: ${visibleLine(message)} [${code}]`])
}

/** `3 typings: 2 ok, 1 failed (1 renamed-allele)` */
export function formatSummary(total: number, failures: ReadonlyMap<string, number>): string {
  const failed = [...failures.values()].reduce((sum, count) => sum + count, 0)
  const reasons = [...failures]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([code, count]) => `${formatCount(count)} ${code}`)
  const tail = failed === 0 ? '' : `, ${formatCount(failed)} failed (${reasons.join(', ')})`
  return lines([`hla: ${counted(total, 'typing')}: ${formatCount(total - failed)} ok${tail}`])
}

/** `81 typings: 62 same, 19 gained`; one answer may count for several kinds. */
export function formatKinds(total: number, kinds: ReadonlyMap<string, number>): string {
  const parts = [...kinds].map(([kind, count]) => `${formatCount(count)} ${kind}`)
  return lines([`hla: ${counted(total, 'typing')}: ${parts.join(', ')}`])
}

function markText(text: string, [start, end]: Position, place: InputPlace | undefined): string[] {
  const where = place === undefined ? '' : `${visibleLine(place.file)}:${place.line}: `
  if (text === '') return where === '' ? [] : [`  ${where}(an empty line)`]
  const from = Math.max(0, Math.min(start - WIDTH / 2, text.length - WIDTH))
  const excerpt = printable(text.slice(from, from + WIDTH))
  const before = `  ${where}${from > 0 ? '…' : ''}`
  const carets = '^'.repeat(Math.max(1, Math.min(end, from + WIDTH) - start))
  return [
    `${before}${excerpt}${from + WIDTH < text.length ? '…' : ''}`,
    ' '.repeat(before.length + start - from) + carets,
  ]
}

/** Replaces control characters, which would shift the carets or change the terminal. */
function printable(text: string): string {
  // eslint-disable-next-line no-control-regex
  return text.replace(/[\u0000-\u001f\u007f-\u009f]/g, ' ')
}

/** Usage and system errors show no code: they are not counted, looked up or compared. */
function errorTag(code: string): string {
  return ['usage', 'unknown-method', 'unknown-release', 'no-data', 'io', 'not-found', 'remote'].includes(code)
    ? ''
    : ` [${code}]`
}

function lines(list: readonly string[]): string {
  return `${list.join('\n')}\n`
}

/** Reports an internal error of the program. @returns the exit status */
export function reportBug(error: unknown): number {
  const where =
    process.env['HLA_DEBUG'] && error instanceof Error ? `\n${error.stack}` : '; HLA_DEBUG=1 shows where'
  tell(`hla: internal error in hla ${packageVersion()}: ${errorMessage(error)}${where}\n`)
  return EXIT.bug
}

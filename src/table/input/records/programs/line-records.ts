/** Formats with one record per line, read line by line with its number. */
import { toByteText } from '../../encoding.ts'
import { HlaError } from '../../../../errors.ts'
import { gatheredDialect } from '../long-table.ts'
import type { ExtraColumn, RecordFormat, RecordInput, RecordSource, TypingRecord } from '../typing-record.ts'

export interface LineFormat {
  readonly title: string
  readonly reading: string
  readonly extras?: readonly ExtraColumn[]
  readonly ignored?: readonly string[]
  readonly leftOut?: ReadonlyMap<string, number>
  /** Returns a stateful function from line to records. */
  readonly reader: () => (line: string, number: number) => readonly TypingRecord[]
}

/** Maximum characters of a line. */
const MAX_LENGTH = 1024 * 1024

export function lineSource(
  file: RecordInput,
  { title, reading, extras = [], ignored = [], leftOut, reader }: LineFormat,
): RecordSource {
  return {
    format: title,
    reading,
    personName: 'sample',
    extras,
    ignored,
    ...(leftOut && { leftOut }),
    dialect: gatheredDialect({ ...file.dialect, delimiter: '\t' }),
    blocks: () => lineRecords(file, reader()),
  }
}

async function* lineRecords(
  { input, dialect }: RecordInput,
  read: (line: string, number: number) => readonly TypingRecord[],
): AsyncGenerator<readonly TypingRecord[]> {
  let [held, number] = ['', 0]
  const lineAt = (line: string) => read(line.replace(/\r$/, ''), (number += 1))
  for await (const chunk of toByteText(input.chunks(), dialect)) {
    const lines = (held + chunk.toString('latin1')).split('\n')
    held = lines.pop() ?? ''
    if (held.length > MAX_LENGTH)
      throw new HlaError('io', `line ${number + 1} is too long for a line of ${input.name}`)
    yield lines.flatMap(lineAt)
  }
  yield lineAt(held)
}

/** True when a program wrote a file that begins with these lines. */
export type BeginningTest = (lines: readonly string[]) => boolean

export interface ProgramFormat extends RecordFormat {
  readonly isWrittenBy: BeginningTest
}

export function beginsWith(...forms: readonly RegExp[]): BeginningTest {
  return (lines) => forms.every((form, at) => form.test(lines[at] ?? ''))
}

/** True when the form matches most of the first non-empty lines, and at least one. */
export function matchesMostLines(form: RegExp): BeginningTest {
  return (lines) => {
    const filled = lines.filter((line) => line.trim() !== '')
    const whole = filled.slice(0, Math.max(1, filled.length - 1))
    return whole.length > 0 && whole.every((line) => form.test(line))
  }
}

/** The beginning as one text; only the start of a document matters. */
export function documentIn(lines: readonly string[]): string {
  return lines.join('\n').trimStart()
}

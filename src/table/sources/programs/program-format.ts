/** ProgramFormat: the files of a typing program, recognised by their beginning. */
import type { RecordFormat } from '../typing-record.ts'

/** True when a program wrote a file that begins with these lines. */
export type BeginningTest = (lines: readonly string[]) => boolean

export interface ProgramFormat extends RecordFormat {
  /** Format of its sources. */
  readonly title: string
  readonly isWrittenBy: BeginningTest
}

export function beginsWith(...forms: readonly RegExp[]): BeginningTest {
  return (lines) => forms.every((form, at) => form.test(lines[at] ?? ''))
}

/**
 * True when the form matches most of the first non-empty lines, and at least one. `part`: text of every such line, which
 * most tables lack.
 */
export function matchesMostLines(form: RegExp, part = '\t'): BeginningTest {
  return (lines) => {
    const filled = lines.filter((line) => line.trim() !== '')
    const whole = filled.slice(0, Math.max(1, filled.length - 1))
    return whole.length > 0 && whole.every((line) => line.includes(part) && form.test(line))
  }
}

/** Place of a typing in a list of its locus; a third one has none, and fails as surplus. */
export function slotAt(at: number): 1 | 2 | undefined {
  return at === 0 ? 1 : at === 1 ? 2 : undefined
}

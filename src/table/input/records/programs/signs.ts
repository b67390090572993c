/** How the files of a typing program begin: what its format is recognized by. Pure. */
import type { RecordFormat } from '../typing-record.ts'

/** Whether a program wrote a file that begins with these lines. */
export type Sign = (lines: readonly string[]) => boolean

export interface ProgramFormat extends RecordFormat {
  readonly isWrittenBy: Sign
}

export function begins(...forms: readonly RegExp[]): Sign {
  return (lines) => forms.every((form, at) => form.test(lines[at] ?? ''))
}

/** Most of the first lines that are not empty, and at least one. */
export function mostLines(form: RegExp): Sign {
  return (lines) => {
    const filled = lines.filter((line) => line.trim() !== '')
    const whole = filled.slice(0, Math.max(1, filled.length - 1))
    return whole.length > 0 && whole.every((line) => form.test(line))
  }
}

/** The beginning as a document, when it is one or becomes one: only how it begins is looked at. */
export function documentIn(lines: readonly string[]): string {
  return lines.join('\n').trimStart()
}

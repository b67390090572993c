/** Environment that the command line passes to the data commands. */
import type { FetchedFile } from '../../../reference/published/fetched-file.ts'

export interface DataContext {
  /** Value of `--data-dir`. */
  readonly dataDir: string | undefined
  readonly stdout: (text: string) => void
  readonly stderr: (text: string) => void
  /** True when stderr is a terminal. */
  readonly isTerminal: boolean
  /** Compiles a release from its published files. */
  readonly compile: (files: readonly FetchedFile[]) => Uint8Array
}

/** Writes one line to stderr: `hla: ` and the text. */
export function say(context: DataContext, text: string): void {
  context.stderr(`hla: ${text}\n`)
}

/** JSON for programs. */
export function jsonText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}

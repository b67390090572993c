/** Reports an internal error of the program. */
import { errorMessage } from '../errors.ts'
import { packageVersion } from '../package-root.ts'
import { EXIT } from '../io/exit-status.ts'
import { tell } from '../io/stdout.ts'

/** @returns the exit status */
export function reportBug(error: unknown): number {
  const where =
    process.env['HLA_DEBUG'] && error instanceof Error ? `\n${error.stack}` : '; HLA_DEBUG=1 shows where'
  tell(`hla: internal error in hla ${packageVersion()}: ${errorMessage(error)}${where}\n`)
  return EXIT.bug
}

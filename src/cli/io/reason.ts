/** What the system says about a failure, without its codes, calls and paths. */
import { messageOf } from '../../errors.ts'

/** `ENOSPC: no space left on device, write` -> `no space left on device` */
export function reasonOf(error: unknown): string {
  const text = messageOf(error)
  if (text.startsWith('EISDIR')) return 'it is a folder'
  return text.replace(/^E[A-Z0-9]+: ([^,]*),.*$/, '$1')
}

/** An error of the system and no mistake of the program: no permission, no space, too many files. */
export function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'errno' in error && 'syscall' in error
}

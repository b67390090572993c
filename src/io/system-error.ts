/** Errors of the system. */

/** An error of the system and no mistake of the program: no permission, no space, too many files. */
export function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'errno' in error && 'syscall' in error
}

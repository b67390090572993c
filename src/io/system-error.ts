/** True for errors of the operating system (permission, space, open files), which are not bugs. */
export function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'errno' in error && 'syscall' in error
}

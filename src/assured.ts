/** What the program promises itself. Broken, the promise is a fault of the program, and never becomes an answer. */

/** `invariant` says why there is a value. @throws an `Error` that names it */
export function assured<T>(value: T | undefined, invariant: string): T {
  if (value === undefined) throw new Error(`broken invariant: ${invariant}`)
  return value
}

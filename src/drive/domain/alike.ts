/** What commands of one name that follow each other read alike: the first of them reads it for all. */
import type { Transaction } from '../persistence/database/database.ts'

const known = new WeakMap<object, Map<string, unknown>>()

/** For what none of them changes. `key` says all that it depends on. */
export function readOnce<T>({ alike }: Pick<Transaction, 'alike'>, key: string, read: () => T): T {
  if (alike === undefined) return read()
  let found = known.get(alike)
  if (found === undefined) known.set(alike, (found = new Map<string, unknown>()))
  // under one key there is what one reader read
  if (found.has(key)) return found.get(key) as T
  const value = read()
  found.set(key, value)
  return value
}

/** What commands of one name that follow each other all read: the first of them reads it for all. */
import type { Transaction } from '../persistence/database/database.ts'

/** For what none of them changes. `key` says all that it depends on. */
export function readOnce<T>({ groupCache }: Pick<Transaction, 'groupCache'>, key: string, read: () => T): T {
  if (groupCache === undefined) return read()
  // under one key there is what one reader read
  if (groupCache.has(key)) return groupCache.get(key) as T
  const value = read()
  groupCache.set(key, value)
  return value
}

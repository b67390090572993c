/** Settings of a store, written when it is first opened, and its limits. */
import { assured } from '../../errors.ts'
import type { Database, Transaction } from '../persistence/database/database.ts'
import { type Caller, invalid } from '../contract/failure.ts'
import { LIMITS, LIMIT_NAMES, type Limit, type LimitName, type Limits } from '../contract/limits.ts'

export type SettingName = 'id-key' | 'page-key'

/** @throws if the store was not set up */
export function setting(db: Database, name: SettingName): string {
  const row = assured(
    db.get<{ value: string }>('SELECT value FROM settings WHERE name = ?', name),
    `the store has no setting ${name}`,
  )
  return row.value
}

/** Key that signs generated ids, so that the store recognises them. */
export function idKey(db: Database): Uint8Array {
  return Buffer.from(setting(db, 'id-key'), 'base64url')
}

export function isSetUp(db: Database): boolean {
  return db.get('SELECT 1 FROM settings WHERE name = ?', 'id-key') !== undefined
}

export function writeSetting(tx: Transaction, name: SettingName, value: string): void {
  tx.run('INSERT INTO settings(name, value) VALUES (?, ?)', name, value)
}

/** Name of the store on its page; undefined until an administrator has set one. */
export function storeName(db: Database): string | undefined {
  return db.get<{ value: string }>(`SELECT value FROM settings WHERE name = 'name'`)?.value
}

/** Characters of the name of a store. */
const MAX_NAME_LENGTH = 60

/** An empty name removes it. @throws 400 */
export function setName(tx: Transaction, _caller: Caller, { name }: { readonly name: string }): void {
  if (name.length > MAX_NAME_LENGTH)
    throw invalid(`The name of a store has at most ${MAX_NAME_LENGTH} characters.`, 'name')
  if (name === '') tx.run(`DELETE FROM settings WHERE name = 'name'`)
  else tx.run(`INSERT OR REPLACE INTO settings(name, value) VALUES ('name', ?)`, name)
}

export function readLimits(db: Database & Pick<Transaction, 'groupCache'>): Limits {
  return cacheInGroup(db, 'limits', () => {
    const set = setLimits(db)
    // the loop covers every name
    return Object.fromEntries(LIMIT_NAMES.map((name) => [name, set[name] ?? LIMITS[name].standard])) as Limits
  })
}

interface SetLimit {
  readonly name: string
  /** Null resets the limit to its default. */
  readonly value: number | null
}

/** @throws 400 — no such limit, or a value out of range */
export function setLimit(tx: Transaction, _caller: Caller, { name, value }: SetLimit): void {
  const limit: Limit | undefined = Object.hasOwn(LIMITS, name) ? LIMITS[name as LimitName] : undefined
  if (limit === undefined) throw invalid(`There is no limit ${name}.`, 'name')
  const { least = 1, most = Number.MAX_SAFE_INTEGER } = limit
  if (value !== null && (!Number.isSafeInteger(value) || value < least || value > most))
    throw invalid(`${name} must be a whole number from ${least} to ${most}.`, 'value')
  const limits = { ...setLimits(tx), [name]: value ?? undefined }
  tx.run(`INSERT OR REPLACE INTO settings(name, value) VALUES ('limits', ?)`, JSON.stringify(limits))
}

/** Limits that were set explicitly. */
export function setLimits(db: Database): Partial<Limits> {
  const row = db.get<{ value: string }>(`SELECT value FROM settings WHERE name = 'limits'`)
  // only this file writes the row
  return row === undefined ? {} : (JSON.parse(row.value) as Partial<Limits>)
}

/** Caches a value for a group of commands that do not change it. `key` must name everything the value depends on. */
export function cacheInGroup<T>(
  { groupCache }: Pick<Transaction, 'groupCache'>,
  key: string,
  read: () => T,
): T {
  if (groupCache === undefined) return read()
  // each key has only one reader
  if (groupCache.has(key)) return groupCache.get(key) as T
  const value = read()
  groupCache.set(key, value)
  return value
}

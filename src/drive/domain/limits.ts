/** The limits of this store: the standard ones, or what its operator has set instead. */
import type { Caller } from '../contract/caller.ts'
import { invalid } from '../contract/failure.ts'
import { type Limit, LIMIT_NAMES, type LimitName, type Limits, LIMITS } from '../contract/limits.ts'
import type { Database, Transaction } from '../persistence/database/database.ts'
import { readOnce } from './read-once.ts'

export function readLimits(db: Database & Pick<Transaction, 'groupCache'>): Limits {
  return readOnce(db, 'limits', () => {
    const set = setLimits(db)
    // as the table names them
    return Object.fromEntries(LIMIT_NAMES.map((name) => [name, set[name] ?? LIMITS[name].standard])) as Limits
  })
}

export interface SetLimit {
  readonly name: string
  /** null: the standard one again. */
  readonly value: number | null
}

/** @throws 400 — no such limit; a value that it cannot have */
export function setLimit(tx: Transaction, _caller: Caller, { name, value }: SetLimit): void {
  const limit: Limit | undefined = Object.hasOwn(LIMITS, name) ? LIMITS[name as LimitName] : undefined
  if (limit === undefined) throw invalid(`There is no limit ${name}.`, 'name')
  const { least = 1, most = Number.MAX_SAFE_INTEGER } = limit
  if (value !== null && (!Number.isSafeInteger(value) || value < least || value > most))
    throw invalid(`${name} must be a whole number from ${least} to ${most}.`, 'value')
  const limits = { ...setLimits(tx), [name]: value ?? undefined }
  tx.run(`INSERT OR REPLACE INTO settings(name, value) VALUES ('limits', ?)`, JSON.stringify(limits))
}

/** Those of them that were set. */
export function setLimits(db: Database): Partial<Limits> {
  const row = db.get<{ value: string }>(`SELECT value FROM settings WHERE name = 'limits'`)
  // a row that only this file writes
  return row === undefined ? {} : (JSON.parse(row.value) as Partial<Limits>)
}

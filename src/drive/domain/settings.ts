/** What a store knows of itself: made when it is first opened. */
import type { Database, Transaction } from '../persistence/database/database.ts'

export type SettingName = 'id-key' | 'page-key'

/** @throws when the store was not set up */
export function setting(db: Database, name: SettingName): string {
  const row = db.get<{ value: string }>('SELECT value FROM settings WHERE name = ?', name)
  if (row === undefined) throw new Error(`the store has no setting ${name}`)
  return row.value
}

/** Proves ids that were generated here. */
export function idKey(db: Database): Uint8Array {
  return Buffer.from(setting(db, 'id-key'), 'base64url')
}

export function isSetUp(db: Database): boolean {
  return db.get('SELECT 1 FROM settings WHERE name = ?', 'id-key') !== undefined
}

export function writeSetting(tx: Transaction, name: SettingName, value: string): void {
  tx.run('INSERT INTO settings(name, value) VALUES (?, ?)', name, value)
}

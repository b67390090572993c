/** Why a store cannot be opened, in words for whoever administers it. */
import { HlaError } from '../../errors.ts'
import { SQLITE, sqliteCode } from './sqlite.ts'

const REASONS: ReadonlyMap<number, string> = new Map([
  [SQLITE.busy, 'another process is writing to it'],
  [SQLITE.readOnly, 'it cannot be written to'],
  [SQLITE.cannotOpen, 'its files cannot be opened'],
  [SQLITE.full, 'the disk is full'],
  [SQLITE.io, 'the disk cannot be read or written'],
  [SQLITE.corrupt, 'its database is damaged'],
  [SQLITE.notADatabase, 'store.db is not a database'],
])

export function refusedOpening(error: unknown, folder: string): unknown {
  const code = sqliteCode(error)
  const reason = code === undefined ? undefined : REASONS.get(code)
  if (reason === undefined) return error
  const isDamaged = code === SQLITE.corrupt || code === SQLITE.notADatabase
  const hint = isDamaged ? 'restore a backup' : undefined
  return new HlaError('io', `cannot open the store ${folder}: ${reason}`, {
    offending: folder,
    cause: error,
    hint,
  })
}

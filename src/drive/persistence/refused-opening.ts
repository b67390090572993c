/** Explains to the operator why a store cannot be opened. */
import { HlaError } from '../../errors.ts'
import { SQLITE, sqliteCode } from './database/sqlite.ts'

const READ_ONLY = 'it cannot be written to'
const FULL = 'the disk is full'
const DAMAGED: ReadonlySet<number | string> = new Set([SQLITE.corrupt, SQLITE.notADatabase])

/** Of SQLite and of the system. */
const REASONS: ReadonlyMap<number | string, string> = new Map<number | string, string>([
  [SQLITE.busy, 'another process is writing to it'],
  [SQLITE.readOnly, READ_ONLY],
  [SQLITE.cannotOpen, 'its files cannot be opened'],
  [SQLITE.full, FULL],
  [SQLITE.io, 'the disk cannot be read or written'],
  [SQLITE.corrupt, 'its database is damaged'],
  [SQLITE.notADatabase, 'store.db is not a database'],
  ['EROFS', READ_ONLY],
  ['EACCES', READ_ONLY],
  ['EPERM', READ_ONLY],
  ['ENOSPC', FULL],
  ['EDQUOT', FULL],
  ['EEXIST', 'it is not a folder'],
  ['ENOTDIR', 'it is not a folder'],
])

export function refusedOpening(error: unknown, folder: string): unknown {
  const code = sqliteCode(error) ?? systemCode(error)
  const reason = code === undefined ? undefined : REASONS.get(code)
  if (code === undefined || reason === undefined) return error
  const hint = DAMAGED.has(code) ? 'restore a backup' : undefined
  return new HlaError('io', `cannot open the store ${folder}: ${reason}`, {
    offending: folder,
    cause: error,
    hint,
  })
}

function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('syscall' in error) || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}

/** Commands of the store itself: they forget contents that nothing names, and uploads that nobody goes on with.  [disk] */
import { closeSync, fsyncSync, openSync, renameSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Caller } from '../../contract/failure.ts'
import { isNamed } from '../contents/blob-files.ts'
import type { BlobRow } from '../contents/blob-rows.ts'
import { WITHDRAWAL_COMMANDS } from '../contents/places/withdrawals.ts'
import type { Commands, Transaction } from '../database/database.ts'

export interface SweepInput {
  /** What was made later stays: milliseconds since 1970. */
  readonly before: number
  /** Keys up to here have been looked at. */
  readonly after: number
}

export interface SweepResult {
  readonly forgotten: readonly BlobRow[]
  /** Where to go on; undefined at the end. */
  readonly next: number | undefined
}

export interface WithdrawInput {
  /** Files of contents, and where they go: on the same file system. */
  readonly files: readonly { readonly sha256: string; readonly path: string; readonly aside: string }[]
  readonly before: number
}

export interface WithdrawResult {
  /** Where the files are that are wanted no more. */
  readonly withdrawn: readonly string[]
}

export interface ExpireInput {
  readonly before: number
}

export interface ExpireResult {
  readonly count: number
}

/** Their names cannot be those of others. */
export const SWEEP = 'store: sweep'
export const WITHDRAW = 'store: withdraw'
export const EXPIRE = 'store: expire'

export const STORE_ITSELF: Caller = { user: 0, client: 0, scopes: [] }

export const STORE_COMMANDS: Commands = {
  [SWEEP]: sweep,
  [WITHDRAW]: withdraw,
  [EXPIRE]: expire,
  ...WITHDRAWAL_COMMANDS,
}

/** Few enough that others need not wait. */
const SLICE = 2000

/** A content is wanted while a revision names it; one whose revision is about to be written is younger than `before`. */
function sweep(transaction: Transaction, _caller: Caller, { before, after }: SweepInput): SweepResult {
  const last = transaction.get<{ pk: number | null }>(
    'SELECT max(pk) AS pk FROM (SELECT pk FROM blobs WHERE pk > ? ORDER BY pk LIMIT ?)',
    after,
    SLICE,
  )
  const end = last?.pk ?? undefined
  if (end === undefined) return { forgotten: [], next: undefined }
  const forgotten = transaction.all<BlobRow>(UNWANTED, after, end, before)
  for (const { pk } of forgotten) {
    transaction.run('DELETE FROM blob_data WHERE blob = ?', pk)
    transaction.run('DELETE FROM blobs WHERE pk = ?', pk)
  }
  return { forgotten, next: end }
}

const UNWANTED = `SELECT pk, sha256, size, place FROM blobs
WHERE pk > ? AND pk <= ? AND created < ? AND NOT EXISTS (SELECT 1 FROM revisions WHERE blob = blobs.pk)`

/**
 * In a transaction, in which nobody else writes a row: whoever stored the same content meanwhile either has its row by now, or finds
 * the file gone when the row is written (`keepBlob`).
 */
function withdraw(transaction: Transaction, _caller: Caller, input: WithdrawInput): WithdrawResult {
  const withdrawn: string[] = []
  for (const { sha256, path, aside } of input.files) {
    if (isNamed(transaction, sha256)) continue
    const found = statSync(path, { throwIfNoEntry: false })
    if (found === undefined || found.mtimeMs >= input.before) continue
    renameSync(path, aside)
    // the same content may have come into its place after that look
    if (statSync(aside).mtimeMs >= input.before) putBack(aside, path)
    else withdrawn.push(aside)
  }
  return { withdrawn }
}

/** Whoever brought it has synced the folder, perhaps while it was away. */
function putBack(aside: string, path: string): void {
  renameSync(aside, path)
  const folder = openSync(dirname(path), 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}

/** A finished upload is kept as long again, so that late requests still get its result. */
function expire(transaction: Transaction, _caller: Caller, { before }: ExpireInput): ExpireResult {
  const life = transaction.now - before
  const { changes } = transaction.run(
    `UPDATE uploads SET state = 'cancelled', touched = ? WHERE state = 'open' AND touched < ?`,
    transaction.now,
    before,
  )
  transaction.run(`DELETE FROM uploads WHERE state <> 'open' AND touched < ?`, before - life)
  transaction.run(
    `DELETE FROM upload_pieces WHERE upload NOT IN (SELECT staged FROM uploads WHERE state = 'open')`,
  )
  return { count: changes }
}

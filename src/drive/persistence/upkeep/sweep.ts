/** Internal commands of the store, which remove unreferenced contents and abandoned uploads.  [disk] */
import { renameSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Caller } from '../../contract/failure.ts'
import { isNamed } from '../contents/blob-files.ts'
import type { BlobRow } from '../contents/blob-rows.ts'
import { WITHDRAWAL_COMMANDS } from '../contents/places/withdrawals.ts'
import type { Commands, Transaction } from '../database/database.ts'
import { syncFolder } from '../folder.ts'

export interface SweepInput {
  /** Milliseconds since 1970. Later contents stay. */
  readonly before: number
  /** Key after which to continue. */
  readonly after: number
}

export interface SweepResult {
  readonly forgotten: readonly BlobRow[]
  /** Key to continue after. Undefined at the end. */
  readonly next: number | undefined
}

export interface WithdrawInput {
  /** Files of contents, and the path each moves to, on the same file system. */
  readonly files: readonly { readonly sha256: string; readonly path: string; readonly aside: string }[]
  readonly before: number
}

export interface WithdrawResult {
  /** Paths of files to delete. */
  readonly withdrawn: readonly string[]
}

export interface ExpireInput {
  readonly before: number
}

export interface ExpireResult {
  readonly count: number
}

/** Names of commands. The prefix "store: " keeps them apart from all others. */
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

/** Few enough that other commands wait only briefly. */
const SLICE = 2000

/** Removes contents that no revision names. A content whose revision is about to be written is younger than `before`. */
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
 * Runs in a transaction, so no other command writes a row meanwhile. A request that stored the same content either has
 * its row by now, or finds the file missing when it writes the row (`keepBlob`).
 */
function withdraw(transaction: Transaction, _caller: Caller, input: WithdrawInput): WithdrawResult {
  const withdrawn: string[] = []
  for (const { sha256, path, aside } of input.files) {
    if (isNamed(transaction, sha256)) continue
    const found = statSync(path, { throwIfNoEntry: false })
    if (found === undefined || found.mtimeMs >= input.before) continue
    renameSync(path, aside)
    // an equal content may have replaced the file after the check
    if (statSync(aside).mtimeMs >= input.before) {
      renameSync(aside, path)
      // the request that stored it may have synced the folder while the file was away
      syncFolder(dirname(path))
    } else withdrawn.push(aside)
  }
  return { withdrawn }
}

/** Cancels idle uploads. A closed one is kept for the same time again, so that late requests still get its result. */
function expire(transaction: Transaction, _caller: Caller, { before }: ExpireInput): ExpireResult {
  const life = transaction.now - before
  const { changes } = transaction.run(
    `UPDATE uploads SET state = 'cancelled', touched = ? WHERE state = 'open' AND touched < ?`,
    transaction.now,
    before,
  )
  transaction.run(`DELETE FROM uploads WHERE state <> 'open' AND touched < ?`, before - life)
  return { count: changes }
}

/** Internal commands of the store, which remove contents without a row and abandoned uploads.  [disk] */
import { renameSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Caller } from '../../contract/failure.ts'
import { isNamed } from '../contents/blob-files.ts'
import { WITHDRAWAL_COMMANDS } from '../contents/places/withdrawals.ts'
import { REMOVAL_COMMANDS } from '../contents/removals.ts'
import type { Commands, Transaction } from '../database/database.ts'
import { syncFolder } from '../folder.ts'

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
export const WITHDRAW = 'store: withdraw'
export const EXPIRE = 'store: expire'

export const STORE_ITSELF: Caller = { user: 0, client: 0, scopes: [] }

export const STORE_COMMANDS: Commands = {
  [WITHDRAW]: withdraw,
  [EXPIRE]: expire,
  ...WITHDRAWAL_COMMANDS,
  ...REMOVAL_COMMANDS,
}

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

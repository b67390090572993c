/** Resumable upload sessions: their state is on disk before the client gets a response (spec 6.3). */
import { type Database, type Transaction, countRows } from '../../persistence/database/database.ts'
import { type Caller, type Scope, StorageFailure } from '../../contract/failure.ts'
import type { Staged } from '../../persistence/contents/blob-rows.ts'
import { type FileView, viewFile } from '../items/file-view.ts'
import { otherRequest } from '../../persistence/contents/uploads.ts'
import { readLimits } from '../settings.ts'
import { requireLiveToken } from '../accounts/tokens.ts'
import { findVisibleFile } from '../access/access.ts'
import { clearChangeSet } from '../changes/change-log.ts'
import { NO_CONTENT } from '../revisions/file-contents.ts'
import { type InsertFile, insertFile, listParentIds } from '../files/insert-file.ts'
import { payerFor, quotaLeft } from '../accounts/quota.ts'
import type { ContentChange } from '../revisions/revisions.ts'
import { type UpdateFile, updateFile } from '../files/update-file.ts'

export interface UploadSession {
  /** Digest of the session id, which is the credential. */
  readonly digest: string
  /** Caller that began the session. */
  readonly caller: Caller
  readonly target: UploadTarget
  /** Bytes of the whole content; undefined until the client states it. */
  readonly total: number | undefined
  /** Bytes on disk. */
  readonly received: number
  /** Name of the file that holds the bytes. */
  readonly staged: string
  readonly state: 'open' | 'done' | 'cancelled'
  /** Expected MD5 of the whole content, in hexadecimal. */
  readonly md5: string | undefined
  /** Id of the resulting file. */
  readonly result: string | undefined
}

export interface OpenUpload {
  readonly digest: string
  readonly target: UploadTarget
  readonly total: number | undefined
  readonly staged: string
  readonly md5: string | undefined
}

/** @throws 403 — too many open uploads; any failure that does not depend on the bytes */
export function openUpload(tx: Transaction, caller: Caller, upload: OpenUpload): void {
  const { digest, target, total, staged, md5 } = upload
  const sql = "SELECT count(*) AS count FROM uploads WHERE user = ? AND state = 'open'"
  const most = readLimits(tx)['user-uploads']
  if (countRows(tx, sql, caller.user) >= most)
    throw new StorageFailure(403, 'userRateLimitExceeded', `A user has at most ${most} open uploads.`)
  requireLiveToken(tx, caller)
  tryUpload(tx, caller, { target, size: total ?? 0 })
  tx.run(
    `INSERT INTO uploads(digest, user, client, facts, total, staged, state, touched, via)
     VALUES (?, ?, ?, ?, ?, ?, 'open', ?, ?)`,
    digest,
    caller.user,
    caller.client,
    JSON.stringify({ target, scopes: caller.scopes, md5, hidesDrives: caller.hidesDrives }),
    total ?? null,
    staged,
    tx.now,
    JSON.stringify(caller.via ?? []),
  )
}

interface UploadRow {
  readonly digest: string
  readonly user: number
  readonly client: number
  readonly facts: string
  readonly total: number | null
  readonly received: number
  readonly staged: string
  readonly state: UploadSession['state']
  readonly result: string | null
  readonly touched: number
  /** JSON array of digests of tokens. */
  readonly via: string | null
}

/** ms that a session stays open after its last byte. */
export function uploadLife(db: Database): number {
  return readLimits(db)['upload-days'] * 86_400_000
}

/** Undefined for an unknown or deleted session. `now` (ms since 1970): a session idle for too long counts as cancelled. */
export function findUpload(db: Database, digest: string, now: number): UploadSession | undefined {
  const row = db.get<UploadRow>('SELECT * FROM uploads WHERE digest = ?', digest)
  if (row === undefined) return undefined
  // only this file writes the column
  const { target, scopes, md5, hidesDrives = false } = JSON.parse(row.facts) as Facts
  const { user, client, received, staged } = row
  // only this file writes the column
  const via = JSON.parse(row.via ?? '[]') as readonly string[]
  const isOver = row.state === 'open' && row.touched + uploadLife(db) < now
  return {
    digest,
    caller: { user, client, scopes, hidesDrives, via },
    target,
    total: row.total ?? undefined,
    received,
    staged,
    state: isOver ? 'cancelled' : row.state,
    md5,
    result: row.result ?? undefined,
  }
}

interface Facts {
  readonly target: UploadTarget
  readonly scopes: readonly Scope[]
  readonly md5?: string
  readonly hidesDrives?: boolean
}

export interface NoteUpload {
  readonly digest: string
  /** Bytes recorded before. */
  readonly from: number
  readonly received: number
  readonly total: number | undefined
}

/** @throws 410 — cancelled meanwhile; 503 — another request has sent more */
export function noteUpload(tx: Transaction, _caller: Caller, note: NoteUpload): void {
  const { digest, from, received, total } = note
  const row = tx.get<UploadRow>('SELECT * FROM uploads WHERE digest = ?', digest)
  if (row?.state !== 'open') throw uploadGone()
  // two requests may have begun at the same byte
  if (row.received !== from) throw otherRequest()
  tx.run(
    'UPDATE uploads SET received = ?, total = coalesce(?, total), touched = ? WHERE digest = ?',
    received,
    total ?? null,
    tx.now,
    digest,
  )
}

export interface FinishUpload {
  readonly digest: string
  readonly target: UploadTarget
  readonly staged: Staged
}

/** Turns a session into a file, at most once. @throws 410; as files.insert and files.update */
export function finishUpload(tx: Transaction, caller: Caller, { digest, ...upload }: FinishUpload): FileView {
  const row = tx.get<UploadRow>('SELECT * FROM uploads WHERE digest = ?', digest)
  if (row?.state !== 'open') throw uploadGone()
  // the bytes count as part of the file from here on
  const sql = "UPDATE uploads SET state = 'done', received = ?, touched = ? WHERE digest = ?"
  tx.run(sql, upload.staged.size, tx.now, digest)
  const view = storeUpload(tx, caller, upload)
  tx.run('UPDATE uploads SET result = ? WHERE digest = ?', view.row.id, digest)
  return viewFile(tx, caller, view.row.pk)
}

export function cancelUpload(
  tx: Transaction,
  _caller: Caller,
  { digest }: { readonly digest: string },
): void {
  const sql = "UPDATE uploads SET state = 'cancelled', touched = ? WHERE digest = ? AND state = 'open'"
  tx.run(sql, tx.now, digest)
}

/** The session was cancelled, refused or idle for too long. */
export function uploadGone(): StorageFailure {
  return new StorageFailure(410, 'gone', 'The upload has ended; start a new upload.')
}

/** Everything about an upload except its bytes. Plain data, stored as JSON. */
export type UploadTarget =
  | { readonly kind: 'insert'; readonly file: Omit<InsertFile, 'content'> }
  | {
      readonly kind: 'update'
      readonly file: Omit<UpdateFile, 'content'>
      readonly content: Omit<ContentChange, 'staged'>
    }

interface StoreUpload {
  readonly target: UploadTarget
  readonly staged: Staged
}

/** @throws as files.insert and files.update */
export function storeUpload(tx: Transaction, caller: Caller, { target, staged }: StoreUpload): FileView {
  if (target.kind === 'insert') return insertFile(tx, caller, { ...target.file, content: staged })
  return updateFile(tx, caller, { ...target.file, content: { ...target.content, staged } })
}

interface TryUpload {
  readonly target: UploadTarget
  /** Bytes, as far as the client stated them. */
  readonly size: number
}

/** Checks everything but the bytes, by storing the upload and rolling back. @throws as `storeUpload` */
export function tryUpload(tx: Transaction, caller: Caller, { target, size }: TryUpload): void {
  tx.trial(() => storeUpload(tx, caller, { target, staged: { ...NO_CONTENT, size } }))
  // watchers must not be notified of changes that were rolled back
  clearChangeSet(tx)
}

/** A paying user and the remaining bytes; undefined for no limit. */
export interface Room {
  readonly user: number
  readonly bytes: number | undefined
}

/**
 * Room of all users who must have some. `received` bytes already count against the caller's quota. The caller needs
 * room for all bytes until they become a file.
 */
export function roomsFor(db: Database, caller: Caller, target: UploadTarget, received?: number): Room[] {
  const { payer, replaced } = paidFor(db, caller, target)
  const room = (user: number, own: number): Room => {
    const left = quotaLeft(db, user)
    return { user, bytes: left === undefined ? undefined : left + own }
  }
  const isCallers = payer === caller.user
  const rooms = payer === null ? [] : [room(payer, replaced + (isCallers ? (received ?? 0) : 0))]
  return received === undefined || isCallers ? rooms : [...rooms, room(caller.user, received)]
}

interface Paid {
  readonly payer: number | null
  /** Bytes of the content that the upload replaces. */
  readonly replaced: number
}

function paidFor(db: Database, caller: Caller, target: UploadTarget): Paid {
  if (target.kind === 'insert') {
    const [folder] = listParentIds(target.file.body)
    const drive = folder === undefined ? null : (findVisibleFile(db, caller, folder)?.drive ?? null)
    return { payer: payerFor(db, { owner: drive === null ? caller.user : null, drive }), replaced: 0 }
  }
  const { owner = null, drive = null, size = 0 } = findVisibleFile(db, caller, target.file.id) ?? {}
  return { payer: payerFor(db, { owner, drive }), replaced: target.content.isNewRevision ? 0 : size }
}

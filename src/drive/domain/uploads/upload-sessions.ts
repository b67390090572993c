/** Resumable upload sessions: their state is on disk before a client is told of it (spec 6.3). */
import { type Database, type Transaction, countRows } from '../../persistence/database/database.ts'
import { type Caller, type Scope, StorageFailure } from '../../contract/failure.ts'
import type { Staged } from '../../persistence/contents/blob-rows.ts'
import { type FileView, viewFile } from '../items/file-view.ts'
import { readLimits } from '../settings.ts'
import { type UploadPiece, otherRequest } from '../../persistence/contents/uploads.ts'
import { mustBeGood } from '../accounts/tokens.ts'
import { findSeen } from '../access/access.ts'
import { clearNotes } from '../changes/change-log.ts'
import { NO_CONTENT } from '../revisions/file-contents.ts'
import { type InsertFile, insertFile, listParentIds } from '../files/insert-file.ts'
import { payerFor, quotaLeft } from '../accounts/quota.ts'
import type { ContentChange } from '../revisions/revisions.ts'
import { type UpdateFile, updateFile } from '../files/update-file.ts'

export interface UploadSession {
  /** Digest of the session id, which is the credential. */
  readonly digest: string
  /** The caller who began it. */
  readonly caller: Caller
  readonly target: UploadTarget
  /** Bytes that it will have, once that was said. */
  readonly total: number | undefined
  /** Bytes that are on disk. */
  readonly received: number
  /** Name of the file they are in. */
  readonly staged: string
  readonly state: 'open' | 'done' | 'cancelled'
  /** MD5 that the whole must have, in hexadecimal. */
  readonly md5: string | undefined
  /** Id of the file that it became. */
  readonly result: string | undefined
}

export interface OpenUpload {
  readonly digest: string
  readonly target: UploadTarget
  readonly total: number | undefined
  readonly staged: string
  readonly md5: string | undefined
}

/** @throws 403 — too many; and what can be refused without the bytes */
export function openUpload(tx: Transaction, caller: Caller, upload: OpenUpload): void {
  const { digest, target, total, staged, md5 } = upload
  const sql = "SELECT count(*) AS count FROM uploads WHERE user = ? AND state = 'open'"
  const most = readLimits(tx)['user-uploads']
  if (countRows(tx, sql, caller.user) >= most)
    throw new StorageFailure(403, 'userRateLimitExceeded', `A user has at most ${most} open uploads.`)
  mustBeGood(tx, caller)
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
}

/** ms after the last byte. */
export function uploadLife(db: Database): number {
  return readLimits(db)['upload-days'] * 86_400_000
}

/** Undefined: unknown or forgotten. `now` (ms since 1970): an open session that was idle for too long counts as cancelled. */
export function findUpload(db: Database, digest: string, now: number): UploadSession | undefined {
  const row = db.get<UploadRow>('SELECT * FROM uploads WHERE digest = ?', digest)
  if (row === undefined) return undefined
  // a column that only this file writes
  const { target, scopes, md5, hidesDrives = false } = JSON.parse(row.facts) as Facts
  const { user, client, received, staged } = row
  const isOver = row.state === 'open' && row.touched + uploadLife(db) < now
  return {
    digest,
    caller: { user, client, scopes, hidesDrives },
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
  /** What was recorded before. */
  readonly from: number
  readonly received: number
  readonly total: number | undefined
  /** Where the bytes are that have come since, if several servers go on with it. */
  readonly piece?: UploadPiece | undefined
}

/** @throws 410 — it was cancelled meanwhile; 503 — another request has brought more */
export function noteUpload(tx: Transaction, _caller: Caller, note: NoteUpload): void {
  const { digest, from, received, total, piece } = note
  const row = tx.get<UploadRow>('SELECT * FROM uploads WHERE digest = ?', digest)
  if (row?.state !== 'open') throw uploadGone()
  // to another server of the store: one server sees to it that requests take turns
  if (row.received !== from) throw otherRequest()
  tx.run(
    'UPDATE uploads SET received = ?, total = coalesce(?, total), touched = ? WHERE digest = ?',
    received,
    total ?? null,
    tx.now,
    digest,
  )
  if (piece === undefined) return
  // what was lost of an earlier one is not named any more
  tx.run('DELETE FROM upload_pieces WHERE upload = ? AND start >= ?', row.staged, piece.start)
  const sql = 'INSERT INTO upload_pieces(upload, start, size, object) VALUES (?, ?, ?, ?)'
  tx.run(sql, row.staged, piece.start, piece.size, piece.object)
}

export interface FinishUpload {
  readonly digest: string
  readonly target: UploadTarget
  readonly staged: Staged
}

/** At most once for each session. @throws 410; as files.insert and files.update */
export function finishUpload(tx: Transaction, caller: Caller, { digest, ...upload }: FinishUpload): FileView {
  const row = tx.get<UploadRow>('SELECT * FROM uploads WHERE digest = ?', digest)
  if (row?.state !== 'open') throw uploadGone()
  tx.run('DELETE FROM upload_pieces WHERE upload = ?', row.staged)
  // from now on the file counts
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
  tx.run(
    `DELETE FROM upload_pieces WHERE upload = (SELECT staged FROM uploads WHERE digest = ? AND state = 'cancelled')`,
    digest,
  )
}

/** The session was cancelled, refused or idle for too long. */
export function uploadGone(): StorageFailure {
  return new StorageFailure(410, 'gone', 'The upload has ended; begin another.')
}

/** Everything about an upload except its bytes. Plain data: kept as JSON. */
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

/** @throws what files.insert and files.update do */
export function storeUpload(tx: Transaction, caller: Caller, { target, staged }: StoreUpload): FileView {
  if (target.kind === 'insert') return insertFile(tx, caller, { ...target.file, content: staged })
  return updateFile(tx, caller, { ...target.file, content: { ...target.content, staged } })
}

interface TryUpload {
  readonly target: UploadTarget
  /** Bytes, as far as it is known. */
  readonly size: number
}

/** Checks everything but the bytes, by storing the upload and rolling back. @throws as `storeUpload` */
export function tryUpload(tx: Transaction, caller: Caller, { target, size }: TryUpload): void {
  tx.trial(() => storeUpload(tx, caller, { target, staged: { ...NO_CONTENT, size } }))
  // watchers must not be told of changes that were rolled back
  clearNotes(tx)
}

/** A user who pays, and how many bytes there is room for; undefined: any number. */
export interface Room {
  readonly user: number
  readonly bytes: number | undefined
}

/**
 * Of everybody who has to have room. `received` bytes count already, against the quota of the caller, who has to have room for the
 * others, too, until they are a file.
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
  /** Bytes that these take the place of. */
  readonly replaced: number
}

function paidFor(db: Database, caller: Caller, target: UploadTarget): Paid {
  if (target.kind === 'insert') {
    const [folder] = listParentIds(target.file.body)
    const drive = folder === undefined ? null : (findSeen(db, caller, folder)?.drive ?? null)
    return { payer: payerFor(db, { owner: drive === null ? caller.user : null, drive }), replaced: 0 }
  }
  const { owner = null, drive = null, size = 0 } = findSeen(db, caller, target.file.id) ?? {}
  return { payer: payerFor(db, { owner, drive }), replaced: target.content.isNewRevision ? 0 : size }
}

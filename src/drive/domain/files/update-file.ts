/** files.update and files.patch: absent fields keep their value (spec 5.4). */
import type { FileBody } from '../../contract/bodies.ts'
import { type Caller, badRequest, invalid, noPermission, required } from '../../contract/failure.ts'
import { BYTES_MIME, classifyItem, isNativeDocument } from '../../contract/kinds.ts'
import type { Database, Transaction } from '../../persistence/database/database.ts'
import {
  type VisibleFile,
  fileToRead,
  requireAppAccess,
  rereadFile,
  requireVisibleFile,
} from '../access/access.ts'
import { recordChange } from '../changes/change-log.ts'
import { type TaggedFile, requireMatch } from '../items/preconditions.ts'
import { type Extra, checkTexts, updateExtra, readExtra, writeExtra } from './file-facts.ts'
import { retitle } from '../items/file-rows.ts'
import { type FileView, viewFile } from '../items/file-view.ts'
import { type Move, findFolders, moveItem } from '../folders/find-folders.ts'
import { requireFreeTitle } from '../folders/parents.ts'
import { listParentIds } from './insert-file.ts'
import { payerFor, withinQuota } from '../accounts/quota.ts'
import { requireFile, requireCapability } from '../access/rights.ts'
import { putProperties } from '../properties/properties.ts'
import { keepIndexable, reindex } from '../items/search-terms.ts'
import { fileToTrash, putIntoTrash, takeOutOfTrash } from '../trash/trash.ts'
import { type ContentChange, putContent } from '../revisions/revisions.ts'
import { changeState, keepModifier } from '../items/user-state.ts'

export interface UpdateFile extends TaggedFile {
  readonly body: FileBody
  readonly behavior: ModifiedDateBehavior
  /** Marks the file as viewed by the caller. */
  readonly isViewed: boolean
  /** Ids of folders, applied after the body's. */
  readonly add?: readonly string[] | undefined
  readonly remove?: readonly string[] | undefined
  /** Undefined to keep the content. */
  readonly content?: ContentChange | undefined
}

export type ModifiedDateBehavior =
  | 'fromBody'
  | 'fromBodyIfNeeded'
  | 'fromBodyOrNow'
  | 'noChange'
  | 'now'
  | 'nowIfNeeded'

export function updateFile(tx: Transaction, caller: Caller, input: UpdateFile): FileView {
  const { id, body, behavior } = input
  checkTexts(tx, input.content?.type === undefined ? body : { mimeType: input.content.type, ...body })
  if (behavior === 'fromBody' && body.modifiedDate === undefined) throw required('modifiedDate')
  const seen = requireVisibleFile(tx, caller, id)
  // even for a change of the caller's own state, because the response is the whole resource
  requireAppAccess(caller, seen, 'write')
  const isShared = changesForAll(input)
  if (isShared) requireChangeable(tx, seen, input)
  requireMatch(tx, caller, seen, input)
  const claimsTitle = input.conditions?.['title-free'] === true
  const before = claimsTitle ? new Set(findFolders(tx, seen.pk)) : undefined
  const file = moveItem(tx, caller, seen, readMove(input)) ? rereadFile(tx, seen) : seen
  if (before !== undefined) {
    const title = body.title ?? seen.title
    for (const folder of findFolders(tx, seen.pk))
      if (title !== seen.title || !before.has(folder))
        requireFreeTitle(tx, caller, folder, { pk: seen.pk, title })
  }
  if (isShared) withinQuota(tx, payerFor(tx, file), () => changeForAll(tx, caller, file, input))
  applyTrashed(tx, caller, file, body)
  const isOwnChange = changeOwn(tx, caller, file, input)
  if (isShared) recordChange(tx, file)
  else if (isOwnChange) recordChange(tx, file, [caller.user])
  // the move may have removed the caller's access
  return viewFile(tx, caller, file.pk, file.role)
}

/** Fields that concern only the caller, or change nothing. */
const OWN: ReadonlySet<string> = new Set(['lastViewedByMeDate', 'id', 'createdDate', 'thumbnail'])

function changesForAll({ body, behavior, add, remove, content }: UpdateFile): boolean {
  const { labels, modifiedDate, parents = [], ...others } = body
  if (parents.length > 0 || add !== undefined || remove !== undefined || content !== undefined) return true
  if (labels?.restricted !== undefined) return true
  if (modifiedDate !== undefined && (behavior === 'fromBody' || behavior === 'fromBodyOrNow')) return true
  return Object.keys(others).some((name) => !OWN.has(name))
}

/** Folders in the body replace the item's folders; an empty list changes nothing. */
function readMove({ body, add, remove }: UpdateFile): Move {
  const ids = listParentIds(body)
  return { to: ids.length === 0 ? undefined : ids, add, remove }
}

/** Applies `labels.trashed` as files.trash and untrash do. @throws 403 */
function applyTrashed(tx: Transaction, caller: Caller, file: VisibleFile, { labels }: FileBody): void {
  const isTrashed = labels?.trashed
  if (isTrashed === undefined || isTrashed === (file.trashed === 1)) return
  const mine = fileToTrash(tx, caller, file.id)
  if (isTrashed) putIntoTrash(tx, caller, mine)
  else takeOutOfTrash(tx, mine)
}

/** @throws 403 — the role is too weak, or a restriction locks content and title */
function requireChangeable(db: Database, file: VisibleFile, { body, content }: UpdateFile): void {
  requireCapability(db, file, 'canEdit')
  const isTitled = body.title !== undefined && body.title !== file.title
  const { restriction, copyNeedsWriter, writersCanShare } = readExtra(file.extra)
  if (isTitled) requireCapability(db, file, 'canRename')
  if (content !== undefined && file.kind === 'file') requireCapability(db, file, 'canModifyContent')
  const isOwners = body.contentRestrictions?.some((one) => one.ownerRestricted === true)
  if (body.contentRestrictions !== undefined && (restriction?.ownerOnly === true || isOwners === true))
    requireCapability(db, file, 'canModifyOwnerContentRestriction')
  const copies = body.copyRequiresWriterPermission ?? body.labels?.restricted
  if (copies !== undefined && copies !== (copyNeedsWriter === true) && file.kind === 'file')
    requireCapability(db, file, 'canChangeCopyRequiresWriterPermission')
  const isOpened = body.writersCanShare !== undefined && body.writersCanShare !== (writersCanShare !== false)
  if (isOpened && file.role !== 'owner' && file.drive === null) throw noPermission(file.id)
}

function changeForAll(tx: Transaction, caller: Caller, file: VisibleFile, input: UpdateFile): void {
  const { body, behavior, content } = input
  const before = extraBefore(file, input)
  const extra = writeExtra(updateExtra(before, body, { kind: file.kind, caller, now: tx.now }))
  const isNative = isNativeDocument(file.mime)
  const mime = mimeAfter(file, body.mimeType ?? (isNative ? undefined : content?.type))
  const isTitled = body.title !== undefined && body.title !== file.title
  const description = body.description ?? undefined
  const isDescribed = body.description !== undefined && (description || undefined) !== before.description
  const isContentChange = isTitled || isDescribed || mime !== file.mime || content !== undefined
  if (content !== undefined) {
    if (isNative && content.native !== file.mime) throw badRequest('The content was not converted.', 'fileId')
    putContent(tx, caller, file, { ...content, mime: isNative ? (content.type ?? BYTES_MIME) : mime })
  }
  if (isTitled) retitle(tx, file, body.title ?? '')
  putProperties(tx, caller, file.pk, body.properties ?? [])
  if (body.indexableText?.text !== undefined) keepIndexable(tx, file.pk, body.indexableText.text)
  keepModifier(tx, file, caller.user)
  tx.run(
    'UPDATE files SET mime = ?, extra = ?, modified = ?, modifier = ?, version = version + 1 WHERE pk = ?',
    mime,
    extra,
    computeModified(file, body.modifiedDate, { behavior, now: tx.now, isContentChange }),
    caller.user,
    file.pk,
  )
  if (isContentChange || body.indexableText?.text !== undefined) reindex(tx, file.pk)
}

/** Adds `indexContent` if the upload asked for it: the words of the content are then indexed whatever its type. */
function extraBefore({ extra }: VisibleFile, { content }: UpdateFile): Extra {
  const before = readExtra(extra)
  return content?.isIndexed === true ? { ...before, indexContent: true } : before
}

/** Folders, shortcuts and documents keep their type. @throws 400 */
function mimeAfter(file: VisibleFile, mimeType: string = file.mime): string {
  const isFixed = file.kind !== 'file' || isNativeDocument(file.mime)
  if (mimeType !== file.mime && (isFixed || classifyItem(mimeType) !== 'file'))
    throw badRequest('The type of this item cannot be changed.', 'mimeType')
  return mimeType
}

interface ModifiedRequest {
  readonly behavior: ModifiedDateBehavior
  readonly now: number
  /** True if content, title, description or type changed. */
  readonly isContentChange: boolean
}

/** Computes the modified date by the table of spec 5.4. */
export function computeModified(
  { modified }: Pick<VisibleFile, 'modified'>,
  said: number | undefined,
  { behavior, now, isContentChange }: ModifiedRequest,
): number {
  switch (behavior) {
    case 'fromBody':
      return said ?? modified
    case 'fromBodyIfNeeded':
      return isContentChange ? (said ?? modified) : modified
    case 'fromBodyOrNow':
      return said ?? now
    case 'noChange':
      return modified
    case 'now':
      return now
    case 'nowIfNeeded':
      return isContentChange ? now : modified
  }
}

function changeOwn(
  tx: Transaction,
  caller: Caller,
  file: VisibleFile,
  { body, isViewed }: UpdateFile,
): boolean {
  const { starred, viewed } = body.labels ?? {}
  const said = body.lastViewedByMeDate
  if (typeof said === 'number' && said > tx.now + 86_400_000)
    throw invalid('The date of the last view cannot be in the future.', 'lastViewedByMeDate')
  const now = isViewed ? tx.now : undefined
  const viewedAt = said ?? (viewed === false || said === null ? null : viewed === true ? tx.now : now)
  return changeState(tx, caller.user, file.pk, { isStarred: starred, viewedAt })
}

/** @throws 404, 403, 412 */
export function touchFile(tx: Transaction, caller: Caller, { id, ifMatch }: TaggedFile): FileView {
  const file = requireFile(tx, caller, id, 'canEdit')
  requireMatch(tx, caller, file, { ifMatch })
  keepModifier(tx, file, caller.user)
  const sql = 'UPDATE files SET modified = ?, modifier = ?, version = version + 1 WHERE pk = ?'
  tx.run(sql, tx.now, caller.user, file.pk)
  recordChange(tx, file)
  return viewFile(tx, caller, file.pk)
}

/** @throws 404, 403 */
export function markViewed(tx: Transaction, caller: Caller, { id }: { readonly id: string }): FileView {
  const file = fileToRead(tx, caller, id)
  if (changeState(tx, caller.user, file.pk, { viewedAt: tx.now })) recordChange(tx, file, [caller.user])
  return viewFile(tx, caller, file.pk)
}

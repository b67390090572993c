/** files.insert: a new file, folder or shortcut (spec 5.2). */
import type { FileBody } from '../../contract/bodies.ts'
import {
  type Caller,
  type OwnConditions,
  StorageFailure,
  badRequest,
  invalid,
  required,
} from '../../contract/failure.ts'
import { BYTES_MIME, type ItemKind, classifyItem } from '../../contract/kinds.ts'
import { type Staged, keepBlob } from '../../persistence/contents/blob-rows.ts'
import type { Transaction } from '../../persistence/database/database.ts'
import { isGeneratedId, newId } from '../../protocol/ids.ts'
import { type VisibleFile, fileToRead } from '../access/access.ts'
import { rightsForNew } from '../access/rights.ts'
import { payerFor, withinQuota } from '../accounts/quota.ts'
import { userView } from '../access/principals.ts'
import { recordNew } from '../changes/change-log.ts'
import { checkDepth, foldersToFill, link, measureDepth, requireFreeTitle } from '../folders/parents.ts'
import type { FileRow } from '../items/file-row.ts'
import { type NewRow, addRow } from '../items/file-rows.ts'
import { type FileView, rightsCells, viewFile, viewRow } from '../items/file-view.ts'
import { decodeText, indexTerms, isText, keepIndexable, reindex } from '../items/search-terms.ts'
import { changeState } from '../items/user-state.ts'
import { putProperties } from '../properties/properties.ts'
import { idKey, cacheInGroup } from '../settings.ts'
import { NO_CONTENT, addFirstRevision, type AddedRevision } from '../revisions/file-contents.ts'
import { type Extra, checkTexts, updateExtra, writeExtra } from './file-facts.ts'
import { assured } from '../../../errors.ts'

export interface InsertFile {
  readonly body: FileBody
  /** Undefined for a file without content. */
  readonly content?: Staged | undefined
  /** MIME type of the uploaded content; the type in the body takes precedence. */
  readonly contentType?: string | undefined
  /** File name of the uploaded content; the title in the body takes precedence. */
  readonly name?: string | undefined
  /** Keeps the revision for ever. */
  readonly isPinned?: boolean | undefined
  readonly indexesContent?: boolean | undefined
  /** MIME type of the recognised document, in addition to the uploaded type. */
  readonly native?: string | undefined
  readonly conditions?: OwnConditions | undefined
}

export function insertFile(tx: Transaction, caller: Caller, input: InsertFile): FileView {
  const { body } = input
  const source = sourceType(input)
  const mime = input.native ?? source
  const kind = classifyItem(mime)
  checkTexts(tx, { ...body, mimeType: source })
  checkKind(kind, input)
  const folders = foldersForNew(tx, caller, listParentIds(body))
  for (const { pk, is_root, drive } of folders)
    if (is_root === 0) checkDepth(tx, measureDepth(tx, pk), drive !== null)
  const { row, head } = newItem(tx, caller, input, { kind, mime, source, folders })
  // after the check of the id: a repeated request must hear that its own item is there
  if (input.conditions?.['title-free'] === true)
    for (const { pk } of folders) requireFreeTitle(tx, caller, pk, row)
  const item = addRow(tx, row, head?.revision)
  putInto(tx, item.pk, folders)
  writeDetails(tx, caller, item, input)
  recordNew(tx, item)
  return viewInserted(tx, caller, { item, head, folders, body })
}

/** MIME type of the content. */
function sourceType({ body, contentType }: InsertFile): string {
  return body.mimeType ?? contentType ?? BYTES_MIME
}

/** Parent ids from the body, which ignores other fields of the parents. */
export function listParentIds({ parents = [] }: Pick<FileBody, 'parents'>): string[] {
  return parents.flatMap(({ id }) => (id === undefined || id === '' ? [] : [id]))
}

function checkKind(kind: ItemKind, { body, content }: InsertFile): void {
  if (kind !== 'file' && content !== undefined)
    throw badRequest('Folders and shortcuts have no content.', 'mimeType')
  if (kind === 'shortcut' && body.shortcutDetails?.targetId === undefined)
    throw required('shortcutDetails.targetId')
  if (kind !== 'shortcut' && body.shortcutDetails?.targetId !== undefined)
    throw badRequest('Only shortcuts have a target.', 'shortcutDetails')
}

interface ItemForm {
  readonly kind: ItemKind
  readonly mime: string
  /** MIME type of the content. */
  readonly source: string
  readonly folders: readonly VisibleFile[]
}

interface NewItem {
  readonly row: NewRow
  /** Revision with its content, already written; undefined for folders and shortcuts. */
  readonly head: NewHead | undefined
}

function newItem(tx: Transaction, caller: Caller, input: InsertFile, form: ItemForm): NewItem {
  const { body } = input
  const { kind, mime, source, folders } = form
  const { space = 'drive', drive = null } = folders[0] ?? {}
  const target = body.shortcutDetails?.targetId
  const targetMime =
    target === undefined ? undefined : fileToRead(tx, caller, target, 'shortcutDetails.targetId').mime
  const start: Extra = {
    ...(targetMime === undefined ? {} : { targetMime }),
    ...(input.indexesContent === true ? { indexContent: true as const } : {}),
  }
  const id = body.id === undefined ? newId() : freeId(tx, caller, body.id, space)
  const owner = drive === null ? caller.user : null
  const isFile = kind === 'file'
  const row = {
    id,
    kind,
    title: body.title ?? input.name ?? 'Untitled',
    mime,
    space,
    owner,
    drive,
    maker: caller.user,
    client: caller.client,
    acl: rightsForNew(tx, folders, caller.user),
    created: body.createdDate ?? tx.now,
    modified: body.modifiedDate ?? tx.now,
    originalName: isFile ? (input.name ?? body.title) : undefined,
    target,
    extra: writeExtra(updateExtra(start, body, { kind, caller, now: tx.now })),
  }
  return { row, head: isFile ? addContent(tx, { mime: source, maker: caller.user }, input) : undefined }
}

/** Accepts an id generated for this user and space that has not been used. @throws 400, 409 */
function freeId(tx: Transaction, caller: Caller, id: string, space: VisibleFile['space']): string {
  const user = userView(tx, caller.user)?.id ?? ''
  if (!isGeneratedId(id, idKey(tx), { user, space }))
    throw invalid('The provided file ID is not usable.', 'id')
  const sql =
    'SELECT 1 FROM files WHERE id = ? UNION ALL SELECT 1 FROM changes WHERE item_id = ? AND is_gone = 1'
  if (tx.get(sql, id, id) !== undefined)
    throw new StorageFailure(409, 'fileIdInUse', 'A file already exists with the provided ID.')
  return id
}

/** An item whose folders are all in the trash is in the trash too. */
function putInto(tx: Transaction, pk: number, folders: readonly VisibleFile[]): void {
  for (const folder of folders) link(tx, folder.pk, pk)
  if (folders.every(({ trashed }) => trashed === 1)) tx.run('UPDATE files SET trashed = 1 WHERE pk = ?', pk)
}

function addContent(
  tx: Transaction,
  { mime, maker }: Pick<NewRow, 'mime' | 'maker'>,
  input: InsertFile,
): NewHead {
  const staged = input.content ?? NO_CONTENT
  const blob =
    input.content === undefined
      ? cacheInGroup(tx, 'no content', () => keepBlob(tx, staged))
      : keepBlob(tx, staged)
  const revision = addFirstRevision(tx, {
    blob,
    size: staged.size,
    mime,
    modified: tx.now,
    modifier: maker,
    isPinned: input.isPinned ?? false,
    originalName: input.name ?? null,
  })
  return { revision, staged }
}

/** Writes properties, the caller's state and the search index of the new row. */
function writeDetails(tx: Transaction, caller: Caller, row: FileRow, input: InsertFile): void {
  const { pk, title } = row
  const mime = sourceType(input)
  const { body, content } = input
  const indexable = body.indexableText?.text ?? ''
  const { properties = [] } = body
  if (properties.length > 0 || indexable !== '')
    withinQuota(tx, payerFor(tx, row), () => {
      putProperties(tx, caller, pk, properties)
      if (indexable !== '') keepIndexable(tx, pk, indexable)
    })
  const { starred, viewed } = body.labels ?? {}
  changeState(tx, caller.user, pk, {
    isStarred: starred,
    viewedAt: body.lastViewedByMeDate ?? (viewed === true ? tx.now : undefined),
  })
  const hasText = content !== undefined && (input.indexesContent === true || isText(mime))
  // content that is not in memory has to be fetched
  if (hasText && content.bytes === undefined) return reindex(tx, pk)
  const text = hasText && content.bytes !== undefined ? decodeText(content.bytes) : ''
  indexTerms(tx, pk, { title, description: body.description ?? '', indexable, content: text })
}

/**
 * Most new items go to the caller's root. No insert changes that folder or the caller's rights on it, so the check is
 * cached. @throws as `foldersToFill`
 */
function foldersForNew(tx: Transaction, caller: Caller, ids: readonly string[]): readonly VisibleFile[] {
  if (ids.length > 0) return foldersToFill(tx, caller, ids)
  // the check depends on user and scopes
  const key = `root ${caller.user} ${caller.scopes.join(' ')}`
  return cacheInGroup(tx, key, () => foldersToFill(tx, caller, ids))
}

interface NewHead {
  readonly revision: AddedRevision
  readonly staged: Staged
}

interface Inserted {
  readonly item: FileRow
  /** Undefined for an item without content. */
  readonly head: NewHead | undefined
  readonly folders: readonly VisibleFile[]
  readonly body: FileBody
}

/**
 * Most views are built from the inserted values, without reading back; the result equals `viewFile`. View for the user
 * who inserted the item.
 */
function viewInserted(tx: Transaction, caller: Caller, inserted: Inserted): FileView {
  const { item, head, folders, body } = inserted
  const [folder] = folders
  if (head === undefined || folder === undefined || folders.length > 1 || !isPlain(body, folder))
    return viewFile(tx, caller, item.pk)
  const { md5, sha1, sha256 } = head.staged
  const { user } = caller
  // cached: an access list never changes
  const rights = cacheInGroup(tx, `rights ${user} ${item.acl}`, () => rightsCells(tx, user, item.acl))
  const parent = [folder.id, folder.is_root] as const
  const view = viewRow(tx, caller, [item, rights, [head.revision.id, md5, sha1, sha256], null, [parent], []])
  return assured(view, `the caller sees no item ${item.pk}`)
}

/** True for an item in a My Drive, not in the trash, without properties and without state of the caller. */
function isPlain(
  { properties = [], labels, lastViewedByMeDate }: FileBody,
  { drive, trashed }: VisibleFile,
): boolean {
  if (drive !== null || trashed === 1 || properties.length > 0) return false
  return lastViewedByMeDate === undefined && labels?.starred === undefined && labels?.viewed === undefined
}

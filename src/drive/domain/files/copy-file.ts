/** files.copy: a new file with the content of another; the bytes are shared, not copied (spec 5.5). */
import type { FileBody, PropertyBody } from '../../contract/bodies.ts'
import { type Caller, type OwnConditions, StorageFailure, badRequest } from '../../contract/failure.ts'
import { isNativeDocument } from '../../contract/kinds.ts'
import type { Staged } from '../../persistence/contents/blob-rows.ts'
import type { Database, Transaction } from '../../persistence/database/database.ts'
import { type VisibleFile, fileToRead, findVisibleFile, hasAppAccess } from '../access/access.ts'
import { readExtra } from './file-facts.ts'
import type { FileView } from '../items/file-view.ts'
import { insertFile } from './insert-file.ts'
import { isAllowed } from '../access/rights.ts'
import { readLimits } from '../settings.ts'

export interface CopyFile {
  readonly id: string
  /** Metadata that replaces the source's. */
  readonly body: FileBody
  readonly isPinned?: boolean | undefined
  /** Set when the copy is converted. */
  readonly converted?: ConvertedSource | undefined
  readonly conditions?: OwnConditions | undefined
}

export interface ConvertedSource {
  /** MIME type of the recognised document. */
  readonly native: string
  /** Digest of the content that was examined. */
  readonly sha256: string
  /** MIME type of the content. */
  readonly type: string
}

/**
 * @throws 404; 403 — folders, and files that readers may not copy; 409 — the content has changed since the
 * conversion; else as files.insert
 */
export function copyFile(tx: Transaction, caller: Caller, input: CopyFile): FileView {
  const { id, body, isPinned, converted, conditions } = input
  const source = fileToRead(tx, caller, id)
  const { indexContent } = readExtra(source.extra)
  if (!isAllowed(tx, source, 'canCopy'))
    throw new StorageFailure(403, 'cannotCopyFile', 'This file cannot be copied by the user.')
  const content = copyContent(tx, source)
  if (converted !== undefined && converted.sha256 !== content?.sha256)
    throw new StorageFailure(409, 'conflict', 'The file was changed while it was being converted; try again.')
  const isNative = isNativeDocument(source.mime)
  if (isNative && (body.mimeType ?? source.mime) !== source.mime)
    throw badRequest('The type of this item cannot be changed.', 'mimeType')
  const mimeType = converted?.type ?? (isNative ? content?.mime : undefined)
  return insertFile(tx, caller, {
    body: {
      ...inherited(tx, caller, source),
      ...body,
      ...(mimeType === undefined ? {} : { mimeType }),
      parents: chooseParents(tx, caller, source, body),
    },
    content,
    name: source.original_name ?? undefined,
    isPinned,
    indexesContent: indexContent,
    native: isNative ? source.mime : converted?.native,
    conditions,
  })
}

/** The copy inherits public properties and those of the caller's client, but no stars, comments, grants or older revisions. */
function inherited(tx: Transaction, { client }: Caller, source: VisibleFile): FileBody {
  const sql = 'SELECT key, value, app FROM properties WHERE file = ? AND app IN (0, ?)'
  const properties: PropertyBody[] = tx
    .all<{ key: string; value: string; app: number }>(sql, source.pk, client)
    .map(({ key, value, app }) => ({ key, value, visibility: app === 0 ? 'PUBLIC' : 'PRIVATE' }))
  const { description } = readExtra(source.extra)
  return {
    title: titleOfCopy(tx, source.title),
    mimeType: source.mime,
    properties,
    ...(description === undefined ? {} : { description }),
    ...(source.target === null ? {} : { shortcutDetails: { targetId: source.target } }),
  }
}

/** A title of nearly the limit is cut, since the caller has not asked for the longer one. */
function titleOfCopy(db: Database, title: string): string {
  const name = `Copy of ${title}`
  const bytes = Buffer.from(name).subarray(0, readLimits(db)['title-bytes'])
  // leaves out a character of which the end was cut off
  return bytes.length < Buffer.byteLength(name) ? new TextDecoder().decode(bytes, { stream: true }) : name
}

/** Folders of the source to which caller and client may add children; if there are none, the caller's root. */
function chooseParents(tx: Transaction, caller: Caller, source: VisibleFile, { parents }: FileBody) {
  if (parents !== undefined && parents.length > 0) return parents
  const sql = 'SELECT f.id FROM parents l JOIN files f ON f.pk = l.parent WHERE l.child = ?'
  return tx.all<{ id: string }>(sql, source.pk).filter(({ id }) => {
    const folder = findVisibleFile(tx, caller, id)
    if (folder === undefined || !isAllowed(tx, folder, 'canAddChildren')) return false
    return folder.is_root === 1 || hasAppAccess(caller, folder, 'write')
  })
}

/** `mime` is the type the content was uploaded with. */
function copyContent(db: Database, { head }: VisibleFile): (Staged & { readonly mime: string }) | undefined {
  const sql =
    'SELECT b.pk AS blob, b.sha256, b.sha1, b.md5, b.size, r.mime FROM revisions r JOIN blobs b ON b.pk = r.blob WHERE r.pk = ?'
  return head === null ? undefined : db.get<Staged & { readonly mime: string }>(sql, head)
}

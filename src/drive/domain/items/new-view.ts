/** The view of an item that was just inserted; for most of them as it was written, without reading it back: the same as `viewFile` gives. */
import type { FileBody } from '../../contract/bodies.ts'
import type { Caller } from '../../contract/failure.ts'
import type { Staged } from '../../persistence/contents/blob-rows.ts'
import type { Transaction } from '../../persistence/database/database.ts'
import type { SeenFile } from '../access/access.ts'
import { readOnce } from '../settings.ts'
import type { AddedRevision } from '../revisions/file-contents.ts'
import type { FileRow } from './file-row.ts'
import { type FileView, rightsCells, viewFile, viewRow } from './file-view.ts'

export interface NewHead {
  readonly revision: AddedRevision
  readonly staged: Staged
}

export interface Inserted {
  readonly item: FileRow
  /** Undefined: it has no content. */
  readonly head: NewHead | undefined
  readonly folders: readonly SeenFile[]
  readonly body: FileBody
}

/** What its maker sees of it. */
export function viewInserted(tx: Transaction, caller: Caller, inserted: Inserted): FileView {
  const { item, head, folders, body } = inserted
  const [folder] = folders
  if (head === undefined || folder === undefined || folders.length > 1 || !isPlain(body, folder))
    return viewFile(tx, caller, item.pk)
  return viewNew(tx, caller, { item, head, folder })
}

/** In its owner's drive and not in the trash, without properties and without state of the caller's own. */
function isPlain(
  { properties = [], labels, lastViewedByMeDate }: FileBody,
  { drive, trashed }: SeenFile,
): boolean {
  if (drive !== null || trashed === 1 || properties.length > 0) return false
  return lastViewedByMeDate === undefined && labels?.starred === undefined && labels?.viewed === undefined
}

interface NewItem {
  readonly item: FileRow
  readonly head: NewHead
  /** The only one it is in. */
  readonly folder: SeenFile
}

function viewNew(tx: Transaction, caller: Caller, { item, head, folder }: NewItem): FileView {
  const { revision, staged } = head
  const { md5, sha1, sha256 } = staged
  const { user } = caller
  // sets of rights never change
  const rights = readOnce(tx, `rights ${user} ${item.acl}`, () => rightsCells(tx, user, item.acl))
  const parent = [folder.id, folder.is_root] as const
  const view = viewRow(tx, caller, [item, rights, [revision.id, md5, sha1, sha256], null, [parent], []])
  if (view === undefined) throw new Error(`the caller sees no item ${item.pk}`)
  return view
}

/** View of a newly inserted item. Most are built from the inserted values, without reading back; the result equals `viewFile`. */
import { assured } from '../../../errors.ts'
import type { FileBody } from '../../contract/bodies.ts'
import type { Caller } from '../../contract/failure.ts'
import type { Staged } from '../../persistence/contents/blob-rows.ts'
import type { Transaction } from '../../persistence/database/database.ts'
import type { VisibleFile } from '../access/access.ts'
import { cacheInGroup } from '../settings.ts'
import type { AddedRevision } from '../revisions/file-contents.ts'
import type { FileRow } from './file-row.ts'
import { type FileView, rightsCells, viewFile, viewRow } from './file-view.ts'

export interface NewHead {
  readonly revision: AddedRevision
  readonly staged: Staged
}

export interface Inserted {
  readonly item: FileRow
  /** Undefined for an item without content. */
  readonly head: NewHead | undefined
  readonly folders: readonly VisibleFile[]
  readonly body: FileBody
}

/** View for the user who inserted the item. */
export function viewInserted(tx: Transaction, caller: Caller, inserted: Inserted): FileView {
  const { item, head, folders, body } = inserted
  const [folder] = folders
  if (head === undefined || folder === undefined || folders.length > 1 || !isPlain(body, folder))
    return viewFile(tx, caller, item.pk)
  return viewNew(tx, caller, { item, head, folder })
}

/** True for an item in a My Drive, not in the trash, without properties and without state of the caller. */
function isPlain(
  { properties = [], labels, lastViewedByMeDate }: FileBody,
  { drive, trashed }: VisibleFile,
): boolean {
  if (drive !== null || trashed === 1 || properties.length > 0) return false
  return lastViewedByMeDate === undefined && labels?.starred === undefined && labels?.viewed === undefined
}

interface NewItem {
  readonly item: FileRow
  readonly head: NewHead
  /** The item's only folder. */
  readonly folder: VisibleFile
}

function viewNew(tx: Transaction, caller: Caller, { item, head, folder }: NewItem): FileView {
  const { revision, staged } = head
  const { md5, sha1, sha256 } = staged
  const { user } = caller
  // cached: an access list never changes
  const rights = cacheInGroup(tx, `rights ${user} ${item.acl}`, () => rightsCells(tx, user, item.acl))
  const parent = [folder.id, folder.is_root] as const
  const view = viewRow(tx, caller, [item, rights, [revision.id, md5, sha1, sha256], null, [parent], []])
  return assured(view, `the caller sees no item ${item.pk}`)
}

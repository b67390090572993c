/** The view of an item as its insert wrote it, without reading it back: the same as `viewOf` gives, for most inserts. */
import type { FileBody } from '../model/bodies.ts'
import type { Caller } from '../model/caller.ts'
import type { Staged } from '../store/blob-rows.ts'
import type { Transaction } from '../store/database.ts'
import type { SeenFile } from './access.ts'
import type { AddedRevision } from './content.ts'
import type { FileRow } from './file-row.ts'
import { type FileView, viewOfRow } from './file-view.ts'
import { type RightsCells, rightsCells } from './view-cells.ts'

export interface NewHead {
  readonly revision: AddedRevision
  readonly staged: Staged
}

/** In its owner's drive and not in the trash, without properties and without state of the caller's own. */
export function isPlain(
  { properties = [], labels, lastViewedByMeDate }: FileBody,
  { drive, trashed }: SeenFile,
): boolean {
  if (drive !== null || trashed === 1 || properties.length > 0) return false
  return lastViewedByMeDate === undefined && labels?.starred === undefined && labels?.viewed === undefined
}

interface NewItem {
  /** As it was inserted, before it had a head. */
  readonly item: FileRow
  readonly head: NewHead
  /** The only one it is in. */
  readonly folder: SeenFile
}

export function viewOfNew(tx: Transaction, caller: Caller, { item, head, folder }: NewItem): FileView {
  const { revision, staged } = head
  const { size, md5, sha1, sha256 } = staged
  const row = { ...item, head: revision.pk, size, used: size }
  const rights = rightsOn(tx, caller.user, item.acl)
  const parent = [folder.id, folder.is_root] as const
  const view = viewOfRow(tx, caller, [row, rights, [revision.id, md5, sha1, sha256], null, [parent], []])
  if (view === undefined) throw new Error(`the caller sees no item ${item.pk}`)
  return view
}

/** Of inserts that follow each other in a group: sets of rights never change. */
const known = new WeakMap<object, Map<string, RightsCells>>()

function rightsOn(tx: Transaction, user: number, acl: number): RightsCells {
  if (tx.alike === undefined) return rightsCells(tx, user, acl)
  const rights = known.get(tx.alike) ?? new Map<string, RightsCells>()
  known.set(tx.alike, rights)
  const key = `${user} ${acl}`
  const cells = rights.get(key) ?? rightsCells(tx, user, acl)
  rights.set(key, cells)
  return cells
}

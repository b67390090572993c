/** children and parents: adds, removes and finds single links between a folder and an item (spec 9). */
import { type Caller, notFound } from '../../contract/failure.ts'
import type { Database, Transaction } from '../../persistence/database/database.ts'
import { type VisibleFile, fileToRead, requireVisibleFile } from '../access/access.ts'
import { touch } from '../changes/change-log.ts'
import type { ParentView } from '../items/file-view.ts'
import { moveItem, takeFromFolder } from './find-folders.ts'
import { requireFile } from '../access/rights.ts'

/** Ids of folder and child. */
export interface Link {
  readonly folder: string
  readonly child: string
}

export interface NewLink extends Link {
  /** Removes the item from all other folders. */
  readonly isAlone: boolean
}

export interface LostLink extends Link {
  /** Moves an item that was in no other folder to its owner's root. */
  readonly keepsHome: boolean
  /** Resource whose path the request used; a 404 names the id of the other. */
  readonly from: 'folder' | 'child'
}

/** Adds a link unless it exists. @returns the folder as a parent of the item. @throws 404, 403, 400 */
export function addLink(tx: Transaction, caller: Caller, { folder, child, isAlone }: NewLink): ParentView {
  const file = requireFile(tx, caller, child, 'canEdit')
  if (moveItem(tx, caller, file, isAlone ? { to: [folder] } : { add: [folder] })) touch(tx, file)
  return parentView(requireVisibleFile(tx, caller, folder))
}

/** @throws 404 — item or link missing; 403 */
export function removeLink(
  tx: Transaction,
  caller: Caller,
  { folder, child, keepsHome, from }: LostLink,
): void {
  const file = requireFile(tx, caller, child, 'canEdit')
  const parent = requireVisibleFile(tx, caller, folder)
  if (!takeFromFolder(tx, caller, file, { folder: parent.pk, keepsHome }))
    throw notFound('File', from === 'folder' ? child : folder)
  touch(tx, file)
}

/** Both ends of an existing link that the caller sees. @throws 404 */
export function findLink(
  db: Database,
  caller: Caller,
  { folder, child }: Link,
  from: 'folder' | 'child',
): { readonly parent: ParentView; readonly child: string } {
  const parent =
    from === 'folder'
      ? fileToRead(db, caller, folder, 'folderId')
      : requireVisibleFile(db, caller, folder, 'parentId')
  const file =
    from === 'child' ? fileToRead(db, caller, child) : requireVisibleFile(db, caller, child, 'childId')
  const sql = 'SELECT 1 FROM parents WHERE parent = ? AND child = ?'
  if (db.get(sql, parent.pk, file.pk) === undefined)
    throw notFound('File', from === 'folder' ? child : folder)
  return { parent: parentView(parent), child: file.id }
}

function parentView({ id, is_root }: VisibleFile): ParentView {
  return { id, isRoot: is_root === 1 }
}

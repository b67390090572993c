/** The folders that an item is in, changed: what children and parents, and moves by update, come down to (spec 9). */
import type { Caller } from '../model/caller.ts'
import { badRequest, noPermission } from '../model/failure.ts'
import type { Database, Transaction } from '../store/database.ts'
import type { SeenFile } from './access.ts'
import { noteChildren } from './change-notes.ts'
import { type FileRow, realId } from './file-row.ts'
import { checkDepth, depthOf, foldersToFill, link } from './parents.ts'
import { settleTrash } from './settle-trash.ts'

/** Ids of folders. */
export interface Move {
  /** Undefined: those it is in. */
  readonly to?: readonly string[] | undefined
  readonly add?: readonly string[] | undefined
  /** Those it is not in are ignored. */
  readonly remove?: readonly string[] | undefined
}

/** @returns whether the item is in other folders now. @throws 404, 403, 400 — not there, no folder, a circle, too deep */
export function moveItem(tx: Transaction, caller: Caller, file: SeenFile, move: Move): boolean {
  const before = new Set(foldersOf(tx, file.pk))
  const wanted = new Set(move.to === undefined ? before : keysToFill(tx, caller, move.to, before))
  for (const folder of keysToFill(tx, caller, move.add ?? [], before)) wanted.add(folder)
  for (const id of move.remove ?? []) wanted.delete(keyOf(tx, caller, id) ?? 0)
  return putInto(tx, file, before, wanted)
}

/** Alone in the folder, or in it too. @returns whether anything is different now. @throws as `moveItem` */
export function addToFolder(
  tx: Transaction,
  caller: Caller,
  file: SeenFile,
  { folder, isAlone }: { readonly folder: string; readonly isAlone: boolean },
): boolean {
  return moveItem(tx, caller, file, isAlone ? { to: [folder] } : { add: [folder] })
}

/** With `keepsHome` an item whose last folder this was goes to its owner's root. @returns false when it was not in there */
export function takeFromFolder(
  tx: Transaction,
  file: SeenFile,
  { folder, keepsHome }: { readonly folder: number; readonly keepsHome: boolean },
): boolean {
  const before = new Set(foldersOf(tx, file.pk))
  if (!before.has(folder)) return false
  const wanted = new Set([...before].filter((one) => one !== folder))
  if (wanted.size === 0 && keepsHome) wanted.add(homeOf(tx, file))
  return putInto(tx, file, before, wanted)
}

export function foldersOf(db: Database, file: number): number[] {
  return db
    .all<{ parent: number }>('SELECT parent FROM parents WHERE child = ?', file)
    .map((row) => row.parent)
}

/** Where an item goes that has no folder. */
export function homeOf(db: Database, { pk, owner }: Pick<FileRow, 'pk' | 'owner'>): number {
  const row = db.get<{ root: number | null }>('SELECT root FROM principals WHERE pk = ?', owner)
  if (row?.root == null) throw new Error(`the owner of item ${pk} has no root`)
  return row.root
}

export function unlinkAll(tx: Transaction, file: number): void {
  for (const folder of foldersOf(tx, file)) noteChildren(tx, folder)
  tx.run('DELETE FROM parents WHERE child = ?', file)
}

function putInto(
  tx: Transaction,
  file: SeenFile,
  before: ReadonlySet<number>,
  wanted: ReadonlySet<number>,
): boolean {
  const added = [...wanted].filter((folder) => !before.has(folder))
  const removed = [...before].filter((folder) => !wanted.has(folder))
  if (added.length === 0 && removed.length === 0) return false
  if (file.is_root === 1) throw noPermission(file.id)
  for (const folder of added) checkPlace(tx, file, folder)
  for (const folder of removed) {
    tx.run('DELETE FROM parents WHERE parent = ? AND child = ?', folder, file.pk)
    noteChildren(tx, folder)
  }
  for (const folder of added) link(tx, folder, file.pk)
  settleTrash(tx, file.pk)
  return true
}

/** Where an item is already it may stay, whatever the caller may do there. */
function keysToFill(
  tx: Transaction,
  caller: Caller,
  ids: readonly string[],
  before: ReadonlySet<number>,
): number[] {
  return ids.flatMap((id) => {
    const key = keyOf(tx, caller, id)
    if (key !== undefined && before.has(key)) return [key]
    return foldersToFill(tx, caller, [id]).map(({ pk }) => pk)
  })
}

function keyOf(db: Database, caller: Caller, id: string): number | undefined {
  return db.get<{ pk: number }>('SELECT pk FROM files WHERE id = ?', realId(db, caller, id))?.pk
}

const BELOW = `WITH RECURSIVE below(pk, depth) AS (
  SELECT ?1, 0 UNION SELECT l.child, depth + 1 FROM below JOIN parents l ON l.parent = below.pk)
  SELECT max(depth) AS height, max(pk = ?2) AS is_above FROM below`

/** @throws 400 — the folder is below the item, or of another space; 403 — the whole is too deep */
function checkPlace(tx: Transaction, file: SeenFile, folder: number): void {
  if (file.kind === 'folder') {
    const { height, is_above } = tx.get<{ height: number; is_above: number }>(BELOW, file.pk, folder) ?? {
      height: 0,
      is_above: 0,
    }
    if (is_above === 1)
      throw badRequest('A folder cannot be put into itself or into what is in it.', 'parents')
    checkDepth(depthOf(tx, folder) + height)
  } else checkDepth(depthOf(tx, folder))
  const space = tx.get<{ space: string }>('SELECT space FROM files WHERE pk = ?', folder)?.space
  if (space !== file.space) throw badRequest('An item stays in its space.', 'parents')
}

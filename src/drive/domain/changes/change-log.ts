/** Change log: every change writes an entry; each principal keeps the latest entry of each item. */
import type { Database, Transaction, Value, CachedValue } from '../../persistence/database/database.ts'
import { ANYONE } from '../../persistence/database/tables/schema.ts'
import { cacheInGroup } from '../settings.ts'

/** Item as the log names it. */
export interface ChangedItem {
  readonly pk: number
  readonly id: string
}

/** Records a change for all principals whose lists show the item, or for `principals` only. @returns the number of the entry */
export function recordChange(tx: Transaction, item: ChangedItem, principals?: readonly number[]): number {
  const seq = append(tx, item, APPEND)
  if (principals === undefined) tx.run(FOR_LISTED, item.pk, seq, 0)
  else for (const one of principals) tx.run(FOR_ONE, item.pk, seq, 0, one)
  return seq
}

/** Increments the item's version, and records the change for all principals whose lists show it. */
export function touch(tx: Transaction, item: ChangedItem): void {
  tx.run('UPDATE files SET version = version + 1 WHERE pk = ?', item.pk)
  recordChange(tx, item)
}

/** Records an item that this command made, of which no principal has an entry yet. @returns the number of the entry */
export function recordNew(tx: Transaction, item: NewItem): number {
  const { pk, acl, drive } = item
  const seq = append(tx, item, APPEND_NEW, drive)
  // cached: an insert changes no access list
  const [one, other] = cacheInGroup(tx, `listed ${acl}`, () => tx.all<{ principal: number }>(LISTED, acl))
  if (one !== undefined && other === undefined) tx.run(ENTER, one.principal, pk, seq)
  else tx.run(FOR_LISTED, pk, seq, 0)
  return seq
}

interface NewItem extends ChangedItem {
  readonly acl: number
  readonly drive: number | null
}

/** Records the removal before the item is deleted, for every principal that lists or has opened it. @returns the number of the entry */
export function recordRemoval(tx: Transaction, item: ChangedItem): number {
  const seq = append(tx, item, APPEND_GONE)
  tx.run(FOR_LISTED, item.pk, seq, 1)
  tx.run(FOR_THOSE_WHO_USED_IT, item.pk, seq, 1)
  return seq
}

/** A principal whose access to items changed. */
export interface AffectedPrincipal {
  readonly principal: number
  /** True if the items left the principal's lists. */
  readonly isRemoved: boolean
}

/** Records one entry for each pair of item and principal. */
export function recordRights(
  tx: Transaction,
  items: readonly number[],
  concerned: readonly AffectedPrincipal[],
): void {
  // channels of users who came by a link are notified too, although `anyone` has no log
  for (const item of items) noteItem(tx, item)
  const principals = concerned.filter(({ principal }) => principal !== ANYONE)
  if (principals.length === 0 || items.length === 0) return
  const { lastKey, changes } = tx.run(APPEND_ALL, JSON.stringify(items), tx.now)
  const told = JSON.stringify(principals.map(({ principal, isRemoved }) => [principal, Number(isRemoved)]))
  tx.run(FOR_CONCERNED, lastKey - changes, told)
  noteEntry(tx, lastKey - changes + 1)
}

/** Copies the latest entries of `from` into the log of `to`. */
export function inheritLog(tx: Transaction, from: number, to: number): void {
  tx.run(INHERIT, from, to)
}

const INHERIT = `INSERT INTO change_index(principal, item, seq, is_removed)
  SELECT ?2, item, seq, is_removed FROM change_index WHERE principal = ?1
  ON CONFLICT(principal, item) DO UPDATE SET seq = excluded.seq, is_removed = excluded.is_removed
  WHERE excluded.seq > seq`

/** ?1 item, ?2 number of the entry, ?3 1 if the item is out of reach, ?4 the principal. `anyone` has no log, and links are in no list. */
const FOR_LISTED = entering(
  `SELECT principal, ?1, ?2, ?3 FROM acl_entries
  WHERE acl = (SELECT acl FROM files WHERE pk = ?1) AND is_listed = 1 AND principal <> ${ANYONE}`,
)
/** Items that were opened only by id are in no list, and so in no log. */
const FOR_ONE = entering(`SELECT ?4, ?1, ?2, ?3 WHERE EXISTS (SELECT 1 FROM acl_entries
  WHERE acl = (SELECT acl FROM files WHERE pk = ?1) AND is_listed = 1
  AND principal IN (SELECT ?4 UNION ALL SELECT grp FROM members WHERE member = ?4))`)
const FOR_THOSE_WHO_USED_IT = entering('SELECT user, ?1, ?2, ?3 FROM user_state WHERE item = ?1')

/** ?1 number of the last entry before, ?2 pairs of principal and `is_removed`. */
const FOR_CONCERNED = entering(
  `SELECT json_extract(p.value, '$[0]'), c.item, c.seq, json_extract(p.value, '$[1]')
  FROM changes c CROSS JOIN json_each(?2) p WHERE c.seq > ?1`,
)

/** Two rows suffice to see whether there is exactly one principal: most items are listed for their owner alone. `anyone` has no log. */
const LISTED = `SELECT principal FROM acl_entries
  WHERE acl = ? AND is_listed = 1 AND principal <> ${ANYONE} LIMIT 2`
const ENTER = 'INSERT INTO change_index(principal, item, seq, is_removed) VALUES (?, ?, ?, 0)'

function entering(select: string): string {
  return (
    `INSERT INTO change_index(principal, item, seq, is_removed) ${select} ` +
    'ON CONFLICT(principal, item) DO UPDATE SET seq = excluded.seq, is_removed = excluded.is_removed'
  )
}

const APPEND = `INSERT INTO changes(item, item_id, at, drive)
  VALUES (?1, ?2, ?3, (SELECT drive FROM files WHERE pk = ?1))`
const APPEND_NEW = 'INSERT INTO changes(item, item_id, at, drive) VALUES (?, ?, ?, ?)'
/** Stores the fields that decide which clients may see the entry, because the item's row is about to be deleted. */
const APPEND_GONE = `INSERT INTO changes(item, item_id, at, is_gone, drive, client, space)
  SELECT ?1, ?2, ?3, 1, drive, client, space FROM files WHERE pk = ?1`
const APPEND_ALL = `INSERT INTO changes(item, item_id, at, drive)
  SELECT pk, id, ?2, drive FROM files WHERE pk IN (SELECT value FROM json_each(?1)) ORDER BY pk`

function append(tx: Transaction, { pk, id }: ChangedItem, sql: string, ...more: Value[]): number {
  const { lastKey } = tx.run(sql, pk, id, tx.now, ...more)
  noteItem(tx, pk)
  noteEntry(tx, lastKey)
  return lastKey
}

/** Number of the last entry; later entries get larger numbers. */
export function largestChange(db: Database): number {
  return db.get<{ seq: number }>("SELECT seq FROM sqlite_sequence WHERE name = 'changes'")?.seq ?? 0
}

export interface ChangeSet {
  /** Keys of items that changed, or changed for some principal. */
  readonly items: ReadonlySet<number>
  /** Keys of folders whose contents changed. */
  readonly folders: ReadonlySet<number>
  /** Number of the first new entry of the change log; undefined if there is none. */
  readonly first: number | undefined
}

interface Notes {
  /** True if the table may hold channels, false if it is empty, undefined before the first look-up. */
  hasChannels: boolean | undefined
  items: Set<number>
  folders: Set<number>
  first: number | undefined
}

/** Notes of the transaction, kept with the writer's connection. */
const NOTES: CachedValue<Notes> = { make: () => ({ hasChannels: undefined, ...nothingNoted() }) }

function noteItem(tx: Transaction, item: number): void {
  if (hasChannels(tx)) tx.memory.recall(NOTES).items.add(item)
}

function noteEntry(tx: Transaction, entry: number): void {
  if (hasChannels(tx)) tx.memory.recall(NOTES).first ??= entry
}

export function markFolderChanged(tx: Transaction, folder: number): void {
  if (hasChannels(tx)) tx.memory.recall(NOTES).folders.add(folder)
}

/** Clears notes before a command, since a refused command may have left some, and after a rollback. */
export function clearChangeSet(tx: Transaction): void {
  Object.assign(tx.memory.recall(NOTES), nothingNoted())
}

/** Returns and clears the notes; undefined if there are none. */
export function takeChangeSet(tx: Transaction): ChangeSet | undefined {
  const notes = tx.memory.recall(NOTES)
  if (notes.items.size + notes.folders.size === 0) return undefined
  const { items, folders, first } = notes
  Object.assign(notes, nothingNoted())
  return { items, folders, first }
}

/** True if there are channels. Reads the table once per writer, so that inserts without channels need no extra statement. */
export function hasChannels(tx: Transaction): boolean {
  const notes = tx.memory.recall(NOTES)
  notes.hasChannels ??= tx.get('SELECT 1 FROM channels LIMIT 1') !== undefined
  return notes.hasChannels
}

/**
 * Call with true after adding a channel. Before deleting channels, call with the state before the deletion: a
 * rollback may bring the rows back.
 */
export function setHasChannels(tx: Transaction, has: boolean): void {
  tx.memory.recall(NOTES).hasChannels = has
}

function nothingNoted(): Omit<Notes, 'hasChannels'> {
  return { items: new Set(), folders: new Set(), first: undefined }
}

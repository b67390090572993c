/** What a command has changed so far, remembered for the channels that may want to know: nothing is, while there are none. */
import type { Transaction } from '../../persistence/database/database.ts'
import type { Remembered } from '../../persistence/database/memory.ts'

export interface Noted {
  /** Keys of items that are others now, or were to somebody. */
  readonly items: ReadonlySet<number>
  /** Keys of folders that something was put into or taken out of. */
  readonly folders: ReadonlySet<number>
  /** Number of the first entry of the change log; undefined: there is none. */
  readonly first: number | undefined
}

interface Notes {
  /** May be true when there are none any more, never false when there are. Undefined: to be looked up. */
  hasChannels: boolean | undefined
  items: Set<number>
  folders: Set<number>
  first: number | undefined
}

/** Of the writer's connection. */
const NOTES: Remembered<Notes> = { make: () => ({ hasChannels: undefined, ...nothingNoted() }) }

export function noteItem(tx: Transaction, item: number): void {
  if (hasChannels(tx)) tx.memory.recall(NOTES).items.add(item)
}

/** Of the change log. */
export function noteEntry(tx: Transaction, entry: number): void {
  if (hasChannels(tx)) tx.memory.recall(NOTES).first ??= entry
}

export function noteChildren(tx: Transaction, folder: number): void {
  if (hasChannels(tx)) tx.memory.recall(NOTES).folders.add(folder)
}

/** Before a command, since one that was refused may have left notes; and after changes that were rolled back. */
export function clearNotes(tx: Transaction): void {
  Object.assign(tx.memory.recall(NOTES), nothingNoted())
}

/** Undefined: nothing. */
export function takeNotes(tx: Transaction): Noted | undefined {
  const notes = tx.memory.recall(NOTES)
  if (notes.items.size + notes.folders.size === 0) return undefined
  const { items, folders, first } = notes
  Object.assign(notes, nothingNoted())
  return { items, folders, first }
}

/** One look into the table for the life of the writer: an insert takes not a statement more while nobody watches. */
export function hasChannels(tx: Transaction): boolean {
  const notes = tx.memory.recall(NOTES)
  notes.hasChannels ??= tx.get('SELECT 1 FROM channels LIMIT 1') !== undefined
  return notes.hasChannels
}

/**
 * Whoever adds a channel says true. Whoever deletes rows of channels says so before the first is deleted, of what there is then: what
 * was deleted in this transaction may come back with it.
 */
export function sayChannels(tx: Transaction, has: boolean): void {
  tx.memory.recall(NOTES).hasChannels = has
}

function nothingNoted(): Omit<Notes, 'hasChannels'> {
  return { items: new Set(), folders: new Set(), first: undefined }
}

/** Pages of rows in the order of their keys; the page token is the key of the last row. */
import type { Caller, OwnCondition } from '../contract/failure.ts'
import { type EntityTags, requireTag } from '../protocol/etags.ts'
import type { Database } from '../persistence/database/database.ts'
import { viewFile } from './items/file-view.ts'

export interface KeyedPage<View> {
  readonly items: readonly View[]
  /** Key of the last item; undefined on the last page. */
  readonly next: number | undefined
}

/** Start and length of a page. */
export interface PageStart {
  readonly most: number
  /** Key of the last item of the previous page; 0 for the first page. */
  readonly after: number
}

/**
 * Builds a page from `rows`, which hold one row more if another page follows. The page also ends before the first
 * item that does not fit.
 */
export function keyedPage<Row, View extends { readonly pk: number }>(
  rows: Iterable<Row>,
  most: number,
  viewOf: (row: Row) => View,
  fits: (view: View) => boolean = () => true,
): KeyedPage<View> {
  const items: View[] = []
  for (const row of rows) {
    const view = viewOf(row)
    if (items.length === most || !fits(view)) return { items, next: items.at(-1)?.pk }
    items.push(view)
  }
  return { items, next: undefined }
}

/** File that a command changes, and the conditions on it: entity tags of which it must have one, and one of our own. */
export interface TaggedFile {
  readonly id: string
  readonly ifMatch?: EntityTags | undefined
  readonly condition?: OwnCondition | undefined
}

/** @throws 412 — the file has another etag */
export function requireMatch(
  db: Database,
  caller: Caller,
  file: number,
  wanted: EntityTags | undefined,
): void {
  requireTag(wanted, () => viewFile(db, caller, file).etag)
}

/** Pages of rows in the order of their keys: the page token of such a list is the key of its last row. */
import { type Caller, conditionNotMet } from '../contract/failure.ts'
import { type EntityTags, matches } from '../protocol/etags.ts'
import type { Database } from '../persistence/database/database.ts'
import { viewFile } from './items/file-view.ts'

export interface KeyedPage<View> {
  readonly items: readonly View[]
  /** Key of the last item; undefined: this is the last page. */
  readonly next: number | undefined
}

/** Where a page of a list begins, and how long it is. */
export interface PageStart {
  readonly most: number
  /** Key of the last item of the previous page; 0 for the first page. */
  readonly after: number
}

/**
 * `rows`: up to one more than the page has, which tells whether there is another page; it ends before the first that does not fit,
 * too.
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

/** @throws 412 */
export function mustMatch(db: Database, caller: Caller, file: number, wanted: EntityTags | undefined): void {
  if (wanted !== undefined && !matches(wanted, viewFile(db, caller, file).etag)) throw conditionNotMet()
}

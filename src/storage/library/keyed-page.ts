/** Pages of rows in the order of their keys: the page token of such a list is the key of its last row. */

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

/** `rows`: up to one more than the page has, which tells whether there is another page. */
export function keyedPage<Row, View extends { readonly pk: number }>(
  rows: readonly Row[],
  most: number,
  viewOf: (row: Row) => View,
): KeyedPage<View> {
  const items = rows.slice(0, most).map(viewOf)
  return { items, next: rows.length > most ? items.at(-1)?.pk : undefined }
}

/** Pages of rows in the order of their keys; the page token is the key of the last row. */

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

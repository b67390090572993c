/** JSON body of one page of an administration list. */
import type { Listed } from '../../domain/administration/lists.ts'

export function listAnswer<Row, Item>({ items, next }: Listed<Row>, describe: (row: Row) => Item) {
  return { items: items.map(describe), nextPageToken: next }
}

/** ISO date of ms since 1970; null stays null. */
export function dateOrNone(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString()
}

/** A page of a list, as it is answered. */
import type { Listed } from '../../domain/administration/lists.ts'

export function listAnswer<Row, Item>({ items, next }: Listed<Row>, describe: (row: Row) => Item) {
  return { items: items.map(describe), nextPageToken: next }
}

/** ms since 1970; null: never. */
export function dateOrNone(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString()
}

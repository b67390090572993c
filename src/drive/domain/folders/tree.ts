/** Prefixes of SQL statements: tables of the folders above or the items below an item, including itself. Each link is walked once. */

/** Table `above` of keys. `?1`: an item. */
export const ABOVE = `WITH RECURSIVE above(pk) AS (
  SELECT ?1 UNION SELECT l.parent FROM above JOIN parents l ON l.child = above.pk)`

/** Table `below` of keys. `?1`: an item. */
export const BELOW = `WITH RECURSIVE below(pk) AS (
  SELECT ?1 UNION SELECT l.child FROM below JOIN parents l ON l.parent = below.pk)`

/** Table `below` of keys. `?1`: items, as JSON. */
export const ALL_BELOW = `WITH RECURSIVE below(pk) AS (
  SELECT value FROM json_each(?1) UNION SELECT l.child FROM below JOIN parents l ON l.parent = below.pk)`

/** Table `above` with `depth`, 1 for the item itself. `?1`: an item; `?2`: greatest depth to walk on from. */
export const ABOVE_BY_DEPTH = `WITH RECURSIVE above(pk, depth) AS (
  SELECT ?1, 1 UNION SELECT l.parent, depth + 1 FROM above JOIN parents l ON l.child = above.pk WHERE depth <= ?2)`

/** Table `below` with `depth`, 0 for the item itself. `?1`: an item. */
export const BELOW_BY_DEPTH = `WITH RECURSIVE below(pk, depth) AS (
  SELECT ?1, 0 UNION SELECT l.child, depth + 1 FROM below JOIN parents l ON l.parent = below.pk)`

/** Table `below` of folder keys, the folder itself included. `?1`: a folder; `?2`: maximum rows. */
export const FOLDERS_BELOW = `WITH RECURSIVE below(pk) AS (SELECT ?1 UNION SELECT f.pk FROM below JOIN parents l ON l.parent = below.pk
  JOIN files f ON f.pk = l.child WHERE f.kind = 'folder' LIMIT ?2)`

/** Folders above an item and what is below it, the item included: the beginnings of statements, which walk over links each once. */

/** `?1`: an item. A table `above` of keys. */
export const ABOVE = `WITH RECURSIVE above(pk) AS (
  SELECT ?1 UNION SELECT l.parent FROM above JOIN parents l ON l.child = above.pk)`

/** `?1`: an item. A table `below` of keys. */
export const BELOW = `WITH RECURSIVE below(pk) AS (
  SELECT ?1 UNION SELECT l.child FROM below JOIN parents l ON l.parent = below.pk)`

/** `?1`: items, as JSON. */
export const ALL_BELOW = `WITH RECURSIVE below(pk) AS (
  SELECT value FROM json_each(?1) UNION SELECT l.child FROM below JOIN parents l ON l.parent = below.pk)`

/** `?1`: an item, `?2`: how far. `depth` of the item itself is 1. */
export const ABOVE_BY_DEPTH = `WITH RECURSIVE above(pk, depth) AS (
  SELECT ?1, 1 UNION SELECT l.parent, depth + 1 FROM above JOIN parents l ON l.child = above.pk WHERE depth <= ?2)`

/** `?1`: an item. `depth` of the item itself is 0. */
export const BELOW_BY_DEPTH = `WITH RECURSIVE below(pk, depth) AS (
  SELECT ?1, 0 UNION SELECT l.child, depth + 1 FROM below JOIN parents l ON l.parent = below.pk)`

/** `?1`: a folder, `?2`: how many at most. Folders alone. */
export const FOLDERS_BELOW = `WITH RECURSIVE below(pk) AS (SELECT ?1 UNION SELECT f.pk FROM below JOIN parents l ON l.parent = below.pk
  JOIN files f ON f.pk = l.child WHERE f.kind = 'folder' LIMIT ?2)`

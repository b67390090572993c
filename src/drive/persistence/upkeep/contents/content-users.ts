/** Describes for an operator which files use a content. */
import { type Database, countRows } from '../../database/database.ts'

/** Maximum revisions named for a content. */
const MAX_NAMED = 3

interface User {
  readonly revision: string
  readonly id: string
  readonly file: number
  readonly owner: string | null
}

const USERS = `SELECT r.id AS revision, f.id, f.pk AS file, p.email AS owner FROM revisions r JOIN files f ON f.pk = r.file
  LEFT JOIN principals p ON p.pk = f.owner WHERE r.blob = ? ORDER BY r.pk LIMIT ?`

/** `revision R of file F of ada@example.org, and 2 more`. With `withPlace` also the path of each file. */
export function findContentUsers(db: Database, blob: number, withPlace: boolean): string {
  const users = db.all<User>(USERS, blob, MAX_NAMED)
  const count = countRows(db, 'SELECT count(*) AS count FROM revisions WHERE blob = ?', blob)
  const named = users.map(({ revision, id, file, owner }) => {
    const place = withPlace ? ` (${describePath(db, file)})` : ''
    return `revision ${revision} of file ${id}${place} of ${owner ?? 'a shared drive'}`
  })
  const more = count > users.length ? [`${count - users.length} more`] : []
  return users.length === 0 ? 'no revision' : [...named, ...more].join(', ')
}

const ABOVE = `WITH RECURSIVE above(pk, depth) AS (SELECT ?1, 0 UNION
  SELECT (SELECT min(l.parent) FROM parents l WHERE l.child = above.pk), depth + 1 FROM above WHERE pk IS NOT NULL AND depth < 1000)
  SELECT f.title FROM above JOIN files f ON f.pk = above.pk WHERE f.is_root = 0 ORDER BY depth DESC`

/** `/folder/title`, along the first parent of each item. */
function describePath(db: Database, file: number): string {
  return db
    .all<{ title: string }>(ABOVE, file)
    .map(({ title }) => `/${title}`)
    .join('')
}

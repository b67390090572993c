/**
 * The statement behind a file's view. SQLite answers each item as one JSON array: a column for each of its forty values
 * takes three times as long.
 */
import type { Database } from '../../persistence/database/database.ts'
import { MY_PRINCIPALS } from '../access/access.ts'
import { FILE_COLUMNS, type RowCells } from './file-row.ts'

export type ViewCells = readonly [
  row: RowCells,
  rights: RightsCells,
  head: HeadCells | null,
  state: StateCells | null,
  parents: readonly (readonly [id: string, isRoot: number])[],
  /** `app` is 0 for public ones. */
  properties: readonly (readonly [key: string, value: string, app: number])[],
]

/** Roles as `roleFrom` takes them. */
export type RightsCells = readonly [principals: number, roles: string | null]

export type HeadCells = readonly [id: string, md5: string, sha1: string, sha256: string]

export type StateCells = readonly [
  starred: number,
  viewedAt: number | null,
  modifiedAt: number | null,
  sharedAt: number | null,
  sharer: number | null,
  version: number,
]

const RIGHTS_ON = `SELECT json_array(count(*), group_concat(role) FILTER (WHERE principal IN ${MY_PRINCIPALS})) AS cells
  FROM acl_entries WHERE acl =`
const RIGHTS = `(${RIGHTS_ON} f.acl)`

const PARENTS = `(SELECT json_group_array(json_array(p.id, p.is_root)) FROM parents l JOIN files p ON p.pk = l.parent
  WHERE l.child = f.pk
  AND (p.acl = f.acl OR EXISTS (SELECT 1 FROM acl_entries WHERE acl = p.acl AND principal IN ${MY_PRINCIPALS})))`

const PROPERTIES = `(SELECT json_group_array(json_array(key, value, app)) FROM properties
  WHERE file = f.pk AND app IN (0, ?2))`

/** ?1 the user, ?2 the client, ?3 the items. */
const VIEW = `SELECT json_array(json_array(${FILE_COLUMNS}), ${RIGHTS},
  CASE WHEN r.pk IS NULL THEN NULL ELSE json_array(r.id, b.md5, b.sha1, b.sha256) END,
  CASE WHEN s.item IS NULL THEN NULL
  ELSE json_array(s.starred, s.viewed_at, s.modified_at, s.shared_at, s.sharer, s.version) END,
  ${PARENTS}, ${PROPERTIES}) AS cells
FROM files f
LEFT JOIN revisions r ON r.pk = f.head
LEFT JOIN blobs b ON b.pk = r.blob
LEFT JOIN user_state s ON s.user = ?1 AND s.item = f.pk`

const OF_ID = `${VIEW} WHERE f.id = ?3`
const OF_KEY = `${VIEW} WHERE f.pk = ?3`
const OF_KEYS = `${VIEW} WHERE f.pk IN (SELECT value FROM json_each(?3))`

interface CellsRow {
  readonly cells: string
}

/** Keys of the caller whose view it is. */
export interface Viewer {
  readonly user: number
  readonly client: number
}

export function readIdCells(db: Database, { user, client }: Viewer, id: string): ViewCells | undefined {
  return parsed(db.get<CellsRow>(OF_ID, user, client, id))
}

export function readCells(db: Database, { user, client }: Viewer, pk: number): ViewCells | undefined {
  return parsed(db.get<CellsRow>(OF_KEY, user, client, pk))
}

/** Of any item with this set of rights. */
export function rightsCells(db: Database, user: number, acl: number): RightsCells {
  const row = db.get<CellsRow>(`${RIGHTS_ON} ?2`, user, acl)
  // as the statement puts them together; it counts, so there is a row
  return JSON.parse(row?.cells ?? '') as RightsCells
}

/** In no order. */
export function readKeyCells(db: Database, { user, client }: Viewer, keys: readonly number[]): ViewCells[] {
  const rows = db.all<CellsRow>(OF_KEYS, user, client, JSON.stringify(keys))
  // as the statement puts them together
  return rows.map(({ cells }) => JSON.parse(cells) as ViewCells)
}

function parsed(row: CellsRow | undefined): ViewCells | undefined {
  // as above
  return row === undefined ? undefined : (JSON.parse(row.cells) as ViewCells)
}

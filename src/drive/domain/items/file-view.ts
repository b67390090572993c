/** Items as a caller sees them: rows with all data that their resource shows. */
import { assured } from '../../../errors.ts'
import type { Caller } from '../../contract/failure.ts'
import type { Role } from '../../contract/kinds.ts'
import type { Database } from '../../persistence/database/database.ts'
import { MY_PRINCIPALS, requireAppAccess, isInScope, parseRoles } from '../access/access.ts'
import { type DriveFacts, driveFacts } from '../drives/drive-view.ts'
import { type Extra, readExtra } from '../files/file-facts.ts'
import { FILE_COLUMNS, type FileRow, type RowCells, realId, rowFrom } from './file-row.ts'
import { type UserView, userView } from '../access/principals.ts'

/** Plain data: it comes back from the writer thread. */
export interface FileView {
  readonly row: FileRow
  readonly extra: Extra
  readonly role: Role
  /** Changes whenever another field of the view may have changed. */
  readonly etag: string
  /** Shared drive that holds the item. */
  readonly drive: DriveFacts | undefined
  /** Undefined in a shared drive. */
  readonly owner: UserView | undefined
  readonly modifier: UserView | undefined
  readonly trasher: UserView | undefined
  readonly sharer: UserView | undefined
  /** User who set the content restriction. */
  readonly restrictor: UserView | undefined
  /** True if users other than the owner have access. */
  readonly isShared: boolean
  readonly head: HeadView | undefined
  /** Parents that the caller can see. */
  readonly parents: readonly ParentView[]
  /** Public properties, and private ones of the caller's client. */
  readonly properties: readonly PropertyView[]
  readonly mine: OwnState
}

export interface HeadView {
  readonly id: string
  readonly md5: string
  readonly sha1: string
  readonly sha256: string
}

export interface ParentView {
  readonly id: string
  readonly isRoot: boolean
}

export interface PropertyView {
  readonly key: string
  readonly value: string
  readonly isPublic: boolean
}

/** State of the item for the caller only. */
export interface OwnState {
  readonly isStarred: boolean
  readonly viewedAt: number | null
  readonly modifiedAt: number | null
  readonly sharedAt: number | null
}

/** Undefined if the item does not exist or the caller may not see it. @throws 403 — the client is confined to files it made */
export function findView(db: Database, caller: Caller, id: string): FileView | undefined {
  const cells = readIdCells(db, caller, realId(db, caller, id))
  const view = cells === undefined ? undefined : viewFrom(db, caller, cells)
  if (view === undefined || !isInScope(caller, view.row)) return undefined
  requireAppAccess(caller, view.row, 'read')
  return view
}

/** View of an item that the caller may see. `formerRole` applies if the caller's own change removed the access. */
export function viewFile(db: Database, caller: Caller, pk: number, formerRole?: Role): FileView {
  const cells = readCells(db, caller, pk)
  const view = cells === undefined ? undefined : viewFrom(db, caller, cells, formerRole)
  return assured(view, `the caller sees no item ${pk}`)
}

/** Views in the order of the keys, without items on which the caller has no role. */
export function viewFiles(db: Database, caller: Caller, keys: readonly number[]): FileView[] {
  if (keys.length === 0) return []
  const views = new Map<number, FileView>()
  for (const cells of readKeyCells(db, caller, keys)) {
    const view = viewFrom(db, caller, cells)
    if (view !== undefined) views.set(view.row.pk, view)
  }
  return keys.flatMap((key) => views.get(key) ?? [])
}

function viewFrom(
  db: Database,
  caller: Caller,
  [row, ...cells]: ViewCells,
  formerRole?: Role,
): FileView | undefined {
  return viewRow(db, caller, [rowFrom(row), ...cells], formerRole)
}

/** Undefined if the caller has no role on the item. */
export function viewRow(
  db: Database,
  caller: Caller,
  [row, [entries, roles], head, state, parents, properties]: RowAndCells,
  formerRole?: Role,
): FileView | undefined {
  const role = parseRoles(roles) ?? formerRole
  if (role === undefined) return undefined
  const [starred, viewedAt, modifiedAt, sharedAt, sharer, stateVersion] = state ?? NO_STATE
  const drive = row.drive === null ? undefined : driveFacts(db, row.drive)
  const extra = readExtra(row.extra)
  return {
    row,
    role,
    extra,
    etag: makeEtag(row, role, stateVersion, drive),
    drive,
    owner: userView(db, row.owner),
    modifier: userView(db, row.modifier),
    trasher: userView(db, row.trasher),
    sharer: userView(db, sharer),
    restrictor: userView(db, extra.restriction?.by ?? null),
    isShared: entries > 1,
    head: headFrom(head),
    parents: parents.map(([id, isRoot]) => ({ id, isRoot: isRoot === 1 })),
    properties: properties.map(([key, value, app]) => ({ key, value, isPublic: app === 0 })),
    mine: {
      isStarred: starred === 1,
      viewedAt,
      modifiedAt: row.modifier === caller.user ? row.modified : modifiedAt,
      sharedAt,
    },
  }
}

/** A row with the rest of its `ViewCells`. */
export type RowAndCells = readonly [row: FileRow, ...rest: Rest<ViewCells>]

type Rest<Cells> = Cells extends readonly [unknown, ...infer Others] ? Others : never

const NO_STATE: StateCells = [0, null, null, null, null, 0]

/**
 * Combines everything that can change. `trashed` also changes with the item's parents, and the role changes without
 * the access list when the caller joins or leaves a group.
 */
function makeEtag(
  { pk, version, acl, trashed }: FileRow,
  role: Role,
  stateVersion: number,
  drive: DriveFacts | undefined,
): string {
  const inDrive = drive === undefined ? '' : `.${drive.version}`
  return `"${version}.${stateVersion}.${acl}${role[0]}.${trashed}${inDrive}/${pk.toString(36)}"`
}

function headFrom(cells: HeadCells | null): HeadView | undefined {
  if (cells === null) return undefined
  const [id, md5, sha1, sha256] = cells
  return { id, md5, sha1, sha256 }
}

type ViewCells = readonly [
  row: RowCells,
  rights: RightsCells,
  head: HeadCells | null,
  state: StateCells | null,
  parents: readonly (readonly [id: string, isRoot: number])[],
  /** `app` is 0 for public properties. */
  properties: readonly (readonly [key: string, value: string, app: number])[],
]

/** Roles as text for `parseRoles`. */
type RightsCells = readonly [principals: number, roles: string | null]

type HeadCells = readonly [id: string, md5: string, sha1: string, sha256: string]

type StateCells = readonly [
  starred: number,
  viewedAt: number | null,
  modifiedAt: number | null,
  sharedAt: number | null,
  sharer: number | null,
  version: number,
]

const RIGHTS_ON = `SELECT json_array(count(*), group_concat(role) FILTER (WHERE principal IN ${MY_PRINCIPALS})) AS cells
  FROM acl_entries WHERE acl =`
// SQLite since 3.54.1 takes the JSON of a subquery as text, unless json() marks it
const RIGHTS = `json((${RIGHTS_ON} f.acl))`

const PARENTS = `json((SELECT json_group_array(json_array(p.id, p.is_root)) FROM parents l JOIN files p ON p.pk = l.parent
  WHERE l.child = f.pk
  AND (p.acl = f.acl OR EXISTS (SELECT 1 FROM acl_entries WHERE acl = p.acl AND principal IN ${MY_PRINCIPALS}))))`

const PROPERTIES = `json((SELECT json_group_array(json_array(key, value, app)) FROM properties
  WHERE file = f.pk AND app IN (0, ?2)))`

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

/** Keys of the calling user and client. */
interface Viewer {
  readonly user: number
  readonly client: number
}

function readIdCells(db: Database, { user, client }: Viewer, id: string): ViewCells | undefined {
  return parsed(db.get<CellsRow>(OF_ID, user, client, id))
}

function readCells(db: Database, { user, client }: Viewer, pk: number): ViewCells | undefined {
  return parsed(db.get<CellsRow>(OF_KEY, user, client, pk))
}

/** Rights of the user on any item with this access list. */
export function rightsCells(db: Database, user: number, acl: number): RightsCells {
  const row = db.get<CellsRow>(`${RIGHTS_ON} ?2`, user, acl)
  // the shape comes from the statement `RIGHTS_ON`, an aggregate, which always returns a row
  return JSON.parse(row?.cells ?? '') as RightsCells
}

/** Reads the items in no particular order. */
function readKeyCells(db: Database, { user, client }: Viewer, keys: readonly number[]): ViewCells[] {
  const rows = db.all<CellsRow>(OF_KEYS, user, client, JSON.stringify(keys))
  // the shape comes from the statement `VIEW`
  return rows.map(({ cells }) => JSON.parse(cells) as ViewCells)
}

function parsed(row: CellsRow | undefined): ViewCells | undefined {
  // the shape comes from the statement `VIEW`
  return row === undefined ? undefined : (JSON.parse(row.cells) as ViewCells)
}

/** Items as a caller sees them: rows with everything that their resource shows. */
import type { Caller } from '../../contract/caller.ts'
import type { Role } from '../../contract/role.ts'
import type { Database } from '../../persistence/database/database.ts'
import { mustBeOfApp, reaches, roleFrom } from '../access/access.ts'
import { type DriveFacts, driveFacts } from '../drives/drive-facts.ts'
import { type Extra, readExtra } from '../files/extra.ts'
import { type FileRow, realId, rowFrom } from './file-row.ts'
import { type UserView, userView } from '../accounts/user-view.ts'
import {
  readIdCells,
  readCells,
  readKeyCells,
  type HeadCells,
  type StateCells,
  type ViewCells,
} from './view-cells.ts'

/** Plain data: it comes back from the writer thread. */
export interface FileView {
  readonly row: FileRow
  readonly extra: Extra
  readonly role: Role
  /** Changes whenever anything else here could. */
  readonly etag: string
  /** The shared drive that it is in. */
  readonly drive: DriveFacts | undefined
  /** Undefined in shared drives. */
  readonly owner: UserView | undefined
  readonly modifier: UserView | undefined
  readonly trasher: UserView | undefined
  readonly sharer: UserView | undefined
  /** Who set the content restriction. */
  readonly restrictor: UserView | undefined
  /** Anyone but the owner has access. */
  readonly isShared: boolean
  readonly head: HeadView | undefined
  /** Those the caller can see. */
  readonly parents: readonly ParentView[]
  /** Public ones and private ones of the caller's client. */
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

/** State of the item for this user alone. */
export interface OwnState {
  readonly isStarred: boolean
  readonly viewedAt: number | null
  readonly modifiedAt: number | null
  readonly sharedAt: number | null
}

/** Undefined: there is none, or the caller may not know of it. @throws 403 — the client is confined to files it made */
export function findView(db: Database, caller: Caller, id: string): FileView | undefined {
  const cells = readIdCells(db, caller, realId(db, caller, id))
  const view = cells === undefined ? undefined : viewFrom(db, caller, cells)
  if (view === undefined || !reaches(caller, view.row)) return undefined
  mustBeOfApp(caller, view.row, 'read')
  return view
}

/** Of an item that the caller may see. `formerRole` counts if the caller's own change took the access away. */
export function viewFile(db: Database, caller: Caller, pk: number, formerRole?: Role): FileView {
  const cells = readCells(db, caller, pk)
  const view = cells === undefined ? undefined : viewFrom(db, caller, cells, formerRole)
  if (view === undefined) throw new Error(`the caller sees no item ${pk}`)
  return view
}

/** In the order of the keys; those the caller has no role on are left out. */
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

/** Undefined: the caller has no role on it. */
export function viewRow(
  db: Database,
  caller: Caller,
  [row, [entries, roles], head, state, parents, properties]: RowAndCells,
  formerRole?: Role,
): FileView | undefined {
  const role = roleFrom(roles) ?? formerRole
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

/** What hangs on the row, as `ViewCells` has it. */
export type RowAndCells = readonly [row: FileRow, ...rest: Rest<ViewCells>]

type Rest<Cells> = Cells extends readonly [unknown, ...infer Others] ? Others : never

const NO_STATE: StateCells = [0, null, null, null, null, 0]

/**
 * Built of what can change. `trashed` also changes without the item, with its parents; the role without the access list, when
 * the caller joins or leaves a group.
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

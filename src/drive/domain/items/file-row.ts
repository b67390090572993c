/** Rows of `files`, and the look-up of ids and their aliases. */
import type { Caller } from '../../contract/failure.ts'
import type { ItemKind } from '../../contract/kinds.ts'
import type { Database } from '../../persistence/database/database.ts'

/** Columns under their own names; the schema describes them. */
export interface FileRow {
  readonly pk: number
  readonly id: string
  readonly kind: ItemKind
  readonly title: string
  readonly mime: string
  readonly space: 'drive' | 'appDataFolder'
  readonly owner: number | null
  readonly drive: number | null
  readonly client: number
  readonly acl: number
  readonly is_root: number
  readonly explicit_trash: number
  readonly trashed: number
  readonly trashed_at: number | null
  readonly trasher: number | null
  readonly created: number
  readonly modified: number
  readonly modifier: number
  readonly version: number
  /** Key in `revisions`; null for items without content. */
  readonly head: number | null
  readonly size: number
  readonly used: number
  readonly extension: string | null
  readonly full_extension: string | null
  readonly original_name: string | null
  readonly target: string | null
  /** JSON of `Extra`. */
  readonly extra: string
}

const COLUMNS = [
  'pk', 'id', 'kind', 'title', 'mime', 'space', 'owner', 'drive', 'client', 'acl', 'is_root', 'explicit_trash', 'trashed',
  'trashed_at', 'trasher', 'created', 'modified', 'modifier', 'version', 'head', 'size', 'used', 'extension',
  'full_extension', 'original_name', 'target', 'extra',
] as const // prettier-ignore

/** Columns in the order of `RowCells`. */
export const FILE_COLUMNS = COLUMNS.map((name) => `f.${name}`).join(', ')

type Cells<Names extends readonly (keyof FileRow)[]> = { readonly [At in keyof Names]: FileRow[Names[At]] }

/** Values of the columns as an array. */
export type RowCells = Cells<typeof COLUMNS>

/** Assigns each field by hand: a loop over names takes five times as long. */
export function rowFrom(cells: RowCells): FileRow {
  return {
    pk: cells[0],
    id: cells[1],
    kind: cells[2],
    title: cells[3],
    mime: cells[4],
    space: cells[5],
    owner: cells[6],
    drive: cells[7],
    client: cells[8],
    acl: cells[9],
    is_root: cells[10],
    explicit_trash: cells[11],
    trashed: cells[12],
    trashed_at: cells[13],
    trasher: cells[14],
    created: cells[15],
    modified: cells[16],
    modifier: cells[17],
    version: cells[18],
    head: cells[19],
    size: cells[20],
    used: cells[21],
    extension: cells[22],
    full_extension: cells[23],
    original_name: cells[24],
    target: cells[25],
    extra: cells[26],
  }
}

/** Aliases of the caller's application-data folder, in lower case (spec 1). */
const APP_DATA = new Set(['appdatafolder', 'appfolder', 'appdata'])

export function isAlias(id: string): boolean {
  const name = id.toLowerCase()
  return name === 'root' || APP_DATA.has(name)
}

/** Resolves an alias for this caller; any other id is returned unchanged. */
export function realId(db: Database, caller: Caller, id: string): string {
  // longer than every alias; only ids of old names are that short
  if (id.length > 13) return id
  const name = id.toLowerCase()
  if (name === 'root') return rootId(db, caller.user) ?? id
  return APP_DATA.has(name) ? (appRootId(db, caller) ?? id) : id
}

function rootId(db: Database, user: number): string | undefined {
  const sql = 'SELECT f.id FROM principals p JOIN files f ON f.pk = p.root WHERE p.pk = ?'
  return db.get<{ id: string }>(sql, user)?.id
}

function appRootId(db: Database, { user, client }: Caller): string | undefined {
  const sql = 'SELECT f.id FROM app_roots a JOIN files f ON f.pk = a.root WHERE a.user = ? AND a.client = ?'
  return db.get<{ id: string }>(sql, user, client)?.id
}

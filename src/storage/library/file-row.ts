/** A row of `files`, and how one is found by the id that the interface shows. */
import type { Caller } from '../model/caller.ts'
import type { ItemKind } from '../model/kinds.ts'
import type { Database } from '../store/database.ts'

/** The columns, by their own names; see the schema for what they hold. */
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
  /** Of `revisions`; null for what has no content. */
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

export const FILE_COLUMNS =
  'f.pk, f.id, f.kind, f.title, f.mime, f.space, f.owner, f.drive, f.client, f.acl, f.is_root, f.explicit_trash, f.trashed, ' +
  'f.trashed_at, f.trasher, f.created, f.modified, f.modifier, f.version, f.head, f.size, f.used, f.extension, ' +
  'f.full_extension, f.original_name, f.target, f.extra'

/** Names of folders that every caller has of his own (spec 1). */
const APP_DATA = new Set(['appdatafolder', 'appfolder', 'appdata'])

/** The id that an alias stands for to this caller; any other id is itself. */
export function realId(db: Database, caller: Caller, id: string): string {
  // shorter than any id of ours but those of old names
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

/** Items as a caller sees them: rows with everything that their resource shows. */
import type { Caller } from '../model/caller.ts'
import type { Role } from '../model/role.ts'
import type { Database } from '../store/database.ts'
import { MY_PRINCIPALS, MY_ROLES, mustBeOfApp, reaches, roleFrom } from './access.ts'
import { type Extra, readExtra } from './extra.ts'
import { FILE_COLUMNS, type FileRow, realId } from './file-row.ts'
import { type UserView, userView } from './user-view.ts'

/** Plain data: it comes back from the writer thread. */
export interface FileView {
  readonly row: FileRow
  readonly extra: Extra
  readonly role: Role
  /** Changes whenever anything else here could. */
  readonly etag: string
  /** Undefined in shared drives. */
  readonly owner: UserView | undefined
  readonly modifier: UserView | undefined
  readonly trasher: UserView | undefined
  readonly sharer: UserView | undefined
  /** Somebody else has a right to it. */
  readonly isShared: boolean
  readonly head: HeadView | undefined
  /** Those the caller can see. */
  readonly parents: readonly ParentView[]
  /** Public ones and those of the caller's program. */
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

/** What an item is to this user alone. */
export interface OwnState {
  readonly isStarred: boolean
  readonly viewedAt: number | null
  readonly modifiedAt: number | null
  readonly sharedAt: number | null
}

interface ViewRow extends FileRow {
  readonly roles: string | null
  readonly entries: number
  readonly o_id: string | null
  readonly o_name: string
  readonly o_email: string | null
  readonly o_picture: string | null
  readonly m_id: string | null
  readonly m_name: string
  readonly m_email: string | null
  readonly m_picture: string | null
  readonly head_id: string | null
  readonly md5: string
  readonly sha1: string
  readonly sha256: string
  readonly starred: number | null
  readonly viewed_at: number | null
  readonly modified_at: number | null
  readonly shared_at: number | null
  readonly sharer: number | null
  readonly state_version: number | null
  /** `id:1,id:0`: 1 for a root */
  readonly parents: string | null
  /** JSON: `[[key, value, app], …]` */
  readonly properties: string
}

/** ?1 the user, ?2 his program, ?3 which items. */
const VIEW = `SELECT ${FILE_COLUMNS}, ${MY_ROLES} AS roles,
  (SELECT count(*) FROM acl_entries WHERE acl = f.acl) AS entries,
  o.id AS o_id, o.name AS o_name, o.email AS o_email, o.picture AS o_picture,
  m.id AS m_id, m.name AS m_name, m.email AS m_email, m.picture AS m_picture,
  r.id AS head_id, b.md5, b.sha1, b.sha256,
  s.starred, s.viewed_at, s.modified_at, s.shared_at, s.sharer, s.version AS state_version,
  (SELECT group_concat(p.id || ':' || p.is_root) FROM parents l JOIN files p ON p.pk = l.parent WHERE l.child = f.pk
    AND (p.acl = f.acl OR EXISTS (SELECT 1 FROM acl_entries WHERE acl = p.acl AND principal IN ${MY_PRINCIPALS}))) AS parents,
  (SELECT json_group_array(json_array(key, value, app)) FROM properties WHERE file = f.pk AND app IN (0, ?2)) AS properties
FROM files f
LEFT JOIN principals o ON o.pk = f.owner
LEFT JOIN principals m ON m.pk = f.modifier
LEFT JOIN revisions r ON r.pk = f.head
LEFT JOIN blobs b ON b.pk = r.blob
LEFT JOIN user_state s ON s.user = ?1 AND s.item = f.pk`

const VIEW_OF_ID = `${VIEW} WHERE f.id = ?3`
const VIEW_OF_KEY = `${VIEW} WHERE f.pk = ?3`
const VIEW_OF_KEYS = `${VIEW} WHERE f.pk IN (SELECT value FROM json_each(?3))`

/** Undefined: there is none, or the caller may not know of it. @throws 403 — his program is confined to what it made */
export function findView(db: Database, caller: Caller, id: string): FileView | undefined {
  const row = db.get<ViewRow>(VIEW_OF_ID, caller.user, caller.client, realId(db, caller, id))
  if (row === undefined || row.roles === null || !reaches(caller, row)) return undefined
  mustBeOfApp(caller, row, 'read')
  return viewFrom(db, caller, row)
}

/** Of an item that the caller has just been found to see. */
export function viewOf(db: Database, caller: Caller, pk: number): FileView {
  const row = db.get<ViewRow>(VIEW_OF_KEY, caller.user, caller.client, pk)
  if (row === undefined) throw new Error(`there is no item ${pk}`)
  return viewFrom(db, caller, row)
}

/** In the order of the keys; those the caller has no role on are left out. */
export function viewsOf(db: Database, caller: Caller, keys: readonly number[]): FileView[] {
  if (keys.length === 0) return []
  const rows = db.all<ViewRow>(VIEW_OF_KEYS, caller.user, caller.client, JSON.stringify(keys))
  const byKey = new Map(rows.map((row) => [row.pk, row]))
  return keys.flatMap((key) => {
    const row = byKey.get(key)
    return row === undefined || row.roles === null ? [] : [viewFrom(db, caller, row)]
  })
}

function viewFrom(db: Database, caller: Caller, row: ViewRow): FileView {
  const role = roleFrom(row.roles)
  if (role === undefined) throw new Error(`the caller has no role on item ${row.pk}`)
  return {
    row,
    extra: readExtra(row.extra),
    role,
    etag: etagOf(row),
    owner: row.owner === null ? undefined : ownerOf(row, row.owner),
    modifier: modifierOf(row),
    trasher: userView(db, row.trasher),
    sharer: userView(db, row.sharer),
    isShared: row.entries > 1,
    head:
      row.head_id === null
        ? undefined
        : { id: row.head_id, md5: row.md5, sha1: row.sha1, sha256: row.sha256 },
    parents: parentsFrom(row.parents),
    properties: propertiesFrom(row.properties),
    mine: {
      isStarred: row.starred === 1,
      viewedAt: row.viewed_at,
      modifiedAt: row.modifier === caller.user ? row.modified : row.modified_at,
      sharedAt: row.shared_at,
    },
  }
}

/** Built of what can change; `trashed` also changes without the item, with its parents. */
function etagOf({ pk, version, acl, state_version, trashed }: ViewRow): string {
  return `"${version}.${state_version ?? 0}.${acl}.${trashed}/${pk.toString(36)}"`
}

function ownerOf({ o_id: id, o_name: name, o_email: email, o_picture: picture }: ViewRow, pk: number) {
  return id === null ? undefined : { pk, id, name, email, picture }
}

function modifierOf({ modifier: pk, m_id: id, m_name: name, m_email: email, m_picture: picture }: ViewRow) {
  return id === null ? undefined : { pk, id, name, email, picture }
}

function parentsFrom(text: string | null): ParentView[] {
  if (text === null) return []
  return text.split(',').map((parent) => {
    const [id = '', isRoot] = parent.split(':')
    return { id, isRoot: isRoot === '1' }
  })
}

function propertiesFrom(text: string): PropertyView[] {
  if (text === '[]') return []
  // as the statement makes it
  const rows = JSON.parse(text) as [key: string, value: string, app: number][]
  return rows.map(([key, value, app]) => ({ key, value, isPublic: app === 0 }))
}

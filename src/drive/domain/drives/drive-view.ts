/** Shared drives as their members see them (spec 19). */
import { assured } from '../../../errors.ts'
import { type Caller, invalid, notFound } from '../../contract/failure.ts'
import type { Role } from '../../contract/kinds.ts'
import type { Database, Transaction } from '../../persistence/database/database.ts'
import { type VisibleFile, findVisibleFile } from '../access/access.ts'
import type { DriveBody } from '../../contract/bodies.ts'
import { charge, withinQuota } from '../accounts/quota.ts'
import { FILE_COLUMNS, type RowCells, rowFrom } from '../items/file-row.ts'
import { randomInt } from 'node:crypto'

/** Plain data: it comes back from the writer thread. */
export interface DriveView {
  readonly id: string
  readonly name: string
  readonly created: number
  /** Role of the caller. */
  readonly role: Role
  /** True if the caller has hidden the drive. */
  readonly isHidden: boolean
  readonly theme: string | null
  readonly color: string | null
  readonly restrictions: Restrictions
}

export interface DriveName {
  readonly id: string
  /** `useDomainAdminAccess`: administrators manage any shared drive. */
  readonly asAdmin?: boolean | undefined
}

/** @throws 404 */
export function getDrive(db: Database, caller: Caller, name: DriveName): DriveView {
  return driveView(db, caller, driveRoot(db, caller, name))
}

/** @throws 404 — no such drive, or the caller is not a member */
export function driveRoot(db: Database, caller: Caller, { id, asAdmin }: DriveName): VisibleFile {
  const root =
    (asAdmin === true ? driveForAdmin(db, caller, id) : undefined) ?? findVisibleFile(db, caller, id)
  if (root === undefined || root.drive !== root.pk) throw notFound('Shared drive', id, 'driveId')
  return root
}

interface DriveRow {
  readonly theme: string | null
  readonly color: string | null
  readonly restrictions: string
  readonly is_hidden: number
}

const ROW = `SELECT theme, color, restrictions, coalesce(
  (SELECT is_hidden FROM user_state WHERE user = ?2 AND item = root), 0) AS is_hidden FROM drives WHERE root = ?1`

export function driveView(db: Database, { user }: Caller, root: VisibleFile): DriveView {
  const row = assured(db.get<DriveRow>(ROW, root.pk, user), `there is no shared drive ${root.id}`)
  const { theme, color, is_hidden: isHidden } = row
  return {
    id: root.id,
    name: root.title,
    created: root.created,
    role: root.role,
    isHidden: isHidden === 1,
    theme,
    color,
    // only drives.ts writes this column
    restrictions: JSON.parse(row.restrictions) as Restrictions,
  }
}

export type Restrictions = NonNullable<DriveBody['restrictions']>

/** Plain data: it comes back from the writer thread. */
export interface DriveFacts {
  /** Id of the drive and of its root folder. */
  readonly id: string
  /** The domain whose users may be members if `domainUsersOnly` is set. */
  readonly domain: string | null
  readonly restrictions: Restrictions
  /** Version of the root folder; it changes with any field above. */
  readonly version: number
}

interface DriveFactsRow {
  readonly id: string
  readonly domain: string | null
  readonly restrictions: string
  readonly version: number
}

const FACTS =
  'SELECT f.id, f.version, d.domain, d.restrictions FROM drives d JOIN files f ON f.pk = d.root WHERE d.root = ?'

/** `drive`: key of the root folder, as in `files.drive`. */
export function driveFacts(db: Database, drive: number): DriveFacts {
  const row = assured(db.get<DriveFactsRow>(FACTS, drive), `there is no shared drive ${drive}`)
  // only drives.ts writes this column
  return { ...row, restrictions: JSON.parse(row.restrictions) as Restrictions }
}

/** Moves the cost of a drive from `payer` to the user who takes over its organizer role. @throws 403 storageQuotaExceeded */
export function transferCost(tx: Transaction, payer: number, root: number, to: number): void {
  if (to === payer || tx.get('SELECT 1 FROM drives WHERE root = ? AND payer = ?', root, payer) === undefined)
    return
  const sql = 'SELECT coalesce(sum(used), 0) AS used FROM files WHERE drive = ?'
  const { used = 0 } = tx.get<{ used: number }>(sql, root) ?? {}
  withinQuota(tx, to, () => {
    charge(tx, payer, -used)
    charge(tx, to, used)
    tx.run('UPDATE drives SET payer = ? WHERE root = ?', to, root)
  })
}

export function isAdmin(db: Database, { user }: Caller): boolean {
  return db.get('SELECT 1 FROM principals WHERE pk = ? AND is_admin = 1', user) !== undefined
}

const DRIVE = `SELECT json_array(${FILE_COLUMNS}) AS cells FROM files f WHERE f.id = ? AND f.drive = f.pk`

/** Root of a shared drive, with the role organizer. Undefined if the caller is not an administrator, or the drive does not exist. */
export function driveForAdmin(db: Database, caller: Caller, id: string): VisibleFile | undefined {
  if (caller.hidesDrives === true || !isAdmin(db, caller)) return undefined
  const row = db.get<{ cells: string }>(DRIVE, id)
  if (row === undefined) return undefined
  // the shape comes from the statement `DRIVE`
  return { ...rowFrom(JSON.parse(row.cells) as RowCells), role: 'organizer' }
}

export const DRIVE_THEMES: readonly { readonly id: string; readonly colorRgb: string }[] = [
  { id: 'birch', colorRgb: '#795548' },
  { id: 'cornflower', colorRgb: '#3f51b5' },
  { id: 'elder', colorRgb: '#512da8' },
  { id: 'fern', colorRgb: '#0f9d58' },
  { id: 'heather', colorRgb: '#8e24aa' },
  { id: 'lichen', colorRgb: '#607d8b' },
  { id: 'poppy', colorRgb: '#db4437' },
  { id: 'rain', colorRgb: '#0288d1' },
]

/** @throws 400 */
export function themeColor(id: string): string {
  const theme = DRIVE_THEMES.find((one) => one.id === id)
  if (theme === undefined) throw invalid(`There is no theme ${id.slice(0, 100)}.`, 'themeId')
  return theme.colorRgb
}

export function anyTheme(): string {
  return DRIVE_THEMES[randomInt(DRIVE_THEMES.length)]?.id ?? 'fern'
}

/** @throws 400 */
export function requireColor(text: string): string {
  if (!/^#[0-9a-f]{6}$/i.test(text)) throw invalid(`Not a colour: ${text.slice(0, 100)}`, 'colorRgb')
  return text.toLowerCase()
}

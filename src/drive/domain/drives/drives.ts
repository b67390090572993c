/** Operations on shared drives (spec 19). A drive is a root folder whose grants are the members, and restrictions on all items in it. */
import type { DriveBody } from '../../contract/bodies.ts'
import { type Caller, StorageFailure, invalid, noPermission, required } from '../../contract/failure.ts'
import { type DriveCapability, isCapableInDrive } from '../../contract/capabilities.ts'
import {
  type DriveName,
  type DriveView,
  type Restrictions,
  anyTheme,
  driveFacts,
  driveRoot,
  driveView,
  isAdmin,
  requireColor,
  themeColor,
  driveForAdmin,
} from './drive-view.ts'
import { foldTitle, wordsIn } from '../../contract/kinds.ts'
import { type Database, type Transaction, countRows } from '../../persistence/database/database.ts'
import { type VisibleFile, requireVisibleFile, MY_ACLS, findVisibleFile } from '../access/access.ts'
import { recordChange, touch } from '../changes/change-log.ts'
import { checkTexts } from '../files/file-facts.ts'
import { retitle, addRoot } from '../items/file-rows.ts'
import { removeItems } from '../files/remove-items.ts'
import { findDomain, recomputeRights } from '../access/rights.ts'
import {
  type Comparison,
  type QNode,
  type QTest,
  invalidQuery,
  walkTests,
} from '../../protocol/q/q-fields.ts'

interface InsertDrive {
  /** Request id: a repeated one is refused, so that a client that lost a response creates no second drive. */
  readonly request: string
  readonly body: DriveBody
}

const MAX_REQUEST_LENGTH = 128

/** The creator becomes an organizer. @throws 400, 409 */
export function insertDrive(tx: Transaction, caller: Caller, { request, body }: InsertDrive): DriveView {
  const { name = '', themeId = anyTheme() } = body
  if (name.trim() === '') throw required('name')
  checkTexts(tx, { title: name })
  if (request.length > MAX_REQUEST_LENGTH)
    throw invalid(`A request id has at most ${MAX_REQUEST_LENGTH} characters.`, 'requestId')
  const sql = 'INSERT OR IGNORE INTO drive_requests(user, request) VALUES (?, ?)'
  if (tx.run(sql, caller.user, request).changes === 0)
    throw new StorageFailure(409, 'duplicate', 'A shared drive was made with this requestId already.')
  // `recomputeRights` replaces the access list
  const own = { title: name, space: 'drive', owner: null, maker: caller.user, client: 0, acl: 0 } as const
  const root = addRoot(tx, own)
  tx.run('UPDATE files SET drive = pk WHERE pk = ?', root.pk)
  const facts = [findDomain(tx, caller.user), themeId, themeColor(themeId), caller.user]
  tx.run('INSERT INTO drives(root, domain, theme, color, payer) VALUES (?, ?, ?, ?, ?)', root.pk, ...facts)
  tx.run(ORGANIZER, root.pk, caller.user, tx.now)
  recomputeRights(tx, [root.pk])
  recordChange(tx, root)
  return driveView(tx, caller, requireVisibleFile(tx, caller, root.id))
}

const ORGANIZER =
  "INSERT INTO grants(item, principal, role, created, granter) VALUES (?1, ?2, 'organizer', ?3, ?2)"

interface ChangeDrive extends DriveName {
  readonly body: DriveBody
}

/** Absent fields keep their value. @throws 404, 403, 400 */
export function changeDrive(tx: Transaction, caller: Caller, input: ChangeDrive): DriveView {
  const { name, restrictions, backgroundImageFile, ...paint } = input.body
  const root = driveRoot(tx, caller, input)
  if (backgroundImageFile !== undefined) requireDriveCapability(root, 'canChangeDriveBackground')
  const isRenamed = name !== undefined && rename(tx, root, name)
  const isRepainted = repaint(tx, caller, root, paint)
  const isRestricted =
    restrictions !== undefined && restrict(tx, caller, root, { ...input, said: restrictions })
  if (isRenamed || isRepainted || isRestricted) {
    touch(tx, root)
  }
  return driveView(tx, caller, driveRoot(tx, caller, input))
}

/** Returns true if the name changed, like `repaint` and `restrict` for theirs: sending a resource back unchanged needs no right. */
function rename(tx: Transaction, root: VisibleFile, name: string): boolean {
  if (name === root.title) return false
  requireDriveCapability(root, 'canRenameDrive')
  if (name.trim() === '') throw required('name')
  checkTexts(tx, { title: name })
  retitle(tx, root, name)
  return true
}

/** The theme takes precedence over the colour. */
function repaint(
  tx: Transaction,
  caller: Caller,
  root: VisibleFile,
  { themeId, colorRgb }: Pick<DriveBody, 'themeId' | 'colorRgb'>,
): boolean {
  if (themeId === undefined && colorRgb === undefined) return false
  const before = driveView(tx, caller, root)
  const theme = themeId ?? (colorRgb === before.color ? before.theme : null)
  const color = themeId === undefined ? requireColor(colorRgb ?? '') : themeColor(themeId)
  if (theme === before.theme && color === before.color) return false
  requireDriveCapability(root, 'canChangeDriveBackground')
  tx.run('UPDATE drives SET theme = ?, color = ? WHERE root = ?', theme, color, root.pk)
  return true
}

interface Restrict extends DriveName {
  readonly said: Restrictions
}

function restrict(tx: Transaction, caller: Caller, root: VisibleFile, { said, asAdmin }: Restrict): boolean {
  const { restrictions: before, domain } = driveFacts(tx, root.pk)
  const after = { ...before, ...said }
  const isOther = (name: keyof Restrictions) => (before[name] === true) !== (after[name] === true)
  const changed = RESTRICTIONS.filter(isOther)
  if (changed.length === 0) return false
  requireDriveCapability(root, 'canResetDriveRestrictions')
  const needsAdmin = before.adminManagedRestrictions === true || isOther('adminManagedRestrictions')
  if (needsAdmin && !(asAdmin === true && isAdmin(tx, caller))) throw noPermission(root.id)
  // organizers from other domains would lose their own access
  if (after.domainUsersOnly === true && findDomain(tx, caller.user) !== domain) throw noPermission(root.id)
  tx.run('UPDATE drives SET restrictions = ? WHERE root = ?', JSON.stringify(after), root.pk)
  recomputeRights(tx, [root.pk, ...sharedIn(tx, root.pk)])
  return true
}

const RESTRICTIONS = [
  'adminManagedRestrictions',
  'copyRequiresWriterPermission',
  'domainUsersOnly',
  'driveMembersOnly',
  'sharingFoldersRequiresOrganizerPermission',
] as const

/** Keys of items in the drive that have their own grants. */
function sharedIn(db: Database, drive: number): number[] {
  const sql =
    'SELECT DISTINCT f.pk FROM files f JOIN grants g ON g.item = f.pk WHERE f.drive = ?1 AND f.pk <> ?1'
  return db.all<{ pk: number }>(sql, drive).map(({ pk }) => pk)
}

interface HideDrive extends DriveName {
  readonly isHidden: boolean
}

/** Hides or shows the drive for the caller only. @throws 404 */
export function hideDrive(tx: Transaction, caller: Caller, { isHidden, ...name }: HideDrive): DriveView {
  const root = driveRoot(tx, caller, name)
  const { changes } = tx.run(HIDE, caller.user, root.pk, Number(isHidden))
  if (changes > 0) recordChange(tx, root, [caller.user])
  return driveView(tx, caller, root)
}

const HIDE = `INSERT INTO user_state(user, item, is_hidden, version) VALUES (?1, ?2, ?3, 1) ON CONFLICT(user, item)
  DO UPDATE SET is_hidden = excluded.is_hidden, version = version + 1 WHERE is_hidden <> excluded.is_hidden`

interface DeleteDrive extends DriveName {
  /** True to delete items outside the trash too; only an administrator may. */
  readonly withItems: boolean
}

/** Deletes the drive and the items in its trash. @throws 404, 403 */
export function deleteDrive(tx: Transaction, caller: Caller, { withItems, ...name }: DeleteDrive): void {
  const root = driveRoot(tx, caller, name)
  requireDriveCapability(root, 'canDeleteDrive')
  const mayEmpty = withItems && name.asAdmin === true && isAdmin(tx, caller)
  const sql = 'SELECT 1 FROM files WHERE drive = ?1 AND pk <> ?1 AND trashed = 0 LIMIT 1'
  if (!mayEmpty && tx.get(sql, root.pk) !== undefined)
    throw new StorageFailure(403, 'cannotDeleteDriveWithItems', 'The shared drive is not empty.')
  removeItems(tx, [root.pk], null)
  tx.run('DELETE FROM drives WHERE root = ?', root.pk)
}

/** @throws 403 */
function requireDriveCapability(root: VisibleFile, capability: DriveCapability): void {
  if (!isCapableInDrive(root.role, capability)) throw noPermission(root.id)
}

interface DriveSearch {
  readonly search: QNode | undefined
  readonly most: number
  /** Name and id of the last drive of the page before. */
  readonly after: readonly [name: string, id: string] | undefined
  readonly asAdmin: boolean
}

interface DrivePage {
  readonly drives: readonly DriveView[]
  /** Undefined on the last page. */
  readonly next: readonly [name: string, id: string] | undefined
}

/**
 * drives.list: the shared drives of which the caller is a member, or all of them, by name. Lists drives from one
 * snapshot of the store. @throws 403 — not an administrator; 400 — only administrators may search by member count
 */
export function listDrives(db: Database, caller: Caller, list: DriveSearch): DrivePage {
  const { search, most, after, asAdmin } = list
  if (asAdmin && !isAdmin(db, caller))
    throw new StorageFailure(403, 'insufficientPermissions', 'The user does not administer this service.')
  if (search !== undefined && !asAdmin) refuseCounts(search)
  const found = findDrives(db, caller, asAdmin)
    .filter((drive) => search === undefined || fits(db, drive, search))
    .toSorted((one, other) => compare(sortKey(one), sortKey(other)))
    .filter((drive) => after === undefined || compare(sortKey(drive), after) > 0)
  const drives = found.slice(0, most)
  const last = found.length > most ? drives.at(-1) : undefined
  return { drives, next: last && sortKey(last) }
}

const MINE = `SELECT id FROM files WHERE is_root = 1 AND drive = pk AND acl IN ${MY_ACLS}`
const ALL = 'SELECT f.id FROM drives d JOIN files f ON f.pk = d.root'

function findDrives(db: Database, caller: Caller, asAdmin: boolean): DriveView[] {
  const rows = asAdmin ? db.all<{ id: string }>(ALL) : db.all<{ id: string }>(MINE, caller.user)
  return rows.flatMap(({ id }) => {
    const root = asAdmin ? driveForAdmin(db, caller, id) : findVisibleFile(db, caller, id)
    return root === undefined ? [] : [driveView(db, caller, root)]
  })
}

function sortKey({ name, id }: DriveView): readonly [name: string, id: string] {
  return [foldTitle(name).slice(0, 300), id]
}

function compare(one: readonly [string, string], other: readonly [string, string]): number {
  const at = one[0] === other[0] ? 1 : 0
  return one[at] < other[at] ? -1 : Number(one[at] > other[at])
}

function refuseCounts(search: QNode): void {
  for (const test of walkTests(search))
    if (test.kind === 'count') throw invalidQuery(`${test.field} needs useDomainAdminAccess`, test.at)
}

function fits(db: Database, drive: DriveView, node: QNode): boolean {
  switch (node.kind) {
    case 'and':
      return node.parts.every((part) => fits(db, drive, part))
    case 'or':
      return node.parts.some((part) => fits(db, drive, part))
    case 'not':
      return !fits(db, drive, node.inner)
    default:
      return passes(db, drive, node)
  }
}

function passes(db: Database, drive: DriveView, test: QTest): boolean {
  switch (test.kind) {
    case 'text':
      return isNamed(drive.name, test)
    case 'date':
      return HOLDS[test.op](drive.created, test.value)
    case 'flag':
      return drive.isHidden === test.value
    case 'count':
      return HOLDS[test.op](countMembers(db, drive.id, test.field === 'organizerCount'), test.value)
    default:
      throw new Error('that is not a field of shared drives')
  }
}

/** Matches like file titles: each word must begin a word of the name. */
function isNamed(name: string, { op, value }: Extract<QTest, { readonly kind: 'text' }>): boolean {
  const [folded, wanted] = [foldTitle(name), foldTitle(value)]
  if (op !== 'contains') return (folded === wanted) === (op === '=')
  const words = wordsIn(folded)
  return wordsIn(wanted).every((part) => words.some((word) => word.startsWith(part)))
}

const HOLDS: Readonly<Record<Comparison, (value: number, other: number) => boolean>> = {
  '=': (value, other) => value === other,
  '!=': (value, other) => value !== other,
  '<': (value, other) => value < other,
  '<=': (value, other) => value <= other,
  '>': (value, other) => value > other,
  '>=': (value, other) => value >= other,
}

/** Counts members; a group counts as one. */
function countMembers(db: Database, id: string, organizers: boolean): number {
  const sql = `SELECT count(*) AS count FROM grants WHERE item = (SELECT pk FROM files WHERE id = ?)
    ${organizers ? "AND role = 'organizer'" : ''}`
  return countRows(db, sql, id)
}

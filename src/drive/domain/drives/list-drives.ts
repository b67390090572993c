/** drives.list: the shared drives of which the caller is a member, or all of them, by name (spec 19). */
import { type Database, countRows } from '../../persistence/database/database.ts'
import { type Caller, StorageFailure } from '../../contract/failure.ts'
import { foldTitle } from '../../contract/kinds.ts'
import {
  type Comparison,
  type QNode,
  type QTest,
  invalidQuery,
  walkTests,
} from '../../protocol/q/q-fields.ts'
import { MY_ACLS, findVisibleFile } from '../access/access.ts'
import { type DriveView, driveForAdmin, driveView, isAdmin } from './drive-view.ts'

export interface DriveSearch {
  readonly search: QNode | undefined
  readonly most: number
  /** Name and id of the last drive of the page before. */
  readonly after: readonly [name: string, id: string] | undefined
  readonly asAdmin: boolean
}

export interface DrivePage {
  readonly drives: readonly DriveView[]
  /** Undefined on the last page. */
  readonly next: readonly [name: string, id: string] | undefined
}

/** Lists drives from one snapshot of the store. @throws 403 — not an administrator; 400 — only administrators may search by member count */
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

const WORD = /[\p{L}\p{N}\p{M}\p{Co}]+/gu

/** Matches like file titles: each word must begin a word of the name. */
function isNamed(name: string, { op, value }: Extract<QTest, { readonly kind: 'text' }>): boolean {
  const [folded, wanted] = [foldTitle(name), foldTitle(value)]
  if (op !== 'contains') return (folded === wanted) === (op === '=')
  const words = folded.match(WORD) ?? []
  return (wanted.match(WORD) ?? []).every((part) => words.some((word) => word.startsWith(part)))
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

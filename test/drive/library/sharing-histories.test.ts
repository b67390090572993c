/** Random histories of sharing, moving and revoking, compared with a simple model of rights. */
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findVisibleFile } from '../../../src/drive/domain/access/access.ts'
import { OPERATOR } from '../../../src/drive/domain/commands.ts'
import { type ChangeSearch, listChanges } from '../../../src/drive/domain/changes/list-changes.ts'
import { listDrives } from '../../../src/drive/domain/drives/drives.ts'
import { type Corpus, listFiles } from '../../../src/drive/domain/search/list-files.ts'
import { LIBRARY_CHECKS } from '../../../src/drive/domain/upkeep/row-checks.ts'
import { type Caller, StorageFailure } from '../../../src/drive/contract/failure.ts'
import { FOLDER_MIME } from '../../../src/drive/contract/kinds.ts'
import { parseFileQuery } from '../../../src/drive/protocol/q/q.ts'
import { ROW_CHECKS } from '../../../src/drive/persistence/upkeep/row-checks.ts'
import { type Library, openLibrary } from '../../support/library.ts'
import {
  type Role,
  type SharedItem,
  type World,
  belowOf,
  inTrash,
  isLastOrganizer,
  isListed,
  isOfDomain,
  may,
  mayShare,
  removeFrom,
  restore,
  roleOf,
} from '../../support/model-sharing.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()
let library: Library
beforeAll(async () => {
  library = await openLibrary(temp('store'))
})
afterAll(() => library.close())

const USERS = ['ada', 'bo', 'cy'] as const
type User = (typeof USERS)[number]
const GROUP = 'typing'
const DOMAIN = 'example.org'
/** Grantees; cy is of another domain. */
const GRANTEES = [...USERS, GROUP, DOMAIN, 'anyone'] as const

const WHATS = [
  'folder', 'folder', 'file', 'file', 'drive', 'share', 'share', 'share', 'unshare', 'change', 'give', 'link', 'link',
  'move', 'move', 'carry', 'carry', 'carry', 'unlink', 'delete', 'join', 'join', 'leave', 'close', 'bind', 'bind', 'end', 'drop', 'trash', 'trash', 'restore', 'empty',
] as const // prettier-ignore

/** Number of histories, each of 20 steps on average. */
const RUNS = process.env['HLA_LONG'] === undefined ? 100 : 1000

interface Step {
  readonly what: (typeof WHATS)[number]
  readonly who: User
  readonly to: (typeof GRANTEES)[number]
  readonly role: Role
  readonly withLink: boolean
  /** Whether the step chooses among all items; most choose among those that the user may change. */
  readonly isBlind: boolean
  /** Choose among the existing items. */
  readonly a: number
  readonly b: number
}

const step: fc.Arbitrary<Step> = fc.record({
  what: fc.constantFrom(...WHATS),
  who: fc.constantFrom(...USERS),
  to: fc.constantFrom(...GRANTEES),
  role: fc.constantFrom('reader', 'commenter', 'writer', 'writer', 'fileOrganizer', 'organizer'),
  withLink: fc.boolean(),
  isBlind: fc.nat(3).map((n) => n === 0),
  a: fc.nat(1000),
  b: fc.nat(1000),
})

const USUAL = { withLink: false, isBlind: false, a: 0, b: 0 } as const

/** A file goes into a shared drive and comes back: the owner's grant on it there is removed with the return. */
const THERE_AND_BACK: readonly Step[] = [
  { ...USUAL, what: 'file', who: 'bo', to: 'ada', role: 'reader' },
  { ...USUAL, what: 'carry', who: 'bo', to: 'ada', role: 'reader', isBlind: true, a: 2 },
  { ...USUAL, what: 'move', who: 'bo', to: 'ada', role: 'reader', isBlind: true, a: 2, b: 1 },
  { ...USUAL, what: 'unshare', who: 'bo', to: 'bo', role: 'reader', isBlind: true, a: 2 },
]

/** Usual start of an attack: a writer of another user's file has a drive that the owner can read. */
const OPENING: readonly Step[] = [
  { ...USUAL, what: 'drive', who: 'bo', to: 'bo', role: 'organizer' },
  { ...USUAL, what: 'share', who: 'bo', to: 'ada', role: 'reader' },
  { ...USUAL, what: 'file', who: 'ada', to: 'ada', role: 'reader' },
  { ...USUAL, what: 'share', who: 'ada', to: 'bo', role: 'writer' },
]

describe('any history of sharing', () => {
  test('leaves everybody with the rights of the model', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40, size: 'max' }), (steps) => {
        library.reset()
        const scene = begin()
        for (const one of [...OPENING, ...steps]) {
          const before = owned()
          take(scene, one)
          expectKept(before, scene.callers[one.who])
        }
        expectSame(scene)
      }),
      { numRuns: RUNS, examples: [[[...THERE_AND_BACK]]] },
    )
  })
})

/** Id -> key of the owner. */
function owned(): Map<string, number> {
  const sql = 'SELECT id, owner FROM files WHERE owner IS NOT NULL'
  const rows = library.db.all<{ id: string; owner: number }>(sql)
  return new Map(rows.map(({ id, owner }) => [id, owner]))
}

/** Checks that no user lost an item by the step of another. */
function expectKept(before: ReadonlyMap<string, number>, { user }: Caller): void {
  const after = owned()
  const lost = [...before].filter(([id, owner]) => owner !== user && after.get(id) !== owner)
  expect(lost).toEqual([])
}

interface Scene {
  readonly world: World
  readonly callers: Readonly<Record<User, Caller>>
  /** Each user's items as learnt from the change log, and the position in it. */
  readonly mirrors: Readonly<Record<User, { readonly items: Set<string>; from: number }>>
}

const ADDRESSES: Readonly<Record<string, string>> = {
  ada: 'ada@example.org',
  bo: 'bo@example.org',
  cy: 'cy@example.net',
  [GROUP]: 'typing@example.org',
}

const DOMAINS = [
  ['ada', DOMAIN],
  ['bo', DOMAIN],
  [GROUP, DOMAIN],
  [DOMAIN, DOMAIN],
  ['cy', 'example.net'],
] as const

function begin(): Scene {
  const { pk } = library.run('addUser', OPERATOR, { email: 'cy@example.net' })
  library.run('addGroup', OPERATOR, { email: 'typing@example.org' })
  const [ada, bo] = library.callers
  const callers = { ada, bo, cy: { ...bo, user: pk } }
  const roots = new Map(USERS.map((user) => [user as string, rootOf(user, callers[user])]))
  const groups = new Map([
    ['ada', new Set([DOMAIN])],
    ['bo', new Set([DOMAIN])],
    ['cy', new Set<string>()],
  ])
  const mirror = () => ({ items: new Set<string>(), from: 0 })
  return {
    world: { items: new Set(), roots, groups, domains: new Map(DOMAINS) },
    callers,
    mirrors: { ada: mirror(), bo: mirror(), cy: mirror() },
  }
}

function rootOf(owner: string, caller: Caller): SharedItem {
  const root = findVisibleFile(library.db, caller, 'root')
  return newItem(root?.id ?? '', { kind: 'folder', isRoot: true, owner, parents: [] })
}

function newItem(
  id: string,
  given: Pick<SharedItem, 'kind' | 'isRoot' | 'owner'> & { readonly parents: readonly SharedItem[] },
): SharedItem {
  const drive = given.parents.find((parent) => parent.drive !== undefined)?.drive
  const { kind, isRoot, parents } = given
  const owner = drive === undefined ? given.owner : undefined
  return {
    id,
    kind,
    isRoot,
    owner,
    drive,
    parents: new Set(parents),
    grants: new Map(),
    isClosed: false,
    isBound: false,
    isTrashed: false,
  }
}

/** Runs a command that the model allows; otherwise checks that it is refused. */
function attempt<Result>(isAllowed: boolean, run: () => Result): Result | undefined {
  if (isAllowed) return run()
  expect(run).toThrow(StorageFailure)
  return undefined
}

function take(scene: Scene, one: Step): void {
  const { world, callers } = scene
  const { what, who, isBlind, a, b } = one
  const caller = callers[who]
  const open = (item: SharedItem) => isBlind || may(world, who, item, 'writer')
  const items = [...world.items].filter(open)
  const item = items[a % Math.max(items.length, 1)]
  const folders = [...world.roots.values(), ...items].filter((one) => one.kind === 'folder' && open(one))
  const folder = folders[b % folders.length]
  if (what === 'join' || what === 'leave') return regroup(scene, one)
  if (what === 'drive') return addDrive(scene, one)
  if (what === 'empty') return empty(scene, one)
  if (folder === undefined) return
  if (what === 'folder' || what === 'file') {
    const mimeType = what === 'folder' ? FOLDER_MIME : 'text/plain'
    const body = { title: `${what} ${a}`, mimeType, parents: [{ id: folder.id }] }
    const made = attempt(may(world, who, folder, 'writer'), () => library.run('insertFile', caller, { body }))
    if (made !== undefined)
      world.items.add(newItem(made.row.id, { kind: what, isRoot: false, owner: who, parents: [folder] }))
    return
  }
  if (item !== undefined) change(scene, one, item, folder)
  follow(scene, who)
}

function change(scene: Scene, one: Step, item: SharedItem, folder: SharedItem): void {
  switch (one.what) {
    case 'share':
      return share(scene, one, item)
    case 'change':
    case 'unshare':
      return changeGrant(scene, one, item)
    case 'give':
      return give(scene, one, item)
    case 'link':
    case 'move':
      return move(scene, one, item, folder)
    case 'carry':
      return carry(scene, one, item)
    case 'unlink':
      return unlink(scene, one, item, folder)
    case 'delete':
      return remove(scene, one, item)
    case 'close':
      return close(scene, one, item)
    case 'bind':
      return bind(scene, one, item)
    case 'end':
      return end(scene, one, item)
    case 'trash':
    case 'restore':
      return turn(scene, one, item)
    default:
      return drop(scene, one, item)
  }
}

function regroup({ world }: Scene, { what, who }: Step): void {
  const email = { group: 'typing@example.org', members: [ADDRESSES[who] ?? ''] }
  if (what === 'join') world.groups.get(who)?.add(GROUP)
  else world.groups.get(who)?.delete(GROUP)
  library.run(what === 'join' ? 'addMembers' : 'removeMembers', OPERATOR, email)
}

function addDrive({ world, callers }: Scene, { who, a }: Step): void {
  const request = `${world.items.size} ${a}`
  const run = () => library.run('insertDrive', callers[who], { request, body: { name: 'drive' } })
  let id: string
  try {
    ;({ id } = run())
  } catch (error) {
    // a repeated request
    expect(String(error)).toContain('requestId')
    return
  }
  const drive = newItem(id, { kind: 'folder', isRoot: true, owner: undefined, parents: [] })
  drive.drive = drive
  drive.grants.set(who, { role: 'organizer', withLink: false })
  world.domains.set(id, world.domains.get(who) ?? '')
  world.items.add(drive)
}

function grantBody({ to, role, withLink }: Step) {
  const type = to === 'anyone' ? 'anyone' : to === DOMAIN ? 'domain' : to === GROUP ? 'group' : 'user'
  const rights = role === 'commenter' ? { role: 'reader', additionalRoles: ['commenter'] } : { role }
  const named = type === 'anyone' ? {} : { value: type === 'domain' ? DOMAIN : (ADDRESSES[to] ?? '') }
  return { type, ...rights, ...named, withLink }
}

const isPerson = (to: string) => to !== 'anyone' && to !== DOMAIN

/** Whether the item can have such a grant, whatever the granter. */
function isPlace(
  world: World,
  item: SharedItem,
  { to, role }: { readonly to: string; readonly role: Role },
): boolean {
  const { drive } = item
  if (drive?.isBound === true && !isOfDomain(world, drive, to)) return false
  if (drive === item) return isPerson(to)
  if (role === 'organizer' || role === 'fileOrganizer') return false
  return drive?.isClosed !== true || drive.grants.has(to)
}

function share({ world, callers }: Scene, one: Step, item: SharedItem): void {
  const { who, to, role, withLink } = one
  const isOwner = item.owner === to
  const keepsOrganizer = item.drive !== item || role === 'organizer' || !isLastOrganizer(item, to)
  const isAllowed =
    mayShare(world, who, item) &&
    may(world, who, item, role) &&
    isPlace(world, item, one) &&
    (isOwner || keepsOrganizer)
  const body = grantBody(one)
  attempt(isAllowed, () => library.run('insertPermission', callers[who], { id: item.id, body }))
  if (isAllowed && !isOwner) item.grants.set(to, { role, withLink: !isPerson(to) && withLink })
}

function idOf(to: string): string {
  if (to === 'anyone') return 'anyone'
  const sql = 'SELECT id FROM principals WHERE email = ?1 OR (kind = ?2 AND domain = ?1)'
  return library.db.get<{ id: string }>(sql, ADDRESSES[to] ?? to, 'domain')?.id ?? to
}

function changeGrant({ world, callers }: Scene, step: Step, item: SharedItem): void {
  const known = [...item.grants.keys()]
  const to = step.isBlind ? step.to : (known[step.b % Math.max(known.length, 1)] ?? step.to)
  const one = { ...step, to }
  const { what, who, role } = one
  const given = item.grants.get(to)
  const name = { id: item.id, permission: idOf(to) }
  const isOwn = what === 'unshare' && to === who && roleOf(world, who, item) !== undefined
  const isStrong = given !== undefined && mayShare(world, who, item) && may(world, who, item, given.role)
  const keepsOrganizer =
    item.drive !== item || (what === 'change' && role === 'organizer') || !isLastOrganizer(item, to)
  if (what === 'unshare') {
    const isAllowed = given !== undefined && (isOwn || isStrong) && keepsOrganizer
    attempt(isAllowed, () => library.run('removePermission', callers[who], name))
    if (isAllowed) item.grants.delete(to)
    return
  }
  const body =
    role === 'commenter' ? { role: 'reader', additionalRoles: ['commenter'] } : { role, additionalRoles: [] }
  const isAllowed = isStrong && may(world, who, item, role) && isPlace(world, item, one) && keepsOrganizer
  attempt(isAllowed, () => library.run('changePermission', callers[who], { ...name, body }))
  if (isAllowed && given !== undefined) item.grants.set(to, { role, withLink: given.withLink })
}

function give({ callers }: Scene, { who, to }: Step, item: SharedItem): void {
  const isUser = USERS.some((user) => user === to)
  const isAllowed = item.owner === who && isUser
  const body = { type: isUser ? 'user' : 'group', role: 'owner', value: ADDRESSES[to] ?? 'x@example.org' }
  attempt(isAllowed, () => library.run('insertPermission', callers[who], { id: item.id, body }))
  if (!isAllowed || to === who) return
  item.owner = to
  item.grants.delete(to)
  item.grants.set(who, { role: 'writer', withLink: false })
}

function move({ world, callers }: Scene, { what, who }: Step, item: SharedItem, folder: SharedItem): void {
  const isAlone = what === 'move'
  const ends = { child: item.id, folder: folder.id, isAlone }
  const keepsHidden = item.owner !== who && folder.drive === undefined
  const hidden = [...item.parents].filter((parent) => keepsHidden && roleOf(world, who, parent) === undefined)
  const wanted = new Set([...(isAlone ? hidden : item.parents), folder])
  const isSame = wanted.size === item.parents.size && [...wanted].every((one) => item.parents.has(one))
  const isAllowed =
    may(world, who, item, 'writer') &&
    roleOf(world, who, folder) !== undefined &&
    (item.parents.has(folder) || may(world, who, folder, 'writer')) &&
    [...item.parents].every((parent) => wanted.has(parent) || mayLetGo(world, who, item, parent)) &&
    (isSame || (!item.isRoot && mayGoInto(world, who, item, [...wanted])))
  attempt(isAllowed, () => library.run('addLink', callers[who], ends))
  if (isAllowed) place(world, item, { who, wanted, drive: [...wanted][0]?.drive })
}

/** Moves the item from its drive into another one. */
function carry(scene: Scene, one: Step, item: SharedItem): void {
  const { world } = scene
  const root = world.roots.get(one.who)
  const drives = [...world.items].filter((other) => other.drive === other && other !== item.drive)
  const elsewhere = item.drive === undefined || root === undefined ? drives : [root, ...drives]
  const folder = elsewhere[one.b % Math.max(elsewhere.length, 1)]
  if (folder !== undefined) move(scene, { ...one, what: 'move' }, item, folder)
}

function mayGoInto(world: World, who: User, item: SharedItem, wanted: readonly SharedItem[]): boolean {
  const below = belowOf(world, item)
  const drive = wanted.find((folder) => folder.drive !== undefined)?.drive
  if (wanted.some((folder) => below.has(folder))) return false
  if ((drive ?? item.drive) !== undefined && wanted.length !== 1) return false
  if (drive === item.drive) return true
  if (item.drive !== undefined && !may(world, who, item, 'organizer')) return false
  if (drive === undefined) return true
  if (item.kind === 'folder') return false
  return item.drive !== undefined || item.owner === who
}

/** Whether the user may take the item out of the folder. A folder that the user cannot see does not prevent this. */
function mayLetGo(world: World, who: User, item: SharedItem, folder: SharedItem): boolean {
  const isHidden = roleOf(world, who, folder) === undefined
  return item.owner === who || isHidden || may(world, who, folder, 'writer')
}

interface Places {
  readonly who: User
  readonly wanted: ReadonlySet<SharedItem>
  readonly drive: SharedItem | undefined
}

function place(world: World, item: SharedItem, { who, wanted, drive }: Places): void {
  if (drive !== item.drive) {
    // the former owner stays a writer, also without a membership
    if (item.owner !== undefined && drive !== undefined)
      item.grants.set(item.owner, { role: 'writer', withLink: false })
    for (const one of belowOf(world, item)) {
      one.drive = drive
      one.owner = drive === undefined ? who : undefined
      if (drive === undefined) one.grants.delete(who)
    }
  }
  item.parents.clear()
  for (const folder of wanted) item.parents.add(folder)
}

function unlink({ world, callers }: Scene, { who }: Step, item: SharedItem, folder: SharedItem): void {
  const ends = { child: item.id, folder: folder.id, keepsHome: false, from: 'child' } as const
  const isAllowed =
    may(world, who, item, 'writer') &&
    roleOf(world, who, folder) !== undefined &&
    item.parents.has(folder) &&
    mayLetGo(world, who, item, folder) &&
    item.drive === undefined
  attempt(isAllowed, () => library.run('removeLink', callers[who], ends))
  if (isAllowed) item.parents.delete(folder)
}

function remove({ world, callers }: Scene, { who }: Step, item: SharedItem): void {
  const isAllowed = !item.isRoot && may(world, who, item, 'organizer')
  attempt(isAllowed, () => library.run('deleteFile', callers[who], { id: item.id }))
  if (isAllowed) removeFrom(world, [item])
}

/** Moves the item into the trash, or out of it. */
function turn({ world, callers }: Scene, { who, what }: Step, item: SharedItem): void {
  const needed = item.drive === undefined ? 'owner' : 'fileOrganizer'
  const isAllowed = !item.isRoot && may(world, who, item, needed)
  const name = what === 'trash' ? 'trashFile' : 'untrashFile'
  attempt(isAllowed, () => library.run(name, callers[who], { id: item.id }))
  if (!isAllowed) return
  if (what === 'trash') item.isTrashed = true
  else restore(world, item)
}

function empty({ world, callers }: Scene, { who }: Step): void {
  library.run('emptyTrash', callers[who], { drive: undefined })
  removeFrom(
    world,
    [...world.items].filter(({ owner, isTrashed }) => owner === who && isTrashed),
  )
}

/** Restricts the drive to its members, or lifts the restriction. */
function close({ world, callers }: Scene, { who }: Step, item: SharedItem): void {
  if (item.drive !== item) return
  const isAllowed = may(world, who, item, 'organizer')
  const body = { restrictions: { driveMembersOnly: !item.isClosed } }
  attempt(isAllowed, () => library.run('changeDrive', callers[who], { id: item.id, body }))
  if (isAllowed) item.isClosed = !item.isClosed
}

/** Restricts the drive to users of its domain, or lifts that. The user who sets it must be of the domain. */
function bind({ world, callers }: Scene, { who }: Step, item: SharedItem): void {
  if (item.drive !== item) return
  const isInside = world.domains.get(who) === world.domains.get(item.id)
  const isAllowed = may(world, who, item, 'organizer') && (item.isBound || isInside)
  const body = { restrictions: { domainUsersOnly: !item.isBound } }
  attempt(isAllowed, () => library.run('changeDrive', callers[who], { id: item.id, body }))
  if (isAllowed) item.isBound = !item.isBound
}

/** Sets an expiry date on a grant, and lets the time pass. */
function end({ world, callers }: Scene, { who, b }: Step, item: SharedItem): void {
  const known = [...item.grants].filter(([to, { role }]) => isPerson(to) && role !== 'organizer')
  const [to, given] = known[b % Math.max(known.length, 1)] ?? []
  if (to === undefined || given === undefined) return
  const isAllowed =
    mayShare(world, who, item) &&
    may(world, who, item, given.role) &&
    isPlace(world, item, { to, role: given.role })
  const body = { expirationDate: library.now() + 1_000_000 }
  const name = { id: item.id, permission: idOf(to) }
  attempt(isAllowed, () => library.run('changePermission', callers[who], { ...name, body }))
  library.wait(2_000_000)
  library.run('expireGrants', OPERATOR, undefined)
  if (isAllowed) item.grants.delete(to)
}

function drop({ world, callers }: Scene, { who }: Step, item: SharedItem): void {
  const inside = [...world.items].filter((one) => one !== item && one.drive === item)
  const isEmpty = inside.every(inTrash)
  const isAllowed = item.drive === item && isEmpty && may(world, who, item, 'organizer')
  attempt(isAllowed, () => library.run('deleteDrive', callers[who], { id: item.id, withItems: false }))
  if (isAllowed) for (const one of [item, ...inside]) world.items.delete(one)
}

/** Reads the new entries of the change log. */
function follow({ callers, mirrors }: Scene, who: User): void {
  const mirror = mirrors[who]
  const search: Omit<ChangeSearch, 'from'> = {
    most: 5,
    includesGone: true,
    includesOthers: true,
    spaces: ['drive'],
    drives: 'all',
  }
  for (let next: number | undefined = mirror.from; next !== undefined;) {
    const page = listChanges(library.db, callers[who], { ...search, from: next })
    for (const { fileId, file, drive } of page.changes) {
      if (file !== undefined || drive !== undefined) mirror.items.add(fileId)
      else mirror.items.delete(fileId)
    }
    mirror.from = page.largest + 1
    next = page.next
  }
}

function expectSame(scene: Scene): void {
  const { world, callers, mirrors } = scene
  for (const who of USERS) {
    const items = [...world.items]
    const roles = items.map((item) => [item.id, findVisibleFile(library.db, callers[who], item.id)?.role])
    expect(Object.fromEntries(roles)).toEqual(
      Object.fromEntries(items.map((item) => [item.id, roleOf(world, who, item)])),
    )
    const listed = items.filter((item) => isListed(world, who, item))
    expect(list(callers[who])).toEqual(idsOf(listed.filter(({ isRoot }) => !isRoot)))
    expect(drives(callers[who])).toEqual(idsOf(listed.filter(({ isRoot }) => isRoot)))
    expectFound(scene, who, listed)
    follow(scene, who)
    expect([...mirrors[who].items].toSorted()).toEqual(idsOf(listed))
  }
  expectSound()
}

/**
 * Searches find exactly the items of the lists. A hidden folder shows no items; one opened by link shows all that may
 * be opened.
 */
function expectFound({ world, callers }: Scene, who: User, listed: readonly SharedItem[]): void {
  const items = listed.filter(({ isRoot }) => !isRoot)
  for (const folder of [...world.items].filter(({ kind }) => kind === 'folder').slice(0, 4)) {
    const isSeen = roleOf(world, who, folder) !== undefined
    const known = isListed(world, who, folder)
      ? items
      : [...world.items].filter((item) => roleOf(world, who, item) !== undefined)
    const inside = known.filter(({ parents }) => isSeen && parents.has(folder))
    expect(list(callers[who], `'${folder.id}' in parents`)).toEqual(idsOf(inside))
  }
  const owned = items.filter(({ owner }) => owner === who)
  expect(list(callers[who], "'me' in owners")).toEqual(idsOf(owned))
  expect(list(callers[who], 'trashed = true')).toEqual(idsOf(items.filter(inTrash)))
  const mine = items.filter(({ drive }) => drive === undefined)
  expect(list(callers[who], "title contains 'f'", { kind: 'mine' })).toEqual(idsOf(mine))
  for (const drive of [...world.items].filter((one) => one.drive === one).slice(0, 2)) {
    const root = library.db.get<{ pk: number }>('SELECT pk FROM files WHERE id = ?', drive.id)?.pk ?? 0
    const inside = items.filter((one) => one.drive === drive)
    expect(list(callers[who], '', { kind: 'drive', drive: root })).toEqual(idsOf(inside))
  }
}

const idsOf = (items: Iterable<SharedItem>) => [...items].map(({ id }) => id).toSorted()

function list(caller: Caller, q = '', corpus: Corpus = { kind: 'all' }): string[] {
  const search = {
    search: parseFileQuery(q),
    orders: [],
    spaces: ['drive' as const],
    corpus,
  }
  const { files } = listFiles(library.db, caller, { ...search, most: 1000, after: undefined })
  return files.map(({ row }) => row.id).toSorted()
}

function drives(caller: Caller): string[] {
  const search = { search: undefined, most: 1000, after: undefined, asAdmin: false }
  return listDrives(library.db, caller, search)
    .drives.map(({ id }) => id)
    .toSorted()
}

function expectSound(): void {
  const { db } = library
  for (const { find } of [...ROW_CHECKS, ...LIBRARY_CHECKS])
    expect(typeof find === 'string' ? db.all(find) : find(db)).toEqual([])
  // an owner has no other grant on the item
  expect(db.all('SELECT item FROM grants JOIN files ON pk = item WHERE principal = owner')).toEqual([])
}

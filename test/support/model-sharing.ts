/** Simple model of rights. The store must agree with it after any history of sharing. */

export const RANKS = { reader: 1, commenter: 2, writer: 3, fileOrganizer: 4, organizer: 5, owner: 5 } as const

export type Role = keyof typeof RANKS

export interface Given {
  readonly role: Role
  /** True when the grant opens the item by its link, and does not list it. */
  readonly withLink: boolean
}

export interface SharedItem {
  readonly id: string
  readonly kind: 'file' | 'folder'
  /** True for the root of a user or of a shared drive. A user's root is never shared. */
  readonly isRoot: boolean
  owner: string | undefined
  drive: SharedItem | undefined
  readonly parents: Set<SharedItem>
  /** Name of a user, group or domain, or `anyone` -> grant. */
  readonly grants: Map<string, Given>
  /** True for a shared drive in which only the members have access. */
  isClosed: boolean
  /** True for a shared drive in which only users of its domain have access, also through groups. */
  isBound: boolean
  /** True if the item itself was trashed, not only its folder. */
  isTrashed: boolean
}

export interface World {
  readonly items: Set<SharedItem>
  /** User -> root. */
  readonly roots: Map<string, SharedItem>
  /** User -> groups and domain. */
  readonly groups: Map<string, Set<string>>
  /** Name or id of a user, group or shared drive -> domain; a domain maps to itself. */
  readonly domains: Map<string, string>
}

interface Source extends Given {
  readonly to: string
}

/** Grants, ownership and folders that give rights to an item. */
function sourcesOf(item: SharedItem): Source[] {
  const found: Source[] = [...item.grants].map(([to, given]) => ({ to, ...given }))
  if (item.owner !== undefined) found.push({ to: item.owner, role: 'owner', withLink: false })
  for (const parent of item.parents) {
    if (parent.isRoot && parent.drive === undefined) continue
    for (const source of sourcesOf(parent))
      found.push(source.role === 'owner' ? { ...source, role: 'writer' } : source)
  }
  const { drive } = item
  return drive?.isClosed === true ? found.filter(({ to }) => drive.grants.has(to)) : found
}

function sourcesFor(world: World, user: string, item: SharedItem): Source[] {
  const mine = new Set([user, 'anyone', ...(world.groups.get(user) ?? [])])
  const sources = sourcesOf(item).filter(({ to }) => mine.has(to))
  const { drive } = item
  if (drive?.isBound !== true) return sources
  // the user and the grantee must both be of the domain
  const isInside = (name: string) => world.domains.get(name) === world.domains.get(drive.id)
  return isInside(user) ? sources.filter(({ to }) => isInside(to)) : []
}

export function roleOf(world: World, user: string, item: SharedItem): Role | undefined {
  return sourcesFor(world, user, item).reduce<Role | undefined>(
    (best, { role }) => (best === undefined || RANKS[role] > RANKS[best] ? role : best),
    undefined,
  )
}

/** Whether the item is in the user's lists; a grant to anyone does not list it. */
export function isListed(world: World, user: string, item: SharedItem): boolean {
  return sourcesFor(world, user, item).some(({ to, withLink }) => to !== 'anyone' && !withLink)
}

/** Whether the grantee is allowed in a drive that is restricted to its domain. */
export function isOfDomain(world: World, drive: SharedItem, to: string): boolean {
  const domain = world.domains.get(drive.id)
  const isInside = (name: string) => world.domains.get(name) === domain
  const members = [...world.groups].filter(([, groups]) => groups.has(to)).map(([user]) => user)
  return isInside(to) && members.every(isInside)
}

export function may(world: World, user: string, item: SharedItem, needed: Role): boolean {
  const role = roleOf(world, user, item)
  return role !== undefined && RANKS[role] >= RANKS[needed]
}

export function mayShare(world: World, user: string, item: SharedItem): boolean {
  if (item.isRoot) return item.drive !== undefined && may(world, user, item, 'organizer')
  return may(world, user, item, item.drive === undefined ? 'writer' : 'fileOrganizer')
}

/** The item and all its descendants. */
export function belowOf({ items }: World, top: SharedItem): Set<SharedItem> {
  const found = new Set([top])
  for (let before = 0; before < found.size;) {
    before = found.size
    for (const item of items) if ([...item.parents].some((parent) => found.has(parent))) found.add(item)
  }
  return found
}

/**
 * Removes items with all descendants of the same owner, or all items of a shared drive. Items of others go to their
 * owner's root if they lost their last folder.
 */
export function removeFrom(world: World, tops: readonly SharedItem[]): void {
  const [first] = tops
  const doomed = [...new Set(tops.flatMap((top) => [...belowOf(world, top)]))].filter(
    ({ owner, drive }) => owner === first?.owner || drive !== undefined,
  )
  for (const item of doomed) world.items.delete(item)
  for (const item of world.items) {
    const isLeft = doomed.filter((folder) => item.parents.delete(folder)).length > 0
    const root = world.roots.get(item.owner ?? '')
    if (isLeft && item.parents.size === 0 && root !== undefined) item.parents.add(root)
  }
}

/** Whether the item or every one of its folders is trashed. */
export function inTrash({ isTrashed, parents }: SharedItem): boolean {
  return isTrashed || (parents.size > 0 && [...parents].every(inTrash))
}

/** Restores the item; if its folders are still in the trash, it moves to the root. */
export function restore({ roots }: World, item: SharedItem): void {
  item.isTrashed = false
  const home = item.drive ?? roots.get(item.owner ?? '')
  if (!inTrash(item) || home === undefined) return
  item.parents.clear()
  item.parents.add(home)
}

export function isLastOrganizer(drive: SharedItem, name: string): boolean {
  const organizers = [...drive.grants].filter(([, { role }]) => role === 'organizer').map(([to]) => to)
  return organizers.every((to) => to === name)
}

/**
 * Plans how to make two trees equal, given their common state after the last sync. Compares digests, not dates. Pure.
 */

/** Entry of a tree; `md5` is the digest of a file's content. */
export type Entry = { readonly kind: 'folder' } | { readonly kind: 'file'; readonly md5: string }

/** Path with slashes -> entry. */
export type Tree = ReadonlyMap<string, Entry>

export interface Trees {
  /** Trees; a path missing from one did not exist. */
  readonly base: Tree
  readonly local: Tree
  readonly remote: Tree
  /** Paths to leave alone with everything below them; their parent folders stay. */
  readonly left: readonly string[]
  /** Links of paths of `remote`; a path without one is its item's only. */
  readonly links?: ReadonlyMap<string, Link>
}

/** A path of the store is a link from a folder to an item, which may be in several folders. */
export interface Link {
  readonly folder: string
  readonly item: string
  /** Number of folders that hold the item. */
  readonly folders: number
}

export type Action =
  | 'upload'
  | 'download'
  /** Both changed: the local file is renamed and uploaded, the stored one is downloaded. */
  | 'conflict'
  /**
   * Moves a file, or a folder with its contents, whose content vanished on the other side and appeared elsewhere
   * there.
   */
  | 'move-here'
  | 'move-there'
  | 'remove-here'
  | 'remove-there'
  | 'make-here'
  | 'make-there'
  | 'remove-folder-here'
  | 'remove-folder-there'

/** True for an action that writes a content. */
export function isWriting(action: Action): boolean {
  return action === 'upload' || action === 'download' || action === 'conflict'
}

export interface Step {
  readonly action: Action
  readonly path: string
  /** Former path of a move. */
  readonly from?: string
}

export interface Plan {
  /** Steps in executable order. Those that write contents are next to each other, and do not depend on each other. */
  readonly steps: readonly Step[]
  /** Paths with a file on one side and a folder on the other: the user has to decide. */
  readonly clashes: readonly string[]
}

export function planSync({ base, local, remote, left, links = new Map() }: Trees): Plan {
  const paths = [...new Set([...base.keys(), ...local.keys(), ...remote.keys()])].toSorted(byPath)
  const clashes = paths.filter((path) => isClash(local.get(path), remote.get(path)))
  const isLeft = within([...left, ...clashes])
  const changes: Step[] = []
  const folders: string[] = []
  for (const path of paths) {
    if (isLeft(path)) continue
    const here = local.get(path)
    const there = remote.get(path)
    if ((here ?? there)?.kind === 'folder') folders.push(path)
    else {
      const action = fileAction(base.get(path), here, there)
      if (action !== undefined) changes.push({ action, path })
    }
  }
  const moves = SIDES.flatMap((side) => findMoves({ base, local, remote, steps: changes }, side))
  const moved = movedPaths(moves, { local, remote })
  const unlinked = foldersToUnlink(
    folders.filter((path) => base.get(path)?.kind === 'folder' && !local.has(path) && !moved.has(path)),
    [...left, ...clashes],
    links,
  )
  const isUnlinked = within(unlinked)
  const keepsTwin = twinTest(links, local)
  const steps = changes
    .filter(({ path }) => !isUnlinked(path))
    .map((step): Step => (keepsTwin(step) && !moved.has(step.path) ? { ...step, action: 'download' } : step))
  const gone = new Set(steps.filter(isRemoval).map(({ path }) => path))
  const stays = (path: string) =>
    (local.get(path) ?? remote.get(path))?.kind === 'file' &&
    !(gone.has(path) || isUnlinked(path) || isLeft(path))
  const { making, removing } = planFolders(
    { base, local, remote },
    folders.filter((path) => !isUnlinked(path)),
    { staying: [...left, ...clashes, ...paths.filter(stays)], moved },
  )
  const others = steps.filter(({ path }) => !moved.has(path))
  // folders are created before anything is moved into them
  const placing = [...making, ...moves].toSorted((a, b) => byPath(a.path, b.path))
  // content is written elsewhere before it is removed
  const writing = others.filter((step) => !isRemoval(step))
  const emptied = [...removing, ...unlinked].toSorted(byPath).toReversed()
  const removingFolders = emptied.map((path): Step => ({
    action: local.has(path) ? 'remove-folder-here' : 'remove-folder-there',
    path,
  }))
  return { steps: [...placing, ...writing, ...others.filter(isRemoval), ...removingFolders], clashes }
}

function isRemoval({ action }: Step): boolean {
  return action === 'remove-here' || action === 'remove-there'
}

interface Remaining {
  /** Files that will exist afterwards, and left paths: both keep their parent folders. */
  readonly staying: readonly string[]
  readonly moved: ReadonlySet<string>
}

/** Folders to make on the side that lacks them, and those that go. */
function planFolders(
  { base, local, remote }: Pick<Trees, 'base' | 'local' | 'remote'>,
  folders: readonly string[],
  { staying, moved }: Remaining,
): { readonly making: readonly Step[]; readonly removing: readonly string[] } {
  const kept = new Set(staying.flatMap(foldersAbove))
  const isKept = (path: string) =>
    kept.has(path) || (local.has(path) && remote.has(path)) || base.get(path)?.kind !== 'folder'
  // a folder that stays keeps its parents
  for (const path of folders) if (isKept(path)) for (const one of foldersAbove(path)) kept.add(one)
  const making = folders.filter(isKept).flatMap((path): Step[] => {
    if (moved.has(path)) return []
    if (!local.has(path)) return [{ action: 'make-here', path }]
    return remote.has(path) ? [] : [{ action: 'make-there', path }]
  })
  return { making, removing: folders.filter((path) => !isKept(path) && !moved.has(path)) }
}

/**
 * Folders, removed here, that others hold in the store, too: they are taken out of the one folder with all they hold.
 * The last of them is removed as others are.
 */
function foldersToUnlink(
  removed: readonly string[],
  left: readonly string[],
  links: ReadonlyMap<string, Link>,
): readonly string[] {
  const holdsLeft = new Set(left.flatMap(foldersAbove))
  const taken = new Map<string, number>()
  const unlinked: string[] = []
  for (const path of removed) {
    const link = links.get(path)
    const count = (taken.get(link?.item ?? '') ?? 0) + 1
    if (link === undefined || count >= link.folders || holdsLeft.has(path) || within(unlinked)(path)) continue
    taken.set(link.item, count)
    unlinked.push(path)
  }
  return unlinked
}

/**
 * True for the removal of a file from a folder that another path shows as well, where the file is still wanted: it is
 * fetched again.
 */
function twinTest(links: ReadonlyMap<string, Link>, local: Tree): (step: Step) => boolean {
  const key = ({ folder, item }: Link) => `${folder} ${item}`
  const wanted = new Set<string>()
  const seen = new Set<string>()
  const shared = new Set<string>()
  for (const [path, link] of links) {
    const id = key(link)
    if (seen.has(id)) shared.add(id)
    seen.add(id)
    if (local.has(path)) wanted.add(id)
  }
  return ({ action, path }) => {
    const link = action === 'remove-there' ? links.get(path) : undefined
    return link !== undefined && shared.has(key(link)) && wanted.has(key(link))
  }
}

/** Side on which to repeat a move made on the other. */
const SIDES = ['there', 'here'] as const

interface Found extends Pick<Trees, 'base' | 'local' | 'remote'> {
  readonly steps: readonly Step[]
}

/** Moves of whole folders, and of the remaining files. */
function findMoves(found: Found, side: (typeof SIDES)[number]): Step[] {
  const files = pairFiles(found, side)
  const folders = pairFolders(found, side, files)
  const moved = movedPaths(folders, found)
  return [...folders, ...files.filter(({ path }) => !moved.has(path))]
}

/**
 * Pairs files of equal digest: first those that kept their name, then those unique on both sides. Other pairings would
 * be guesses.
 */
function pairFiles({ base, local, remote, steps }: Found, side: (typeof SIDES)[number]): Step[] {
  const isThere = side === 'there'
  const [own, other] = isThere ? [remote, local] : [local, remote]
  const vanished = steps.filter(({ action }) => action === `remove-${side}`)
  const arrived = steps.filter(
    ({ action, path }) => action === (isThere ? 'upload' : 'download') && !own.has(path) && !base.has(path),
  )
  const byDigest = pathsByDigest(arrived, other)
  const moves: Step[] = []
  const move = (from: string, path: string) => moves.push({ action: `move-${side}`, path, from })
  for (const [digest, gone] of pathsByDigest(vanished, own)) {
    const come = byDigest.get(digest) ?? []
    const nameless: string[] = []
    for (const from of gone) {
      const at = come.findIndex((path) => nameOf(path) === nameOf(from))
      const [path] = at < 0 ? [] : come.splice(at, 1)
      if (path === undefined) nameless.push(from)
      else move(from, path)
    }
    const [from, path] = [nameless[0], come[0]]
    if (from !== undefined && path !== undefined && nameless.length === 1 && come.length === 1)
      move(from, path)
  }
  return moves
}

/** Folders whose contents all moved to the same relative paths below a new folder. */
function pairFolders(
  { base, local, remote }: Found,
  side: (typeof SIDES)[number],
  files: readonly Step[],
): Step[] {
  const [own, other] = side === 'there' ? [remote, local] : [local, remote]
  const targets = new Map(files.map(({ path, from = '' }) => [from, path]))
  const paths = [...own.keys()].toSorted(byPath)
  const isNewFolder = (path: string) =>
    other.get(path)?.kind === 'folder' && !own.has(path) && !base.has(path)
  const moves: Step[] = []
  const sources = new Set<string>()
  const isMoved = (path: string) => foldersAbove(path).some((folder) => sources.has(folder))
  for (const from of paths) {
    const isGone = own.get(from)?.kind === 'folder' && base.has(from) && !other.has(from)
    if (!isGone || isMoved(from)) continue
    const below = pathsBelow(paths, from)
    const first = below.find((path) => targets.has(path))
    const rest = first?.slice(from.length) ?? ''
    const target = targets.get(first ?? '')
    if (first === undefined || target?.endsWith(rest) !== true) continue
    const to = target.slice(0, -rest.length)
    const isWhole = below.every((path) => {
      const moved = to + path.slice(from.length)
      return own.get(path)?.kind === 'folder' ? isNewFolder(moved) : targets.get(path) === moved
    })
    if (!isWhole || !isNewFolder(to)) continue
    moves.push({ action: `move-${side}`, path: to, from })
    sources.add(from)
  }
  return moves
}

/** Sources and targets of moves, including everything inside moved folders. */
function movedPaths(
  moves: readonly Step[],
  { local, remote }: Pick<Trees, 'local' | 'remote'>,
): ReadonlySet<string> {
  const sorted = new Map<Tree, readonly string[]>()
  const pathsOf = (tree: Tree) => {
    const known = sorted.get(tree) ?? [...tree.keys()].toSorted(byPath)
    sorted.set(tree, known)
    return known
  }
  const paths = moves.flatMap(({ action, path, from = '' }) => {
    const own = action === 'move-there' ? remote : local
    if (own.get(from)?.kind === 'file') return [from, path]
    const below = pathsBelow(pathsOf(own), from)
    return [from, path, ...below, ...below.map((one) => path + one.slice(from.length))]
  })
  return new Set(paths)
}

/** Paths inside a folder: they are next to each other in a sorted list. */
function pathsBelow(sorted: readonly string[], folder: string): readonly string[] {
  const start = firstFrom(sorted, `${folder}/`)
  let end = start
  while (sorted[end]?.startsWith(`${folder}/`) === true) end += 1
  return sorted.slice(start, end)
}

/** Index of the first path that is not before `text`. */
function firstFrom(sorted: readonly string[], text: string): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((sorted[middle] ?? text) < text) low = middle + 1
    else high = middle
  }
  return low
}

function pathsByDigest(steps: readonly Step[], tree: Tree): Map<string, string[]> {
  const paths = new Map<string, string[]>()
  for (const { path } of steps) {
    const digest = digestIn(tree.get(path)) ?? ''
    const those = paths.get(digest)
    if (those === undefined) paths.set(digest, [path])
    else those.push(path)
  }
  return paths
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** Action for a file; undefined when there is nothing to do. */
function fileAction(
  base: Entry | undefined,
  here: Entry | undefined,
  there: Entry | undefined,
): Action | undefined {
  const [was, own, other] = [digestIn(base), digestIn(here), digestIn(there)]
  if (own === other) return undefined
  if (own === was) return other === undefined ? 'remove-here' : 'download'
  if (other === was) return own === undefined ? 'remove-there' : 'upload'
  // a change on one side wins over a removal on the other
  if (own === undefined) return 'download'
  return other === undefined ? 'upload' : 'conflict'
}

function digestIn(entry: Entry | undefined): string | undefined {
  return entry?.kind === 'file' ? entry.md5 : undefined
}

function isClash(here: Entry | undefined, there: Entry | undefined): boolean {
  return here !== undefined && there !== undefined && here.kind !== there.kind
}

function within(tops: readonly string[]): (path: string) => boolean {
  const found = new Set(tops)
  return (path) => found.has(path) || foldersAbove(path).some((folder) => found.has(folder))
}

/** Parent folders: `a/b/c` -> `a`, `a/b`. */
function foldersAbove(path: string): string[] {
  const names = path.split('/').slice(0, -1)
  return names.map((_, at) => names.slice(0, at + 1).join('/'))
}

/** Sorts different paths, folders before their contents. */
function byPath(a: string, b: string): number {
  return a < b ? -1 : 1
}

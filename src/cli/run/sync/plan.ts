/** What makes two trees alike, given what both were when they last were: decided by digests, not by dates. Pure. */

/** `file`: the digest of what is in it. */
export type Entry = { readonly kind: 'folder' } | { readonly kind: 'file'; readonly md5: string }

/** By path, with slashes. */
export type Tree = ReadonlyMap<string, Entry>

export interface Trees {
  /** Undefined entries: it was not there. */
  readonly base: Tree
  readonly local: Tree
  readonly remote: Tree
  /** Paths that are left alone, with all that is below; what they lie in stays. */
  readonly left: readonly string[]
}

export type Action =
  | 'upload'
  | 'download'
  /** Both changed: what is here gets another name and goes there; what is there comes here. */
  | 'conflict'
  | 'remove-here'
  | 'remove-there'
  | 'make-here'
  | 'make-there'
  | 'remove-folder-here'
  | 'remove-folder-there'

export interface Step {
  readonly action: Action
  readonly path: string
}

export interface Plan {
  /** In an order in which they can be done. */
  readonly steps: readonly Step[]
  /** A file on one side, a folder on the other: somebody has to say which. */
  readonly clashes: readonly string[]
}

export function planSync({ base, local, remote, left }: Trees): Plan {
  const paths = [...new Set([...base.keys(), ...local.keys(), ...remote.keys()])]
  const clashes = paths.filter((path) => isClash(local.get(path), remote.get(path)))
  const isLeft = within([...left, ...clashes])
  const steps: Step[] = []
  /** Files that are there afterwards, and what keeps the folders that it lies in. */
  const staying = [...left, ...clashes]
  const folders: string[] = []
  for (const path of paths.toSorted(byPath)) {
    if (isLeft(path)) continue
    const here = local.get(path)
    const there = remote.get(path)
    if ((here ?? there)?.kind === 'folder') {
      folders.push(path)
      continue
    }
    const action = fileAction(base.get(path), here, there)
    if (action !== undefined) steps.push({ action, path })
    const isGone = action === 'remove-here' || action === 'remove-there'
    if (!isGone && (here ?? there) !== undefined) staying.push(path)
  }
  const kept = new Set(staying.flatMap(foldersAbove))
  const isKept = (path: string) =>
    kept.has(path) || (local.has(path) && remote.has(path)) || base.get(path)?.kind !== 'folder'
  // what lies in a folder that stays has kept it as well
  for (const path of folders) if (isKept(path)) for (const one of foldersAbove(path)) kept.add(one)
  const making = folders.filter(isKept).flatMap((path): Step[] => {
    if (!local.has(path)) return [{ action: 'make-here', path }]
    return remote.has(path) ? [] : [{ action: 'make-there', path }]
  })
  const removing = folders
    .filter((path) => !isKept(path))
    .toReversed()
    .map((path): Step => ({
      action: local.has(path) ? 'remove-folder-here' : 'remove-folder-there',
      path,
    }))
  // what was moved is there again before it goes
  const isRemoval = ({ action }: Step) => action === 'remove-here' || action === 'remove-there'
  const writing = steps.filter((step) => !isRemoval(step))
  return { steps: [...making, ...writing, ...steps.filter(isRemoval), ...removing], clashes }
}

/** Undefined: nothing is to be done. */
function fileAction(
  base: Entry | undefined,
  here: Entry | undefined,
  there: Entry | undefined,
): Action | undefined {
  const [was, own, other] = [digestIn(base), digestIn(here), digestIn(there)]
  if (own === other) return undefined
  if (own === was) return other === undefined ? 'remove-here' : 'download'
  if (other === was) return own === undefined ? 'remove-there' : 'upload'
  // what one side removed and the other changed is what it was changed to
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

/** `a/b/c` -> `a`, `a/b` */
function foldersAbove(path: string): string[] {
  const names = path.split('/').slice(0, -1)
  return names.map((_, at) => names.slice(0, at + 1).join('/'))
}

/** What a folder has in it comes behind it. */
function byPath(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

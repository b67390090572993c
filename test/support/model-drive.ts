/** A drive as simple as it can be said: what the store must agree with after any history. */

export interface Item {
  readonly id: string
  readonly kind: 'file' | 'folder'
  title: string
  readonly parents: Set<Item>
  isTrashed: boolean
  isStarred: boolean
}

/** Of one user; nobody shares anything. */
export interface ModelDrive {
  readonly root: Item
  readonly items: Set<Item>
}

export function newModel(rootId: string): ModelDrive {
  const root: Item = {
    id: rootId,
    kind: 'folder',
    title: 'My Drive',
    parents: new Set(),
    isTrashed: false,
    isStarred: false,
  }
  return { root, items: new Set() }
}

export function add(
  drive: ModelDrive,
  item: Pick<Item, 'id' | 'kind' | 'title'>,
  parents: readonly Item[],
): Item {
  const made: Item = { ...item, parents: new Set(parents), isTrashed: false, isStarred: false }
  drive.items.add(made)
  return made
}

/** Itself and everything that can be reached from it. */
export function below({ items }: ModelDrive, top: Item): Set<Item> {
  const found = new Set([top])
  for (let before = 0; before < found.size;) {
    before = found.size
    for (const item of items) if ([...item.parents].some((parent) => found.has(parent))) found.add(item)
  }
  return found
}

export function remove(drive: ModelDrive, top: Item): void {
  for (const item of below(drive, top)) drive.items.delete(item)
}

/** Itself, or with every one of its folders. */
export function inTrash(item: Item): boolean {
  return item.isTrashed || (item.parents.size > 0 && [...item.parents].every(inTrash))
}

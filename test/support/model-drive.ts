/** Simple model of a drive. The store must agree with it after any history. */

export interface Item {
  readonly id: string
  readonly kind: 'file' | 'folder'
  title: string
  readonly parents: Set<Item>
  isTrashed: boolean
  isStarred: boolean
}

/** Drive of one user, without sharing. */
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

/** The item and all its descendants. */
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

/** Whether the item or every one of its folders is trashed. */
export function inTrash(item: Item): boolean {
  return item.isTrashed || (item.parents.size > 0 && [...item.parents].every(inTrash))
}

/** The way from the top to an item. */
import { element } from '../../web/page/elements.ts'
import { type PageItem } from './answers.ts'
import { fetchItem } from './file/file.ts'
import { formatPlace } from './place.ts'
import { Refusal } from './service.ts'

/** The folders above, the highest first: of several parents the first, as far as one may see. */
export async function foldersAbove(item: PageItem): Promise<PageItem[]> {
  const above: PageItem[] = []
  let [parent] = item.parents
  while (parent !== undefined) {
    const folder = await itemOrNone(parent.id)
    if (folder === undefined) break
    above.unshift(folder)
    ;[parent] = folder.parents
  }
  return above
}

/** A folder that one may not see is as none. */
async function itemOrNone(id: string): Promise<PageItem | undefined> {
  try {
    return await fetchItem(id)
  } catch (error) {
    if (error instanceof Refusal && error.status === 404) return undefined
    throw error
  }
}

export function aboveList(above: readonly PageItem[]): HTMLElement {
  const links = above.map(({ id, title }) =>
    element('li', {}, element('a', { href: formatPlace({ kind: 'folder', id }) }, title)),
  )
  return element('ol', { class: 'above' }, ...links)
}

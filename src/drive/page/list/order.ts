/** What a list is asked for, and in which order. */
import type { PageItem } from '../answers.ts'
import { FOLDER } from '../answers.ts'
import type { PagePlace } from '../place.ts'
import { quoted } from '../query.ts'
import type { Query } from '../service.ts'

export const SORTERS = { title_natural: 'Name', modifiedDate: 'Changed', quotaBytesUsed: 'Size' } as const
export type Sorter = keyof typeof SORTERS

/** Stays from folder to folder. */
export const order: { by: Sorter; isDown: boolean } = { by: 'title_natural', isDown: false }

/** What is found comes by relevance, what is recent by its time. */
export function canBeSorted({ kind }: PagePlace): boolean {
  return kind !== 'search' && kind !== 'recent'
}

export function listingQuery(place: PagePlace, folder: PageItem | undefined): Query {
  const all = { maxResults: 100, corpora: 'allDrives', includeItemsFromAllDrives: true }
  const orderBy = `folder,${order.by}${order.isDown ? ' desc' : ''}`
  switch (place.kind) {
    case 'folder':
    case 'file':
    case 'download': {
      // of a folder in the trash everything is
      const alive = folder?.labels.trashed === true ? '' : ' and trashed = false'
      return { ...all, orderBy, q: `${quoted(folder?.id ?? place.id)} in parents${alive}` }
    }
    case 'shared':
      return { ...all, orderBy, q: 'sharedWithMe and trashed = false' }
    case 'starred':
      return { ...all, orderBy, q: 'starred = true and trashed = false' }
    case 'recent':
      return { ...all, orderBy: 'recency desc', q: `mimeType != '${FOLDER}' and trashed = false` }
    case 'trash':
      return { ...all, orderBy, q: 'trashed = true' }
    case 'search': {
      const words = quoted(place.text)
      return { ...all, q: `(title contains ${words} or fullText contains ${words}) and trashed = false` }
    }
    case 'drives':
    case 'admin':
      return all
  }
}

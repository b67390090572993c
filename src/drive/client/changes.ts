/** Reads the change feed of a store from a page token.  [network] */
import type { DriveConnection } from './connection.ts'
import { ALL_DRIVES } from './files.ts'
import { type DriveFile, FILE_FIELDS, asList, readFile, asRecord, asText } from './resource.ts'

/** Token of the current end of the feed; later changes come after it. */
export async function fetchFeedEnd({ send }: DriveConnection): Promise<string> {
  const { body } = await send({ method: 'GET', path: '/drive/v2/changes/startPageToken', query: ALL_DRIVES })
  return asText(asRecord(body)['startPageToken'])
}

export interface ChangePage {
  /** Current state of changed files; deleted files are left out. */
  readonly files: readonly DriveFile[]
  /** Token of the next page. */
  readonly next: string
  /** True when the feed has no later changes yet. */
  readonly isLast: boolean
}

export async function fetchChanges({ send }: DriveConnection, pageToken: string): Promise<ChangePage> {
  const query = {
    pageToken,
    maxResults: 200,
    includeItemsFromAllDrives: true,
    fields: `nextPageToken,newStartPageToken,items(deleted,file(${FILE_FIELDS}))`,
    ...ALL_DRIVES,
  }
  const { body } = await send({ method: 'GET', path: '/drive/v2/changes', query })
  const { items, nextPageToken, newStartPageToken } = asRecord(body)
  const present = asList(items).filter(({ deleted, file }) => deleted !== true && file !== undefined)
  const isLast = typeof nextPageToken !== 'string'
  return {
    files: present.map(({ file }) => readFile(file)),
    next: asText(isLast ? newStartPageToken : nextPageToken) || pageToken,
    isLast,
  }
}

/** The feed of changes of a store, from where it was left. [network] */
import type { DriveConnection } from './connection.ts'
import { ALL_DRIVES } from './files.ts'
import { type DriveFile, FILE_FIELDS, asList, readFile, asRecord, asText } from './resource.ts'

/** What is written from now on comes behind it. */
export async function feedEnd({ send }: DriveConnection): Promise<string> {
  const { body } = await send({ method: 'GET', path: '/drive/v2/changes/startPageToken', query: ALL_DRIVES })
  return asText(asRecord(body)['startPageToken'])
}

export interface ChangePage {
  /** As they are now; those that are gone are left out. */
  readonly files: readonly DriveFile[]
  /** Where to go on. */
  readonly next: string
  /** Nothing more has happened so far. */
  readonly isLast: boolean
}

export async function changesFrom({ send }: DriveConnection, pageToken: string): Promise<ChangePage> {
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

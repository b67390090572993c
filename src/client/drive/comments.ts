/** What people, and we, say about a file. [network] */
import type { DriveConnection } from './connection.ts'
import { filePath } from './files.ts'
import { asList, asRecord, asText } from './resource.ts'

/** The newest first. */
export async function* commentsOn({ send }: DriveConnection, file: string): AsyncGenerator<string> {
  for (let pageToken: string | undefined = ''; pageToken !== undefined;) {
    const query = {
      maxResults: 100,
      fields: 'nextPageToken,items(content)',
      ...(pageToken === '' ? {} : { pageToken }),
    }
    const { body } = await send({ method: 'GET', path: filePath(file, 'comments'), query })
    const { items, nextPageToken } = asRecord(body)
    for (const { content } of asList(items)) yield asText(content)
    pageToken = typeof nextPageToken === 'string' ? nextPageToken : undefined
  }
}

/** Asked once only: twice might be heard twice. */
export async function comment({ send }: DriveConnection, file: string, content: string): Promise<void> {
  await send({ method: 'POST', path: filePath(file, 'comments'), json: { content }, retries: 0 })
}

/** What people, and we, say about a file. [network] */
import type { DriveConnection } from './connection.ts'
import { pathOf } from './files.ts'
import { listOf, recordOf, textOf } from './resource.ts'

/** The newest first. */
export async function* commentsOn({ send }: DriveConnection, file: string): AsyncGenerator<string> {
  for (let pageToken: string | undefined = ''; pageToken !== undefined;) {
    const query = {
      maxResults: 100,
      fields: 'nextPageToken,items(content)',
      ...(pageToken === '' ? {} : { pageToken }),
    }
    const { body } = await send({ method: 'GET', path: pathOf(file, 'comments'), query })
    const { items, nextPageToken } = recordOf(body)
    for (const { content } of listOf(items)) yield textOf(content)
    pageToken = typeof nextPageToken === 'string' ? nextPageToken : undefined
  }
}

/** Asked once only: twice might be heard twice. */
export async function comment({ send }: DriveConnection, file: string, content: string): Promise<void> {
  await send({ method: 'POST', path: pathOf(file, 'comments'), json: { content }, retries: 0 })
}

/** Comments on a file, by users and by hla.  [network] */
import type { DriveConnection } from './connection.ts'
import { filePath } from './files.ts'
import { asList, asRecord, asText } from './resource.ts'

/** Contents of the comments, newest first. */
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

/** Sent without retries: a second attempt could add a second comment. */
export async function comment({ send }: DriveConnection, file: string, content: string): Promise<void> {
  await send({ method: 'POST', path: filePath(file, 'comments'), json: { content }, retries: 0 })
}

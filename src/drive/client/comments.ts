/** Comments on a file, by users and by hla.  [network] */
import type { DriveConnection } from './connection.ts'
import { filePath, listPages } from './files.ts'
import { asList, asText } from './resource.ts'

/** Contents of the comments, newest first. */
export async function* commentsOn(connection: DriveConnection, file: string): AsyncGenerator<string> {
  const query = { maxResults: 100, fields: 'nextPageToken,items(content)' }
  for await (const { items } of listPages(connection, filePath(file, 'comments'), query))
    for (const { content } of asList(items)) yield asText(content)
}

/** Sent without retries: a second attempt could add a second comment. */
export async function comment({ send }: DriveConnection, file: string, content: string): Promise<void> {
  await send({ method: 'POST', path: filePath(file, 'comments'), json: { content }, retries: 0 })
}

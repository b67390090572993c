/** The content that a file of the store has now. Pure. */
import type { StoredContent } from '../../download.ts'
import type { DriveFile } from '../../resource.ts'
import { HlaError } from '../../../../errors.ts'

/** `name` is what it is called in an error. @throws {HlaError} usage — a folder, or a shortcut */
export function describeContent(
  { id, revision, size, md5, isFolder }: DriveFile,
  name: string,
): StoredContent {
  if (revision !== undefined && size !== undefined && md5 !== undefined)
    return { file: id, revision, size, md5, name }
  const what = isFolder ? 'a folder' : 'nothing with a content'
  throw new HlaError('usage', `${name} is ${what}`, { offending: name })
}

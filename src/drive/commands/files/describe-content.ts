/** Describes the current content of a stored file. Pure. */
import type { StoredContent } from '../../client/download.ts'
import type { DriveFile } from '../../client/resource.ts'
import { HlaError } from '../../../errors.ts'

/** `name` is for error messages. @throws {HlaError} usage — a folder, or a shortcut */
export function describeContent(
  { id, revision, size, md5, isFolder }: DriveFile,
  name: string,
): StoredContent {
  if (revision !== undefined && size !== undefined && md5 !== undefined)
    return { file: id, revision, size, md5, name }
  const what = isFolder ? 'a folder' : 'an item without content, such as a shortcut'
  throw new HlaError('usage', `${name} is ${what}`, { offending: name })
}

/** `hla drive cp`: copies within the store; the bytes are not transferred.  [network] */
import type { DriveConnection } from '../../client/connection.ts'
import { copyFile, makeFolder } from '../../client/files.ts'
import { listChildren } from '../../client/paths.ts'
import type { DriveFile } from '../../client/resource.ts'
import { HlaError } from '../../../errors.ts'
import type { CopyOptions } from '../options/file-options.ts'
import { withDrive } from './connect.ts'
import { claiming, requireFreeName } from './destination.ts'
import { readWords } from './mv.ts'

/** The last word is the destination. @throws {HlaError} not-found, usage, io, remote */
export function cpCommand(words: readonly string[], options: CopyOptions): Promise<void> {
  return withDrive(options, async ({ connection }) => {
    const { sources, to } = await readWords(connection, words)
    const isConverted = options.convert === true
    if (isConverted && options.recursive === true)
      throw new HlaError(
        'usage',
        '--convert cannot be combined with -R: a folder may hold files of many kinds',
      )
    const files = sources.map(({ file }) => file)
    for (const file of files) {
      if (file.isFolder && options.recursive !== true)
        throw new HlaError('usage', `${file.title} is a folder`, {
          offending: file.title,
          hint: '-R copies it and everything in it',
        })
      await requireFreeName(connection, { parent: to.parent, title: to.title ?? file.title })
    }
    for (const file of files) {
      const title = to.title ?? file.title
      await claiming(title, () =>
        isConverted
          ? copyFile(connection, file.id, { title, parent: to.parent, isConverted })
          : copyInto(connection, file, to.parent, title),
      )
    }
  })
}

/** Lists the folder before creating its copy, since a folder may be copied into itself. */
async function copyInto(
  connection: DriveConnection,
  file: DriveFile,
  parent: string,
  title: string,
): Promise<void> {
  if (!file.isFolder) return copyFile(connection, file.id, { title, parent })
  const children: DriveFile[] = []
  for await (const child of listChildren(connection, file.id)) children.push(child)
  const made = await makeFolder(connection, title, parent)
  for (const child of children) await copyInto(connection, child, made.id, child.title)
}

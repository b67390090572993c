/**
 * `hla drive mv`: moves files to another folder, another name, or both; existing files are never replaced.  [network]
 */
import type { DriveConnection } from '../../connection.ts'
import { moveFile } from '../../files.ts'
import { filePath, parseDrivePath } from '../../paths.ts'
import type { DriveFile } from '../../resource.ts'
import { HlaError } from '../../../../errors.ts'
import type { DriveFlags } from '../options/connection-options.ts'
import { EXIT } from '../../../../io/exit-status.ts'
import { withDrive } from './connect.ts'
import { findDestination, requireFreeName } from './destination.ts'

/**
 * The last word is the destination. Resolves every path before the first move.
 * @throws {HlaError} not-found, usage, io, remote
 */
export function mvCommand(words: readonly string[], options: DriveFlags): Promise<number> {
  return withDrive(options, async ({ connection }) => {
    const { sources, to } = await readWords(connection, words)
    for (const file of sources) {
      const title = to.title ?? file.title
      await requireFreeName(connection, { parent: to.parent, title }, file)
    }
    for (const file of sources) await moveFile(connection, file, { title: to.title, parent: to.parent })
    return EXIT.ok
  })
}

export interface SourcesAndPlace {
  readonly sources: readonly DriveFile[]
  readonly to: { readonly parent: string; readonly title: string | undefined }
}

/** @throws {HlaError} usage — the destination is missing, or is not a folder though there are several sources */
export async function readWords(
  connection: DriveConnection,
  words: readonly string[],
): Promise<SourcesAndPlace> {
  const paths = words.slice(0, -1)
  if (paths.length === 0) throw new HlaError('usage', 'the destination is missing')
  const sources = []
  for (const path of paths) sources.push(await filePath(connection, parseDrivePath(path)))
  const to = await findDestination(connection, words.at(-1) ?? '', paths.length > 1)
  return { sources, to }
}

/** `hla drive mv`: into another folder, under another name, or both; nothing is replaced.  [network] */
import type { DriveConnection } from '../../connection.ts'
import { moveFile } from '../../files.ts'
import { filePath, parseDrivePath } from '../../paths.ts'
import type { DriveFile } from '../../resource.ts'
import { HlaError } from '../../../../errors.ts'
import type { DriveFlags } from '../options/connection-options.ts'
import { EXIT } from '../../../../io/exit-status.ts'
import { withDrive } from './connect.ts'
import { findDestination, mustBeFree } from './destination.ts'

/** The last word says where to. All of them are found before the first is moved. @throws {HlaError} not-found, usage, io, remote */
export function mvCommand(words: readonly string[], options: DriveFlags): Promise<number> {
  return withDrive(options, async ({ connection }) => {
    const { sources, to } = await readWords(connection, words)
    for (const file of sources) {
      const title = to.title ?? file.title
      await mustBeFree(connection, { parent: to.parent, title }, file)
    }
    for (const file of sources) await moveFile(connection, file, { title: to.title, parent: to.parent })
    return EXIT.ok
  })
}

export interface SourcesAndPlace {
  readonly sources: readonly DriveFile[]
  readonly to: { readonly parent: string; readonly title: string | undefined }
}

/** @throws {HlaError} usage — there is no last word, or it is no folder for several */
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

/**
 * `hla drive mv`: moves files to another folder, another name, or both; existing files are never replaced.  [network]
 */
import type { DriveConnection } from '../../client/connection.ts'
import { type FoundFile, moveFile } from '../../client/files.ts'
import { parseDrivePath, fileInFolder } from '../../client/paths.ts'
import { HlaError } from '../../../errors.ts'
import type { DriveFlags } from '../options/connection-options.ts'
import { withDrive } from './connect.ts'
import { claiming, findDestination, requireFreeName } from './destination.ts'
import { shownTitle } from './shown-title.ts'

/**
 * The last word is the destination. Resolves every path before the first move.
 * @throws {HlaError} not-found, usage, io, remote
 */
export function mvCommand(words: readonly string[], options: DriveFlags): Promise<void> {
  return withDrive(options, async ({ connection }) => {
    const { sources, to } = await readWords(connection, words)
    const moves = sources.map((source) => ({ file: source.file, from: leftFolder(source) }))
    for (const { file } of moves) {
      const title = to.title ?? file.title
      await requireFreeName(connection, { parent: to.parent, title }, file)
    }
    for (const { file, from } of moves)
      await claiming(to.title ?? file.title, () =>
        moveFile(connection, file, { title: to.title, parent: to.parent, from }),
      )
  })
}

/** @throws {HlaError} usage — an id of a file in several folders does not say which one it leaves */
function leftFolder({ file, folder }: FoundFile): string {
  const [only = '', ...others] = file.parents
  if (folder !== undefined || others.length === 0) return folder ?? only
  throw new HlaError('usage', `${shownTitle(file.title)} is in ${file.parents.length} folders`, {
    offending: file.id,
    hint: `say which one it leaves: ${file.parents.map((parent) => `${parent}/${file.title}`).join(', ')}`,
  })
}

export interface SourcesAndTarget {
  readonly sources: readonly FoundFile[]
  readonly to: { readonly parent: string; readonly title: string | undefined }
}

/** @throws {HlaError} usage — the destination is missing, or is not a folder though there are several sources */
export async function readWords(
  connection: DriveConnection,
  words: readonly string[],
): Promise<SourcesAndTarget> {
  const paths = words.slice(0, -1)
  if (paths.length === 0) throw new HlaError('usage', 'the destination is missing')
  const sources = []
  for (const path of paths) sources.push(await fileInFolder(connection, parseDrivePath(path)))
  const to = await findDestination(connection, words.at(-1) ?? '', paths.length > 1)
  return { sources, to }
}

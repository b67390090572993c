/**
 * `hla drive search`: finds files by words in their titles and contents, or by a query in the store's search language.
 * [network]
 */
import { findFiles, quoted } from '../../client/files.ts'
import { filePath, parseDrivePath } from '../../client/paths.ts'
import type { DriveFile } from '../../client/resource.ts'
import { HlaError } from '../../../errors.ts'
import type { SearchOptions } from '../options/file-options.ts'
import { withDrive } from './connect.ts'
import { printFiles } from './ls.ts'

/** Skips the trash, unless --query includes it. @throws {HlaError} usage, not-found, io, remote */
export function searchCommand(words: readonly string[], options: SearchOptions): Promise<void> {
  const { query, in: folder } = options
  if (words.length === 0 && query === undefined)
    throw new HlaError('usage', 'there is nothing to search for', { hint: 'hla drive search DRB1' })
  return withDrive(options, async ({ connection }) => {
    const text = quoted(words.join(' '))
    const tests = [
      ...(words.length === 0 ? [] : [`(title contains ${text} or fullText contains ${text})`]),
      ...(query === undefined ? ['trashed = false'] : [`(${query})`]),
    ]
    if (folder !== undefined) {
      const { id } = await filePath(connection, parseDrivePath(folder))
      tests.push(`${quoted(id)} in parents`)
    }
    const found: DriveFile[] = []
    for await (const file of findFiles(connection, { q: tests.join(' and ') })) found.push(file)
    printFiles(found, options)
  })
}

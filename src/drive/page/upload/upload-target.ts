/** What an uploaded file becomes: a new file, or a new version of the one that has its name, so that a path names one file. */
import { isFolder, type PageItem, ITEM, type List } from '../answers.ts'
import { quoted } from '../query.ts'
import { call } from '../service.ts'
import type { UploadTransfer } from './transfer.ts'

/** @throws {Error} several files have the name */
export async function uploadTarget(title: string, to: UploadTransfer['to']): Promise<UploadTransfer['to']> {
  if ('file' in to) return to
  const q = `title = ${quoted(title)} and ${quoted(to.folder)} in parents and trashed = false`
  const query = { q, corpora: 'allDrives', includeItemsFromAllDrives: true, fields: `items(${ITEM})` }
  const { items } = await call<List<PageItem>>('files', query)
  // the service finds titles whatever their case
  const [one, ...others] = items.filter((item) => item.title === title && !isFolder(item))
  if (one === undefined) return to
  if (others.length > 0)
    throw new Error('Several files here have this name: open the one that is to have a new version.')
  return { file: one.id }
}

/** Folders that uploaded files are put into: those that are there, and new ones. */
import { FOLDER, isFolder, ITEM, type List, type PageItem } from '../answers.ts'
import { quoted } from '../query.ts'
import { call } from '../service.ts'

/** Path -> id; of one upload of many files, so that each folder is looked for once. */
export type KnownFolders = Map<string, Promise<string>>

/** @throws {Error} several folders there have the name */
export function folderAt(parent: string, names: readonly string[], known: KnownFolders): Promise<string> {
  const name = names.at(-1)
  if (name === undefined) return Promise.resolve(parent)
  const key = JSON.stringify([parent, ...names])
  const asked =
    known.get(key) ?? folderAt(parent, names.slice(0, -1), known).then((above) => findOrMake(above, name))
  known.set(key, asked)
  // tried again with the next file
  asked.catch(() => known.delete(key))
  return asked
}

async function findOrMake(parent: string, title: string): Promise<string> {
  const q = `title = ${quoted(title)} and ${quoted(parent)} in parents and trashed = false`
  const query = { q, corpora: 'allDrives', includeItemsFromAllDrives: true, fields: `items(${ITEM})` }
  const { items } = await call<List<PageItem>>('files', query)
  // the service finds titles whatever their case
  const [one, ...others] = items.filter((item) => item.title === title && isFolder(item))
  if (others.length > 0) throw new Error(`Several folders here have the name ${title}.`)
  if (one !== undefined) return one.id
  const body = { title, mimeType: FOLDER, parents: [{ id: parent }] }
  return (await call<PageItem>('files', { fields: 'id' }, body)).id
}

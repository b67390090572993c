/** Reads a folder of the store as a tree of paths.  [network] */
import type { DriveConnection } from '../../client/connection.ts'
import { listChildren } from '../../client/paths.ts'
import type { DriveFile } from '../../client/resource.ts'
import type { Entry, Link } from './plan.ts'

export interface RemoteTree {
  readonly entries: ReadonlyMap<string, Entry>
  /** Path -> file, with the folder itself. */
  readonly files: Map<string, DriveFile>
  /** Paths of items in several folders, and of all below one. */
  readonly links: ReadonlyMap<string, Link>
  /** Path that a disk cannot hold -> reason. */
  readonly left: ReadonlyMap<string, string>
}

/** `top` is the path of the folder; '' for the root. */
export async function readRemoteTree(
  connection: DriveConnection,
  folder: DriveFile,
  top = '',
): Promise<RemoteTree> {
  const entries = new Map<string, Entry>()
  const files = new Map([[top, folder]])
  const links = new Map<string, Link>()
  const left = new Map<string, string>()
  const walk = async (parent: DriveFile, below: string, isShared: boolean): Promise<void> => {
    const children: DriveFile[] = []
    for await (const child of listChildren(connection, parent.id)) children.push(child)
    const titles = new Map<string, number>()
    for (const { title } of children) titles.set(title, (titles.get(title) ?? 0) + 1)
    for (const child of children) {
      const { title, id } = child
      const path = below === '' ? title : `${below}/${title}`
      const count = titles.get(title) ?? 1
      const entry = asEntry(child)
      if (count > 1) left.set(path, `the store has ${count} files of this title in the folder`)
      else if (!isName(title)) left.set(path, 'its title cannot be used as a file name here')
      else if (entry === undefined) left.set(path, 'it has no content to fetch')
      if (left.has(path) || entry === undefined) continue
      entries.set(path, entry)
      files.set(path, child)
      const hasLinks = isShared || child.parents.length > 1
      if (hasLinks) links.set(path, { folder: parent.id, item: id, folders: child.parents.length })
      if (child.isFolder) await walk(child, path, hasLinks)
    }
  }
  await walk(folder, top, false)
  return { entries, files, links, left }
}

function asEntry({ isFolder, md5, revision }: DriveFile): Entry | undefined {
  if (isFolder) return { kind: 'folder' }
  return md5 === undefined || revision === undefined ? undefined : { kind: 'file', md5 }
}

const MAX_NAME_LENGTH = 255

function isName(title: string): boolean {
  const isPlain = title !== '' && title !== '.' && title !== '..' && !/[/\0]/.test(title)
  return isPlain && Buffer.byteLength(title) <= MAX_NAME_LENGTH && title.isWellFormed()
}

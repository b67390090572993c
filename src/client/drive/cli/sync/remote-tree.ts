/** What is in a folder of a store, as far as it can be in a folder of this machine.  [network] */
import type { DriveConnection } from '../../connection.ts'
import { listChildren } from '../../paths.ts'
import type { DriveFile } from '../../resource.ts'
import type { Entry } from './plan.ts'

export interface RemoteTree {
  readonly entries: ReadonlyMap<string, Entry>
  /** By path; '' is the folder itself. */
  readonly files: Map<string, DriveFile>
  /** What cannot be on a disk -> why. */
  readonly left: ReadonlyMap<string, string>
}

export async function readRemoteTree(connection: DriveConnection, root: DriveFile): Promise<RemoteTree> {
  const entries = new Map<string, Entry>()
  const files = new Map([['', root]])
  const left = new Map<string, string>()
  const walk = async (folder: DriveFile, below: string): Promise<void> => {
    const children: DriveFile[] = []
    for await (const child of listChildren(connection, folder.id)) children.push(child)
    const titles = new Map<string, number>()
    for (const { title } of children) titles.set(title, (titles.get(title) ?? 0) + 1)
    for (const child of children) {
      const { title } = child
      const path = below === '' ? title : `${below}/${title}`
      const count = titles.get(title) ?? 1
      const entry = asEntry(child)
      if (count > 1) left.set(path, `the store has ${count} files of this title in the folder`)
      else if (!isName(title)) left.set(path, 'its title cannot be the name of a file here')
      else if (entry === undefined) left.set(path, 'it has no content to fetch')
      if (left.has(path) || entry === undefined) continue
      entries.set(path, entry)
      files.set(path, child)
      if (child.isFolder) await walk(child, path)
    }
  }
  await walk(root, '')
  return { entries, files, left }
}

function asEntry({ isFolder, md5, revision }: DriveFile): Entry | undefined {
  if (isFolder) return { kind: 'folder' }
  return md5 === undefined || revision === undefined ? undefined : { kind: 'file', md5 }
}

const LONGEST_NAME = 255

function isName(title: string): boolean {
  const isPlain = title !== '' && title !== '.' && title !== '..' && !/[/\0]/.test(title)
  return isPlain && Buffer.byteLength(title) <= LONGEST_NAME && title.isWellFormed()
}

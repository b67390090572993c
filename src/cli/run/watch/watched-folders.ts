/** Which folders a watch is about: one, or that and all below it, wherever they are moved.  [network] */
import { isRefusal } from '../../../client/drive/failure.ts'
import { getFile } from '../../../client/drive/files.ts'
import { listChildren } from '../../../client/drive/paths.ts'
import type { DriveFile } from '../../../client/drive/resource.ts'
import type { FolderWatch } from './watching.ts'

export interface WatchedFolders {
  /** The watch as far as it is of the folder that the file is in; undefined: it is in none of them. */
  readonly watchOver: (file: DriveFile) => Promise<FolderWatch | undefined>
  /** Everything that is there. */
  readonly all: () => AsyncGenerator<DriveFile>
  /** With what is in folders among them: they may have come with what was in them before. */
  readonly withNew: (files: readonly DriveFile[]) => AsyncGenerator<DriveFile>
}

/** For one look: what is found of folders is asked anew by the next. */
export function watchedFolders(watching: FolderWatch): WatchedFolders {
  const { drive, folder, isRecursive } = watching
  const { connection } = drive
  /** Undefined: it is not below. */
  const known = new Map<string, FolderWatch | undefined>([[folder.id, watching]])
  const within = async (id: string): Promise<FolderWatch | undefined> => {
    if (known.has(id) || !isRecursive) return known.get(id)
    // a folder may be below itself only by a fault of the store: then it is not below
    known.set(id, undefined)
    const found = await visible(id)
    const above = found === undefined || found.isTrashed ? undefined : await anyWithin(found.parents)
    const own = found === undefined || above === undefined ? undefined : below(above, found)
    known.set(id, own)
    return own
  }
  const anyWithin = async (parents: readonly string[]): Promise<FolderWatch | undefined> => {
    for (const id of parents) {
      const found = await within(id)
      if (found !== undefined) return found
    }
    return undefined
  }
  const visible = async (id: string): Promise<DriveFile | undefined> => {
    try {
      return await getFile(connection, id)
    } catch (error) {
      if (isRefusal(error, 404)) return undefined
      throw error
    }
  }
  /** What is in several folders, or came with several that came, is gone through once. */
  const walked = new Set<string>()
  async function* walk(watch: FolderWatch): AsyncGenerator<DriveFile> {
    if (walked.has(watch.folder.id)) return
    walked.add(watch.folder.id)
    for await (const file of listChildren(connection, watch.folder.id)) {
      if (isRecursive && file.isFolder) {
        const own = below(watch, file)
        known.set(file.id, own)
        yield* walk(own)
      } else yield file
    }
  }
  async function* withNew(files: readonly DriveFile[]): AsyncGenerator<DriveFile> {
    for (const file of files) {
      const own = isRecursive && file.isFolder && file.id !== folder.id ? await within(file.id) : undefined
      if (own === undefined) yield file
      else yield* walk(own)
    }
  }
  return { watchOver: (file) => anyWithin(file.parents), all: () => walk(watching), withNew }
}

/** Outputs go beside their tables. */
function below(watching: FolderWatch, folder: DriveFile): FolderWatch {
  const path = `${watching.path}${folder.title}/`
  return { ...watching, folder, path, to: folder, toPath: path }
}

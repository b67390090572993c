/** The folders of a rule: one, or that and all below it, wherever they are moved.  [network] */
import { isRefusal } from '../../failure.ts'
import { getFile } from '../../files.ts'
import { listChildren } from '../../paths.ts'
import type { DriveFile } from '../../resource.ts'
import type { FolderRule } from './folder-rule.ts'

export interface RuleFolders {
  /** The rule, with the folder that the file is in; undefined: the file is in none of them. */
  readonly ruleOver: (file: DriveFile) => Promise<FolderRule | undefined>
  /** Everything that is there. */
  readonly all: () => AsyncGenerator<DriveFile>
  /** With what is in folders among them: they may have come with what was in them before. */
  readonly withNew: (files: readonly DriveFile[]) => AsyncGenerator<DriveFile>
}

/** For one look: what is found of folders is asked anew by the next. */
export function ruleFolders(rule: FolderRule): RuleFolders {
  const { drive, folder, isRecursive } = rule
  const { connection } = drive
  /** Undefined: it is not below. */
  const known = new Map<string, FolderRule | undefined>([[folder.id, rule]])
  const within = async (id: string): Promise<FolderRule | undefined> => {
    if (known.has(id) || !isRecursive) return known.get(id)
    // a folder may be below itself only by a fault of the store: then it is not below
    known.set(id, undefined)
    const found = await visible(id)
    const above = found === undefined || found.isTrashed ? undefined : await anyWithin(found.parents)
    const own = found === undefined || above === undefined ? undefined : below(above, found)
    known.set(id, own)
    return own
  }
  const anyWithin = async (parents: readonly string[]): Promise<FolderRule | undefined> => {
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
  async function* walk(rule: FolderRule): AsyncGenerator<DriveFile> {
    if (walked.has(rule.folder.id)) return
    walked.add(rule.folder.id)
    for await (const file of listChildren(connection, rule.folder.id)) {
      if (isRecursive && file.isFolder) {
        const own = below(rule, file)
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
  return { ruleOver: (file) => anyWithin(file.parents), all: () => walk(rule), withNew }
}

/** Outputs go beside their tables. */
function below(rule: FolderRule, folder: DriveFile): FolderRule {
  const path = `${rule.path}${folder.title}/`
  return { ...rule, folder, path, to: folder, toPath: path }
}

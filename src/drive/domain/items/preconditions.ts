/** Conditions on the file that a command changes, checked in the transaction of the change. */
import { type Caller, type NamedPath, type OwnConditions, conditionNotMet } from '../../contract/failure.ts'
import type { Database } from '../../persistence/database/database.ts'
import { type EntityTags, requireTag } from '../../protocol/etags.ts'
import { type VisibleFile, findVisibleFile } from '../access/access.ts'
import { findFolders, findSeenFolder } from '../folders/find-folders.ts'
import { viewFile } from './file-view.ts'

/** File that a command changes, and the conditions on it: entity tags of which it must have one, and ours. */
export interface TaggedFile {
  readonly id: string
  readonly ifMatch?: EntityTags | undefined
  readonly conditions?: OwnConditions | undefined
}

/** @throws 412 — the file has another etag, or is not at the path */
export function requireMatch(
  db: Database,
  caller: Caller,
  file: VisibleFile,
  { ifMatch, conditions }: Omit<TaggedFile, 'id'>,
): void {
  requireTag(ifMatch, () => viewFile(db, caller, file.pk).etag)
  const path = conditions?.path
  if (path !== undefined && !isAtPath(db, caller, file, path))
    throw conditionNotMet('X-Hla-If', 'The file has left this path.')
}

function isAtPath(db: Database, caller: Caller, file: VisibleFile, { base, names }: NamedPath): boolean {
  let found: readonly VisibleFile[] = [file]
  for (const name of names.toReversed()) {
    const titled = found.filter(({ title, trashed }) => title === name && trashed === 0)
    const folders = new Set(titled.flatMap(({ pk }) => findFolders(db, pk)))
    found = [...folders].flatMap((folder) => findSeenFolder(db, caller, folder) ?? [])
  }
  const top = findVisibleFile(db, caller, base)
  return found.some(({ pk }) => pk === top?.pk)
}

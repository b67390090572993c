/** files.list: items the caller owns or was granted, searched, ordered, a page at a time (spec 5.8). */
import type { Caller } from '../../contract/caller.ts'
import type { Database, Value } from '../../persistence/database/database.ts'
import { type FileView, viewFiles } from '../items/file-view.ts'
import { findPage, type ItemSearch } from '../search/page.ts'

export interface FilePage {
  readonly files: readonly FileView[]
  /** Undefined: there are no more. */
  readonly next: readonly Value[] | undefined
}

/** So many are read at once: their metadata may be long. */
const PIECE = 50

/** On one state of the store; the page ends before the first that does not fit. @throws 400 — a full-text search is ordered by relevance */
export function listFiles(
  db: Database,
  caller: Caller,
  search: ItemSearch,
  fits: (file: FileView) => boolean = () => true,
): FilePage {
  const { keys, next, behind } = findPage(db, caller, search)
  const files: FileView[] = []
  for (let at = 0; at < keys.length; at += PIECE)
    for (const file of viewFiles(db, caller, keys.slice(at, at + PIECE))) {
      if (!fits(file)) return { files, next: behind(keys.indexOf(file.row.pk)) }
      files.push(file)
    }
  return { files, next }
}

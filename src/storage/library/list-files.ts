/** files.list: items the caller owns or was granted, searched, ordered, a page at a time (spec 5.8). */
import type { Caller } from '../model/caller.ts'
import type { Database, Value } from '../store/database.ts'
import { type FileView, viewsOf } from './file-view.ts'
import { findPage, type Search } from './search/page.ts'

export interface FilePage {
  readonly files: readonly FileView[]
  /** Undefined: there are no more. */
  readonly next: readonly Value[] | undefined
}

/** On one state of the store. @throws 400 — a full-text search is ordered by relevance */
export function listFiles(db: Database, caller: Caller, search: Search): FilePage {
  const { keys, next } = findPage(db, caller, search)
  return { files: viewsOf(db, caller, keys), next }
}

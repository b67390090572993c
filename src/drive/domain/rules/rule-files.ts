/** Files that a rule covers: all of its folders, or those changed since its last run. */
import { setImmediate } from 'node:timers/promises'
import type { Caller } from '../../contract/failure.ts'
import type { Database } from '../../persistence/database/database.ts'
import { type VisibleFile, findVisibleFile } from '../access/access.ts'
import { ABOVE, FOLDERS_BELOW } from '../folders/tree.ts'
import { readLimits } from '../settings.ts'
import type { RuleRow } from './rule-rows.ts'

export interface RuleFile {
  readonly file: VisibleFile
  /** Folder of the rule, or one below it, that holds the file. */
  readonly folder: VisibleFile
}

/** Files that the maker sees, up to the entry `to` of the change log. Other work of this thread runs between pages. */
export function filesToExamine(
  db: Database,
  rule: RuleRow,
  maker: Caller,
  to: number,
): AsyncGenerator<RuleFile> {
  if (rule.progress.from === undefined) return filesIn(db, rule, maker, rule.folder)
  return changedFiles(db, rule, maker, to)
}

const PAGE_ROWS = 100
/** The key of a folder's links is parent and child. */
const CHILDREN = `SELECT f.pk, f.id FROM parents l CROSS JOIN files f ON f.pk = l.child
  WHERE l.parent = ? AND l.child > ? AND f.kind = 'file' AND f.trashed = 0 ORDER BY l.child LIMIT ?`

interface ItemName {
  readonly pk: number
  readonly id: string
}

async function* filesIn(db: Database, rule: RuleRow, maker: Caller, top: number): AsyncGenerator<RuleFile> {
  for (const pk of foldersFrom(db, rule, top)) {
    const folder = openFolder(db, maker, pk)
    if (folder !== undefined) for await (const file of childrenOf(db, maker, pk)) yield { file, folder }
  }
}

async function* childrenOf(db: Database, maker: Caller, folder: number): AsyncGenerator<VisibleFile> {
  for (let page: ItemName[] = [], after = 0; ; after = page.at(-1)?.pk ?? after) {
    page = db.all<ItemName>(CHILDREN, folder, after, PAGE_ROWS)
    for (const { id } of page) {
      const file = findVisibleFile(db, maker, id)
      if (file !== undefined) yield file
    }
    await setImmediate()
    if (page.length < PAGE_ROWS) return
  }
}

/** The folder itself and, with subfolders, those below it. */
function foldersFrom(db: Database, { terms }: RuleRow, top: number): number[] {
  if (terms.withSubfolders !== true) return [top]
  const most = readLimits(db)['rule-folders'] + 1
  return db.all<{ pk: number }>(`${FOLDERS_BELOW} SELECT pk FROM below`, top, most).map(({ pk }) => pk)
}

function openFolder(db: Database, maker: Caller, pk: number): VisibleFile | undefined {
  const found = db.get<{ id: string }>('SELECT id FROM files WHERE pk = ? AND trashed = 0', pk)
  return found && findVisibleFile(db, maker, found.id)
}

/** Entries examined at once. */
const CHANGES_ROWS = 300
const CHANGED = `SELECT DISTINCT f.pk, f.id, f.kind FROM changes c CROSS JOIN parents l ON l.child = c.item
  CROSS JOIN files f ON f.pk = c.item WHERE c.seq BETWEEN ? AND ?`

/** A changed folder below the rule's may have arrived with its files, which have no entries of their own. */
async function* changedFiles(
  db: Database,
  rule: RuleRow,
  maker: Caller,
  to: number,
): AsyncGenerator<RuleFile> {
  const isDeep = rule.terms.withSubfolders === true
  for (let first = rule.progress.from ?? 1; first <= to; first += CHANGES_ROWS) {
    const last = Math.min(to, first + CHANGES_ROWS - 1)
    const changed = isDeep
      ? db.all<ItemName & { kind: string }>(CHANGED, first, last)
      : db.all<ItemName & { kind: string }>(`${CHANGED} AND l.parent = ?`, first, last, rule.folder)
    for (const { pk, id, kind } of changed) {
      const folder = kind === 'file' || isDeep ? folderOver(db, rule, maker, pk) : undefined
      if (folder === undefined || pk === rule.folder) continue
      if (kind === 'folder') yield* filesIn(db, rule, maker, pk)
      const file = kind === 'file' ? findVisibleFile(db, maker, id) : undefined
      if (file !== undefined) yield { file, folder }
    }
    await setImmediate()
  }
}

/** Folder of the item that the rule covers; undefined for an item elsewhere. */
function folderOver(db: Database, rule: RuleRow, maker: Caller, item: number): VisibleFile | undefined {
  for (const { parent } of db.all<{ parent: number }>('SELECT parent FROM parents WHERE child = ?', item)) {
    const isCovered =
      parent === rule.folder || (rule.terms.withSubfolders === true && isBelow(db, parent, rule.folder))
    const folder = isCovered ? openFolder(db, maker, parent) : undefined
    if (folder !== undefined) return folder
  }
  return undefined
}

function isBelow(db: Database, item: number, folder: number): boolean {
  return db.get(`${ABOVE} SELECT 1 FROM above WHERE pk = ?2`, item, folder) !== undefined
}

/** Titles of the rule's folder and of those below it down to `folder`: `registry/2026/`. */
export function folderPath(db: Database, rule: RuleRow, folder: VisibleFile): string {
  const titles: string[] = []
  for (let at: number | undefined = folder.pk; at !== undefined;) {
    titles.unshift(db.get<{ title: string }>('SELECT title FROM files WHERE pk = ?', at)?.title ?? '')
    if (at === rule.folder || titles.length > MAX_DEPTH) break
    at = db
      .all<{ parent: number }>('SELECT parent FROM parents WHERE child = ?', at)
      .find(({ parent }) => parent === rule.folder || isBelow(db, parent, rule.folder))?.parent
  }
  return `${titles.join('/')}/`
}

/** Only a damaged store has a cycle. */
const MAX_DEPTH = 1000

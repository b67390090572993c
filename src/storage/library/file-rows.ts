/** Writes rows of `files`: the one place that fills the columns which follow from others. */
import type { ItemKind } from '../model/kinds.ts'
import { extensionsOf, foldTitle, naturalTitle } from '../model/title.ts'
import type { Transaction, Value } from '../store/database.ts'
import type { FileRow } from './file-row.ts'

export interface NewRow {
  readonly id: string
  readonly kind: ItemKind
  readonly title: string
  readonly mime: string
  readonly space: FileRow['space']
  /** null: it is in a shared drive. */
  readonly owner: number | null
  /** Key of the root of the shared drive it is in. */
  readonly drive?: number | null
  /** Who makes it. */
  readonly maker: number
  /** The program that makes it. */
  readonly client: number
  readonly acl: number
  readonly isRoot?: boolean
  readonly created: number
  readonly modified: number
  readonly originalName?: string | undefined
  /** Id of what a shortcut points to. */
  readonly target?: string | undefined
  /** JSON of `Extra`. */
  readonly extra: string
}

const INSERT = `INSERT INTO files(id, kind, title, fold, natural, mime, space, owner, client, acl, is_root, created, modified,
  modifier, extension, full_extension, original_name, target, extra, drive)
  VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20)`

/** @returns its key */
export function addRow(tx: Transaction, row: NewRow): number {
  const { id, kind, title, mime, space, owner, client, acl } = row
  const extensions = kind === 'file' ? extensionsOf(title) : undefined
  const { last = null, full = null } = extensions ?? {}
  const compared = [foldTitle(title), naturalTitle(title)]
  const dates = [row.created, row.modified]
  const values: Value[] = [
    id,
    kind,
    title,
    ...compared,
    mime,
    space,
    owner,
    client,
    acl,
    Number(row.isRoot ?? false),
    ...dates,
    row.maker,
  ]
  values.push(last, full, row.originalName ?? null, row.target ?? null, row.extra, row.drive ?? null)
  const { lastKey } = tx.run(INSERT, ...values)
  return lastKey
}

/** An extension stays when the new title has none. */
export function retitle(tx: Transaction, { pk, kind }: Pick<FileRow, 'pk' | 'kind'>, title: string): void {
  const extensions = kind === 'file' ? extensionsOf(title) : undefined
  const sql = `UPDATE files SET title = ?, fold = ?, natural = ?, extension = coalesce(?, extension),
    full_extension = coalesce(?, full_extension) WHERE pk = ?`
  const { last = null, full = null } = extensions ?? {}
  tx.run(sql, title, foldTitle(title), naturalTitle(title), last, full, pk)
}

/** New bytes of a file that is there: a revision more, or the head with other bytes (spec 14). */
import { countRows } from '../../persistence/database/count-rows.ts'
import type { Caller } from '../../contract/caller.ts'
import { badRequest } from '../../contract/failure.ts'
import { keepBlob, type Staged } from '../../persistence/contents/blob-rows.ts'
import type { Database, Transaction } from '../../persistence/database/database.ts'
import type { SeenFile } from '../access/access.ts'
import { addRevision } from './content.ts'
import { readLimits } from '../limits.ts'
import { charge, payerFor } from '../accounts/quota.ts'

export interface ContentChange {
  readonly staged: Staged
  /** The revision that was the head stays. A pinned one stays in any case. */
  readonly isNewRevision: boolean
  /** The new one is kept for ever. */
  readonly isPinned: boolean
  /** What the content came as; the body's type wins. */
  readonly type?: string | undefined
  /** What the content was called. */
  readonly name?: string | undefined
  readonly isIndexed?: boolean | undefined
  /** The document that it was found to be, besides what it came as. */
  readonly native?: string | undefined
}

/** Type and dates of the file are the caller's to write. @throws 400 — folders and shortcuts; 403 — the quota */
export function putContent(
  tx: Transaction,
  caller: Caller,
  file: SeenFile,
  { mime, ...change }: ContentChange & { readonly mime: string },
): void {
  if (file.kind !== 'file') throw badRequest('Folders and shortcuts have no content.', 'fileId')
  const { staged, name } = change
  const head = readHead(tx, file)
  const isKept = change.isNewRevision || head.pinned === 1
  if (change.isPinned && (isKept || head.pinned === 0)) mustHavePinsLeft(tx, file.pk)
  charge(tx, payerFor(tx, file), staged.size - (isKept ? 0 : head.size))
  const facts = {
    blob: keepBlob(tx, staged),
    size: staged.size,
    mime,
    modified: tx.now,
    modifier: caller.user,
  }
  if (isKept) addRevision(tx, file.pk, { ...facts, isPinned: change.isPinned, originalName: name ?? null })
  else replaceHead(tx, file.pk, head, [...Object.values(facts), Number(change.isPinned), name ?? null])
  if (name !== undefined) tx.run('UPDATE files SET original_name = ? WHERE pk = ?', name, file.pk)
}

interface Head {
  readonly pk: number
  readonly size: number
  readonly pinned: number
}

function readHead(db: Database, { head }: SeenFile): Head {
  const row = db.get<Head>('SELECT pk, size, pinned FROM revisions WHERE pk = ?', head)
  if (row === undefined) throw new Error(`there is no revision ${head}`)
  return row
}

function replaceHead(tx: Transaction, file: number, head: Head, values: readonly (string | number | null)[]) {
  tx.run(REPLACE, ...values, head.pk)
  const [, size = 0] = values
  tx.run('UPDATE files SET size = ?, used = used + ? - ? WHERE pk = ?', size, size, head.size, file)
}

const REPLACE = `UPDATE revisions SET blob = ?, size = ?, mime = ?, modified = ?, modifier = ?, pinned = ?,
  original_name = coalesce(?, original_name), version = version + 1 WHERE pk = ?`

/** @throws 400 */
export function mustHavePinsLeft(db: Database, file: number): void {
  const sql = 'SELECT count(*) AS count FROM revisions WHERE file = ? AND pinned = 1'
  const most = readLimits(db)['pinned-revisions']
  if (countRows(db, sql, file) >= most)
    throw badRequest(`A file has at most ${most} pinned revisions.`, 'pinned')
}

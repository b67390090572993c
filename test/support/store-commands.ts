/** Commands for tests of the store, where the real ones would bring the whole library. */
import { isStorageFailure, notFound } from '../../src/storage/model/failure.ts'
import { keepBlob, type Staged } from '../../src/storage/store/blob-rows.ts'
import type { Commands } from '../../src/storage/store/command-group.ts'
import type { Transaction } from '../../src/storage/store/database.ts'

export const STORE_COMMANDS: Commands = {
  /** A title is three rows, which must be there together or not at all. */
  add(transaction, _caller, { title, staged }: { title: string; staged?: Staged }) {
    const row = [title, title, title, title, transaction.now, transaction.now]
    const { lastKey: pk } = transaction.run(
      `INSERT INTO files(id, kind, title, fold, natural, mime, client, acl, created, modified, modifier)
       VALUES (?, 'file', ?, ?, ?, 'text/plain', 0, 0, ?, ?, 0)`,
      ...row,
    )
    transaction.run('INSERT INTO parents(parent, child) VALUES (0, ?)', pk)
    const change = [pk, title, transaction.now]
    transaction.run('INSERT INTO changes(item, item_id, at) VALUES (?, ?, ?)', ...change)
    if (staged !== undefined) keepRevision(transaction, pk, staged)
    return { pk, at: transaction.now }
  },
  refuse(transaction, caller, input: never) {
    STORE_COMMANDS['add']?.(transaction, caller, input)
    throw notFound('File', 'abc', 'fileId')
  },
  crash(transaction, caller, input: never) {
    STORE_COMMANDS['add']?.(transaction, caller, input)
    throw new TypeError('a bug')
  },
  count: (transaction) => transaction.get<{ count: number }>('SELECT count(*) AS count FROM files')?.count,
  uncloneable: () => () => isStorageFailure,
  async: () => Promise.resolve(1),
}

function keepRevision(transaction: Transaction, file: number, staged: Staged): void {
  const blob = keepBlob(transaction, staged)
  const revision = [file, blob, staged.size, transaction.now]
  transaction.run(
    `INSERT INTO revisions(file, id, blob, mime, size, modified, modifier) VALUES (?, '1', ?, 'text/plain', ?, ?, 0)`,
    ...revision,
  )
}

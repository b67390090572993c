/** A store in which every content shared its row: all of them stay, and what is shared is found. */
import { expect, test } from 'vitest'
import { keepBlob, type Staged } from '../../../src/drive/persistence/contents/blob-rows.ts'
import { wrapConnection } from '../../../src/drive/persistence/database/connection.ts'
import type { Transaction } from '../../../src/drive/persistence/database/database.ts'
import { atOnce } from '../../../src/drive/persistence/database/deferred-statements.ts'
import { migrate } from '../../../src/drive/persistence/database/tables/migrate.ts'
import { MIGRATIONS, SHARED_CONTENTS } from '../../../src/drive/persistence/database/tables/schema.ts'
import { loadSqlite } from '../../../src/drive/persistence/database/sqlite.ts'

test('its contents keep their keys', async () => {
  const { DatabaseSync } = await loadSqlite()
  const db = wrapConnection(new DatabaseSync(':memory:', {}))
  migrate(db, MIGRATIONS.slice(0, MIGRATIONS.indexOf(SHARED_CONTENTS)))
  db.exec(`INSERT INTO blobs(pk, sha256, sha1, md5, size, place, created)
    VALUES (3, 'small', 's', 's', 3, 'inline', 1), (5, 'large', 's', 's', 99, 'file', 2), (8, 'none', 's', 's', 0, 'inline', 3)`)
  const rows = () => db.all('SELECT * FROM blobs ORDER BY pk')
  const before = rows()
  migrate(db, MIGRATIONS)
  expect(rows()).toEqual(before)
  const tx: Transaction = { ...db, ...atOnce(db), now: 4 }
  const staged = (sha256: string, size: number, bytes?: Uint8Array): Staged =>
    bytes === undefined ? { sha256, sha1: 's', md5: 's', size } : { sha256, sha1: 's', md5: 's', size, bytes }
  expect(keepBlob(tx, staged('large', 99))).toBe(5)
  expect(keepBlob(tx, staged('none', 0, new Uint8Array()))).toBe(8)
  expect(keepBlob(tx, staged('small', 3, new Uint8Array(3)))).toBe(9)
  db.close()
})

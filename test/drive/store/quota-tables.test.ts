/** What older stores did not count is counted from now on. */
import { expect, test } from 'vitest'
import { wrapConnection } from '../../../src/drive/persistence/database/connection.ts'
import { migrate } from '../../../src/drive/persistence/database/tables/migrate.ts'
import {
  COUNTED_METADATA,
  itemBytes,
} from '../../../src/drive/persistence/database/tables/metadata-tables.ts'
import { PAID_COMMENTS, PAID_DRIVES } from '../../../src/drive/persistence/database/tables/quota-tables.ts'
import { MIGRATIONS } from '../../../src/drive/persistence/database/tables/schema.ts'
import { loadSqlite } from '../../../src/drive/persistence/database/sqlite.ts'

test('what is in shared drives, for whoever has organized them longest, or else changed them last', async () => {
  const { DatabaseSync } = await loadSqlite()
  const db = wrapConnection(new DatabaseSync(':memory:', {}))
  migrate(db, MIGRATIONS.slice(0, MIGRATIONS.indexOf(PAID_DRIVES)))
  const columns =
    'pk, id, kind, owner, drive, used, modifier, title, fold, natural, mime, client, acl, created, modified'
  const rest = `'', '', '', '', 0, 0, 0, 0`
  db.exec(`INSERT INTO files(${columns}) VALUES
    (10, 'f10', 'folder', NULL, 10, 0, 2, ${rest}), (11, 'f11', 'file', NULL, 10, 7, 2, ${rest}),
    (20, 'f20', 'folder', NULL, 20, 0, 2, ${rest}), (21, 'f21', 'file', NULL, 20, 11, 1, ${rest}),
    (30, 'f30', 'file', 1, NULL, 5, 1, ${rest})`)
  db.exec(`INSERT INTO principals(pk, kind, id, name, used)
    VALUES (1, 'user', 'a', 'a', 5), (2, 'user', 'b', 'b', 0), (3, 'group', 'g', 'g', 0)`)
  db.exec('INSERT INTO drives(root) VALUES (10), (20)')
  db.exec(`INSERT INTO grants(item, principal, role, created, granter) VALUES
    (10, 3, 'organizer', 0, 1), (10, 2, 'organizer', 2, 1), (10, 1, 'organizer', 1, 1), (20, 3, 'organizer', 0, 2)`)
  migrate(db, MIGRATIONS)
  expect(db.all('SELECT root, payer FROM drives')).toEqual([
    { root: 10, payer: 1 },
    { root: 20, payer: 2 },
  ])
  expect(db.all('SELECT pk, used FROM principals WHERE pk BETWEEN 1 AND 3')).toEqual([
    { pk: 1, used: 12 },
    { pk: 2, used: 11 },
    { pk: 3, used: 0 },
  ])
  db.close()
})

test('comments and replies, for their authors', async () => {
  const { DatabaseSync } = await loadSqlite()
  const db = wrapConnection(new DatabaseSync(':memory:', {}))
  migrate(db, MIGRATIONS.slice(0, MIGRATIONS.indexOf(PAID_COMMENTS)))
  db.exec(`INSERT INTO principals(pk, kind, id, name, used) VALUES (1, 'user', 'a', 'a', 5), (2, 'user', 'b', 'b', 0);
    INSERT INTO comments(file, id, author, content, created, modified) VALUES (9, 'c', 1, 'abc', 0, 0);
    INSERT INTO replies(comment, id, author, content, created, modified) VALUES (1, 'r', 1, 'ab', 0, 0)`)
  migrate(db, MIGRATIONS)
  const used = db.all('SELECT used FROM principals WHERE pk IN (1, 2) ORDER BY pk')
  expect(used).toEqual([{ used: 5 + 2 * 256 + 5 }, { used: 0 }])
  db.close()
})

test('metadata, for owners and for who pays for a drive', async () => {
  const { DatabaseSync } = await loadSqlite()
  const db = wrapConnection(new DatabaseSync(':memory:', {}))
  migrate(db, MIGRATIONS.slice(0, MIGRATIONS.indexOf(COUNTED_METADATA)))
  const columns =
    'pk, id, kind, owner, drive, modifier, title, fold, natural, mime, client, acl, created, modified'
  const rest = `'é', '', '', '', 0, 0, 0, 0`
  db.exec(`INSERT INTO principals(pk, kind, id, name) VALUES (1, 'user', 'a', 'a'), (2, 'user', 'b', 'b')`)
  db.exec(`INSERT INTO drives(root, payer) VALUES (10, 1)`)
  db.exec(`INSERT INTO files(${columns}) VALUES
    (10, 'f10', 'folder', NULL, 10, 2, ${rest}), (11, 'f11', 'file', NULL, 10, 2, ${rest}), (30, 'f30', 'file', 2, NULL, 1, ${rest})`)
  db.exec(`INSERT INTO properties(file, app, key, value) VALUES (30, 0, 'k', 'val')`)
  migrate(db, MIGRATIONS)
  const item = itemBytes('é', '{}', null)
  const counted = db.all('SELECT metadata FROM principals WHERE pk IN (1, 2) ORDER BY pk')
  expect(counted).toEqual([{ metadata: 2 * item }, { metadata: item + 64 + 2 * 4 }])
  db.close()
})

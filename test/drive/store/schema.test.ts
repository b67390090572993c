/** Tables of a new store, their upgrades, and stores that this version refuses. */
import { hash } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { keepBlob, type Staged } from '../../../src/drive/persistence/contents/blob-rows.ts'
import { type Connection, wrapConnection } from '../../../src/drive/persistence/database/connection.ts'
import type { Transaction } from '../../../src/drive/persistence/database/database.ts'
import { immediateStatements } from '../../../src/drive/persistence/database/group-transaction.ts'
import { openForWriting } from '../../../src/drive/persistence/database/open-database.ts'
import { migrate, readSchemaVersion } from '../../../src/drive/persistence/database/tables/migrate.ts'
import { ANYONE, MIGRATIONS, NEWEST_VERSION } from '../../../src/drive/persistence/database/tables/schema.ts'
import { loadSqlite } from '../../../src/drive/persistence/database/sqlite.ts'
import { fsck } from '../../../src/drive/persistence/upkeep/fsck.ts'
import { schemaShape } from '../../support/schema-shape.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()

async function newDatabase(): Promise<Connection> {
  const { DatabaseSync } = await loadSqlite()
  const db = wrapConnection(new DatabaseSync(':memory:', {}))
  migrate(db)
  return db
}

test('have these columns, indexes and triggers', async () => {
  const db = await newDatabase()
  const shape = schemaShape(db)
  expect(shape).toHaveLength(670)
  expect(hash('sha256', shape.join('\n'))).toBe(
    '2eeba1b6df97af6375a95e074380851323f4d2da316918a0645ebf4b0d3e9d83',
  )
  expect(db.all('SELECT pk, kind, id FROM principals')).toEqual([
    { pk: ANYONE, kind: 'anyone', id: 'anyone' },
  ])
  db.close()
})

test('are upgraded by each further migration, once', async () => {
  const db = await newDatabase()
  const next = [...MIGRATIONS, 'CREATE TABLE more(x)', 'CREATE INDEX more_by_x ON more(x)']
  migrate(db, next)
  migrate(db, next)
  expect(readSchemaVersion(db)).toBe(NEWEST_VERSION + 2)
  expect(schemaShape(db).join('\n')).toContain('more_by_x')
  // a failed one changes nothing
  expect(() => migrate(db, [...next, 'CREATE TABLE other(x); CREATE TABLE more(y)'])).toThrow('more')
  expect(readSchemaVersion(db)).toBe(NEWEST_VERSION + 2)
  expect(schemaShape(db).join('\n')).not.toContain('other')
  db.close()
})

test('of the newest version need no turn to write: a store opens while another process writes', async () => {
  const { DatabaseSync } = await loadSqlite()
  const path = temp('written.db')
  ;(await openForWriting(path)).close()
  const writing = await openForWriting(path)
  writing.exec('BEGIN IMMEDIATE')
  const opening = wrapConnection(new DatabaseSync(path, {}))
  migrate(opening)
  expect(() => migrate(opening, [...MIGRATIONS, 'CREATE TABLE more(x)'])).toThrow('locked')
  writing.exec('ROLLBACK')
  migrate(opening)
  expect(readSchemaVersion(opening)).toBe(NEWEST_VERSION)
  for (const db of [opening, writing]) db.close()
})

const PREVIEW = 'store.db was written by another program, or by a preview of this one'

test.each([
  [
    'a newer version',
    `user_version=${NEWEST_VERSION + 1}`,
    `the store has tables of version ${NEWEST_VERSION + 1}, this program knows ${NEWEST_VERSION}`,
  ],
  ['a first preview', 'application_id=1751933252', PREVIEW],
  ['a preview', 'application_id=1751933267', PREVIEW],
])('of %s are refused, by what opens a store and by a check', async (what, pragma, message) => {
  const path = temp(what)
  mkdirSync(path)
  const database = join(path, 'store.db')
  const made = await openForWriting(database)
  made.exec(`PRAGMA ${pragma}`)
  made.close()
  const refusal = { code: 'data-differs', message, hint: expect.stringMatching(/^use the /) }
  await expect(openForWriting(database)).rejects.toMatchObject(refusal)
  for (const isRepairing of [false, true])
    await expect(fsck(path, { isDeep: false, isRepairing })).rejects.toMatchObject(refusal)
})

test('of another program are left as they are', async () => {
  const { DatabaseSync } = await loadSqlite()
  const db = wrapConnection(new DatabaseSync(':memory:', {}))
  db.exec('CREATE TABLE donors(id)')
  expect(() => migrate(db)).toThrow(PREVIEW)
  expect(db.all('SELECT name FROM sqlite_schema')).toEqual([{ name: 'donors' }])
  db.close()
})

test('that a newer program upgrades meanwhile are refused', async () => {
  const { DatabaseSync } = await loadSqlite()
  const [one, other] = [0, 1].map(() => wrapConnection(new DatabaseSync(temp('meanwhile.db'), {})))
  if (one === undefined || other === undefined) throw new Error('there is no database')
  const waiting: Connection = {
    ...one,
    exec(sql) {
      if (sql === 'BEGIN IMMEDIATE') migrate(other, [...MIGRATIONS, 'CREATE TABLE more(x)'])
      one.exec(sql)
    },
  }
  expect(() => migrate(waiting)).toThrow(`the store has tables of version ${NEWEST_VERSION + 1}`)
  for (const db of [one, other]) db.close()
})

test('contents in files and those without bytes share a row, small ones have one each', async () => {
  const db = await newDatabase()
  db.exec(`INSERT INTO blobs(pk, sha256, sha1, md5, size, kind, created)
    VALUES (3, 'small', 's', 's', 3, 'inline', 1), (5, 'large', 's', 's', 99, 'file', 2), (8, 'none', 's', 's', 0, 'inline', 3)`)
  const tx: Transaction = { ...db, ...immediateStatements(db), now: 4 }
  const staged = (sha256: string, size: number, bytes?: Uint8Array): Staged =>
    bytes === undefined ? { sha256, sha1: 's', md5: 's', size } : { sha256, sha1: 's', md5: 's', size, bytes }
  expect(keepBlob(tx, staged('large', 99))).toBe(5)
  expect(keepBlob(tx, staged('none', 0, new Uint8Array()))).toBe(8)
  expect(keepBlob(tx, staged('small', 3, new Uint8Array(3)))).toBe(9)
  // what is stored again is removed no more, and counts once
  db.exec(
    `INSERT INTO removals(sha256, size, is_held) VALUES ('back', 99, 1), ('gone', 99, 1), ('small', 3, 1)`,
  )
  keepBlob(tx, staged('back', 99))
  keepBlob(tx, staged('small', 3, new Uint8Array(3)))
  expect(db.all('SELECT sha256 FROM removals')).toEqual([{ sha256: 'gone' }, { sha256: 'small' }])
  db.close()
})

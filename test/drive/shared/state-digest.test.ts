/** The incremental digest of all rows equals a full computation; any changed cell changes it. */
import { beforeEach, describe, expect, test } from 'vitest'
import { type Connection, wrapConnection } from '../../../src/drive/persistence/database/connection.ts'
import { loadSqlite } from '../../../src/drive/persistence/database/sqlite.ts'
import {
  digestState,
  parseState,
  type StateDigest,
  stateText,
  trackChanges,
} from '../../../src/drive/persistence/database/state-digest.ts'
import { migrate } from '../../../src/drive/persistence/database/tables/migrate.ts'
import { randomNumbers } from '../../support/random-numbers.ts'

let connection: Connection
beforeEach(async () => {
  const { DatabaseSync } = await loadSqlite()
  connection = wrapConnection(new DatabaseSync(':memory:', { enableForeignKeyConstraints: false }))
  migrate(connection)
})

const addClient = (pk: number, name: string) =>
  connection.run('INSERT INTO clients(pk, id, name) VALUES (?, ?, ?)', pk, `c${pk}`, name)

function changed(before: StateDigest, work: () => void): StateDigest {
  const tracker = trackChanges(connection)
  work()
  const after = tracker.digest(before)
  tracker.end()
  return after
}

test('changes of all kinds add up to what is read', () => {
  const random = randomNumbers(7)
  const pick = (of: number) => Math.floor(random() * of)
  const VALUES = ['', 'é€😀 and more', 'x'.repeat(300), '7']
  const NUMBERS = [0, -1, 2 ** 40 + 7, -(2 ** 40) - 7, 1_700_000_000_000, null]
  const CHANGES: readonly (() => void)[] = [
    () => void connection.run('INSERT OR REPLACE INTO clients(pk, id, name, secret) VALUES (?, ?, ?, ?)', pick(40), `${pick(40)}`, VALUES[pick(4)] ?? '', pick(2) === 0 ? null : 's'), // prettier-ignore
    () => void connection.run('UPDATE clients SET name = ?, pk = pk + ? WHERE pk = ?', VALUES[pick(4)] ?? '', pick(2) * 100, pick(40)), // prettier-ignore
    () => void connection.run('DELETE FROM clients WHERE pk = ?', pick(40)),
    () => void connection.run('INSERT OR REPLACE INTO principals(pk, kind, id, name, quota) VALUES (?, ?, ?, ?, ?)', 10 + pick(9), 'user', `u${pick(20)}`, 'n', NUMBERS[pick(6)] ?? null), // prettier-ignore
    () => void connection.run('INSERT OR REPLACE INTO members VALUES (?, ?)', pick(5), pick(5)),
    () => void connection.run('INSERT OR REPLACE INTO comments(pk, file, id, author, content, created, modified) VALUES (?, 1, ?, 11, ?, ?, 1)', pick(9), `${pick(9)}`, VALUES[pick(4)] ?? '', NUMBERS[pick(5)] ?? 0), // prettier-ignore
    () => void connection.run('INSERT OR REPLACE INTO blob_data VALUES (?, ?)', pick(9), new Uint8Array(pick(70)).fill(pick(256))), // prettier-ignore
    () => void connection.run('INSERT INTO words(rowid, title, body, content) VALUES (?, ?, ?, ?)', 1 + pick(1e6), `word${pick(999)}`, VALUES[pick(4)] ?? '', ''), // prettier-ignore
    () => void connection.run('DELETE FROM words WHERE rowid = ?', 1 + pick(1e6)),
    () => void connection.run('DELETE FROM members'),
  ]
  let digest = digestState(connection)
  for (let group = 0; group < 300; group += 1) {
    digest = changed(digest, () => {
      connection.run('BEGIN')
      for (let at = pick(20); at > 0; at -= 1) CHANGES[pick(CHANGES.length)]?.()
      connection.run('SAVEPOINT command')
      CHANGES[pick(CHANGES.length)]?.()
      if (pick(2) === 0) connection.run('ROLLBACK TO command')
      connection.run('RELEASE command')
      connection.run(pick(9) === 0 ? 'ROLLBACK' : 'COMMIT')
    })
    expect(stateText(digest)).toBe(stateText(digestState(connection)))
  }
  expect(connection.all('SELECT * FROM words_data').length).toBeGreaterThan(2)
  expect(parseState(stateText(digest))).toEqual(digest)
})

describe('another digest', () => {
  const CELLS: readonly (readonly [string, string])[] = [
    ['of another text', `UPDATE clients SET name = 'patient 8' WHERE pk = 2`],
    ['of an empty text in place of none', `UPDATE clients SET secret = '' WHERE pk = 2`],
    ['of bytes in place of a text', `UPDATE clients SET name = CAST(name AS BLOB) WHERE pk = 2`],
    ['of two texts that are exchanged', `UPDATE clients SET name = 'patient ' || (8 - pk + 1) WHERE pk > 1`],
    ['of another key', 'UPDATE clients SET pk = 4 WHERE pk = 3'],
    ['of a row less', 'DELETE FROM clients WHERE pk = 3'],
    ['of an index less', 'DROP INDEX grants_to'],
    ['of a trigger less', 'DROP TRIGGER comments_counted'],
    ['of a word less', 'DELETE FROM words WHERE rowid = 5'],
  ]

  test.each(CELLS)('%s', (_, sql) => {
    for (const pk of [2, 3]) addClient(pk, `patient ${pk + 5}`)
    connection.run(`INSERT INTO words(rowid, title, body, content) VALUES (5, 'a', 'b', 'c')`)
    const before = stateText(digestState(connection))
    expect(stateText(digestState(connection))).toBe(before)
    connection.exec(sql)
    expect(stateText(digestState(connection))).not.toBe(before)
  })
})

/** Encoding of a group for the log of a shared store, and its effect on another copy. */
import { serialize } from 'node:v8'
import { beforeEach, describe, expect, test } from 'vitest'
import { type Connection, wrapConnection } from '../../../src/drive/persistence/database/connection.ts'
import { loadSqlite } from '../../../src/drive/persistence/database/sqlite.ts'
import { commandGroup } from '../../../src/drive/persistence/writer/command-group.ts'
import { NOBODY } from '../../support/store-commands.ts'
import { decodeEntry, encodeEntry, replay } from '../../../src/drive/persistence/shared/commit-entry.ts'
import { statementRecorder } from '../../../src/drive/persistence/shared/recorder.ts'

const TABLES = `CREATE TABLE t(pk INTEGER PRIMARY KEY AUTOINCREMENT, text TEXT, bytes BLOB);
CREATE TABLE keyless(one INTEGER, other TEXT, PRIMARY KEY(one, other)) WITHOUT ROWID;
CREATE TABLE changes(seq INTEGER PRIMARY KEY, at INTEGER);
CREATE TABLE settings(name TEXT, value);`

let [written, copy]: [Connection, Connection] = [undefined as never, undefined as never]
beforeEach(async () => {
  const { DatabaseSync } = await loadSqlite()
  ;[written, copy] = [
    wrapConnection(new DatabaseSync(':memory:', {})),
    wrapConnection(new DatabaseSync(':memory:', {})),
  ]
  for (const one of [written, copy]) one.exec(TABLES)
})

const rows = (connection: Connection) =>
  ['t', 'keyless'].map((table) => connection.all(`SELECT * FROM ${table} ORDER BY 1, 2`))

/** @returns the rows of both copies, the writer's first */
function copied(run: (connection: Connection) => void): readonly [unknown, unknown] {
  const recorder = statementRecorder(written)
  recorder.connection.run('BEGIN IMMEDIATE')
  run(recorder.connection)
  const bytes = encodeEntry(recorder.statements())
  recorder.connection.run('COMMIT')
  replay(copy, decodeEntry(bytes).statements)
  return [rows(written), rows(copy)]
}

describe('a copy has what was written', () => {
  test('values of all kinds, and statements that were prepared', () => {
    const [before, after] = copied((connection) => {
      connection.run('INSERT INTO t(text, bytes) VALUES (?, ?)', 'é€😀', new Uint8Array([0, 255]))
      connection.run('INSERT INTO t(text, bytes) VALUES (?, ?)', null, new Uint8Array(0))
      const later = connection.prepared('UPDATE t SET text = ? WHERE pk = ?', 'later', 2)
      connection.run('INSERT INTO t(pk, text) VALUES (?, ?)', 2 ** 40, 'far')
      later()
    })
    expect(after).toEqual(before)
  })

  test('without what a savepoint took back, with its keys', () => {
    const [before, after] = copied((connection) => {
      connection.run('INSERT INTO t(text) VALUES (?)', 'kept')
      connection.run('SAVEPOINT command')
      connection.run('INSERT INTO t(text) VALUES (?)', 'refused')
      connection.run('SAVEPOINT trial')
      connection.run('INSERT INTO t(text) VALUES (?)', 'tried')
      connection.run('ROLLBACK TO trial')
      connection.run('RELEASE trial')
      connection.exec('ROLLBACK TO command; RELEASE command')
      connection.run('SAVEPOINT command')
      connection.run('INSERT INTO t(text) VALUES (?)', 'kept too')
      connection.run('RELEASE command')
    })
    expect(after).toEqual(before)
    expect(written.all('SELECT pk, text FROM t')).toEqual([{ pk: 1, text: 'kept' }, { pk: 2, text: 'kept too' }]) // prettier-ignore
  })

  test('tables without row ids, after others, in a copy that has just been opened', () => {
    copied((connection) => void connection.run('INSERT INTO t(text) VALUES (?)', 'first'))
    const [before, after] = copied((connection) => {
      connection.run('INSERT INTO keyless(one, other) VALUES (?, ?)', 1, 'a')
      connection.run('INSERT INTO keyless VALUES (1, ?) ON CONFLICT DO NOTHING', 'a')
      connection.run('DELETE FROM t WHERE pk = ?', 7)
    })
    expect(after).toEqual(before)
  })
})

test('a copy that was changed by somebody else is found out', () => {
  const recorder = statementRecorder(written)
  recorder.connection.run('INSERT INTO t(text) VALUES (?)', 'one')
  recorder.connection.run('UPDATE t SET text = ?', 'two')
  const statements = recorder.statements()
  copy.run('INSERT INTO t(text) VALUES (?)', 'foreign')
  expect(() => replay(copy, statements)).toThrow('made key 2, where it changed 1 and made 1')
  expect(() => replay(copy, statements.slice(1))).toThrow('changed 2 rows')
  const keyed = { sql: 'INSERT INTO t(pk, text) VALUES (?, ?)', changes: 1 }
  expect(() => replay(copy, [{ ...keyed, values: [5, 'five'], key: 0 }])).toThrow('made key 5')
  replay(copy, [{ ...keyed, values: [6, 'its key is of no interest'], key: -1 }])
})

describe('an entry', () => {
  const statement = {
    sql: 'INSERT INTO t VALUES (?)',
    values: [null, -1, 1.5, 'é€😀', '[1]', new Uint8Array([0, 255]), new Uint8Array(0), 2 ** 52],
    changes: 1,
    key: 7,
  }

  test('is read as it was written', () => {
    const { statements, sum } = decodeEntry(encodeEntry([statement, statement], 'a sum'))
    const read = statements.map(({ values, ...one }) => ({
      ...one,
      values: values.map((value) => (value instanceof Uint8Array ? new Uint8Array(value) : value)),
    }))
    expect([read, sum]).toEqual([[statement, statement], 'a sum'])
    expect(decodeEntry(encodeEntry([]))).toEqual({ statements: [], sum: undefined })
  })

  test('of version 1.0 is read, without a sum', () => {
    const old = serialize([1, [statement.sql], [[0, 1, 7, statement.values]]])
    expect(decodeEntry(old)).toEqual({ statements: [statement], sum: undefined })
  })

  test('with any bit flipped is refused', () => {
    const good = encodeEntry([statement], 'a sum')
    for (let bit = 0; bit < 8 * good.length; bit += 1) {
      const bad = Buffer.from(good)
      bad[bit >> 3] = (bad[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      expect(() => decodeEntry(bad), `bit ${bit}`).toThrow(/^its bytes are damaged|has a form that/)
    }
  })

  test('of a later form is refused', () => {
    expect(() => decodeEntry(Buffer.from('hla3'))).toThrow('has a form that this program does not read')
    expect(() => decodeEntry(serialize([3, [], []]))).toThrow('it has form 3')
  })
})

describe('nothing of what is not there is written', () => {
  test('SQLite has taken the transaction back by itself, in the middle of a command', () => {
    const recorder = statementRecorder(written)
    const group = commandGroup(recorder.connection, {
      fill(transaction) {
        for (let at = 0; at < 1000; at += 1)
          transaction.run('INSERT INTO t(text) VALUES (?)', 'x'.repeat(1000))
      },
    })
    const { pages } = written.get<{ pages: number }>('SELECT page_count AS pages FROM pragma_page_count') ?? {
      pages: 0,
    }
    written.exec(`PRAGMA max_page_count = ${pages + 20}`)
    group.run({ command: 'fill', caller: NOBODY, input: undefined })
    // SQLite 3.46 and later: "SQLITE_FULL … might result in automatic rollbacks" (https://www.sqlite.org/lang_transaction.html)
    expect(group.isLost()).toBe(true)
    expect(recorder.statements()).toEqual([])
    group.answers()
    expect(group.commit()).toMatchObject({ status: 503 })
    expect(written.all('SELECT * FROM t')).toEqual([])
  })

  test('a change that no server could follow is refused, and those beside it are not', () => {
    const recorder = statementRecorder(written, 10_000)
    const group = commandGroup(recorder.connection, {
      add: (transaction, _caller, { many }: { readonly many: number }) => {
        for (let at = 0; at < many; at += 1)
          transaction.run('INSERT INTO t(text) VALUES (?)', 'x'.repeat(1000))
        return many
      },
    })
    const ask = (many: number) => group.run({ command: 'add', caller: NOBODY, input: { many } })
    for (const many of [3, 20, 4]) ask(many)
    expect(group.answers()).toEqual([
      { result: 3 },
      { error: expect.objectContaining({ status: 403, reason: 'limitExceeded' }) },
      { result: 4 },
    ])
    expect(recorder.statements()).toHaveLength(7)
    expect(group.commit()).toBeUndefined()
    expect(written.all('SELECT pk FROM t')).toHaveLength(7)
  })

  test('so is what waits for the end of the group, by the command that asked for it', () => {
    const recorder = statementRecorder(written, 10_000)
    const group = commandGroup(recorder.connection, {
      later(transaction, _caller, size: number) {
        transaction.run('INSERT INTO t(text) VALUES (?)', 'x')
        transaction.runDeferred('UPDATE t SET text = ?', 'x'.repeat(size))
        return size
      },
    })
    for (const input of [10, 20_000, 30]) group.run({ command: 'later', caller: NOBODY, input })
    expect(group.answers()).toEqual([
      { result: 10 },
      { error: expect.objectContaining({ status: 403 }) },
      { result: 30 },
    ])
    expect(group.commit()).toBeUndefined()
    expect(written.all('SELECT length(text) AS length FROM t')).toEqual([{ length: 30 }, { length: 30 }])
  })
})

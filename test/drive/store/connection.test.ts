import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import {
  type Connection,
  checkpointer,
  wrapConnection,
} from '../../../src/drive/persistence/database/connection.ts'
import { beginEra } from '../../../src/drive/persistence/database/eras.ts'
import { migrate } from '../../../src/drive/persistence/database/tables/migrate.ts'
import {
  type GroupTransaction,
  deferredStatements,
  groupTransaction,
} from '../../../src/drive/persistence/database/group-transaction.ts'
import { openForReading, openForWriting } from '../../../src/drive/persistence/database/open-database.ts'
import { loadSqlite, SQLITE, sqliteCode } from '../../../src/drive/persistence/database/sqlite.ts'
import { type DiskReserve, openRoom } from '../../../src/drive/persistence/disk-reserve.ts'
import { commandGroup } from '../../../src/drive/persistence/writer/command-group.ts'
import { NOBODY } from '../../support/store-commands.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()

async function memory() {
  const { DatabaseSync } = await loadSqlite()
  return wrapConnection(new DatabaseSync(':memory:', {}))
}

describe('a connection', () => {
  test('gives back what it was given', async () => {
    const db = await memory()
    db.exec('CREATE TABLE t(a, b, c, d, e)')
    const bytes = Buffer.from('0123456789').subarray(3, 5)
    db.run('INSERT INTO t VALUES (?, ?, ?, ?, ?)', 1_763_740_800_000, 0.5, 'ä𝄞', bytes, null)
    db.run('INSERT INTO t(d) VALUES (?)', structuredClone(new Uint8Array(0)))
    expect(db.all('SELECT * FROM t')).toEqual([
      { a: 1_763_740_800_000, b: 0.5, c: 'ä𝄞', d: new Uint8Array([51, 52]), e: null },
      { a: null, b: null, c: null, d: new Uint8Array(0), e: null },
    ])
    expect(db.get('SELECT typeof(a) AS a FROM t')).toEqual({ a: 'integer' })
    expect(db.get('SELECT a FROM t WHERE a = 5')).toBeUndefined()
    db.close()
  })

  test('a number finds a row of the full-text table', async () => {
    const db = await memory()
    db.exec('CREATE VIRTUAL TABLE w USING fts5(a)')
    db.run('INSERT INTO w(rowid, a) VALUES (?, ?)', 5_000_000_000, 'word')
    expect(db.get('SELECT rowid FROM w WHERE rowid = ?', 5_000_000_000)).toEqual({ rowid: 5_000_000_000 })
    db.close()
  })

  test('a statement can be run again while its rows are walked', async () => {
    const db = await memory()
    db.exec('CREATE TABLE t(a); INSERT INTO t VALUES (1), (2), (3)')
    const sql = 'SELECT a FROM t ORDER BY a'
    // a statement that was run before
    expect(db.all(sql)).toHaveLength(3)
    const seen: number[] = []
    for (const { a } of db.each<{ a: number }>(sql)) {
      seen.push(a)
      expect(db.all(sql)).toHaveLength(3)
      for (const other of db.each<{ a: number }>(sql)) if (other.a === 2) break
    }
    expect(seen).toEqual([1, 2, 3])
    db.close()
  })

  test('a statement that has been run is read by as any other', async () => {
    const db = await memory()
    db.exec('CREATE TABLE t(a)')
    const sql = 'INSERT INTO t VALUES (?) RETURNING a'
    for (let time = 0; time < 2; time += 1) {
      expect(db.run(sql, 1)).toMatchObject({ changes: 1 })
      expect(db.get(sql, 2)).toEqual({ a: 2 })
      expect([...db.each(sql, 3)]).toEqual([{ a: 3 }])
    }
    db.close()
  })

  test('statements without end are not all kept', async () => {
    const db = await memory()
    for (let at = 0; at < 2000; at++) expect(db.get(`SELECT ${at} AS a`)).toEqual({ a: at })
    db.close()
  })
})

describe('openForWriting', () => {
  test('keeps its promises', async () => {
    const db = await openForWriting(temp('a.db'))
    expect(db.get('PRAGMA synchronous')).toEqual({ synchronous: 2 })
    expect(db.get('PRAGMA journal_mode')).toEqual({ journal_mode: 'wal' })
    db.close()
  })

  test('who reads cannot write', async () => {
    ;(await openForWriting(temp('b.db'))).close()
    const db = await openForReading(temp('b.db'))
    expect(() => db.run(`INSERT INTO settings VALUES ('a', 'b')`)).toThrow(/readonly|read-only/)
    db.close()
  })

  test('refuses what another program wrote', async () => {
    const { DatabaseSync } = await loadSqlite()
    const other = new DatabaseSync(temp('c.db'), {})
    other.exec('CREATE TABLE t(a)')
    other.close()
    await expect(openForWriting(temp('c.db'))).rejects.toMatchObject({ code: 'data-differs' })
  })
})

describe('migrate', () => {
  test('runs what is new, and all of one step or nothing', async () => {
    const db = await memory()
    migrate(db, ['CREATE TABLE a(x)'])
    expect(() => migrate(db, ['', 'CREATE TABLE b(x); CREATE TABLE a(x)'])).toThrow('already exists')
    expect(db.all('SELECT name FROM sqlite_schema')).toEqual([{ name: 'a' }])
    migrate(db, ['', 'CREATE TABLE b(x)', 'CREATE TABLE c(x)'])
    expect(db.get('PRAGMA user_version')).toEqual({ user_version: 3 })
    db.close()
  })

  test('refuses tables that are newer than it knows', async () => {
    const db = await memory()
    migrate(db, ['CREATE TABLE a(x)', 'CREATE TABLE b(x)'])
    expect(() => migrate(db, ['CREATE TABLE a(x)'])).toThrow('tables of version 2, this program knows 1')
    db.close()
  })
})

describe('what went wrong has the number of SQLite, whichever library and method', () => {
  const ways: Readonly<Record<string, (db: Connection, sql: string) => unknown>> = {
    all: (db, sql) => db.all(sql),
    get: (db, sql) => db.get(sql),
    each: (db, sql) => [...db.each(sql)],
    exec: (db, sql) => db.exec(sql),
  }

  async function opened(path: string): Promise<Connection> {
    const { DatabaseSync } = await loadSqlite()
    return wrapConnection(new DatabaseSync(path, {}))
  }

  const codeOf = (work: () => unknown): number | undefined => {
    try {
      work()
      return undefined
    } catch (error) {
      return sqliteCode(error)
    }
  }

  test.for(Object.keys(ways))('%s', async (name) => {
    const way = ways[name]
    if (way === undefined) throw new Error(name)
    const path = temp(`codes ${name}`)
    const db = await opened(path)
    db.exec('CREATE TABLE t(a, b UNIQUE); PRAGMA max_page_count=8')
    expect(codeOf(() => way(db, 'INSERT INTO t(a) VALUES (zeroblob(100000)) RETURNING 1'))).toBe(SQLITE.full)
    db.exec(`PRAGMA max_page_count=10000; INSERT INTO t VALUES (zeroblob(9000), 1), (zeroblob(9000), 2)`)
    expect(codeOf(() => way(db, 'INSERT INTO t VALUES (0, 1) RETURNING 1'))).toBeDefined()
    db.exec('PRAGMA query_only=1')
    expect(codeOf(() => way(db, 'INSERT INTO t VALUES (0, 3) RETURNING 1'))).toBe(SQLITE.readOnly)
    const other = await opened(path)
    other.exec('BEGIN EXCLUSIVE')
    db.exec('PRAGMA busy_timeout=0')
    expect(codeOf(() => way(db, 'SELECT count(*) FROM t'))).toBe(SQLITE.busy)
    other.exec('ROLLBACK')
    other.close()
    db.close()
    const bytes = readFileSync(path)
    for (let page = 1; page < bytes.length / 4096; page++) bytes.fill(0xff, page * 4096, page * 4096 + 100)
    writeFileSync(path, bytes)
    const damaged = await opened(path)
    expect(codeOf(() => way(damaged, 'SELECT sum(length(a)) FROM t'))).toBe(SQLITE.corrupt)
    damaged.close()
    writeFileSync(`${path}.none`, Buffer.alloc(8192, 7))
    const none = await opened(`${path}.none`)
    expect(codeOf(() => way(none, 'SELECT 1 FROM t'))).toBe(SQLITE.notADatabase)
    none.close()
  })
})

test('the settings of a connection are those that nothing is lost or let in by', async () => {
  const path = temp('settings.db')
  const writing = await openForWriting(path)
  const reading = await openForReading(path)
  const settingsOf = (db: Connection, names: readonly string[]) =>
    names.map((name) => [name, ...Object.values(db.get<object>(`PRAGMA ${name}`) ?? {})])
  const both = [['trusted_schema', 0], ['temp_store', 2], ['busy_timeout', 5000]] as const
  const kept = [
    ['journal_mode', 'wal'], ['synchronous', 2], ['wal_autocheckpoint', 0], ['journal_size_limit', 64 * 1024 ** 2],
    ['fullfsync', 1], ['checkpoint_fullfsync', 1], ['foreign_keys', 0], ['query_only', 0], ...both,
  ] as const
  expect(settingsOf(writing, kept.map(([name]) => name))).toEqual(kept)
  const read = [['query_only', 1], ...both] as const
  expect(settingsOf(reading, read.map(([name]) => name))).toEqual(read)
  expect(() => reading.exec('DELETE FROM settings')).toThrow('readonly')
  for (const db of [reading, writing]) db.close()
}) // prettier-ignore

/** A connection on which each statement fails. */
const failing = (errcode: number | undefined) => {
  const fail = () => {
    throw Object.assign(new Error(`code ${errcode}`), errcode === undefined ? {} : { errcode })
  }
  return { all: fail, run: fail } as unknown as Connection
}

test.for([
  [SQLITE.full, ['the disk is full: changes stay in the log'], undefined],
  [SQLITE.busy, ['a long read keeps changes in the log'], undefined],
  // an extended code
  [SQLITE.busy + 512, ['a long read keeps changes in the log'], undefined],
  [SQLITE.io, [], 'code 10'],
  [undefined, [], 'code undefined'],
] as const)(
  'a checkpoint that fails with the code %s warns or ends the writer',
  ([code, expected, error]) => {
    const warnings: string[] = []
    const options = { warn: (text: string) => void warnings.push(text), isShort: () => false }
    const checkpoint = checkpointer(failing(code), () => 0, options)
    if (error === undefined) expect(checkpoint('end')).toBeUndefined()
    else expect(() => checkpoint('end')).toThrow(error)
    expect(warnings).toEqual(expected)
  },
)

test('a checkpoint is made when enough was written, when nothing is asked, or when the disk is short', () => {
  const made: string[] = []
  const connection = { all: (sql: string) => void made.push(sql) } as unknown as Connection
  const state = { written: 0, isShort: false }
  const take = () => state.written
  const checkpoint = checkpointer(connection, take, { warn: () => undefined, isShort: () => state.isShort })
  const call = (moment: 'between' | 'idle' | 'end', written: number) => {
    state.written = written
    return [checkpoint(moment), ...made.splice(0)]
  }
  const PASSIVE = 'PRAGMA wal_checkpoint(PASSIVE)'
  expect(call('idle', 0)).toEqual([undefined])
  expect(call('between', 20_000)).toEqual([1000])
  expect(call('between', 1)).toEqual([undefined, PASSIVE])
  expect(call('between', 1)).toEqual([1000])
  expect(call('idle', 0)).toEqual([undefined, PASSIVE])
  state.isShort = true
  expect(call('between', 0)).toEqual([undefined])
  expect(call('between', 1)).toEqual([undefined, PASSIVE])
  expect(call('end', 0)).toEqual([undefined, 'PRAGMA wal_checkpoint(TRUNCATE)'])
})

test('a store opens on a full disk without an era of its own, and on no other failure', () => {
  expect(() => beginEra(failing(SQLITE.full))).not.toThrow()
  for (const code of [SQLITE.io, undefined]) expect(() => beginEra(failing(code))).toThrow(`code ${code}`)
})

describe('statements that wait for the end of a group', () => {
  function waiting() {
    const later = deferredStatements()
    const ran: string[] = []
    const add = (name: string) => later.add(() => void ran.push(name), [])
    const run = () => {
      later.run()
      return ran.splice(0)
    }
    return { ...later, add, run, addLong: (...values: readonly (string | number)[]) => later.add(() => undefined, values) }
  }

  test('are run once and in order, those of commands that were done', () => {
    const { add, settle, run } = waiting()
    for (const [name, isDone] of [['a', true], ['b', false], ['c', true]] as const) {
      add(name)
      settle(isDone)
    }
    expect([run(), run()]).toEqual([['a', 'c'], []])
  })

  test('are none of a trial, nor of a group that was lost', () => {
    const { add, settle, run, without, drop } = waiting()
    add('a')
    without(() => add('trial'))
    add('b')
    settle(true)
    expect(run()).toEqual(['a', 'b'])
    add('waiting')
    settle(true)
    add('of the command')
    drop()
    settle(true)
    expect(run()).toEqual([])
  })

  test.for(['run', 'drop'] as const)('are much from 256 KiB of texts on, until %s', (end) => {
    const later = waiting()
    const half = 'x'.repeat(1 << 17)
    later.addLong(half, 10 ** 9)
    later.addLong(half)
    expect(later.isMuch()).toBe(false)
    later.addLong('x')
    expect(later.isMuch()).toBe(true)
    later[end]()
    expect(later.isMuch()).toBe(false)
  })
}) // prettier-ignore

test('what commands of one kind keep in memory is forgotten with another kind, or when somebody else has written', async () => {
  const [own, other] = [await openForWriting(temp('cache.db')), await openForWriting(temp('cache.db'))]
  const tx: GroupTransaction = groupTransaction(own, deferredStatements(), () => undefined)
  const isKept = (moment: () => void) => {
    tx.groupCache?.set('a', 1)
    moment()
    return tx.groupCache?.has('a')
  }
  tx.begin('add')
  expect(isKept(() => tx.begin('add'))).toBe(true)
  expect(isKept(() => tx.begin('remove'))).toBe(false)
  expect(isKept(() => tx.open())).toBe(true)
  expect(isKept(() => void other.run(`INSERT INTO settings VALUES ('a', 'b')`))).toBe(true)
  expect(isKept(() => tx.open())).toBe(false)
  expect(isKept(() => tx.open())).toBe(true)
  for (const db of [own, other]) db.close()
})

test('a command has written once it ran a statement, or tried one', async () => {
  const db = await openForWriting(temp('written.db'))
  const rows: number[] = []
  const tx = groupTransaction(db, deferredStatements(), (changes) => void rows.push(changes))
  const hasWritten = (work: () => void) => {
    tx.begin('add')
    work()
    return tx.hasWritten()
  }
  const insert = () => void tx.run(`INSERT OR IGNORE INTO settings VALUES ('a', 'b'), ('c', 'd')`)
  expect(hasWritten(() => void tx.all('SELECT * FROM settings'))).toBe(false)
  expect(hasWritten(insert)).toBe(true)
  expect(hasWritten(() => tx.trial(() => undefined))).toBe(true)
  expect(hasWritten(() => undefined)).toBe(false)
  insert()
  expect(rows).toEqual([2, 0])
  db.close()
})

describe('a group of commands', () => {
  const set = { command: 'set', caller: NOBODY, input: undefined }

  test('counts the rows that a checkpoint must move since it was asked last', async () => {
    const db = await openForWriting(temp('rows.db'))
    const group = commandGroup(db, { set: (tx) => tx.run(`INSERT OR REPLACE INTO settings VALUES ('a', 'b')`) })
    group.run(set)
    const first = group.takeWritten()
    expect([first > 0, group.takeWritten()]).toEqual([true, 0])
    group.run(set)
    expect([group.commit(), group.takeWritten()]).toEqual([undefined, first])
    db.close()
  })

  test.for([
    [SQLITE.full, 'The disk of the service is full.', undefined],
    [SQLITE.io, 'The service cannot save changes at the moment; try again.', 'The service cannot save changes at the moment; try again.'],
  ] as const)('that is lost by the code %s refuses its commands, and what comes after it only if the disk is broken', async ([errcode, lost, later]) => {
    const db = await openForWriting(temp(`lost ${errcode}`))
    let isFailing = true
    const run: Connection['run'] = (sql, ...values) => {
      if (sql === 'COMMIT' && isFailing) throw Object.assign(new Error('no'), { errcode })
      return db.run(sql, ...values)
    }
    const group = commandGroup({ ...db, run }, { set: (tx) => tx.get('SELECT count(*) AS found FROM settings') })
    group.run(set)
    expect(group.answers()).toEqual([{ result: { found: expect.any(Number) } }])
    expect(group.commit()?.message).toBe(lost)
    isFailing = false
    group.run(set)
    expect('error' in (group.answers()[0] ?? {})).toBe(later !== undefined)
    expect([group.commit()?.message, group.broken()?.message]).toEqual([later, later && 'no'])
    db.close()
  })
}) // prettier-ignore

test('of a full disk each transaction looks anew how much room there is', async () => {
  const state = { isShort: false, free: 0 }
  const reserve = { data: { size: 100 }, look: () => state.isShort, isFull: () => true } as unknown as DiskReserve
  const connection = { get: () => ({ bytes: state.free }) } as unknown as Connection
  const room = openRoom(connection, reserve)
  const add = { command: 'add', caller: NOBODY, input: undefined }
  expect([room.isShort(), room.admits(add)]).toEqual([false, false])
  Object.assign(state, { isShort: true, free: 100 })
  room.begin()
  expect([room.isShort(), room.admits(add)]).toEqual([true, true])
  Object.assign(state, { isShort: false, free: 99 })
  room.begin()
  expect([room.isShort(), room.admits(add)]).toEqual([false, false])
}) // prettier-ignore

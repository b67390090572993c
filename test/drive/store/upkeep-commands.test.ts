/** Commands of the store itself: contents that leave a folder or a bucket, and abandoned uploads. */
import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { isStorageFailure } from '../../../src/drive/contract/failure.ts'
import { keepBlob, type Staged } from '../../../src/drive/persistence/contents/blob-rows.ts'
import {
  BEGIN_WITHDRAWALS,
  END_WITHDRAWALS,
  isWithdrawn,
  lastWithdrawal,
  listDoubtful,
} from '../../../src/drive/persistence/contents/places/withdrawals.ts'
import { beginEra } from '../../../src/drive/persistence/database/eras.ts'
import type { Transaction } from '../../../src/drive/persistence/database/database.ts'
import { immediateStatements } from '../../../src/drive/persistence/database/group-transaction.ts'
import { openForWriting } from '../../../src/drive/persistence/database/open-database.ts'
import {
  EXPIRE,
  STORE_COMMANDS,
  STORE_ITSELF,
  WITHDRAW,
} from '../../../src/drive/persistence/upkeep/sweep.ts'
import { assured } from '../../../src/errors.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()
const NOW = 1_000_000_000_000
const DAY = 86_400_000

/** A database, and commands in it at a time of their own. */
async function newDatabase(name: string) {
  const db = await openForWriting(temp(`${name}.db`))
  const at = (now: number): Transaction => ({ ...db, ...immediateStatements(db), now })
  const call = (command: string, input: unknown, now = NOW) =>
    assured(STORE_COMMANDS[command], `there is no ${command}`)(at(now), STORE_ITSELF, input as never)
  return { db, at, call }
}

const ROW = (sha256: string, kind: string) =>
  `INSERT INTO blobs(sha256, sha1, md5, size, kind, created) VALUES ('${sha256}', 's', 'm', 9, '${kind}', 1)`

test('contents of a bucket are withdrawn once, until the bucket has confirmed it', async () => {
  const { db, at, call } = await newDatabase('withdrawals')
  db.exec(`${ROW('named', 'file')}; ${ROW('small', 'inline')}`)
  expect(lastWithdrawal(db, 'a')).toBe(0)
  const begin = (...contents: readonly string[]) => call(BEGIN_WITHDRAWALS, { contents })
  expect(begin('a', 'named', 'small', 'b')).toEqual([
    { pk: 1, sha256: 'a' },
    { pk: 2, sha256: 'small' },
    { pk: 3, sha256: 'b' },
  ])
  expect(begin('b', 'c')).toEqual([{ pk: 4, sha256: 'c' }])
  const refusal = {
    status: 503,
    message: 'The content was removed before it was stored; send it again.',
    details: { retryAfter: 1 },
  }
  expect(() => lastWithdrawal(db, 'a')).toThrow(expect.objectContaining(refusal))
  expect(lastWithdrawal(db, 'other')).toBe(4)
  call(END_WITHDRAWALS, { ended: [1, 3] })
  expect(lastWithdrawal(db, 'a')).toBe(4)
  const withdrawn = (sha256: string) => [0, 1, 3, 9].map((known) => isWithdrawn(at(NOW), sha256, known))
  expect(withdrawn('a')).toEqual([true, false, false, false])
  expect(withdrawn('b')).toEqual([true, true, false, false])
  expect(withdrawn('c')).toEqual([true, true, true, true])
  expect(withdrawn('other')).toEqual([false, false, false, false])
  const HOUR = 3_600_000
  const doubtful = (now: number) =>
    listDoubtful(db, now)
      .map(({ pk, sha256 }) => `${pk} ${sha256}`)
      .toSorted()
  expect([doubtful(NOW + HOUR), doubtful(NOW + HOUR + 1)]).toEqual([[], ['2 small', '4 c']])
  const kept = () => db.all<{ pk: number }>('SELECT pk FROM withdrawals ORDER BY pk').map(({ pk }) => pk)
  call(END_WITHDRAWALS, { ended: [] }, NOW + 7 * DAY)
  expect(kept()).toEqual([1, 2, 3, 4])
  call(END_WITHDRAWALS, { ended: [4] }, NOW + 7 * DAY + 1)
  expect(kept()).toEqual([2])
  db.close()
})

test('a file moves aside if it is old and no row names it', async () => {
  const { db, call } = await newDatabase('files')
  db.exec(ROW('named', 'file'))
  const put = (sha256: string, time: number) => {
    writeFileSync(temp(sha256), sha256)
    utimesSync(temp(sha256), time / 1000, time / 1000)
  }
  for (const [sha256, time] of [['named', NOW - 1000], ['old', NOW - 1000], ['same', NOW], ['young', NOW + 1000]] as const)
    put(sha256, time)
  const files = ['named', 'old', 'same', 'young', 'gone'].map((sha256) => ({
    sha256,
    path: temp(sha256),
    aside: temp(`aside ${sha256}`),
  }))
  expect(call(WITHDRAW, { files, before: NOW })).toEqual({ withdrawn: [temp('aside old')] })
  expect(files.map(({ path, aside }) => [existsSync(path), existsSync(aside)])).toEqual([
    [true, false],
    [false, true],
    [true, false],
    [true, false],
    [false, false],
  ])
  db.close()
}) // prettier-ignore

test('idle uploads are cancelled, and forgotten after the same time again', async () => {
  const { db, call } = await newDatabase('uploads')
  for (const [digest, state, touched] of [
    ['a', 'open', NOW - 1001],
    ['b', 'open', NOW - 1000],
    ['c', 'done', NOW - 1500],
    ['d', 'done', NOW - 2000],
    ['e', 'done', NOW - 2001],
    ['f', 'cancelled', NOW - 2001],
    ['g', 'open', NOW - 5000],
  ] as const)
    db.run(
      `INSERT INTO uploads(digest, user, client, facts, staged, state, touched) VALUES (?, 1, 1, '', ?, ?, ?)`,
      digest,
      digest,
      state,
      touched,
    )
  expect(call(EXPIRE, { before: NOW - 1000 })).toEqual({ count: 2 })
  expect(db.all('SELECT digest, state, touched FROM uploads ORDER BY digest')).toEqual([
    { digest: 'a', state: 'cancelled', touched: NOW },
    { digest: 'b', state: 'open', touched: NOW - 1000 },
    { digest: 'c', state: 'done', touched: NOW - 1500 },
    { digest: 'd', state: 'done', touched: NOW - 2000 },
    { digest: 'g', state: 'cancelled', touched: NOW },
  ])
  db.close()
})

test('removals are recorded for contents that no row names, held, and forgotten', async () => {
  const { db, call } = await newDatabase('removals')
  db.exec(ROW('named', 'file'))
  for (const sha256 of ['a', 'named', 'b', 'a']) call('store: leave content', { sha256, size: 5 })
  const rows = () => db.all('SELECT sha256, size, is_held FROM removals ORDER BY sha256')
  expect(rows()).toEqual([
    { sha256: 'a', size: 5, is_held: 0 },
    { sha256: 'b', size: 5, is_held: 0 },
  ])
  call('store: hold removals', undefined)
  expect(rows()).toEqual([
    { sha256: 'a', size: 5, is_held: 1 },
    { sha256: 'b', size: 5, is_held: 1 },
  ])
  call('store: forget removals', ['b', 'c'])
  expect(rows()).toEqual([{ sha256: 'a', size: 5, is_held: 1 }])
  db.close()
})

test('a content is kept once, with its time; one that has left its place is asked for again', async () => {
  const { db, at, call } = await newDatabase('kept')
  const content = (sha256: string, more: Partial<Staged> = {}): Staged => ({ sha256, sha1: 's1', md5: 'm5', size: 20_000, ...more })
  const path = temp('a content')
  mkdirSync(path)
  const keep = (staged: Staged) => {
    try {
      return keepBlob(at(NOW), staged)
    } catch (error) {
      if (!isStorageFailure(error)) throw error
      return error.message
    }
  }
  const REMOVED = 'The content was removed before it was stored; send it again.'
  const small = { size: 3, bytes: Buffer.from('abc') }
  expect(keep(content('a', { path }))).toBe(1)
  expect(keep(content('a', { path }))).toBe(1)
  expect(keep(content('a', { path: temp('nowhere') }))).toBe(REMOVED)
  expect(keep(content('a', { blob: 7, path: temp('nowhere') }))).toBe(7)
  expect(keep(content('b', small))).toBe(2)
  expect(keep(content('b', small))).toBe(3)
  expect(keep(content('none', { size: 0, bytes: new Uint8Array() }))).toBe(4)
  expect(keep(content('none', { size: 0, bytes: new Uint8Array() }))).toBe(4)
  call(BEGIN_WITHDRAWALS, { contents: ['c'] })
  expect(keep(content('c', { withdrawal: 1 }))).toBe(REMOVED)
  call(END_WITHDRAWALS, { ended: [1] })
  expect(keep(content('c', { withdrawal: 0 }))).toBe(REMOVED)
  expect(keep(content('c', { withdrawal: 1 }))).toBe(5)
  const row = (pk: number, sha256: string, size: number, kind: string) => ({ pk, sha256, sha1: 's1', md5: 'm5', size, kind, created: NOW })
  expect(db.all('SELECT * FROM blobs ORDER BY pk')).toEqual([
    row(1, 'a', 20_000, 'file'),
    row(2, 'b', 3, 'inline'),
    row(3, 'b', 3, 'inline'),
    row(4, 'none', 0, 'inline'),
    row(5, 'c', 20_000, 'file'),
  ])
  expect(db.all('SELECT blob FROM blob_data')).toEqual([{ blob: 2 }, { blob: 3 }, { blob: 4 }])
  // a content that is there again is lost no more
  const lose = `INSERT OR REPLACE INTO revisions(pk, file, id, blob, mime, size, modified, modifier, is_lost) VALUES (1, 1, '1', 1, 'a/b', 1, 1, 1, 1), (2, 1, '2', 5, 'a/b', 1, 1, 1, 1)`
  const lost = () => db.all<{ blob: number }>('SELECT blob FROM revisions WHERE is_lost = 1').map(({ blob }) => blob)
  db.exec(lose)
  keep(content('a'))
  expect(lost()).toEqual([1, 5])
  keep(content('a', { path }))
  expect(lost()).toEqual([5])
  keep(content('c', { withdrawal: 1 }))
  expect(lost()).toEqual([])
  db.close()
}) // prettier-ignore

test('each opening begins an era with a mark of its own; the last thousand are kept', async () => {
  const { db } = await newDatabase('eras')
  const rows = () => db.all<{ pk: number; mark: string; seq: number }>('SELECT * FROM eras ORDER BY pk')
  beginEra(db)
  expect(rows()).toEqual([{ pk: 1, mark: expect.stringMatching(/^[\w-]{16}$/) as unknown, seq: 0 }])
  db.exec(`INSERT INTO changes(item, item_id, at) VALUES (1, 'a', 0), (1, 'a', 0)`)
  db.exec('BEGIN')
  for (let era = 2; era <= 1001; era += 1) beginEra(db)
  db.exec('COMMIT')
  expect(rows().map(({ pk }) => pk)).toEqual(Array.from({ length: 1000 }, (_, at) => at + 2))
  expect(rows().every(({ seq }) => seq === 2)).toBe(true)
  expect(new Set(rows().map(({ mark }) => mark)).size).toBe(1000)
  db.close()
})

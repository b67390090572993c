/** Points in a store's history: known to it, unless it was put back to a state before them. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Connection, wrapConnection } from '../../../src/drive/persistence/database/connection.ts'
import { beginEra } from '../../../src/drive/persistence/database/eras.ts'
import { loadSqlite } from '../../../src/drive/persistence/database/sqlite.ts'
import { migrate } from '../../../src/drive/persistence/database/tables/migrate.ts'
import { currentPoint, isInHistory } from '../../../src/drive/domain/changes/points.ts'
import { rounds } from '../../support/rounds.ts'

const { DatabaseSync } = await loadSqlite()

function newDatabase(): Connection {
  const db = wrapConnection(new DatabaseSync(':memory:', {}))
  migrate(db)
  beginEra(db)
  return db
}

function addChange(db: Connection): void {
  db.run('INSERT INTO changes(item, item_id, at) VALUES (1, ?, 0)', 'x')
}

/** What a snapshot keeps. */
function copyOf(db: Connection): Connection {
  const copy = wrapConnection(new DatabaseSync(':memory:', {}))
  migrate(copy)
  for (const { pk, mark, seq } of db.all<{ pk: number; mark: string; seq: number }>('SELECT * FROM eras'))
    copy.run('INSERT INTO eras(pk, mark, seq) VALUES (?, ?, ?)', pk, mark, seq)
  for (const { seq } of db.all<{ seq: number }>('SELECT seq FROM changes'))
    copy.run('INSERT INTO changes(seq, item, item_id, at) VALUES (?, 1, ?, 0)', seq, 'x')
  return copy
}

test('a point is in the history exactly if the changes up to it are', () => {
  const step = fc.constantFrom('change', 'start', 'snapshot', 'return', 'point')
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      let db = newDatabase()
      let snapshot: { db: Connection; changes: readonly symbol[] } = { db: copyOf(db), changes: [] }
      let changes: readonly symbol[] = []
      const points: { point: string; changes: readonly symbol[] }[] = []
      for (const what of steps)
        switch (what) {
          case 'change':
            addChange(db)
            changes = [...changes, Symbol('change')]
            break
          case 'start':
            beginEra(db)
            break
          case 'snapshot':
            snapshot = { db: copyOf(db), changes }
            break
          case 'return':
            db.close()
            db = copyOf(snapshot.db)
            beginEra(db)
            changes = snapshot.changes
            break
          default:
            points.push({ point: currentPoint(db), changes })
        }
      for (const given of points) {
        const isKnown = given.changes.every((change, at) => changes[at] === change)
        // a point of an era that the store never had is unknown, even if it made no change in it
        if (isInHistory(db, given.point)) expect(isKnown).toBe(true)
        else if (isKnown) expect(given.point.split('.')[0]).not.toBe(currentPoint(db).split('.')[0])
      }
      expect(isInHistory(db, currentPoint(db))).toBe(true)
    }),
    { numRuns: rounds(500) },
  )
})

test('a store that is only started again knows the points of its last thousand starts', () => {
  const db = newDatabase()
  const points: string[] = []
  for (let start = 0; start < 1005; start += 1) {
    addChange(db)
    points.push(currentPoint(db))
    beginEra(db)
  }
  const known = points.map((point) => isInHistory(db, point))
  expect(known.lastIndexOf(false)).toBeLessThan(10)
  expect(known.slice(10)).not.toContain(false)
})

test.each(['', 'x', '.', 'a.b', `${'a'.repeat(41)}.1`, 'a.1234567890123456', 'a b.1', 'a.1 '])(
  '%j is refused',
  (point) => {
    expect(() => isInHistory(newDatabase(), point)).toThrow('not a point')
  },
)

/** How far a copy follows the log: to its end, or to a given entry. */
import { expect, test } from 'vitest'
import { wrapConnection } from '../../../src/drive/persistence/database/connection.ts'
import { loadSqlite } from '../../../src/drive/persistence/database/sqlite.ts'
import { digestState, trackChanges } from '../../../src/drive/persistence/database/state-digest.ts'
import { migrate } from '../../../src/drive/persistence/database/tables/migrate.ts'
import type { CommitLog, Following } from '../../../src/drive/persistence/shared/commit-log.ts'
import { catchUp, type LogState } from '../../../src/drive/persistence/shared/turns.ts'

/** A copy at entry 7, the last of the log. */
async function copyAt7() {
  const { DatabaseSync } = await loadSqlite()
  const connection = wrapConnection(new DatabaseSync(':memory:', { enableForeignKeyConstraints: false }))
  migrate(connection)
  const asked: number[] = []
  const followed: boolean[] = []
  const END: Following = { author: 'one', entries: [] }
  const log = {
    after: (number: number) => {
      asked.push(number)
      return Promise.resolve(END)
    },
  } as Partial<CommitLog> as CommitLog
  const state = {
    connection,
    log,
    number: 7,
    author: 'one',
    digest: digestState(connection),
    summed: 0,
    tracker: trackChanges(connection),
    guard: { wrote: () => undefined },
    isContended: false,
    told: () => undefined,
    followed: (hasMoved: boolean) => void followed.push(hasMoved),
    away: () => undefined,
  } as unknown as LogState
  return { state, asked, followed, END }
}

test('a copy that is where it was asked to be asks for nothing', async () => {
  const { state, asked, followed, END } = await copyAt7()
  await catchUp(state, 7)
  await catchUp(state, 7, END)
  expect([asked, followed]).toEqual([[], [false, false]])
})

test('a copy asks for what comes next, but for what is at hand', async () => {
  const { state, asked, followed, END } = await copyAt7()
  await catchUp(state, 8)
  await catchUp(state)
  expect(asked).toEqual([7, 7])
  await catchUp(state, 8, END)
  expect([asked, followed]).toEqual([
    [7, 7],
    [false, false, false],
  ])
})

test('a copy whose last entry another server wrote is not followed', async () => {
  const { state } = await copyAt7()
  await expect(catchUp(state, 8, { author: 'other', entries: [] })).rejects.toThrow(
    'not the one that this copy has',
  )
  await expect(catchUp(state, 8, { author: undefined, entries: [] })).rejects.toThrow(
    'entry 7 of the log is missing',
  )
})

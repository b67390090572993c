/**
 * Servers with different clocks write log times that never decrease; a contents place is claimed again after an
 * outage.
 */
import { expect, test, vi } from 'vitest'
import { StorageFailure } from '../../../src/drive/contract/failure.ts'
import { claimPlace } from '../../../src/drive/persistence/shared/shared-store.ts'
import { HlaError } from '../../../src/errors.ts'
import { wrapConnection } from '../../../src/drive/persistence/database/connection.ts'
import { loadSqlite } from '../../../src/drive/persistence/database/sqlite.ts'
import { migrate } from '../../../src/drive/persistence/database/tables/migrate.ts'
import { commandGroup } from '../../../src/drive/persistence/writer/command-group.ts'
import { NOBODY } from '../../support/store-commands.ts'

test('what is written on top of the change of a server whose clock is ahead is not earlier', async () => {
  const { DatabaseSync } = await loadSqlite()
  const connection = wrapConnection(new DatabaseSync(':memory:', {}))
  migrate(connection)
  const group = commandGroup(connection, { now: (transaction) => transaction.now })
  const now = () => {
    group.run({ command: 'now', caller: NOBODY, input: undefined })
    const [answer] = group.answers()
    group.commit()
    return answer !== undefined && 'result' in answer ? Number(answer.result) : NaN
  }
  const first = now()
  const ahead = first + 3_600_000
  // as if it came from the log
  connection.run('INSERT INTO changes(item, item_id, at) VALUES (1, ?, ?)', 'x', ahead)
  group.changedElsewhere()
  expect(now()).toBe(ahead)
  expect(now()).toBe(ahead)
})

test('a place of contents that comes back, and is not whole yet, is claimed again; one of another store ends the server', async () => {
  vi.useFakeTimers()
  const away = new StorageFailure(503, 'backendError', 'away')
  const unusable = new HlaError('io', 'the bucket cannot be used: 404 NoSuchBucket')
  const foreign = new HlaError('data-differs', 'the bucket has the contents of another store')
  const answers: (Error | undefined)[] = [away, unusable, away, unusable, undefined]
  const said: string[] = []
  const broken: Error[] = []
  const place = {
    name: 's3://bucket',
    claim() {
      const error = answers.shift()
      return error === undefined ? Promise.resolve() : Promise.reject(error)
    },
  }
  const read = { get: () => ({ store: 'one' }) as never }
  const claim = () =>
    claimPlace(read, {
      place,
      onWarning: (text) => void said.push(text),
      onBroken: (error) => void broken.push(error),
    })
  await claim()
  await vi.advanceTimersByTimeAsync(60_000)
  expect([answers, said.length, broken]).toEqual([[], 4, []])
  // at startup the same error is fatal
  answers.push(unusable)
  await expect(claim()).rejects.toThrow('cannot be used')
  answers.push(away, foreign)
  await claim()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(broken).toEqual([foreign])
  vi.useRealTimers()
})

/** Servers with different clocks write log times that never decrease. */
import { expect, test } from 'vitest'
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

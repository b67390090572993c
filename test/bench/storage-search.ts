/**
 * Finds the slowest accepted search, by a bounded search over the grammar of `q`; prints lines of JSON [disk, clock].
 * Arguments: folder, files, seconds.
 */
import { join } from 'node:path'
import { COMMANDS, OPERATOR, command } from '../../src/drive/domain/commands.ts'
import { findPage } from '../../src/drive/domain/search/list-files.ts'
import { type Caller, isStorageFailure } from '../../src/drive/contract/failure.ts'
import { ORDER_KEYS, parseOrderBy } from '../../src/drive/protocol/q/q-fields.ts'
import { parseFileQuery } from '../../src/drive/protocol/q/q.ts'
import { type Store, openStore } from '../../src/drive/persistence/store.ts'
import { randomNumbers } from '../support/random-numbers.ts'
import { searchText } from '../support/search-text.ts'

const [folder = '', files = '20000', seconds = '60'] = process.argv.slice(2)
const fail = (problem: Error | string) => {
  throw new Error(String(problem))
}
const store = await openStore(join(folder, `search-${files}`), {
  writer: COMMANDS,
  isService: true,
  onBroken: fail,
  onWarning: fail,
})
const caller = await filled(store, Number(files))
const random = randomNumbers(1)
const end = performance.now() + Number(seconds) * 1000
let [worst, tried, refused] = [0, 0, 0]
while (performance.now() < end) {
  const q = searchText(random)
  const orderBy = ORDER_KEYS[Math.floor(random() * ORDER_KEYS.length)]
  tried += 1
  try {
    const search = parseFileQuery(q)
    const orders = q.includes('fullText') ? [] : parseOrderBy(orderBy)
    const since = performance.now()
    findPage(store.read, caller, {
      search,
      orders,
      spaces: ['drive'],
      corpus: { kind: 'mine' },
      most: 1000,
      after: undefined,
    })
    const took = performance.now() - since
    if (took <= worst) continue
    worst = took
    process.stdout.write(`${JSON.stringify({ files: Number(files), ms: Math.round(took), orderBy, q })}\n`)
  } catch (error) {
    if (!isStorageFailure(error)) throw error
    refused += 1
  }
}
process.stdout.write(
  `${JSON.stringify({ files: Number(files), tried, refused, worst: Math.round(worst) })}\n`,
)
await store.close()

/**
 * A hundred folders of one user; each file is in one of them, with words and a property, and some files are starred.
 */
async function filled(to: Store, count: number): Promise<Caller> {
  const { pk: user } = await command(to, 'addUser', OPERATOR, { email: 'lab@example.com' })
  const { pk: client } = await command(to, 'addClient', OPERATOR, { id: 'bench' })
  const owner: Caller = { user, client, scopes: ['drive'] }
  const { loadSqlite } = await import('../../src/drive/persistence/database/sqlite.ts')
  for (let at = 0; at < 100; at += 1)
    await command(to, 'insertFile', owner, {
      body: { title: `f${at}`, mimeType: 'application/vnd.google-apps.folder' },
    })
  const { pk } = (
    await command(to, 'insertFile', owner, { body: { title: 'one of many', mimeType: 'text/csv' } })
  ).row
  const { DatabaseSync } = await loadSqlite()
  const db = new DatabaseSync(to.folder.database, {})
  const columns = 'kind, mime, owner, client, acl, created, modifier'
  db.exec(`INSERT INTO files(id, title, fold, natural, modified, ${columns})
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
    SELECT 'made' || i, 'many ' || i, 'many ' || i, 'many ' || i, 1000 + i, ${columns} FROM n, (SELECT * FROM files WHERE pk = ${pk});
    INSERT INTO words(rowid, title, body, content)
      SELECT pk, 'w' || (pk % 2) || ' w' || (pk % 7) || ' many ' || pk, 'w' || (pk % 3), 'w' || (pk % 5) FROM files WHERE id LIKE 'made%';
    INSERT INTO parents(parent, child) SELECT ${pk} - 100 + (pk % 100), pk FROM files WHERE id LIKE 'made%';
    INSERT INTO properties(file, app, key, value) SELECT pk, 0, 'k' || (pk % 3), 'v' || (pk % 50) FROM files WHERE id LIKE 'made%';
    INSERT INTO user_state(user, item, starred, viewed_at) SELECT ${user}, pk, pk % 2, pk FROM files WHERE id LIKE 'made%' AND (pk % 3) = 0`)
  db.close()
  return owner
}

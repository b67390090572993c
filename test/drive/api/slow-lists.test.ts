/** A search that takes long is ended, and holds up nobody else. */
import { beforeAll, describe, expect, test } from 'vitest'
import { loadSqlite } from '../../../src/drive/persistence/database/sqlite.ts'
import { type Drive, startDrive } from '../../support/drive.ts'
import { runHla } from '../../support/run-hla.ts'

const FILES = 30_000
/** Each item of the store is looked at, and all of it again for each of the tests that cannot be made together. */
const HEAVY = [...Array(8).keys()].map((at) => `not title contains 'w${at}'`).join(' and starred or ')
const LIST = '/drive/v2/files'

let drive: Drive
let ada: string
let id: string

beforeAll(async () => {
  drive = await startDrive()
  const at = (...args: string[]) => runHla(['drive', ...args, '--data', drive.folder], { cwd: drive.folder })
  await at('user', 'add', 'ada@example.org')
  ada = /hla_[\w-]+/.exec((await at('token', 'create', '--user', 'ada@example.org')).stdout)?.[0] ?? ''
  id = (await drive.ask('POST', LIST, { body: { title: 'light' } })).json.id
  await drive.ask('POST', LIST, { body: { title: 'one of many' }, token: ada })
  await drive.stop()
  await multiply()
  drive = await startDrive({ folder: drive.folder, token: drive.token })
}, 120_000)

/** The last file, again and again. */
async function multiply(): Promise<void> {
  const { DatabaseSync } = await loadSqlite()
  const db = new DatabaseSync(`${drive.folder}/store.db`, {})
  const columns = 'kind, title, mime, owner, client, acl, created, modified, modifier'
  db.exec(`INSERT INTO files(id, fold, natural, ${columns})
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${FILES})
    SELECT 'made' || i, 'many ' || i, 'many ' || i, ${columns} FROM n, (SELECT * FROM files ORDER BY pk DESC LIMIT 1);
    INSERT INTO words(rowid, title, body, content)
    SELECT pk, 'w0 w1 w2 w3 w4 w5 w6 w7 ' || pk, '', '' FROM files WHERE id LIKE 'made%'`)
  db.close()
}

const heavy = (token = ada) =>
  drive.ask('GET', LIST, { token, query: { q: HEAVY, orderBy: 'title_natural', maxResults: 1000 } })

async function took(work: () => Promise<unknown>): Promise<number> {
  const since = performance.now()
  await work()
  return performance.now() - since
}

describe('while a user searches for what takes long', () => {
  test('others are answered: that the service lives, a file, a list', async () => {
    const searches = Promise.all([...Array(6).keys()].map(() => heavy()))
    const asked = [
      () => drive.ask('GET', '/healthz', { token: undefined }),
      () => drive.ask('GET', `${LIST}/${id}`),
      () => drive.ask('GET', LIST, { query: { q: "title = 'light'" } }),
    ]
    const times: number[] = []
    for (let round = 0; round < 20; round++) for (const ask of asked) times.push(await took(ask))
    const [half = Infinity] = times.toSorted((a, b) => a - b).slice(times.length >> 1)
    expect(half).toBeLessThan(100)
    expect((await searches).map(({ status }) => status)).toEqual(Array(6).fill(200))
  }, 60_000)

  test('it is ended at the limit that the operator has set, and says so', async () => {
    const set = (value: string) =>
      runHla(['drive', 'limit', 'set', value, '--data', drive.folder], { cwd: drive.folder })
    await set('list-milliseconds=1')
    const { status, json } = await heavy()
    expect({ status, error: json.error.errors[0] }).toMatchObject({
      status: 400,
      error: {
        reason: 'invalid',
        location: 'q',
        message: expect.stringContaining('takes too long') as unknown,
      },
    })
    await set('list-milliseconds=standard')
    // what was ended is replaced
    expect((await heavy()).json.items).toHaveLength(1)
  }, 60_000)
})

/** A slow search is stopped, and does not delay other users. */
import { beforeAll, describe, expect, test } from 'vitest'
import { loadSqlite } from '../../../src/drive/persistence/database/sqlite.ts'
import { ORDER_KEYS } from '../../../src/drive/protocol/q/q-fields.ts'
import { type Drive, startDrive } from '../../support/drive.ts'
import { randomNumbers } from '../../support/random-numbers.ts'
import { callHla } from '../../support/call-hla.ts'
import { searchText } from '../../support/search-text.ts'

const FILES = 30_000
/** A search that scans every item once for each of its tests, which cannot be combined. */
const HEAVY = [...Array(8).keys()].map((at) => `not title contains 'w${at}'`).join(' and starred or ')
const LIST = '/drive/v2/files'

let drive: Drive
let ada: string
let id: string

beforeAll(async () => {
  drive = await startDrive()
  const at = (...args: string[]) => callHla(['drive', ...args, '--data', drive.folder], { cwd: drive.folder })
  await at('user', 'add', 'ada@example.org')
  ada = /hla_[\w-]+/.exec((await at('token', 'create', '--user', 'ada@example.org')).stdout)?.[0] ?? ''
  id = (await drive.ask('POST', LIST, { body: { title: 'light' } })).json.id
  await drive.ask('POST', LIST, { body: { title: 'one of many' }, token: ada })
  await drive.stop()
  await multiply()
  drive = await startDrive({ folder: drive.folder, token: drive.token })
})

/** Copies the last file many times. */
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

const half = (times: readonly number[]) => times.toSorted((a, b) => a - b)[times.length >> 1] ?? Infinity

/** Allowed slowdown against an idle service: this factor, and at least 100 ms. */
const BESIDE = 10
const LIMIT = 1000

test('any search of the grammar ends: with an answer, at the limit, or refused before it begins; and others are answered', async () => {
  const set = (value: string) =>
    callHla(['drive', 'limit', 'set', value, '--data', drive.folder], { cwd: drive.folder })
  const seed = Number(process.env['HLA_TEST_SEED'] ?? Date.now() % 1_000_000)
  const random = randomNumbers(seed)
  const light = () => drive.ask('GET', `${LIST}/${id}`)
  const alone: number[] = []
  for (let round = 0; round < 20; round++) alone.push(await took(light))
  await set(`list-milliseconds=${LIMIT}`)
  const beside: number[] = []
  const ends: Record<string, number> = {}
  const end = performance.now() + 15_000
  while (performance.now() < end) {
    const q = searchText(random)
    const orderBy = q.includes('fullText') ? undefined : ORDER_KEYS[Math.floor(random() * ORDER_KEYS.length)]
    const query = { q, maxResults: 1000, ...(orderBy === undefined ? {} : { orderBy }) }
    const under = { way: true }
    const search = drive.ask('GET', LIST, { token: ada, query }).finally(() => (under.way = false))
    do beside.push(await took(light))
    while (under.way)
    const { status, json } = await search
    const said = status === 200 ? 'answered' : String(json.error.errors[0].message)
    const what = said.includes('took too long') ? 'ended' : status === 200 ? said : 'refused'
    ends[what] = (ends[what] ?? 0) + 1
    if (status !== 200)
      expect({ seed, status, error: json.error.errors[0] }).toMatchObject({
        status: 400,
        error: { reason: 'invalid', location: 'q' },
      })
  }
  await set('list-milliseconds=standard')
  expect(ends['answered']).toBeGreaterThan(0)
  expect({ seed, half: half(beside) < Math.max(100, BESIDE * half(alone)) }).toEqual({ seed, half: true })
})

describe('while a user searches for what takes long', () => {
  test('others are answered: that the service lives, a file, a list', async () => {
    const asked = [
      () => drive.ask('GET', '/healthz', { token: undefined }),
      () => drive.ask('GET', `${LIST}/${id}`),
      () => drive.ask('GET', LIST, { query: { q: "title = 'light'" } }),
    ]
    const answer = async () => {
      const times: number[] = []
      for (let round = 0; round < 20; round++) for (const ask of asked) times.push(await took(ask))
      return half(times)
    }
    const alone = await answer()
    const searches = Promise.all([...Array(6).keys()].map(() => heavy()))
    expect(await answer()).toBeLessThan(Math.max(100, BESIDE * alone))
    expect((await searches).map(({ status }) => status)).toEqual(Array(6).fill(200))
  })

  test('it is ended at the limit that the operator has set, and says so', async () => {
    const set = (value: string) =>
      callHla(['drive', 'limit', 'set', value, '--data', drive.folder], { cwd: drive.folder })
    await set('list-milliseconds=1')
    const { status, json } = await heavy()
    expect({ status, error: json.error.errors[0] }).toMatchObject({
      status: 400,
      error: {
        reason: 'invalid',
        location: 'q',
        message: expect.stringContaining('took too long') as unknown,
      },
    })
    await set('list-milliseconds=standard')
    // the stopped thread is replaced
    expect((await heavy()).json.items).toHaveLength(1)
  })
})

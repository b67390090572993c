/** Fills a store with files and measures look-ups; prints a line of JSON at each size [disk, clock]. */
import { join } from 'node:path'
import { packagePath } from '../../src/package-root.ts'
import { command, OPERATOR } from '../../src/drive/domain/commands.ts'
import { findView } from '../../src/drive/domain/items/file-view.ts'
import { listFiles } from '../../src/drive/domain/search/list-files.ts'
import type { FileBody } from '../../src/drive/contract/bodies.ts'
import type { Caller } from '../../src/drive/contract/failure.ts'
import { parseFileQuery } from '../../src/drive/protocol/q/q.ts'
import { openStore, type Store } from '../../src/drive/persistence/store.ts'
import { randomNumbers } from '../support/random-numbers.ts'
import { median } from './statistics.ts'

/** Medians, in ms. */
export interface Found {
  readonly files: number
  readonly get: number
  readonly newest: number
  readonly inParents: number
}

const FOLDER = 'application/vnd.google-apps.folder'
const IN_FLIGHT = 256
const CHILDREN = 100
const TIMES = 301

const [folder = '', ...sizes] = process.argv.slice(2)
const fail = (problem: Error | string) => {
  throw new Error(String(problem))
}
const store = await openStore(join(folder, 'store'), {
  // as in `hla drive serve`
  writer: { file: packagePath('bin/hla.cjs'), argv: ['__drive-writer'] },
  isService: true,
  onBroken: fail,
  onWarning: fail,
})
const caller = await newCaller(store)
const ids: string[] = []
const parent = await insert({ title: 'typed this week', mimeType: FOLDER })
for (let at = 0; at < CHILDREN; at += 1) await insert({ title: `child ${at}.csv`, parents: [{ id: parent }] })
for (const size of sizes.map(Number)) {
  await fill(size)
  process.stdout.write(`${JSON.stringify(measured(size))}\n`)
}
await store.close()

async function newCaller(to: Store): Promise<Caller> {
  const { pk: user } = await command(to, 'addUser', OPERATOR, { email: 'lab@example.com' })
  const { pk: client } = await command(to, 'addClient', OPERATOR, { id: 'bench' })
  return { user, client, scopes: ['drive'] }
}

async function insert(body: FileBody): Promise<string> {
  const { row } = await command(store, 'insertFile', caller, { body })
  ids.push(row.id)
  return row.id
}

/** Each lane fills one folder after another, with a hundred files each. */
async function fill(size: number): Promise<void> {
  let begun = ids.length
  const lane = async () => {
    while (begun < size) {
      begun += CHILDREN
      const place = await insert({ title: `folder ${begun}`, mimeType: FOLDER })
      for (let at = 1; at < CHILDREN; at += 1)
        await insert({ title: `donors ${begun}-${at}.csv`, mimeType: 'text/csv', parents: [{ id: place }] })
    }
  }
  await Promise.all(Array.from({ length: IN_FLIGHT }, lane))
}

function measured(files: number): Found {
  const random = randomNumbers(files)
  const list = (q: string | undefined) => () =>
    store.snapshot((db) =>
      listFiles(db, caller, {
        search: parseFileQuery(q),
        orders: [],
        spaces: ['drive'],
        corpus: { kind: 'mine' },
        most: 100,
        after: undefined,
      }),
    )
  return {
    files,
    get: time(() => findView(store.read, caller, ids[Math.floor(random() * ids.length)] ?? '')),
    newest: time(list(undefined)),
    inParents: time(list(`'${parent}' in parents`)),
  }
}

function time(work: () => unknown): number {
  const took = Array.from({ length: TIMES }, () => {
    const began = performance.now()
    work()
    return performance.now() - began
  })
  return median(took.slice(1))
}

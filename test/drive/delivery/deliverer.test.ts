/** The delivery worker on a real store, with a receiver of its own. */
import { expect, test } from 'vitest'
import { startDeliverer } from '../../../src/drive/delivery/deliverer.ts'
import { COMMANDS, OPERATOR, command } from '../../../src/drive/domain/commands.ts'
import type { Caller } from '../../../src/drive/contract/failure.ts'
import type { Transaction } from '../../../src/drive/persistence/database/database.ts'
import type { Store } from '../../../src/drive/persistence/store.ts'
import { startHooks } from '../../support/hooks.ts'
import { openTestStore } from '../../support/store.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()
const sql = (tx: Transaction, _caller: Caller, text: string) => tx.run(text)

/** A store with a channel on a file. `change` changes the file, `watch` opens another channel on it. */
async function storeWithChannel(name: string, address: string) {
  const store = await openTestStore(temp(name), { writer: { ...COMMANDS, sql } })
  await command(store, 'setUp', OPERATOR, { email: 'ada@b.c', digest: 'd' })
  const user = store.read.get<{ pk: number }>(`SELECT pk FROM principals WHERE kind = 'user'`)?.pk ?? 0
  const ada: Caller = { user, client: 1, scopes: ['drive'] }
  const file = (await command(store, 'insertFile', ada, { body: { title: 'x' } })).row.id
  const watch = (id: string) =>
    command(store, 'watchFile', ada, { body: { id, type: 'web_hook', address }, file, link: 'l/' })
  await watch('c')
  const change = (title: string) =>
    command(store, 'updateFile', ada, { id: file, body: { title }, behavior: 'now', isViewed: false })
  return { store, change, watch }
}

/** A worker, with the names of the commands that it has asked for and that were carried out; `settling` holds up an outcome. */
function startWorker(store: Store, settling: () => Promise<void> = () => Promise.resolve()) {
  const order: string[] = []
  const warnings: string[] = []
  const settled: unknown[] = []
  const watched: Store = {
    ...store,
    async write<Result>(...asked: Parameters<Store['write']>) {
      order.push(`asks for ${asked[0]}`)
      if (asked[0] === 'settleDelivery') {
        settled.push(asked[2])
        await settling()
      }
      const result = await store.write<Result>(...asked)
      order.push(asked[0])
      return result
    },
  }
  const worker = startDeliverer(watched, { allowsLocal: true, warn: (text) => warnings.push(text) })
  const stop = async () => {
    await worker.stop()
    order.push('stopped')
  }
  return { order, warnings, settled, stop, counts: worker.counts }
}

test('a worker that ends waits for what the store is told of messages that have arrived', async () => {
  const hooks = await startHooks()
  const { store } = await storeWithChannel('ending', hooks.url)
  const gate: { open?: () => void } = {}
  const isOpen = new Promise<void>((resolve) => (gate.open = resolve))
  const worker = startWorker(store, () => isOpen)
  await expect.poll(() => worker.order).toEqual(['asks for settleDelivery'])
  const stopping = worker.stop()
  setTimeout(() => gate.open?.(), 100)
  await stopping
  expect(worker.order).toEqual(['asks for settleDelivery', 'settleDelivery', 'stopped'])
  expect([worker.counts(), worker.warnings]).toEqual([{ done: 1, dropped: 0, again: 0 }, []])
  expect(store.read.all('SELECT * FROM deliveries')).toEqual([])
  expect(hooks.statesOf('c')).toEqual(['sync'])
  await store.close()
})

test('a message whose receiver hangs then stays as it was', async () => {
  const hooks = await startHooks(() => new Promise(() => undefined))
  const { store } = await storeWithChannel('hanging', hooks.url)
  const rows = () => [store.read.all('SELECT * FROM channels'), store.read.all('SELECT * FROM deliveries')]
  const before = rows()
  const worker = startWorker(store)
  await expect.poll(() => hooks.taken.length).toBe(1)
  await worker.stop()
  expect(worker.order).toEqual(['stopped'])
  expect([worker.counts(), worker.warnings]).toEqual([{ done: 0, dropped: 0, again: 0 }, []])
  expect(rows()).toEqual(before)
  await store.close()
})

test('a message is tried again after a second, and after twice as long each time, up to ten minutes', async () => {
  const hooks = await startHooks(() => 503)
  const { store } = await storeWithChannel('again', hooks.url)
  const delays: [attempts: number, delay: number][] = []
  for (const attempts of [0, 1, 5, 9, 10, 1000]) {
    await store.write('sql', OPERATOR, `UPDATE channels SET attempts = ${attempts}, due = 0`)
    const worker = startWorker(store)
    await expect.poll(() => worker.counts().again).toBe(1)
    await worker.stop()
    const [{ delay, outcome } = { delay: 0, outcome: '' }] = worker.settled as {
      delay: number
      outcome: string
    }[]
    expect(outcome).toBe('again')
    delays.push([attempts, delay])
  }
  const longest = [1000, 2000, 32_000, 512_000, 600_000, 600_000]
  for (const [at, [attempts, delay]] of delays.entries()) {
    const most = longest[at] ?? 0
    expect(delay, `after ${attempts} attempts`).toBeGreaterThanOrEqual(most * 0.75)
    expect(delay, `after ${attempts} attempts`).toBeLessThanOrEqual(most)
  }
  expect(store.read.all('SELECT attempts FROM channels')).toEqual([{ attempts: 1001 }])
  await store.close()
})

test('changes of others are found while there is a channel', async () => {
  const hooks = await startHooks()
  const { store, change } = await storeWithChannel('changes', hooks.url)
  const worker = startWorker(store)
  for (const [at, title] of ['b', 'c', 'd'].entries()) {
    await expect.poll(() => worker.counts().done).toBe(at + 1)
    await change(title)
  }
  await expect.poll(() => worker.counts().done).toBe(4)
  expect(hooks.statesOf('c')).toEqual(['sync', 'update properties', 'update properties', 'update properties'])
  await worker.stop()
  await store.close()
})

test('a look that fails is told', async () => {
  const { store } = await storeWithChannel('unreadable', 'http://127.0.0.1:1/')
  const warnings: string[] = []
  const unreadable: Store = {
    ...store,
    get read(): never {
      throw new Error('disk I/O error')
    },
  }
  const worker = startDeliverer(unreadable, { allowsLocal: true, warn: (text) => warnings.push(text) })
  await expect.poll(() => warnings).toEqual(['notifications: disk I/O error'])
  await worker.stop()
  await store.close()
})

test('a message whose outcome cannot be recorded is told of and not sent again at once', async () => {
  const hooks = await startHooks()
  const { store, watch } = await storeWithChannel('unrecorded', hooks.url)
  let isFirst = true
  const worker = startWorker(store, () => {
    const fails = isFirst
    isFirst = false
    return fails ? Promise.reject(new Error('disk I/O error')) : Promise.resolve()
  })
  await expect.poll(() => worker.warnings).toEqual(['notifications: disk I/O error'])
  await watch('other')
  await expect.poll(() => worker.counts()).toEqual({ done: 1, dropped: 0, again: 0 })
  expect([hooks.statesOf('c'), hooks.statesOf('other')]).toEqual([['sync'], ['sync']])
  await worker.stop()
  expect(worker.warnings).toHaveLength(1)
  await store.close()
})

test('a worker woken during a look looks again', async () => {
  const store = await openTestStore(temp('woken'), { writer: COMMANDS })
  await command(store, 'setUp', OPERATOR, { email: 'ada@b.c', digest: 'd' })
  const asked: string[] = []
  const gate: { open?: () => void } = {}
  const isOpen = new Promise<void>((resolve) => (gate.open = resolve))
  const watched: Store = {
    ...store,
    async write<Result>(...given: Parameters<Store['write']>) {
      asked.push(given[0])
      await isOpen
      return store.write<Result>(...given)
    },
  }
  const worker = startDeliverer(watched, { allowsLocal: true, warn: (text) => asked.push(text) })
  await expect.poll(() => asked).toEqual(['forgetChannels'])
  worker.wake()
  gate.open?.()
  await expect.poll(() => asked).toEqual(['forgetChannels', 'forgetChannels'])
  await worker.stop()
  await store.close()
})

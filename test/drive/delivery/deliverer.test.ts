/** The delivery worker on a real store, with a receiver of its own. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
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
  return { order, warnings, settled, stop, counts: worker.counts, wake: worker.wake }
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

describe('on a clock of the test', () => {
  beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
  afterEach(() => void vi.useRealTimers())
  const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

  /** A worker on a store, with the commands that it asks for, which wait until the gate is open; `isBroken` makes them fail. */
  function startGated(store: Store, isBroken = false) {
    const asked: string[] = []
    const warnings: string[] = []
    const gate: { open?: () => void } = {}
    const isOpen = new Promise<void>((resolve) => (gate.open = resolve))
    const watched: Store = {
      ...store,
      async write<Result>(...given: Parameters<Store['write']>) {
        asked.push(given[0])
        await isOpen
        if (isBroken) throw new Error('disk I/O error')
        return store.write<Result>(...given)
      },
    }
    const worker = startDeliverer(watched, { allowsLocal: true, warn: (text) => warnings.push(text) })
    return { ...worker, asked, warnings, open: () => gate.open?.() }
  }
  const storeWithout = async (name: string) => {
    const store = await openTestStore(temp(name), { writer: { ...COMMANDS, sql } })
    await command(store, 'setUp', OPERATOR, { email: 'ada@b.c', digest: 'd' })
    return store
  }
  /** A store with a channel on which nothing is to be sent. */
  const storeWithIdle = async (name: string) => {
    const { store, watch } = await storeWithChannel(name, 'http://127.0.0.1:1/')
    const idle = () => store.write('sql', OPERATOR, `UPDATE channels SET due = ${Date.now() * 2}`)
    await idle()
    return { store, watch: async (id: string) => void (await watch(id), await idle()) }
  }

  test('a worker woken during a look looks again after it, and again whenever it is woken', async () => {
    const store = await storeWithout('woken')
    const worker = startGated(store)
    await pass(10)
    expect(worker.asked).toEqual(['forgetChannels'])
    worker.wake()
    await pass(1000)
    expect(worker.asked).toEqual(['forgetChannels'])
    worker.open()
    await pass(10)
    expect(worker.asked).toEqual(['forgetChannels', 'forgetChannels'])
    worker.wake()
    await pass(10)
    expect(worker.asked).toHaveLength(3)
    await pass(120_000)
    expect(worker.asked).toHaveLength(3)
    await worker.stop()
    await store.close()
  })

  test('one look is planned at a time, and none by a worker that has ended', async () => {
    const { store } = await storeWithIdle('planned')
    const worker = startGated(store)
    await pass(10)
    expect(vi.getTimerCount()).toBe(1)
    for (let time = 0; time < 3; time += 1) worker.wake()
    expect(vi.getTimerCount()).toBe(1)
    await pass(500)
    expect(vi.getTimerCount()).toBe(1)
    await worker.stop()
    expect(vi.getTimerCount()).toBe(0)
    worker.wake()
    expect([vi.getTimerCount(), worker.asked, worker.warnings]).toEqual([0, [], []])
    await store.close()
  })

  test('a worker that ends waits for its look', async () => {
    const store = await storeWithout('looking')
    const worker = startGated(store)
    await pass(10)
    let isOver = false
    const stopping = worker.stop().then(() => (isOver = true))
    await pass(1000)
    expect([worker.asked, isOver]).toEqual([['forgetChannels'], false])
    worker.open()
    await stopping
    await store.close()
  })

  test('a look that fails is told, and is repeated after ten seconds', async () => {
    const store = await storeWithout('failing')
    const worker = startGated(store, true)
    worker.open()
    await pass(10)
    const told = 'notifications: disk I/O error'
    expect(worker.warnings).toEqual([told])
    await pass(9900)
    expect(worker.warnings).toEqual([told])
    await pass(100)
    expect(worker.warnings).toEqual([told, told])
    await worker.stop()
    await store.close()
  })

  test('channels that have expired are removed at the start, and once a minute', async () => {
    const { store, watch } = await storeWithIdle('expiring')
    for (const id of ['second', 'third', 'last']) await watch(id)
    const expire = (id: string) =>
      store.write('sql', OPERATOR, `UPDATE channels SET expires = 1 WHERE id = '${id}'`)
    await expire('c')
    const worker = startGated(store)
    worker.open()
    const left = () =>
      store.read.all<{ id: string }>('SELECT id FROM channels ORDER BY pk').map(({ id }) => id)
    await pass(10)
    expect(left()).toEqual(['second', 'third', 'last'])
    for (const [id, ...others] of [
      ['second', 'third', 'last'],
      ['third', 'last'],
    ] as const) {
      await expire(id)
      await pass(59_900)
      expect(left()).toEqual([id, ...others])
      await pass(100)
      expect(left()).toEqual(others)
    }
    expect([worker.asked.length, worker.warnings]).toEqual([3, []])
    await worker.stop()
    await store.close()
  })
})

test('slow receivers hold up few messages: 8 to a host, 32 of a user, 64 in all', async () => {
  const gate: { open?: () => void } = {}
  const isOpen = new Promise<number>((resolve) => (gate.open = () => resolve(200)))
  const hosts = await Promise.all(Array.from({ length: 10 }, () => startHooks(() => isOpen)))
  const store = await openTestStore(temp('slow'), { writer: COMMANDS })
  await command(store, 'setUp', OPERATOR, { email: 'ada@b.c', digest: 'd' })
  const worker = startWorker(store)
  const files = new Map<number, string>()
  /** Channels of a user, as many as said to each of the hosts. */
  const watch = async (user: number, count: number, from: number, to: number) => {
    const caller: Caller = { user, client: 1, scopes: ['drive'] }
    const file =
      files.get(user) ?? (await command(store, 'insertFile', caller, { body: { title: 'x' } })).row.id
    files.set(user, file)
    for (const [host, { url: address }] of hosts.slice(from, to).entries())
      for (let at = 0; at < count; at += 1) {
        const body = { id: `${user}-${from + host}-${at}`, type: 'web_hook', address }
        await command(store, 'watchFile', caller, { body, file, link: 'l/' })
      }
    worker.wake()
  }
  const taken = (from: number, to: number) =>
    hosts.slice(from, to).reduce((sum, host) => sum + host.taken.length, 0)
  const [ada] = store.read.all<{ pk: number }>(`SELECT pk FROM principals WHERE kind = 'user'`)
  const [bo, cy] = [
    await command(store, 'addUser', OPERATOR, { email: 'bo@b.c' }),
    await command(store, 'addUser', OPERATOR, { email: 'cy@b.c' }),
  ]
  await watch(ada?.pk ?? 0, 9, 0, 1)
  await expect.poll(() => taken(0, 1)).toBe(8)
  await watch(ada?.pk ?? 0, 7, 1, 5)
  await expect.poll(() => taken(1, 5)).toBe(24)
  await watch(bo.pk, 8, 5, 9)
  await expect.poll(() => taken(5, 9)).toBe(32)
  await watch(cy.pk, 1, 9, 10)
  // the poll of the queue comes by several times
  await new Promise((resolve) => setTimeout(resolve, 200))
  expect([taken(0, 1), taken(1, 5), taken(5, 9), taken(9, 10)]).toEqual([8, 24, 32, 0])
  gate.open?.()
  await expect.poll(() => worker.counts()).toEqual({ done: 9 + 28 + 32 + 1, dropped: 0, again: 0 })
  await worker.stop()
  await store.close()
})

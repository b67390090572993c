/** Removal of rights that have ended, by the service's clock. */
import fastify, { type FastifyInstance } from 'fastify'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { expireRights } from '../../../src/drive/api/operations/expiry.ts'
import type { Store } from '../../../src/drive/persistence/store.ts'

let app: FastifyInstance
/** Ends of rights, in ms since 1970; the command removes those that are reached. */
let ends: number[]
let removals: number
/** Removals that fail, from now on. */
let failures: number

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'], now: 1000 })
  app = fastify()
  removals = 0
  failures = 0
})
afterEach(async () => {
  await app.close()
  vi.useRealTimers()
})

function opened(first: readonly number[]) {
  ends = [...first]
  const store = {
    read: { get: () => ({ next: ends.length === 0 ? null : Math.min(...ends) }) },
    write: (name: string) => {
      expect(name).toBe('expireGrants')
      removals += 1
      if (removals > 9) throw new Error('nothing ends so often')
      if (failures-- > 0) return Promise.reject(new Error('the disk is full'))
      ends = ends.filter((end) => end > Date.now())
      return Promise.resolve(1)
    },
  }
  const expiry = expireRights(app, store as unknown as Store) // only what it uses
  for (const path of ['/healthz', '/files']) app.get(path, () => 'here')
  return expiry
}

test('each end is met once, without a request', async () => {
  opened([2000, 3000])
  await vi.advanceTimersByTimeAsync(999)
  expect(removals).toBe(0)
  await vi.advanceTimersByTimeAsync(1)
  expect([removals, ends]).toEqual([1, [3000]])
  await vi.advanceTimersByTimeAsync(999)
  expect(removals).toBe(1)
  await vi.advanceTimersByTimeAsync(1)
  expect([removals, ends]).toEqual([2, []])
  await vi.advanceTimersByTimeAsync(1e6)
  expect(removals).toBe(2)
})

test('a request after an end is answered when the rights are gone; a health check waits for nothing', async () => {
  opened([2000])
  await app.inject('/files')
  expect(removals).toBe(0)
  vi.setSystemTime(2000)
  await app.inject('/healthz')
  expect(removals).toBe(0)
  expect((await app.inject('/files')).body).toBe('here')
  expect([removals, ends]).toEqual([1, []])
  await app.inject('/files')
  expect(removals).toBe(1)
})

test('a new right is met at its end, also one that is earlier than all others', async () => {
  const expiry = opened([])
  await vi.advanceTimersByTimeAsync(5000)
  ends.push(9000, 7000)
  expiry.note(9000)
  expiry.note(7000)
  await vi.advanceTimersByTimeAsync(1000)
  expect([removals, ends]).toEqual([1, [9000]])
  await vi.advanceTimersByTimeAsync(2000)
  expect([removals, ends]).toEqual([2, []])
})

test('an end beyond the longest timer is waited for', async () => {
  const end = 2 ** 31 + 5000
  opened([end])
  await vi.advanceTimersByTimeAsync(end - 1001)
  expect(removals).toBe(0)
  await vi.advanceTimersByTimeAsync(1)
  expect(removals).toBe(1)
})

test('a removal that failed without a request is tried again by the next one, and one that fails there by that after it', async () => {
  opened([2000])
  failures = 2
  await vi.advanceTimersByTimeAsync(1000)
  expect([removals, ends]).toEqual([1, [2000]])
  expect((await app.inject('/files')).statusCode).toBe(500)
  expect([removals, ends]).toEqual([2, [2000]])
  expect((await app.inject('/files')).body).toBe('here')
  expect([removals, ends]).toEqual([3, []])
})

test('requests that come at once after an end wait for one removal', async () => {
  opened([2000])
  vi.setSystemTime(2000)
  const answers = await Promise.all(['/files', '/files'].map((path) => app.inject(path)))
  expect(answers.map(({ body }) => body)).toEqual(['here', 'here'])
  expect([removals, ends]).toEqual([1, []])
})

test('nothing is removed after the service has ended', async () => {
  const expiry = opened([2000])
  expiry.note(1500)
  await app.close()
  await vi.advanceTimersByTimeAsync(5000)
  expect(removals).toBe(0)
})

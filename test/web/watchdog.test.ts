/** The primary process kills a worker that does not reply, and the service tells systemd that it runs. */
import type { ExecFileException } from 'node:child_process'
import cluster, { type Worker } from 'node:cluster'
import { EventEmitter } from 'node:events'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { answerWatchdog, notifySystemd, watchWorkers } from '../../src/web/watchdog.ts'

const { ran, told } = vi.hoisted(() => ({
  ran: [] as [string, readonly string[], (error: ExecFileException | null) => void][],
  told: [] as string[],
}))
vi.mock('node:child_process', () => ({ execFile: (...call: (typeof ran)[number]) => void ran.push(call) }))
vi.mock('../../src/io/stdout.ts', () => ({ tell: (text: string) => void told.push(text) }))

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  for (const list of [ran, told]) list.length = 0
  for (const event of ['message', 'exit']) cluster.removeAllListeners(event)
})

describe('the primary process', () => {
  /** A worker that records what it gets. */
  function worker(id: number) {
    const got: unknown[] = []
    const state = { isConnected: true }
    const one = {
      id,
      isConnected: () => state.isConnected,
      send: (message: unknown) => got.push(message),
      process: { kill: (signal: string) => got.push(signal) },
    }
    // the members that are used
    return { one: one as unknown as Worker, got, state }
  }
  const asked = { hla: 'alive?' }

  test('kills a worker that has missed five replies, and no other', () => {
    const [silent, answers, starting] = [worker(1), worker(2), worker(3)]
    const all = [silent, answers, starting].map(({ one }) => one)
    watchWorkers(
      () => all,
      ({ id }) => id !== 3,
    )
    vi.advanceTimersByTime(1999)
    expect(silent.got).toEqual([])
    vi.advanceTimersByTime(1)
    expect(silent.got).toEqual([asked])
    for (let poll = 2; poll <= 5; poll += 1) {
      cluster.emit('message', answers.one, { hla: 'alive' })
      cluster.emit('message', silent.one, { hla: 'something else' })
      vi.advanceTimersByTime(2000)
    }
    expect(silent.got).toEqual(Array.from({ length: 5 }, () => asked))
    expect(told).toEqual([])
    cluster.emit('message', answers.one, { hla: 'alive' })
    vi.advanceTimersByTime(2000)
    expect(silent.got.slice(5)).toEqual(['SIGKILL'])
    expect(answers.got).toEqual(Array.from({ length: 6 }, () => asked))
    expect(starting.got).toEqual([])
    expect(told).toEqual(['hla: warning: worker 1 has not answered for 10 s\n'])
  })

  test('asks no worker that is disconnected, and forgets one that has ended', () => {
    const one = worker(1)
    watchWorkers(
      () => [one.one],
      () => true,
    )
    one.state.isConnected = false
    vi.advanceTimersByTime(10_000)
    expect(one.got).toEqual([])
    cluster.emit('exit', one.one)
    one.state.isConnected = true
    vi.advanceTimersByTime(2000)
    expect([one.got, told]).toEqual([[asked], []])
  })
})

test('these clocks keep no process running', () => {
  const set = vi.spyOn(globalThis, 'setInterval')
  watchWorkers(
    () => [],
    () => true,
  )
  notifySystemd({ NOTIFY_SOCKET: '/run/a', WATCHDOG_USEC: '3000000' })
  expect(set.mock.results.map(({ value }) => (value as NodeJS.Timeout).hasRef())).toEqual([false, false])
  set.mockRestore()
})

test('a worker replies to the question, while it is connected', () => {
  const bus = new EventEmitter()
  const sent: unknown[] = []
  const state = { on: bus.on.bind(bus), send: (message: unknown) => sent.push(message), connected: true }
  vi.stubGlobal('process', state)
  try {
    answerWatchdog()
    bus.emit('message', { hla: 'alive' })
    bus.emit('message', { other: 1 })
    expect(sent).toEqual([])
    bus.emit('message', { hla: 'alive?' })
    expect(sent).toEqual([{ hla: 'alive' }])
    state.connected = false
    bus.emit('message', { hla: 'alive?' })
    expect(sent).toHaveLength(1)
  } finally {
    vi.unstubAllGlobals()
  }
})

describe('systemd', () => {
  const said = () => ran.map(([program, words]) => `${program} ${words.join(' ')}`)

  test('that did not start the service is told nothing', () => {
    notifySystemd({ WATCHDOG_USEC: '3000000' })
    vi.advanceTimersByTime(10_000)
    expect(said()).toEqual([])
  })

  test.for([
    [undefined, 0],
    ['0', 0],
    ['3000000', 4],
  ] as const)('with a limit of %s µs is told that it runs %d times in 4 s', ([limit, times]) => {
    notifySystemd({ NOTIFY_SOCKET: '/run/a', ...(limit !== undefined && { WATCHDOG_USEC: limit }) })
    expect(said()).toEqual(['systemd-notify READY=1'])
    vi.advanceTimersByTime(999)
    expect(said()).toHaveLength(1)
    vi.advanceTimersByTime(3001)
    expect(said().slice(1)).toEqual(Array.from({ length: times }, () => 'systemd-notify WATCHDOG=1'))
  })

  test('that cannot be told is reported once, until it was told again', () => {
    notifySystemd({ NOTIFY_SOCKET: '/run/a', WATCHDOG_USEC: '3000000' })
    vi.advanceTimersByTime(4000)
    const failed = new Error('spawn systemd-notify ENOENT')
    const outcomes = [failed, failed, null, failed, failed]
    const counts = outcomes.map((error, at) => {
      ran[at]?.[2](error)
      return told.length
    })
    expect(counts).toEqual([1, 1, 1, 2, 2])
    expect(told[0]).toBe('hla: warning: cannot notify systemd: spawn systemd-notify ENOENT\n')
  })
})

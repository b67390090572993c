/** The primary process of several: it starts and replaces workers, passes signals and metrics on, and ends when all have. */
import type { Worker } from 'node:cluster'
import { EventEmitter } from 'node:events'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { awaitOtherWorkers, gatherMetrics, runWorkers } from '../../src/service/workers.ts'

const told = vi.hoisted(() => [] as string[])
const cluster = vi.hoisted(() => ({ one: undefined as unknown }))
vi.mock('../../src/io/stdout.ts', () => ({ tell: (text: string) => void told.push(text) }))
vi.mock('../../src/web/watchdog.ts', () => ({
  watchWorkers: (workers: () => Worker[], isWatched: (worker: Worker) => boolean) =>
    Object.assign(primary(), { watched: () => workers().filter(isWatched) }),
}))
vi.mock('node:cluster', () => ({
  default: new Proxy(
    {},
    {
      get(_, name) {
        const value: unknown = Reflect.get(primary(), name)
        // the methods of an emitter, without the object
        return name === 'on' ? primary().on.bind(primary()) : value
      },
    },
  ),
}))

/** A worker with what it got. */
class TestWorker extends EventEmitter {
  readonly got: unknown[] = []
  readonly process = { kill: (signal: string) => this.got.push(signal) }
  readonly id: number
  connected = true

  constructor(id: number) {
    super()
    this.id = id
  }

  kill(): void {
    this.got.push('kill')
  }

  isConnected(): boolean {
    return this.connected
  }

  send(message: unknown): void {
    this.got.push(message)
  }
}

class Primary extends EventEmitter {
  workers: Record<number, TestWorker | undefined> = {}
  watched = (): unknown[] => []
  setup: unknown
  /** Every worker that was started. */
  readonly all: TestWorker[] = []

  fork = () => {
    const worker = new TestWorker(this.all.length + 1)
    this.all.push(worker)
    this.workers[worker.id] = worker
  }

  setupPrimary = (setup: unknown) => void (this.setup = setup)

  end(id: number, code: number | null, signal: string | null): void {
    const worker = this.workers[id]
    this.workers[id] = undefined
    this.emit('exit', worker, code, signal)
  }
}

const primary = () => cluster.one as Primary

let signals: EventEmitter
beforeEach(() => {
  vi.useFakeTimers()
  cluster.one = new Primary()
  signals = new EventEmitter()
  told.length = 0
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** Starts the service; `done` has its status. */
function start(count = 3) {
  const ports: number[] = []
  const done: number[] = []
  vi.stubGlobal('process', {
    argv: ['node', 'hla', 'serve'],
    execPath: 'node',
    env: {},
    on: (name: string, listener: () => void) => signals.on(name, listener),
  })
  void runWorkers(count, (port) => ports.push(port), 10_000).then((status) => done.push(status))
  const listens = (id: number) => primary().emit('listening', primary().workers[id], { port: 8080 })
  return { ports, done, listens, got: (id: number) => primary().all[id - 1]?.got }
}
const turn = () => vi.advanceTimersByTimeAsync(0)

test('the first worker is started alone, the others when it listens; the port is announced once', () => {
  const { ports, listens } = start()
  expect(primary().all).toHaveLength(1)
  listens(1)
  expect([primary().all.length, ports]).toEqual([3, [8080]])
  expect(primary().watched()).toEqual([primary().all[0]])
  for (const id of [2, 3]) listens(id)
  expect([primary().all.length, ports]).toEqual([3, [8080]])
  expect(primary().watched()).toHaveLength(3)
})

test.for([
  ['SIGKILL', null, 'SIGKILL', 'was killed by the system (SIGKILL), often because memory ran out'],
  ['SIGSEGV', null, 'SIGSEGV', 'was killed by the system (SIGSEGV)'],
  ['status 4', 4, null, 'ended with status 4'],
] as const)('a worker that has listened is replaced after a second: %s', async ([, code, signal, text]) => {
  const { done, listens } = start()
  listens(1)
  primary().end(1, code, signal)
  expect(told).toEqual([`hla: warning: worker 1 ${text}; another takes its place\n`])
  vi.advanceTimersByTime(999)
  expect(primary().all).toHaveLength(3)
  vi.advanceTimersByTime(1)
  expect(primary().all).toHaveLength(4)
  await turn()
  expect(done).toEqual([])
})

test.for([
  [4, null, 4, []],
  [70, null, 70, []],
  [128, null, 128, []],
  [129, null, 129, ['hla: error: worker 2 ended with status 129\n']],
  [null, null, 70, []],
  [null, 'SIGKILL', 137, ['hla: error: worker 2 was killed by the system (SIGKILL), often because memory ran out\n']],
] as const)('one that never listened ends the service: %s, %s', async ([code, signal, status, says]) => {
  const { done, listens, got } = start()
  listens(1)
  primary().end(2, code, signal)
  expect(told).toEqual(says)
  expect([got(1), got(3)]).toEqual([['kill'], ['kill']])
  primary().end(1, 0, null)
  await turn()
  expect(done).toEqual([])
  primary().end(3, 0, null)
  await turn()
  expect([done, primary().all.length]).toEqual([[status], 3])
}) // prettier-ignore

test.for(['SIGTERM', 'SIGINT'])('%s ends all, and those that hang are killed', async (signal) => {
  const { done, listens, got } = start(2)
  listens(1)
  listens(2)
  primary().end(1, null, 'SIGSEGV')
  signals.emit(signal)
  expect(got(2)).toEqual(['SIGTERM'])
  // no other takes the place of the one before
  vi.advanceTimersByTime(11_999)
  expect([got(2), primary().all.length]).toEqual([['SIGTERM'], 2])
  vi.advanceTimersByTime(1)
  expect(got(2)).toEqual(['SIGTERM', 'SIGKILL'])
  primary().end(2, null, 'SIGKILL')
  await turn()
  expect([done, told.length]).toEqual([[0], 1])
})

test('SIGHUP reaches those that listen, and the others when they do, once', () => {
  const { listens, got } = start(2)
  listens(1)
  signals.emit('SIGHUP')
  expect([got(1), got(2)]).toEqual([['SIGHUP'], []])
  listens(2)
  listens(2)
  expect([got(1), got(2)]).toEqual([['SIGHUP'], ['SIGHUP']])
})

test('metrics of all workers are gathered for one, in their order, without those that do not answer', () => {
  const { listens, got } = start()
  listens(1)
  const [one, two, three] = primary().all
  const say = (worker: unknown, id: number, hla = 'metrics') =>
    primary().emit('message', worker, {
      hla,
      id,
      snapshots: [{ worker: (worker as TestWorker).id }],
    })
  say(two, 7, 'metrics?')
  for (const worker of [one, two, three]) expect(worker?.got).toEqual([{ hla: 'metrics?', id: 1 }])
  for (const worker of [three, one, two]) say(worker, 1)
  const answer = (snapshots: readonly number[], id: number) => ({
    hla: 'metrics',
    id,
    snapshots: snapshots.map((worker) => ({ worker })),
  })
  expect(got(2)?.slice(1)).toEqual([answer([1, 2, 3], 7)])
  say(one, 8, 'metrics?')
  say(three, 2)
  vi.advanceTimersByTime(999)
  expect(got(1)).toHaveLength(2)
  vi.advanceTimersByTime(1)
  expect(got(1)?.slice(2)).toEqual([answer([3], 8)])
  // an answer that comes too late, and a worker that has gone
  say(one, 2)
  if (three !== undefined) three.connected = false
  say(three, 9, 'metrics?')
  say(one, 3)
  say(two, 3)
  expect([got(1)?.length, got(3)?.length]).toEqual([4, 2])
})

test('all workers hear that the last has stopped listening, or has ended', () => {
  const { listens, got } = start()
  for (const id of [1, 2, 3]) listens(id)
  const [one, two] = primary().all
  primary().end(3, null, 'SIGSEGV')
  primary().emit('message', one, { hla: 'other' })
  expect([got(1), got(2)]).toEqual([[], []])
  primary().emit('message', one, { hla: 'stopped' })
  expect([got(1), got(2)]).toEqual([[], []])
  if (two !== undefined) two.connected = false
  primary().end(2, null, 'SIGSEGV')
  expect([got(1), got(2)]).toEqual([[{ hla: 'stopped' }], []])
})

/** Runs in a worker. `sent` has what it tells the primary process. */
function worker() {
  const bus = new EventEmitter()
  const sent: unknown[] = []
  const state = {
    connected: true,
    on: (name: string, listener: (message: unknown) => void) => bus.on(name, listener),
    send: (message: unknown) => sent.push(message),
  }
  vi.stubGlobal('process', state)
  return { bus, sent, state }
}

test('a worker answers for itself, and asks for all; without an answer it has its own', async () => {
  const { bus, sent, state } = worker()
  const gather = gatherMetrics(() => ({ worker: 1 }) as never)
  bus.emit('message', { hla: 'metrics?', id: 5 })
  expect(sent).toEqual([{ hla: 'metrics', id: 5, snapshots: [{ worker: 1 }] }])
  const [first, second] = [gather(), gather()]
  expect(sent.slice(1)).toEqual([
    { hla: 'metrics?', id: 1 },
    { hla: 'metrics?', id: 2 },
  ])
  bus.emit('message', { hla: 'other', id: 2, snapshots: [] })
  bus.emit('message', { hla: 'metrics', id: 2, snapshots: [{ worker: 2 }] })
  expect(await second).toEqual([{ worker: 2 }])
  await vi.advanceTimersByTimeAsync(2000)
  expect(await first).toEqual([{ worker: 1 }])
  state.connected = false
  const last = gather()
  await vi.advanceTimersByTimeAsync(2000)
  expect([await last, sent.length]).toEqual([[{ worker: 1 }], 3])
})

test.for<[what: string, isConnected: boolean, message: unknown, ms: number]>([
  ['has heard so', true, { hla: 'stopped' }, 0],
  ['has waited a second', true, { hla: 'other' }, 1000],
  ['is alone', false, undefined, 0],
])('a worker knows that the others have stopped when it %s', async ([, isConnected, message, ms]) => {
  const { bus, sent, state } = worker()
  state.connected = isConnected
  let isOver = false
  void awaitOtherWorkers().then(() => (isOver = true))
  expect(sent).toEqual(isConnected ? [{ hla: 'stopped' }] : [])
  if (message !== undefined) {
    await turn()
    expect(isOver).toBe(false)
    bus.emit('message', message)
  }
  if (ms > 0) {
    await vi.advanceTimersByTimeAsync(ms - 1)
    expect(isOver).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
  }
  await turn()
  expect(isOver).toBe(true)
})

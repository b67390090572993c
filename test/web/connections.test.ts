/** The clock of the connections: late bodies, idle connections and slow readers, at times that the test sets. */
import { EventEmitter } from 'node:events'
import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  answerUnreadable,
  breakReason,
  countLoad,
  type Pace,
  watchConnections,
} from '../../src/web/connections.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const LIMITS = { requestTimeout: 4000, idleTimeout: 10_000, leastRead: 100 }

/** Property in which Node keeps the answer that is being sent. */
const CURRENT = '_httpMessage'

/** A connection with the members that are read. */
class TestSocket extends EventEmitter {
  [CURRENT]: unknown = undefined
  bytesRead = 0
  bytesWritten = 0
  writableLength = 0
  writable = true
  destroyed = false
  destroySoon = () => undefined

  end(): void {
    this.writable = false
  }

  destroy(): void {
    this.destroyed = true
    this.emit('close')
  }
}

const asSocket = (socket: TestSocket) => socket as unknown as Socket

function watched({ isEncrypted = false, limits = LIMITS } = {}) {
  const server = new EventEmitter()
  const answerLate = () => [408, { message: 'late' }] as const
  const connections = watchConnections(server as unknown as Server, limits, isEncrypted, answerLate)
  function connect(event = isEncrypted ? 'secureConnection' : 'connection'): TestSocket {
    const socket = new TestSocket()
    server.emit(event, socket)
    return socket
  }
  /** Begins a request on the connection; `sent` gets its refusal. */
  function ask(socket: TestSocket, pace: Pace, headers: Readonly<Record<string, unknown>> = {}) {
    const sent: unknown[] = []
    const state = { isHijacked: false, isResumed: false, isDestroyed: false }
    const raw = {
      socket,
      complete: false,
      resume: () => (state.isResumed = true),
      destroy: () => (state.isDestroyed = true),
    }
    const request = { raw } as unknown as FastifyRequest
    const reply = {
      request,
      sent: false,
      answer: undefined as unknown,
      hijack: () => (state.isHijacked = true),
      getHeaders: () => headers,
      raw: {
        headersSent: false,
        writeHead: (status: number, all: unknown) => sent.push(status, all),
        end: (text: string) => sent.push(text),
      },
    }
    connections.begin(request, reply as unknown as FastifyReply, pace)
    return { raw, reply, request, sent, state }
  }
  return { server, connections, connect, ask }
}

/** Lets the time pass in which bytes arrive, so many a second. */
function receive(socket: TestSocket, perSecond: number, seconds: number): void {
  for (let second = 0; second < seconds; second += 1) {
    socket.bytesRead += perSecond
    vi.advanceTimersByTime(1000)
  }
}

describe('a request that arrives', () => {
  test('too late is refused once, and its connection closed', () => {
    const { connect, ask } = watched()
    const socket = connect()
    const headers = { etag: 'x', 'content-encoding': 'gzip', 'x-request-id': 'r', none: undefined }
    const { sent, state } = ask(socket, 'short', headers)
    const clocks = vi.spyOn(globalThis, 'setTimeout')
    receive(socket, 1_000_000, 4)
    expect(sent).toEqual([])
    receive(socket, 1_000_000, 2)
    expect(sent).toStrictEqual([
      408,
      {
        'x-request-id': 'r',
        connection: 'close',
        'content-type': 'application/json; charset=utf-8',
        'content-length': 18,
      },
      '{"message":"late"}',
    ])
    expect(state).toEqual({ isHijacked: true, isResumed: true, isDestroyed: false })
    // they keep no process running
    expect(clocks.mock.results.map(({ value }) => (value as NodeJS.Timeout).hasRef())).toEqual([false])
    clocks.mockRestore()
    socket.destroySoon()
    expect([socket.writable, socket.destroyed]).toEqual([false, false])
    vi.advanceTimersByTime(2000)
    expect([socket.destroyed, state.isDestroyed, sent.length]).toEqual([true, true, 3])
  })

  test.for<[what: string, perSecond: number, pace: Pace, seconds: number, isRefused: boolean]>([
    ['a short one in time', 1, 'short', 4, false],
    ['a short one late', 1_000_000, 'short', 6, true],
    ['a long one at the least rate', 8192, 'long', 60, false],
    ['a long one below it', 8191, 'long', 6, true],
    ['a long one below it, before the first timeout', 1, 'long', 4, false],
    ['a long one for thirty timeouts', 1_000_000, 'long', 120, false],
    ['a long one for longer', 1_000_000, 'long', 122, true],
    ['a content at the least rate', 1024, 'content', 300, false],
    ['a content below it', 1023, 'content', 12, true],
    ['a content below it, before the first period ends', 1, 'content', 10, false],
  ])('%s: %d bytes a second, %s, for %d s: refused %s', ([, perSecond, pace, seconds, isRefused]) => {
    const { connect, ask } = watched()
    const socket = connect()
    // what came before does not count
    receive(socket, 1_000_000, 3)
    const { sent } = ask(socket, pace)
    receive(socket, perSecond, seconds)
    vi.advanceTimersByTime(1)
    expect(sent.length > 0).toBe(isRefused)
    expect(socket.destroyed).toBe(false)
  })

  test('as content has the rate of each period, not that of all together', () => {
    const { connect, ask } = watched()
    const socket = connect()
    const { sent } = ask(socket, 'content')
    receive(socket, 100_000, 12)
    expect(sent).toEqual([])
    receive(socket, 1, 24)
    expect(sent[0]).toBe(408)
  })

  test.for(['is complete', 'has an answer', 'has ended', 'was complete when it began'] as const)(
    'and %s is not refused',
    (what) => {
      const { connect, ask, connections } = watched()
      const socket = connect()
      socket.bytesRead = 10
      const { raw, reply, request, sent } = ask(socket, 'short')
      if (what === 'is complete') raw.complete = true
      if (what === 'has an answer') reply.answer = '{}'
      if (what === 'has ended') connections.end(request)
      if (what === 'was complete when it began') {
        connections.end(request)
        raw.complete = true
        connections.begin(request, reply as unknown as FastifyReply, 'short')
        raw.complete = false
      }
      receive(socket, 1, 8)
      expect(sent).toEqual([])
    },
  )

  test.for(['is complete', 'has ended', 'is followed by another'])(
    'and %s when the clock has found it late is not refused',
    (what) => {
      const { connect, ask, connections } = watched()
      const socket = connect()
      const { raw, request, sent } = ask(socket, 'short')
      vi.advanceTimersByTime(5000)
      if (what === 'is complete') raw.complete = true
      if (what === 'has ended') connections.end(request)
      const next = what === 'is followed by another' ? ask(socket, 'short') : undefined
      vi.advanceTimersByTime(1)
      expect([sent, next?.sent ?? []]).toEqual([[], []])
    },
  )

  test('after another is not ended by the end of that one', () => {
    const { connect, ask, connections } = watched()
    const socket = connect()
    const first = ask(socket, 'short')
    const second = ask(socket, 'short')
    connections.end(first.request)
    receive(socket, 1, 6)
    expect([first.sent.length, second.sent.length]).toEqual([0, 3])
  })
})

describe('a connection', () => {
  test('without traffic is closed after the idle timeout', () => {
    const { connect } = watched()
    const [idle, used] = [connect(), connect()]
    vi.advanceTimersByTime(8000)
    used.bytesWritten += 1
    used.bytesRead += 1
    vi.advanceTimersByTime(2000)
    expect([idle.destroyed, used.destroyed]).toEqual([false, false])
    vi.advanceTimersByTime(1000)
    expect([idle.destroyed, used.destroyed]).toEqual([true, false])
    expect(reasonOf(idle)).toBe('idle')
    vi.advanceTimersByTime(8000)
    expect(used.destroyed).toBe(false)
    vi.advanceTimersByTime(1000)
    expect(used.destroyed).toBe(true)
  })

  test('that waits for an answer is not idle, unless the client is to read or send', () => {
    const { connect } = watched()
    const [waits, reads, sends] = [connect(), connect(), connect()]
    for (const socket of [waits, reads]) socket[CURRENT] = { req: { complete: true } }
    sends[CURRENT] = { req: { complete: false } }
    reads.writableLength = 5
    vi.advanceTimersByTime(12_000)
    expect([waits, reads, sends].map(({ destroyed }) => destroyed)).toEqual([false, true, true])
  })

  test.for([
    [100, false],
    [99, true],
  ] as const)('whose client reads %d bytes a second is closed: %s', ([perSecond, isClosed]) => {
    const { connect } = watched()
    const [slow, other] = [connect(), connect()]
    for (let second = 0; second < 40; second += 1) {
      for (const socket of [slow, other]) {
        if (!socket.destroyed) socket.bytesWritten += perSecond
        socket.writableLength = 1000
      }
      // its client takes everything from time to time
      if (second % 9 === 0) other.writableLength = 0
      vi.advanceTimersByTime(1000)
    }
    expect([slow.destroyed, reasonOf(slow)]).toEqual([isClosed, isClosed ? 'slow' : 'client'])
    expect(other.destroyed).toBe(false)
  })

  test.for<[what: string, written: number, waiting: number, isClosed: readonly boolean[]]>([
    ['reads little of much', 1000, 950, [false, true, true]],
    ['reads enough of it', 1000, 900, [false, false, false]],
    ['reads little after much', 0, 0, [false, false, true]],
  ])('whose client %s is closed after the idle timeout', ([, written, waiting, isClosed]) => {
    const { connect } = watched()
    const socket = connect()
    const states = [11, 1, 12].map((seconds, at) => {
      for (let second = 0; second < seconds; second += 1) {
        socket.bytesWritten += written === 0 ? (at < 2 ? 1000 : 1) : written
        socket.writableLength += waiting === 0 ? 1 : waiting
        vi.advanceTimersByTime(1000)
      }
      return socket.destroyed
    })
    expect(states).toEqual(isClosed)
  })

  test('with TLS is watched where it is encrypted', () => {
    const { connect } = watched({ isEncrypted: true })
    const [inner, outer] = [connect(), connect('connection')]
    vi.advanceTimersByTime(12_000)
    expect([inner.destroyed, outer.destroyed]).toEqual([true, false])
  })

  test.for<[limits: typeof LIMITS, ms: number]>([
    [{ ...LIMITS, requestTimeout: 1000 }, 1501],
    [{ ...LIMITS, idleTimeout: 400 }, 600],
  ])('is looked at twice in the shortest timeout: %j', ([limits, ms]) => {
    const { connect, ask } = watched({ limits })
    const socket = connect()
    const { sent } = ask(socket, 'short')
    const isEnded = [ms - 2, 2].map((more) => {
      vi.advanceTimersByTime(more)
      return socket.destroyed || sent.length > 0
    })
    expect(isEnded).toEqual([false, true])
  })

  test('is not looked at after the end', () => {
    const { connect, connections } = watched()
    const socket = connect()
    connections.close()
    vi.advanceTimersByTime(20_000)
    expect(socket.destroyed).toBe(false)
  })
})

/** Reason of an answer that broke off on this connection. */
function reasonOf(socket: TestSocket) {
  return breakReason({ req: { socket }, writableFinished: false } as unknown as ServerResponse)
}

describe('the load', () => {
  test('is what is connected, and what is not answered', () => {
    const server = new EventEmitter()
    const counter = countLoad(server as unknown as Server)
    const [one, other] = [new TestSocket(), new TestSocket()]
    for (const socket of [one, other]) server.emit('connection', socket)
    /** Begins a request on the connection. */
    function ask(socket: TestSocket): EventEmitter {
      const response = Object.assign(new EventEmitter(), { req: { socket } })
      counter.begin(response as unknown as ServerResponse)
      return response
    }
    expect(counter.load()).toEqual({ connections: 2, requests: 0 })
    const answers = [ask(one), ask(one), ask(one), ask(other)]
    expect(counter.load()).toEqual({ connections: 2, requests: 4 })
    answers[0]?.emit('close')
    expect(counter.load()).toEqual({ connections: 2, requests: 3 })
    // those that wait for an earlier answer end with their connection, once
    one.destroy()
    expect(counter.load()).toEqual({ connections: 1, requests: 1 })
    answers[1]?.emit('close')
    expect(counter.load()).toEqual({ connections: 1, requests: 1 })
    other.destroy()
    expect(counter.load()).toEqual({ connections: 0, requests: 0 })
    answers[3]?.emit('close')
    expect(counter.load()).toEqual({ connections: 0, requests: 0 })
  })
})

describe('what cannot be read', () => {
  test('is answered at once where nothing is being answered, and once', () => {
    const socket = new TestSocket()
    const answers: number[] = []
    answerUnreadable(asSocket(socket), () => answers.push(1))
    answerUnreadable(asSocket(socket), () => answers.push(2))
    expect(answers).toEqual([1])
  })

  test('is answered at once behind a body that cannot be read', () => {
    const socket = new TestSocket()
    socket[CURRENT] = Object.assign(new EventEmitter(), { req: { complete: false } })
    const answers: number[] = []
    answerUnreadable(asSocket(socket), () => answers.push(1))
    expect(answers).toEqual([1])
  })

  test.for([true, false])('waits for the earlier answers; the client is still there: %s', (isThere) => {
    const socket = new TestSocket()
    const before = [1, 2].map(() => Object.assign(new EventEmitter(), { req: { complete: true } }))
    const answers: number[] = []
    socket[CURRENT] = before[0]
    answerUnreadable(asSocket(socket), () => answers.push(1))
    socket[CURRENT] = before[1]
    before[0]?.emit('close')
    vi.advanceTimersByTime(1)
    expect(answers).toEqual([])
    socket[CURRENT] = null
    socket.writable = isThere
    before[1]?.emit('close')
    vi.advanceTimersByTime(1)
    expect(answers).toEqual(isThere ? [1] : [])
  })
})

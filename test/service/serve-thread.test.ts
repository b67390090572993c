/** What a thread says to its parent: its data, each answer piece by piece, and what went wrong. */
import { MessageChannel } from 'node:worker_threads'
import { afterEach, expect, test } from 'vitest'
import { HlaError } from '../../src/errors.ts'
import {
  type FromThread,
  type PiecedAnswer,
  serveThread,
  type ToThread,
} from '../../src/service/threads/serve-thread.ts'

const ends: (() => void)[] = []
afterEach(() => ends.splice(0).forEach((end) => end()))

/** A thread that answers so; `say` resolves with its next message, undefined if none comes. */
function opened(answer: (request: unknown) => Promise<PiecedAnswer>) {
  const { port1, port2 } = new MessageChannel()
  const heard: FromThread[] = []
  const waiting: ((message: FromThread) => void)[] = []
  port2.on('message', (message: FromThread) => {
    const next = waiting.shift()
    if (next === undefined) heard.push(message)
    else next(message)
  })
  ends.push(() => port2.close())
  serveThread(port1, '3.58.0+x', answer)
  const next = () => {
    const first = heard.shift()
    return first === undefined
      ? new Promise<FromThread>((told) => waiting.push(told))
      : Promise.resolve(first)
  }
  const say = (message: ToThread) => port2.postMessage(message)
  return { next, say, ask: (message: ToThread) => (say(message), next()) }
}

const text = (message: FromThread) =>
  message.kind === 'piece' && message.bytes !== undefined ? Buffer.from(message.bytes).toString() : message

test('an answer has a head, and pieces until there are no more', async () => {
  const asked: unknown[] = []
  const { next, ask } = opened((request) => {
    asked.push(request)
    const body = (async function* () {
      yield await Promise.resolve('é')
      yield new Uint8Array([65, 66])
    })()
    return Promise.resolve({ status: 200, notes: 'none', body })
  })
  expect(await next()).toEqual({ kind: 'data', dataId: '3.58.0+x' })
  expect(await ask({ kind: 'next' })).toEqual({ kind: 'piece', bytes: undefined })
  for (const request of [{ a: 1 }, 'b']) {
    expect(await ask({ kind: 'begin', request })).toEqual({
      kind: 'begun',
      head: { status: 200, notes: 'none' },
    })
    expect(text(await ask({ kind: 'next' }))).toBe('é')
    expect(text(await ask({ kind: 'next' }))).toBe('AB')
    for (let time = 0; time < 2; time += 1)
      expect(await ask({ kind: 'next' })).toEqual({ kind: 'piece', bytes: undefined })
  }
  expect(asked).toEqual([{ a: 1 }, 'b'])
})

test('an answer that is ended is not made any further', async () => {
  const made: string[] = []
  const { next, say, ask } = opened(() => {
    const body = (async function* () {
      try {
        yield await Promise.resolve('one')
        yield 'two'
      } finally {
        made.push('ended')
      }
    })()
    return Promise.resolve({ body })
  })
  await next()
  expect(await ask({ kind: 'begin', request: undefined })).toEqual({ kind: 'begun', head: {} })
  expect(text(await ask({ kind: 'next' }))).toBe('one')
  say({ kind: 'end' })
  // the end itself is not answered
  expect(await ask({ kind: 'next' })).toEqual({ kind: 'piece', bytes: undefined })
  expect(made).toEqual(['ended'])
  say({ kind: 'end' })
  expect(await ask({ kind: 'begin', request: undefined })).toEqual({ kind: 'begun', head: {} })
})

test('an error of the question is told with all its members, a bug with its place', async () => {
  const bug = new TypeError('a bug')
  const errors: unknown[] = [
    new HlaError('bad-syntax', 'odd', { offending: 'A', position: [0, 1] }),
    bug,
    'a text',
  ]
  const { next, ask } = opened(() => Promise.reject(errors.shift()))
  await next()
  const begin = { kind: 'begin', request: undefined } as const
  expect(await ask(begin)).toMatchObject({
    kind: 'refused',
    record: { code: 'bad-syntax', message: 'odd', offending: 'A', position: [0, 1] },
  })
  expect(await ask(begin)).toEqual({ kind: 'failed', stack: bug.stack })
  expect(await ask(begin)).toEqual({ kind: 'failed', stack: '' })
})

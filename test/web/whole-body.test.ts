/** The body of a request as one piece: its limit, what it is read to, and what breaks it. */
import { PassThrough } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import { wholeBody } from '../../src/web/whole-body.ts'

const LIMIT = 8
const TOO_LARGE = { message: 'the body is too large', code: 'FST_ERR_CTP_BODY_TOO_LARGE', statusCode: 413 }

/** Begins to read a body; `done` has each outcome. */
function begin(headers: Readonly<Record<string, string>> = {}, parse = String) {
  const done: unknown[] = []
  const payload = new PassThrough()
  const request = { headers, routeOptions: { bodyLimit: LIMIT } }
  wholeBody((bytes) => parse(bytes.toString()))(
    request as unknown as FastifyRequest, // the members that are read
    payload,
    (error, body) => void done.push(error ?? body),
  )
  const listeners = () => ['data', 'end', 'error'].map((event) => payload.listenerCount(event))
  return { done, payload, listeners }
}

/** Listeners of a stream without a reader. */
const NONE = ['data', 'end', 'error'].map((event) => new PassThrough().listenerCount(event))

const turn = () => new Promise((over) => setImmediate(over))

test('a body is as long as the limit, in pieces, and not listened to any more', async () => {
  const { done, payload, listeners } = begin({ 'content-length': `${LIMIT}` })
  for (const piece of ['ab', 'cdef', 'gh']) payload.write(piece)
  await turn()
  expect(done).toEqual([])
  payload.end()
  await turn()
  expect(done).toEqual(['abcdefgh'])
  expect(listeners()).toEqual(NONE)
})

test('a body that says that it is longer is not read', async () => {
  const { done, payload, listeners } = begin({ 'content-length': `${LIMIT + 1}` })
  expect(done).toMatchObject([TOO_LARGE])
  expect(listeners()[0]).toBe(0)
  payload.end('a')
  await turn()
  expect(done).toHaveLength(1)
})

test('a body that becomes longer is refused once, and not listened to any more', async () => {
  const { done, payload, listeners } = begin()
  for (const piece of ['abcdefgh', 'i']) payload.write(piece)
  await turn()
  expect(done).toMatchObject([TOO_LARGE])
  expect(listeners()).toEqual(NONE)
  payload.end('j')
  await turn()
  expect(done).toHaveLength(1)
})

test('a connection that breaks is no fault of the service', () => {
  const { done, payload } = begin()
  payload.emit('error', new Error('aborted'))
  payload.emit('end')
  expect(done).toMatchObject([{ message: 'aborted', statusCode: 400 }])
})

test('a body that cannot be parsed is refused with the reason', async () => {
  const { done, payload } = begin({}, JSON.parse as typeof String)
  payload.end('{')
  await turn()
  expect(done).toEqual([expect.any(SyntaxError)])
})

test('the body is parsed in the step that is run', async () => {
  const steps: (() => void)[] = []
  const done: unknown[] = []
  const payload = new PassThrough()
  const request = { headers: {}, routeOptions: { bodyLimit: LIMIT } } as unknown as FastifyRequest
  const run = (of: FastifyRequest, step: () => void) => {
    expect(of).toBe(request)
    steps.push(step)
  }
  wholeBody((bytes) => bytes.length, run)(request, payload, (error, body) => void done.push([error, body]))
  payload.end('abc')
  await turn()
  expect([done, steps.length]).toEqual([[], 1])
  steps[0]?.()
  expect(done).toEqual([[null, 3]])
})

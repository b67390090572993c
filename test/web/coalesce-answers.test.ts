/** Requests of one turn of the event loop are all read before their first answer is sent. */
import { Readable } from 'node:stream'
import fastify from 'fastify'
import { expect, test } from 'vitest'
import { isAnswered, coalesceAnswers } from '../../src/web/coalesce-answers.ts'

test('all that was asked in one turn is read before the first answer leaves', async () => {
  const app = fastify()
  coalesceAnswers(app, () => false)
  const happened: string[] = []
  app.addHook('onResponse', (request, _reply, done) => {
    happened.push(`sent ${request.url}`)
    done()
  })
  app.get('/:name', (request, reply) => {
    happened.push(`read ${request.url}`)
    return reply.send({ url: request.url })
  })
  const asked = ['/a', '/b', '/c']
  const answers = await Promise.all(asked.map((url) => app.inject({ url })))
  expect(answers.map((answer): unknown => answer.json())).toEqual(asked.map((url) => ({ url })))
  expect(happened).toEqual([...asked.map((url) => `read ${url}`), ...asked.map((url) => `sent ${url}`)])
  await app.close()
})

test('the first answer to a request is its answer, as it was', async () => {
  const app = fastify()
  coalesceAnswers(app, () => false)
  app.get('/', (_request, reply) => {
    reply.code(202).send({ answer: 1 })
    expect(isAnswered(reply)).toBe(true)
    reply.code(500).send({ answer: 2 })
  })
  const answer = await app.inject({ url: '/' })
  expect([answer.statusCode, answer.json<unknown>()]).toEqual([202, { answer: 1 }])
  await app.close()
})

test('a stream that comes second is closed', async () => {
  const app = fastify()
  coalesceAnswers(app, () => false)
  const second = Readable.from(['second'])
  app.get('/', (_request, reply) => {
    reply.send('first')
    reply.send(second)
  })
  const answer = await app.inject({ url: '/' })
  expect([answer.body, second.destroyed]).toEqual(['first', true])
  await app.close()
})

test.for([
  ['text', (): string => 'waiting'],
  ['stream', (): Readable => Readable.from(['waiting'])],
] as const)(
  'what was answered otherwise while its answer waited, a %s, keeps that answer',
  async ([, make]) => {
    const lines: string[] = []
    const app = fastify({ logger: { level: 'error', stream: { write: (line) => void lines.push(line) } } })
    coalesceAnswers(app, () => false)
    const waiting = make()
    app.get('/', (_request, reply) => {
      reply.send(waiting)
      reply.hijack()
      reply.raw.end('refused')
    })
    const answer = await app.inject({ url: '/' })
    await new Promise((turn) => setImmediate(turn))
    expect([answer.body, lines]).toEqual(['refused', []])
    if (waiting instanceof Readable) expect(waiting.destroyed).toBe(true)
    await app.close()
  },
)

test('a stream that fails before its first byte is answered by its error', async () => {
  const app = fastify()
  coalesceAnswers(app, () => false)
  app.get('/', (_request, reply) =>
    reply.send(
      new Readable({
        read: (): never => {
          throw new Error('no such content')
        },
      }),
    ),
  )
  const answer = await app.inject({ url: '/' })
  expect(answer.statusCode).toBe(500)
  await app.close()
})

test('an answer that cannot be written ends its connection, not the process, and is logged', async () => {
  const lines: string[] = []
  const app = fastify({ logger: { level: 'error', stream: { write: (line) => void lines.push(line) } } })
  coalesceAnswers(app, () => false)
  app.get('/', (_request, reply) => reply.header('x-name', 'a\nb').send('text'))
  app.get('/next', (_request, reply) => reply.send('next'))
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  await expect(fetch(url)).rejects.toThrow('fetch failed')
  expect(await (await fetch(`${url}/next`)).text()).toBe('next')
  expect(lines.map((line): unknown => JSON.parse(line))).toMatchObject([
    { msg: 'an answer could not be written', err: { code: 'ERR_INVALID_CHAR' } },
  ])
  await app.close()
})

test.for([true, false])('the last answer of a connection closes it: %s', async (isLast) => {
  const app = fastify()
  coalesceAnswers(app, () => isLast)
  app.get('/', () => 'answer')
  const { body, headers } = await app.inject('/')
  expect([body, headers['connection'] === 'close']).toEqual(['answer', isLast])
})

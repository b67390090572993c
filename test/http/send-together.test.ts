/** Answers of one turn of the event loop. */
import fastify from 'fastify'
import { expect, test } from 'vitest'
import { sendTogether } from '../../src/http/send-together.ts'

test('all that was asked in one turn is read before the first answer leaves', async () => {
  const app = fastify()
  sendTogether(app)
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

/** Clients that leave at any moment: no error in the log, nothing left behind, and others are answered. */
import { connect, type AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { serviceThread } from '../../src/cli/run/serve/service-thread.ts'
import { makeKnowledge } from '../../src/operations/knowledge.ts'
import { openStarter } from '../../src/reference/starter/open-starter.ts'
import { openService } from '../../src/service/service.ts'
import { randomNumbers } from '../support/random-numbers.ts'
import { rounds } from '../support/rounds.ts'

const TABLE = `ID,A_1,A_2\n${'1,01:01,02:01\n'.repeat(3000)}`
const LINE = `${JSON.stringify({ op: 'redux', gl_string: 'A*01:01+A*02:01', reduction_method: 'lgx' })}\n`
const LARGE = JSON.stringify({ gl_string: Array(2000).fill('A*01:01').join('/') })
const LARGE_LINE = `{"op":"validate",${LARGE.slice(1)}\n`

function post(path: string, body: string, missing = 0): string {
  return `POST ${path} HTTP/1.1\r\nhost: a\r\ncontent-length: ${body.length + missing}\r\n\r\n${body}`
}

const REQUESTS = [
  post('/redux', '{"gl_string":"A*01:01+A*02:01","reduction_method":"lgx"}'),
  post('/redux', '{"gl_string":"A*01:01"', 30),
  post('/validate', LARGE),
  post('/batch', LINE.repeat(400)),
  post('/batch', LINE.repeat(400), 100),
  post('/batch', LARGE_LINE.repeat(5)),
  post('/table?name=a.csv', TABLE),
  post('/table?name=a.csv', TABLE, 10),
  'GET /version HTTP/1.1\r\nhost: a\r\n\r\n'.repeat(50),
  'GET / HTTP/1.1\r\nhost: a\r\n\r\nGET /openapi.json HTTP/1.1\r\nhost: a\r\n\r\n',
]

test('clients that leave are no errors, and the next client is answered', async () => {
  const lines: string[] = []
  const log = { stream: { write: (line: string) => void lines.push(line) }, access: true, inputs: false }
  const thread = serviceThread({ release: 'starter', maxAlleles: 5000 })
  const service = openService(makeKnowledge(openStarter()), { log, thread })
  await service.app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = service.app.server.address() as AddressInfo // a TCP server's address is an object
  const random = randomNumbers(Number(process.env['HLA_TEST_SEED'] ?? Date.now() % 1_000_000))
  const leave = async (text: string) => {
    await setTimeout(random() * 1000)
    const socket = connect(port, '127.0.0.1').on('error', () => undefined)
    socket.write(text)
    await setTimeout(random() < 0.3 ? 0 : random() * 100)
    if (random() < 0.3) socket.resetAndDestroy()
    else socket.destroy()
  }
  for (let round = 0; round < rounds(100); round += 1) await Promise.all(REQUESTS.map(leave))
  const url = `http://127.0.0.1:${port}`
  const answer = await fetch(`${url}/table?name=a.csv`, { method: 'POST', body: TABLE })
  expect(await answer.text()).toContain('name="summary"')
  const metrics = async () => (await fetch(`${url}/metrics`)).text()
  await expect.poll(metrics, { timeout: 30_000 }).toContain('hla_requests_in_flight{worker="0"} 1\n')
  expect(await metrics()).toContain('hla_tables_converting{worker="0"} 0\n')
  await service.drain({ delay: 0, patience: 0 })
  expect(lines.filter((line) => !line.includes('"level":30'))).toEqual([])
})

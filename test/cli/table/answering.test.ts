/** Tables answered by a service with only the contract's methods: no batches, no codes, no loci. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { mkdirSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Executor, localExecutor } from '../../../src/operations/executor.ts'
import { makeKnowledge } from '../../../src/operations/knowledge.ts'
import { openStarter } from '../../../src/reference/starter/open-starter.ts'
import { type FileServer, serve } from '../../support/file-server.ts'
import { callHla } from '../../support/call-hla.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()

/** `POST /redux` and `/validate` as the contract defines them. */
async function answer(
  executor: Executor,
  incoming: IncomingMessage,
  response: ServerResponse,
  asked: string[],
) {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  const path = incoming.url ?? ''
  asked.push(path)
  const send = (status: number, body: object) => {
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(body))
  }
  if (path === '/version') return send(200, { ipd_version: 3580, pyard_version: '2.3.1' })
  const body: unknown = JSON.parse(Buffer.concat(chunks).toString())
  try {
    // the outputs of these two operations
    const output = executor.execute(path.slice(1), body) as Record<string, unknown>
    if (path === '/redux') return send(200, { ard: output['ard'] })
    return output['valid'] === true ? send(200, { valid: true }) : send(404, { valid: false, message: 'no' })
  } catch {
    return send(400, { message: 'no' })
  }
}

describe('a service that knows the contract alone', () => {
  const asked: string[] = []
  let server: FileServer

  beforeAll(async () => {
    const executor = localExecutor(makeKnowledge(openStarter()))
    server = await serve((incoming, response) => void answer(executor, incoming, response, asked))
    mkdirSync(temp('run'))
  })
  afterAll(() => server.close())

  const TABLE = 'id,A_1,A_2,note\n1,01:01:01:01,02:01,"a, b"\n2,NNNN,02:01,\n3,24:02,,\n'

  test('converts tables with single requests, one for each distinct typing', async () => {
    const cwd = temp('run')
    const here = await callHla(['redux', '-d', ',', '-r', 'starter'], { cwd, stdin: TABLE })
    const url = server.url.replace(/\/$/, '')
    const there = await callHla(['redux', '-d', ',', '--remote', url], { cwd, stdin: TABLE })
    expect(there).toEqual(here)
    expect(here.status).toBe(0)
    expect(asked.filter((path) => path === '/redux')).toHaveLength(3)
  })

  test('asks whether antigens and first fields are known', async () => {
    const stdin = 'C_1,C_2\n7,12\n1,7\n'
    const args = ['redux', '-d', ',', '--plan', '--remote', server.url.replace(/\/$/, '')]
    const { stdout, status } = await callHla(args, { cwd: temp('run'), stdin })
    expect(status).toBe(0)
    expect(stdout).toMatch(/^C +C_1 C_2 +bare digits -> antigen/m)
    expect(asked).toContain('/validate')
  })

  test.for([
    [['lift', '--from', '3.29.0'], 'does not offer lift'],
    [['redux', '--from', '3.29.0'], 'does not support from for redux'],
  ] as const)('%s is refused at once', async ([args, message]) => {
    const url = server.url.replace(/\/$/, '')
    const ran = await callHla([...args, '-d', ',', '--remote', url], { cwd: temp('run'), stdin: TABLE })
    expect(ran.stderr).toContain(message)
    expect(ran).toMatchObject({ status: 2, stdout: '' })
  })
})

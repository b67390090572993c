/** Entry points of generic clients: the discovery document and batch requests. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { serveHere, type ServiceHere } from '../../support/service-here.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()
let drive: ServiceHere
beforeAll(async () => {
  drive = await serveHere(temp('store'))
})
afterAll(() => drive.stop())

describe('the discovery document', () => {
  test.for(['/discovery/v1/apis/drive/v2/rest', '/$discovery/rest?version=v2'])('%s', async (path) => {
    const reply = await drive.ask('GET', path, { token: undefined })
    expect(reply.status).toBe(200)
    expect(reply.json).toMatchObject({
      kind: 'discovery#restDescription',
      id: 'drive:v2',
      rootUrl: `${drive.url}/`,
      servicePath: 'drive/v2/',
      batchPath: 'batch/drive/v2',
    })
    expect(reply.headers.get('access-control-allow-origin')).toBe('*')
    const headers = { 'if-none-match': reply.headers.get('etag') ?? '' }
    expect((await drive.ask('GET', path, { token: undefined, headers })).status).toBe(304)
  })

  test('is listed', async () => {
    const { json } = await drive.ask('GET', '/discovery/v1/apis', { query: { name: 'drive' } })
    expect(json.items).toMatchObject([
      { id: 'drive:v2', discoveryRestUrl: `${drive.url}/discovery/v1/apis/drive/v2/rest` },
    ])
    expect((await drive.ask('GET', '/discovery/v1/apis', { query: { name: 'x' } })).json.items).toEqual([])
  })

  test.for(['/$discovery/rest', '/$discovery/rest?version=v3'])('%s: there is none', async (path) => {
    expect((await drive.ask('GET', path)).status).toBe(404)
  })
})

describe('a batch', () => {
  /** A part as Python's client writes it: bare line feeds, no credentials. */
  const part = (id: string, request: string) =>
    `--===b===\nContent-Type: application/http\nContent-ID: <uuid + ${id}>\n\n${request}\n`
  const batch = (parts: readonly string[], token: string | undefined = drive.token) =>
    drive.ask('POST', '/batch/drive/v2', {
      body: `${parts.join('')}--===b===--\n`,
      headers: { 'content-type': 'multipart/mixed; boundary="===b==="' },
      token,
    })
  const answers = (text: string) =>
    [...text.matchAll(/Content-ID: <([^>]*)>\r\n\r\nHTTP\/1.1 (\d+)[^]*?\r\n\r\n([^]*?)\r\n--/g)].map(
      ([, id, status, body]) => ({ id, status: Number(status), body: JSON.parse(body || '{}') }),
    )

  test('is answered part by part, in order', async () => {
    const { id } = (await drive.ask('POST', '/drive/v2/files', { body: { title: 'x' } })).json
    const insert = JSON.stringify({ title: 'made in a batch' })
    const reply = await batch([
      part('r0', `GET /drive/v2/files/${id}?alt=json HTTP/1.1\nAccept: application/json\n\n`),
      part('r1', 'GET /drive/v2/files/none? HTTP/1.1\n\n'),
      part('r2', `POST /drive/v2/files HTTP/1.1\nContent-Type: application/json\n\n${insert}`),
    ])
    expect(reply.status).toBe(200)
    expect(reply.headers.get('content-type')).toMatch(/^multipart\/mixed; boundary=/)
    expect(answers(reply.text)).toMatchObject([
      { id: 'response-uuid + r0', status: 200, body: { id, selfLink: `${drive.url}/drive/v2/files/${id}` } },
      { id: 'response-uuid + r1', status: 404, body: { error: { code: 404 } } },
      { id: 'response-uuid + r2', status: 200, body: { title: 'made in a batch' } },
    ])
  })

  test('a part may show credentials of its own, and must have some', async () => {
    const own = `GET /drive/v2/about HTTP/1.1\nAuthorization: Bearer ${drive.token}\n\n`
    const { text } = await batch([part('0', own), part('1', 'GET /drive/v2/about HTTP/1.1\n\n')], '')
    expect(answers(text).map(({ status }) => status)).toEqual([200, 401])
  })

  const FORM = 'Content-Type: application/x-www-form-urlencoded\nX-HTTP-Method-Override: GET'
  test.for([
    ['POST /upload/drive/v2/files?uploadType=media HTTP/1.1\nContent-Type: text/plain\n\nx'],
    ['POST /%75pload/drive/v2/files?uploadType=media HTTP/1.1\nContent-Type: text/plain\n\nx'],
    ['POST /resumable/upload/drive/v2/files HTTP/1.1\nContent-Type: text/plain\n\nx'],
    ['POST /batch HTTP/1.1\n\n'],
    ['POST /%62atch/drive/v2 HTTP/1.1\n\n'],
    ['GET /drive/v2/files/ID?alt=media HTTP/1.1\n\n'],
    ['GET /drive/v2/files/ID?alt=json&alt=media HTTP/1.1\n\n'],
    ['GET /drive/v2/files/ID?%61lt=media HTTP/1.1\n\n'],
    [`POST /drive/v2/files/ID HTTP/1.1\n${FORM}\n\nalt=media`],
    ['GET /drive/v2/files/ID/revisions/head?alt=media HTTP/1.1\n\n'],
  ] as const)('has no contents and no batches in it: %s', async ([request]) => {
    const query = { uploadType: 'media' }
    const made = await drive.ask('POST', '/upload/drive/v2/files', { body: 'the content', query })
    const { text } = await batch([part('0', request.replace('ID', made.json.id))])
    expect(answers(text)).toMatchObject([{ status: 400, body: { error: { code: 400 } } }])
  })

  test('a long one needs credentials of its own, before it is read', async () => {
    const long = part(
      '0',
      `GET /drive/v2/about HTTP/1.1\nAuthorization: Bearer ${drive.token}\n\n${'x'.repeat(70_000)}`,
    )
    expect((await batch([long])).status).toBe(200)
    expect((await batch([long], '')).status).toBe(401)
    const socket = connect(Number(new URL(drive.url).port), '127.0.0.1')
    // the service answers without reading the body
    socket.write('POST /batch HTTP/1.1\r\nHost: h\r\nContent-Length: 9000000\r\n\r\n')
    const [answer] = (await once(socket, 'data')) as [Buffer]
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 401 /)
    socket.destroy()
  })

  test('is sent part by part, and its client can leave', async () => {
    const request = `GET /drive/v2/files?maxResults=1 HTTP/1.1\n\n`
    const body = `${Array.from({ length: 100 }, (_, at) => part(String(at), request)).join('')}--===b===--\n`
    const response = await fetch(`${drive.url}/batch`, {
      method: 'POST',
      body,
      headers: {
        authorization: `Bearer ${drive.token}`,
        'content-type': 'multipart/mixed; boundary="===b==="',
      },
    })
    const reader = response.body?.getReader()
    const first = await reader?.read()
    expect(Buffer.from(first?.value ?? []).toString()).not.toContain('r99')
    await reader?.cancel()
    await expect
      .poll(async () => (await drive.ask('GET', '/metrics')).text, { timeout: 10_000 })
      .toMatch(/route="\/drive\/v2\/files",status="200"\} \d+/)
    const counted = Number(
      /method="GET",route="\/drive\/v2\/files",status="200"\} (\d+)/.exec(
        (await drive.ask('GET', '/metrics')).text,
      )?.[1],
    )
    expect(counted).toBeLessThan(100)
  })

  test('of more than 100 parts is refused', async () => {
    const reply = await batch(Array.from({ length: 101 }, (_, at) => part(String(at), 'GET / HTTP/1.1\n\n')))
    expect(reply.status).toBe(400)
  })

  test('a client cannot pretend to be part of a batch', async () => {
    const { json } = await drive.ask('GET', '/drive/v2/about', {
      headers: { 'x-hla-inner-request': 'guess https://evil.example' },
    })
    expect(json.selfLink.startsWith(drive.url)).toBe(true)
  })
})

/** What a batch cannot hold, and how long it may be without credentials. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { quickHash, serveHere, type ServiceHere } from '../../support/service-here.ts'
import { command, OPERATOR } from '../../../src/drive/domain/commands.ts'
import { beginRequest, replyTo } from '../../support/raw-request.ts'
import { PASSWORD } from '../../support/sign-in.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()
let drive: ServiceHere
/** Id of a file. */
let id = ''
beforeAll(async () => {
  const openId = { issuer: 'http://127.0.0.1:1', clientId: 'files', clientSecret: undefined, name: 'x', createsUsers: false } // prettier-ignore
  drive = await serveHere(temp('store'), { openId })
  const password = { email: 'owner@localhost', hash: quickHash(PASSWORD) }
  await command(drive.store, 'setPassword', OPERATOR, password)
  const query = { uploadType: 'media' }
  id = (await drive.ask('POST', '/upload/drive/v2/files', { body: 'the content', query })).json.id
})
afterAll(() => drive.stop())

const bodyOf = (request: string) =>
  `--b\nContent-Type: application/http\n\n${request.replace('\n', ' HTTP/1.1\n')}\n--b--\n`
const HEADERS = { 'content-type': 'multipart/mixed; boundary=b' }
/** Status and message of the only part. */
const answerOf = (text: string) => {
  const [, status, body = ''] = /HTTP\/1.1 (\d+)[^]*?\r\n\r\n([^]*?)\r\n--/.exec(text) ?? []
  return [Number(status), (JSON.parse(body || '{}') as { error?: { message: string } }).error?.message]
}
const FORM = 'Content-Type: application/x-www-form-urlencoded'
const JSON_BODY = 'Content-Type: application/json'

test.for([
  'POST /upload/drive/v2/files?uploadType=media\nContent-Type: text/plain\n\nx',
  'POST /batch\nContent-Type: multipart/mixed; boundary=c\n\n--c--',
  'GET /drive/v2/files/ID?alt=media\n\n',
  'GET /drive/v2/files/ID/export?mimeType=text/csv\n\n',
  `POST /token\n${FORM}\n\ngrant_type=refresh_token&refresh_token=x`,
  `POST /device/code\n${FORM}\n\nclient_id=hla&scope=drive`,
  `POST /sign-in\n${FORM}\nX-Hla-Page: 1\n\nemail=owner@localhost&password=${PASSWORD}`,
  'GET /sign-in/openid\n\n',
  'GET /sign-in/openid/back?code=x\n\n',
  `POST /links\n${JSON_BODY}\n\n{"file":"ID"}`,
  'POST /drive/typings/v1/check\nContent-Type: text/csv\n\nid,A\n1,A*01',
  'GET /drive/admin/v1/users\n\n',
])('a batch holds no %s', async (request) => {
  const body = bodyOf(request.replace('ID', id))
  const { text } = await drive.ask('POST', '/batch/drive/v2', { body, headers: HEADERS })
  expect(answerOf(text)).toEqual([400, 'Uploads, downloads and batches cannot be part of a batch.'])
})

describe('a batch without credentials of its own', () => {
  const own = () => bodyOf(`GET /drive/v2/about\nAuthorization: Bearer ${drive.token}\n\n`)
  const REFUSED =
    'A batch of more than 65536 bytes needs credentials in its own headers, not only in its parts.'

  test('has up to 64 KiB', async () => {
    const send = (length: number, token?: string) =>
      drive.ask('POST', '/batch', { body: own().padEnd(length, '\n'), headers: HEADERS, token })
    expect(answerOf((await send(65_536)).text)).toEqual([200, undefined])
    const { status, json } = await send(65_537)
    expect([status, json.error.message]).toEqual([401, REFUSED])
    expect(answerOf((await send(65_537, drive.token)).text)).toEqual([200, undefined])
  })

  test('has a length', async () => {
    const asked = beginRequest({ ...drive, token: '' }, 'POST', '/batch', {
      ...HEADERS,
      'transfer-encoding': 'chunked',
    })
    asked.end(own())
    const { status, text } = await replyTo(asked)
    expect([status, JSON.parse(text).error.message]).toEqual([401, REFUSED])
  })
})

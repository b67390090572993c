import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isStorageFailure } from '../../../src/drive/contract/failure.ts'
import { batchFormat, type BatchRequest, readBatch } from '../../../src/drive/protocol/bodies/batch.ts'
import { parseMediaType } from '../../../src/drive/protocol/bodies/multipart-upload.ts'

async function* chunksOf(text: string, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < text.length; at += size) yield Buffer.from(text.slice(at, at + size), 'latin1')
}

async function read(text: string, boundary = 'b', size = 1000): Promise<BatchRequest[]> {
  return readBatch(chunksOf(text, size), boundary, 100)
}

const PYTHON = `--===============1==
Content-Type: application/http
MIME-Version: 1.0
Content-Transfer-Encoding: binary
Content-ID: <0c1b2f0e-51ae-4d4e-8c1a-3e3b6d1b8a7c + r0>

GET /drive/v2/files/ID?alt=json HTTP/1.1
Content-Type: application/json
MIME-Version: 1.0
accept: application/json
user-agent: (gzip)
Host: 127.0.0.1:8080


--===============1==
Content-Type: application/http
MIME-Version: 1.0
Content-Transfer-Encoding: binary
Content-ID: <0c1b2f0e-51ae-4d4e-8c1a-3e3b6d1b8a7c + r1>

PATCH /drive/v2/files/ID?alt=json HTTP/1.1
Content-Type: application/json
Content-Length: 14
Host: 127.0.0.1:8080

{"title": "x"}

--===============1==--
`

const RUBY = [
  '--RubyApiBatchRequest',
  'Content-Length: 120',
  'Content-Type: application/http',
  'Content-Id: <e7a2+0>',
  'Content-Transfer-Encoding: binary',
  '',
  'GET /drive/v2/files/ID? HTTP/1.1',
  'Authorization: Bearer t',
  'Host: 127.0.0.1:8080',
  '',
  '',
  '--RubyApiBatchRequest--',
  '',
  '',
].join('\r\n')

describe('readBatch', () => {
  test('reads what Python sends', async () => {
    const [first, second] = await read(PYTHON, '===============1==')
    expect(first).toMatchObject({
      contentId: '0c1b2f0e-51ae-4d4e-8c1a-3e3b6d1b8a7c + r0',
      method: 'GET',
      target: '/drive/v2/files/ID?alt=json',
    })
    expect(first?.headers.get('accept')).toBe('application/json')
    expect(first?.body.toString().trim()).toBe('')
    expect(second).toMatchObject({ method: 'PATCH', contentId: '0c1b2f0e-51ae-4d4e-8c1a-3e3b6d1b8a7c + r1' })
    expect(second?.body.toString()).toBe('{"title": "x"}')
  })

  test('reads what Ruby sends', async () => {
    const [request] = await read(RUBY, 'RubyApiBatchRequest')
    expect(request).toMatchObject({ contentId: 'e7a2+0', method: 'GET', target: '/drive/v2/files/ID' })
    expect(request?.headers.get('authorization')).toBe('Bearer t')
    expect(request?.body.toString().trim()).toBe('')
  })

  test.for([
    ['GET http://example.test/drive/v2/about?x=1 HTTP/1.1', 'GET', '/drive/v2/about?x=1'],
    ['get /drive/v2/about HTTP/1.1', 'GET', '/drive/v2/about'],
    ['DELETE /drive/v2/files/a%2Fb', 'DELETE', '/drive/v2/files/a%2Fb'],
    ['\n\nPOST /drive/v2/files?a=b? HTTP/1.1', 'POST', '/drive/v2/files?a=b'],
    ['GET /drive/v2/about#top HTTP/1.1', 'GET', '/drive/v2/about'],
    ['GET HTTPS://Example.test/drive/v2/about HTTP/1.1', 'GET', '/drive/v2/about'],
    ['GET /drive/v2/about?u=http://a.example/ HTTP/1.1', 'GET', '/drive/v2/about?u=http://a.example/'],
    // the line ending of the part is a bare LF
    ['GET /drive/v2/about HTTP/1.1\r', 'GET', '/drive/v2/about'],
  ] as const)('%s is %s %s', async ([line, method, target]) => {
    expect(await read(`--b\n\n${line}\n--b--`)).toMatchObject([{ method, target, contentId: undefined }])
  })

  const NO_REQUEST = 'a part is not a request'
  const NO_PATH = 'a request of a part has no path'
  test.for([
    ['nothing', '--b\n\n\n--b--', NO_REQUEST],
    ['no request', '--b\n\nhello\n--b--', NO_REQUEST],
    ['text before the request', '--b\n\n1 GET /x HTTP/1.1\n--b--', NO_REQUEST],
    ['text behind the request', '--b\n\nGET /x HTTP/1.1 more\n--b--', NO_REQUEST],
    ['no blank behind the method', '--b\n\nGET/drive/v2/about HTTP/1.1\n--b--', NO_REQUEST],
    ['no host', '--b\n\nGET http:///drive/v2/about HTTP/1.1\n--b--', NO_PATH],
    ['no path', '--b\n\nGET drive/v2/about HTTP/1.1\n--b--', NO_PATH],
    ['no path behind the host', '--b\n\nGET http://example.test HTTP/1.1\n--b--', NO_PATH],
    ['101 parts', `${'--b\n\nGET / HTTP/1.1\n'.repeat(101)}--b--`, 'a batch has at most 100 parts'],
  ] as const)('refuses %s', async ([, text, why]) => {
    const message = `Malformed multipart body: ${why}`
    await expect(read(text)).rejects.toThrow(
      expect.objectContaining({ status: 400, reason: 'badContent', message }),
    )
  })

  test('takes parts of 10 MiB together', async () => {
    const [first, second] = ['POST /1 HTTP/1.1\n\n', 'POST /2 HTTP/1.1\n\n']
    const size = 5 * 2 ** 20 - first.length
    const long = (begin: string, more = 0) => `--b\n\n${begin}${'x'.repeat(size + more)}\n`
    const readAtOnce = (text: string) => read(text, 'b', text.length)
    const requests = await readAtOnce(`${long(first)}${long(second)}--b--`)
    expect(requests.map(({ target, body }) => [target, body.length])).toEqual([['/1', size], ['/2', size]]) // prettier-ignore
    await expect(readAtOnce(`${long(first)}${long(second, 1)}--b--`)).rejects.toThrow('the batch is too long')
  })

  test('reads a whole request', async () => {
    const lines = [
      'put\t /a?b=1#c HTTP/1.1',
      'A: 1',
      'nonsense',
      'x',
      ': y',
      'a: 2',
      'B:',
      'C: d: e',
      '',
      'one',
      '',
      'two',
    ]
    const head = 'Content-ID: <<id>>'
    for (const ending of ['\n', '\r\n'])
      expect(await read(['--b', head, '', ...lines, '--b--'].join(ending))).toEqual([
        {
          contentId: '<id>',
          method: 'PUT',
          target: '/a?b=1',
          headers: new Map([['a', '1'], ['b', ''], ['c', 'd: e']]), // prettier-ignore
          body: Buffer.from(['one', '', 'two'].join(ending)),
        },
      ])
  })

  test.for([
    ['<a>', 'a'],
    ['a', 'a'],
    ['<a', '<a'],
    ['a>', 'a>'],
    ['<>', ''],
    ['', ''],
    ['<caf\u00e9 ~!>', 'caf\u00e9 ~!'],
  ] as const)('the id %s is %s', async ([header, expected]) => {
    expect((await read(`--b\nContent-ID: ${header}\n\nGET / HTTP/1.1\n--b--`))[0]?.contentId).toBe(expected)
  })

  test.for([
    ['3', 'abc'],
    ['x3', 'abcdef'],
    ['3x', 'abcdef'],
    ['99', 'abcdef'],
  ] as const)('a part of the length %s has the body %s', async ([length, body]) => {
    const [request] = await read(`--b\n\nPOST / HTTP/1.1\nContent-Length: ${length}\n\nabcdef\n--b--`)
    expect(request?.body.toString().trim()).toBe(body)
  })

  test('reads headers with blanks around their names', async () => {
    const [request] = await read('--b\nContent-ID : <a>\n\nGET / HTTP/1.1\n Accept : a/b \n\n--b--')
    expect([request?.contentId, request?.headers.get('accept')]).toEqual(['a', 'a/b'])
  })

  test('takes 100 parts', async () => {
    expect(await read(`${'--b\n\nGET / HTTP/1.1\n'.repeat(100)}--b--`)).toHaveLength(100)
  })

  test('any text is read or refused', async () => {
    const piece = fc.constantFrom('--b', '\n', '\r\n', 'GET / HTTP/1.1', 'a: b', '<x>', 'Content-Id: ', ' ')
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 20 }), async (pieces) => {
        const failure = await read(`--b\n${pieces.join('')}\n--b--`).then(
          () => undefined,
          (error: unknown) => error,
        )
        return failure === undefined || isStorageFailure(failure)
      }),
    )
  })
})

describe('batchFormat', () => {
  test('answers with the ids as they were, in lines that end in CRLF', () => {
    const { contentType, part, end } = batchFormat()
    const body = [
      {
        contentId: 'u + r0',
        status: 200,
        reason: 'OK',
        headers: { 'Content-Type': 'application/json' },
        body: '{"ü":1}',
      },
      { contentId: undefined, status: 204, reason: 'No Content', headers: {}, body: '' },
    ]
      .map(part)
      .concat(end)
      .join('')
    const boundary = parseMediaType(contentType)?.parameters.get('boundary')
    expect(body.replaceAll(boundary!, 'b').split('\r\n')).toEqual([
      '--b',
      'Content-Type: application/http',
      'Content-ID: <response-u + r0>',
      '',
      'HTTP/1.1 200 OK',
      'Content-Type: application/json',
      'Content-Length: 8',
      '',
      '{"ü":1}',
      '--b',
      'Content-Type: application/http',
      '',
      'HTTP/1.1 204 No Content',
      'Content-Length: 0',
      '',
      '',
      '--b--',
      '',
    ])
  })

  test('an id cannot begin another header', async () => {
    const [request] = await read('--b\nContent-ID: <a\rX: 1\r\u0007>\n\nGET / HTTP/1.1\n--b--')
    expect(request?.contentId).toBe('aX: 1')
  })
})

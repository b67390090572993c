/** Single files at a web address: the requests, the bytes, and every word of a refusal. */
import type { RequestListener } from 'node:http'
import { afterEach, describe, expect, test } from 'vitest'
import { MAX_FILE_BYTES } from '../../src/reference/published/file-access.ts'
import { download, downloadStart, openUrl, refuseSlow } from '../../src/reference/published/url-files.ts'
import { type FileServer, serve } from '../support/file-server.ts'

const servers: FileServer[] = []
afterEach(() => Promise.all(servers.splice(0).map((server) => server.close())))

/** Address of a server; `asked` receives the method, path and range of each request. */
async function serving(answer: RequestListener, asked: string[] = []): Promise<string> {
  const server = await serve((request, response) => {
    asked.push([request.method, request.url, request.headers.range].filter(Boolean).join(' '))
    answer(request, response)
  })
  servers.push(server)
  return server.url
}

const OFFLINE =
  'without network access: copy the files here; give their folder, zip or tar.gz to hla data install --from, and the MAC list to hla data mac FILE or --mac'

describe('a file', () => {
  test('is read whole, or its first bytes', async () => {
    const asked: string[] = []
    const url = await serving((_, response) => {
      response.write('ab')
      setTimeout(() => response.write('cd'), 5)
      setTimeout(() => response.end('ef'), 10)
    }, asked)
    expect((await download(`${url}a.txt`)).toString()).toBe('abcdef')
    expect((await downloadStart(`${url}a.txt`, 3)).toString()).toBe('abc')
    expect((await downloadStart(`${url}a.txt`, 4)).toString()).toBe('abcd')
    expect((await downloadStart(`${url}a.txt`, 9)).toString()).toBe('abcdef')
    expect(asked).toEqual([
      'GET /a.txt',
      'GET /a.txt bytes=0-2',
      'GET /a.txt bytes=0-3',
      'GET /a.txt bytes=0-8',
    ])
  })

  test('that is empty has no first bytes', async () => {
    const url = await serving((_, response) => void response.writeHead(416).end('no such range'))
    expect((await downloadStart(`${url}a.txt`, 3)).toString()).toBe('')
  })

  test('below a folder is missing, there, or asked for by its first byte', async () => {
    const asked: string[] = []
    const statuses: Record<string, number> = { '/f/gone': 410, '/f/none': 404, '/f/there': 200, '/f/part': 206 }
    const url = await serving((request, response) => {
      const { url: path = '', method } = request
      response.writeHead(method === 'HEAD' && path === '/f/get' ? 405 : (statuses[path] ?? 200)).end(method === 'HEAD' ? undefined : 'xy')
    }, asked)
    for (const base of [`${url}f`, `${url}f/`]) {
      const files = await openUrl(base)
      expect(files).toMatchObject({ from: base, prefix: `${url}f/`, isRemote: true })
      expect(await Promise.all(['gone', 'none', 'there', 'get'].map((name) => files.has(name)))).toEqual([false, false, true, true])
      expect(await files.read('none')).toBeUndefined()
      expect((await files.read('there'))?.toString()).toBe('xy')
      expect((await files.readStart('part', 1))?.toString()).toBe('x')
      expect(await files.readStart('gone', 1)).toBeUndefined()
      await files.close()
    }
    expect(asked).toContain('GET /f/get bytes=0-0')
  }) // prettier-ignore
})

describe('a refusal', () => {
  test.for([404, 410])('of a missing file: %d', async (status) => {
    const url = await serving((_, response) => void response.writeHead(status).end())
    await expect(download(`${url}a`)).rejects.toMatchObject({
      code: 'not-found',
      message: `${url}a does not exist (404)`,
      offending: `${url}a`,
      hint: OFFLINE,
    })
    await expect(downloadStart(`${url}a`, 1)).rejects.toMatchObject({ code: 'not-found' })
  })

  test('of the server', async () => {
    const url = await serving((_, response) => void response.writeHead(403).end())
    const error = { code: 'remote', message: `${url}a answered 403`, offending: `${url}a`, hint: OFFLINE }
    await expect(download(`${url}a`)).rejects.toMatchObject(error)
    await expect(downloadStart(`${url}a`, 1)).rejects.toMatchObject(error)
  })

  test('of a file that says to be larger than any', async () => {
    const url = await serving((_, response) => {
      response.writeHead(200, { 'content-length': MAX_FILE_BYTES + 1 }).write('abc')
    })
    await expect(download(`${url}a`)).rejects.toMatchObject({
      code: 'bad-release-file',
      message: `${url}a is too large: given up after 3 bytes, since all files together exceed the size of a release`,
      offending: `${url}a`,
      hint: 'check the address',
    })
  })

  test('of a slow server, below 1024 bytes a second after half a minute', () => {
    for (const [bytes, milliseconds] of [[0, 29_999], [30_720, 30_000], [61_440, 60_000]] as const)
      expect(() => refuseSlow('http://slow/', bytes, milliseconds)).not.toThrow()
    for (const [bytes, milliseconds, seconds] of [[30_719, 30_000, 30], [61_439, 60_000, 60], [5, 31_499, 31]] as const)
      expect(() => refuseSlow('http://slow/', bytes, milliseconds)).toThrow(
        expect.objectContaining({ code: 'remote', message: `http://slow/ is too slow: ${bytes} bytes in ${seconds} s`, offending: 'http://slow/', hint: OFFLINE }),
      )
  }) // prettier-ignore

  test('of a server that breaks off within the first bytes, or where none are promised', async () => {
    const asked: string[] = []
    const url = await serving((_, response) => {
      response.writeHead(200, { 'transfer-encoding': 'chunked' }).write('half', () => response.destroy())
    }, asked)
    const error = {
      code: 'truncated-file',
      message: `${url}a was cut off after 4 bytes`,
      offending: `${url}a`,
      hint: `try again; ${OFFLINE}`,
      cause: expect.any(Error),
    }
    await Promise.all([
      expect(download(`${url}a`)).rejects.toMatchObject(error),
      expect(downloadStart(`${url}a`, 9)).rejects.toMatchObject(error),
    ])
    expect(asked).toHaveLength(6)
    expect((await downloadStart(`${url}a`, 4)).toString()).toBe('half')
  })

  test('comes after three attempts where another may succeed, and else at once', async () => {
    const asked: string[] = []
    const url = await serving((request, response) => void response.writeHead(Number(request.url?.slice(1))).end(), asked)
    const files = await openUrl(url)
    const attempts = { 304: 1, 401: 1, 429: 3, 499: 1, 500: 3, 503: 3 }
    const refused = async (status: string, call: Promise<unknown>) =>
      expect(call).rejects.toMatchObject({ code: 'remote', message: `${url}${status} answered ${status}`, offending: url + status, hint: OFFLINE })
    const calls = (status: string) => [download(url + status), files.read(status), files.readStart(status, 2), files.has(status)]
    await Promise.all(Object.keys(attempts).flatMap((status) => calls(status).map(async (call) => refused(status, call))))
    await files.close()
    const expected = Object.entries(attempts).flatMap(([status, times]) =>
      Array.from({ length: times }, () => [`GET /${status}`, `GET /${status}`, `GET /${status} bytes=0-1`, `HEAD /${status}`]).flat(),
    )
    expect(asked.sort()).toEqual(expected.sort())
  }) // prettier-ignore

  test('of a server that nobody runs says why, and what to do', async () => {
    const server = await serve((_, response) => void response.end())
    await server.close()
    await expect(download(`${server.url}a`)).rejects.toMatchObject({
      code: 'remote',
      message: expect.stringMatching(/^cannot reach http:\/\/\S+\/a: .+/),
      offending: `${server.url}a`,
      hint: OFFLINE,
      cause: expect.any(Error),
    })
  })

  test('of a server that breaks off, after three attempts', async () => {
    const asked: string[] = []
    const url = await serving((_, response) => {
      response.writeHead(200, { 'content-length': 9 }).write('half', () => response.destroy())
    }, asked)
    await expect(download(`${url}a`)).rejects.toMatchObject({
      code: 'truncated-file',
      message: `${url}a was cut off after 4 of 9 bytes`,
      offending: `${url}a`,
      hint: `try again; ${OFFLINE}`,
    })
    expect(asked).toHaveLength(3)
  })
})

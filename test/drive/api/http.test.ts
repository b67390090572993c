/** Common behaviour of all operations: credentials, errors, response forms (spec 1 to 3). */
import { connect } from 'node:net'
import { gunzipSync } from 'node:zlib'
import { request } from 'undici'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Drive, startDrive } from '../../support/drive.ts'

let drive: Drive
let id: string
beforeAll(async () => {
  drive = await startDrive()
  id = (await drive.ask('POST', '/drive/v2/files', { body: { title: 'a' } })).json.id
})

const FORM = 'application/x-www-form-urlencoded'
const file = () => `/drive/v2/files/${id}`

describe('credentials', () => {
  const about = (headers: Record<string, string>, query = {}) =>
    drive.ask('GET', '/drive/v2/about', { token: undefined, headers, query })

  test('are asked for', async () => {
    const { status, json, headers } = await about({})
    expect({ status, ...json.error.errors[0] }).toEqual({
      status: 401,
      domain: 'global',
      reason: 'required',
      message: 'Login Required',
      locationType: 'header',
      location: 'Authorization',
    })
    expect(headers.get('www-authenticate')).toBe('Bearer realm="hla drive"')
  })

  test.for([
    ['Bearer', 401],
    ['Bearer hla_unknown', 401],
    ['Basic T', 401],
    ['bearer T', 200],
    ['Bearer  T', 200],
  ] as const)('%s answers %i', async ([authorization, status]) => {
    expect((await about({ authorization: authorization.replace('T', drive.token) })).status).toBe(status)
  })

  test.for(['access_token', 'oauth_token'])(
    'may stand in the query as %s, but not in links',
    async (name) => {
      const { status, json } = await about({}, { [name]: drive.token, alt: 'json' })
      expect(status).toBe(200)
      expect(json.selfLink).toBe(`${drive.url}/drive/v2/about?alt=json`)
    },
  )

  test('are asked for before anything of the request is looked at', async () => {
    const reply = await drive.ask('POST', '/drive/v2/files', { token: undefined, body: '{' })
    expect(reply.status).toBe(401)
  })
})

describe('errors', () => {
  test.for([
    ['GET', '/nothing', 404, 'notFound'],
    ['GET', '/drive/v2/nothing', 404, 'notFound'],
    ['PATCH', '/drive/v2/about', 404, 'notFound'],
    ['GET', '/drive/v2/files/%zz', 400, 'badRequest'],
    ['GET', `/drive/v2/files/${'x'.repeat(300)}`, 404, 'notFound'],
    ['GET', '/drive/v2/files?maxResults=-1', 400, 'invalidParameter'],
    ['GET', '/drive/v2/files?supportsAllDrives=maybe', 400, 'invalidParameter'],
    ['GET', '/drive/v2/files?alt=proto', 400, 'invalidParameter'],
    ['GET', '/drive/v2/files?callback=f', 400, 'invalidParameter'],
    ['GET', '/drive/v2/files?includeItemsFromAllDrives=true', 400, 'badRequest'],
    ['GET', '/drive/v2/files?corpora=drive', 400, 'badRequest'],
    ['GET', '/drive/v2/files?driveId=x', 400, 'badRequest'],
    ['GET', '/drive/v2/files?corpora=drive&driveId=x&supportsAllDrives=true', 404, 'notFound'],
    ['GET', '/drive/v2/files?pageToken=x', 400, 'invalid'],
    ['GET', '/drive/v2/files?orderBy=size', 400, 'invalidParameter'],
    ['GET', '/drive/v2/files?spaces=mars', 400, 'invalidParameter'],
    ['GET', '/drive/v2/files?fields=items(', 400, 'invalidParameter'],
  ] as const)('%s %s answers %i %s', async ([method, path, status, reason]) => {
    const { json, ...reply } = await drive.ask(method, path)
    expect({ status: reply.status, code: json.error.code, reason: json.error.errors[0].reason }).toEqual({
      status,
      code: status,
      reason,
    })
    expect(reply.headers.get('content-type')).toBe('application/json; charset=UTF-8')
  })

  test('a body of more than a mebibyte is too large', async () => {
    const { status, json } = await drive.ask('POST', '/drive/v2/files', {
      body: { title: 'x'.repeat(1 << 20) },
    })
    expect({ status, code: json.error.code }).toEqual({ status: 413, code: 413 })
  })

  test.for([
    ['an array', '[]'],
    ['a text', '"x"'],
    ['half', '{"title":'],
    ['not UTF-8', new Uint8Array([0x22, 0xff, 0x22])],
  ] as const)('a body that is %s is a parse error', async ([, body]) => {
    const { json } = await drive.ask('PATCH', file(), { body })
    expect(json.error.errors[0].reason).toBe('parseError')
  })

  test('a request that is not HTTP gets an answer and nothing else', async () => {
    const { hostname, port } = new URL(drive.url)
    const socket = connect(Number(port), hostname)
    socket.end('nonsense\r\n\r\n')
    const pieces: Buffer[] = []
    for await (const piece of socket as AsyncIterable<Buffer>) pieces.push(piece)
    expect(Buffer.concat(pieces).toString()).toMatch(/^HTTP\/1\.1 400 [^]*\{"error":\{"errors":\[/)
  })
})

describe('bodies', () => {
  test.for(['', 'text/plain', 'application/json; charset=utf-8', 'application/vnd.x+json'])(
    'are JSON even as "%s"',
    async (type) => {
      const headers = type === '' ? {} : { 'content-type': type }
      const { json } = await drive.ask('PATCH', file(), {
        body: new TextEncoder().encode('{"title":"b"}'),
        headers,
      })
      expect(json.title).toBe('b')
    },
  )

  test('that are empty change nothing', async () => {
    const before = (await drive.ask('GET', file())).json
    const { json } = await drive.ask('PATCH', file(), { query: { updateViewedDate: false } })
    expect(json).toEqual(before)
  })

  test('that echo a resource change nothing but its date', async () => {
    const before = (await drive.ask('GET', file())).json
    const { json } = await drive.ask('PUT', file(), {
      body: before,
      query: { modifiedDateBehavior: 'noChange' },
    })
    expect(json).toMatchObject({
      title: before.title,
      createdDate: before.createdDate,
      parents: before.parents,
    })
  })
})

describe('answers', () => {
  test('have the headers of every answer', async () => {
    const { headers, json } = await drive.ask('GET', file())
    expect(headers.get('content-type')).toBe('application/json; charset=UTF-8')
    expect(headers.get('cache-control')).toBe('private, max-age=0, must-revalidate')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('etag')).toBe(json.etag)
    expect(headers.get('date')).not.toBeNull()
  })

  test.for([
    ['gzip', true],
    ['gzip, deflate', true],
    ['gzip;q=0', false],
    ['identity', false],
    ['*', true],
  ] as const)('are packed for who takes %s: %s', async ([accepted, isPacked]) => {
    const headers = { authorization: `Bearer ${drive.token}`, 'accept-encoding': accepted }
    const whole = await request(`${drive.url}${file()}`, { headers })
    expect(whole.headers['content-encoding']).toBe(isPacked ? 'gzip' : undefined)
    const bytes = Buffer.from(await whole.body.arrayBuffer())
    expect(JSON.parse((isPacked ? gunzipSync(bytes) : bytes).toString())).toMatchObject({ id })
    const short = await request(`${drive.url}${file()}?fields=id`, { headers })
    expect(short.headers['content-encoding']).toBeUndefined()
    await short.body.dump()
  })

  test('are packed in another thread when they are long', async () => {
    await Promise.all(
      Array.from({ length: 20 }, () => drive.ask('POST', '/drive/v2/files', { body: { title: 'many' } })),
    )
    const { json, headers } = await drive.ask('GET', '/drive/v2/files')
    expect(headers.get('content-encoding')).toBe('gzip')
    expect(json.items.length).toBeGreaterThan(20)
  })

  test('are indented when that is asked for', async () => {
    expect((await drive.ask('GET', file(), { query: { fields: 'id' } })).text).toBe(`{"id":"${id}"}`)
    const { text } = await drive.ask('GET', file(), { query: { fields: 'id', prettyPrint: true } })
    expect(text).toBe(`{\n  "id": "${id}"\n}`)
  })

  test('to HEAD are the headers of GET', async () => {
    const { status, text, headers } = await drive.ask('HEAD', file())
    expect({ status, text }).toEqual({ status: 200, text: '' })
    expect(headers.get('etag')).toBe((await drive.ask('GET', file())).json.etag)
  })

  test('that are lists are not sent again to who has them', async () => {
    const { headers } = await drive.ask('GET', '/drive/v2/files', { query: { maxResults: 2 } })
    const again = { 'if-none-match': headers.get('etag') ?? '' }
    const list = () => drive.ask('GET', '/drive/v2/files', { query: { maxResults: 2 }, headers: again })
    expect((await list()).status).toBe(304)
    await drive.ask('POST', '/drive/v2/files', { body: {} })
    expect((await list()).status).toBe(200)
  })

  test('link to where the request came to', async () => {
    const headers = {
      host: 'drive.example.org',
      'x-forwarded-host': 'evil.example.org',
      'x-forwarded-proto': 'https',
    }
    const { hostname, port } = new URL(drive.url)
    const { body } = await request(`http://${hostname}:${port}${file()}?fields=selfLink`, {
      headers: { ...headers, authorization: `Bearer ${drive.token}` },
    })
    expect(await body.json()).toEqual({ selfLink: `http://drive.example.org${file()}` })
  })
})

describe('links', () => {
  test('have the public address, or what a trusted proxy says', async () => {
    const fixed = await startDrive({ args: ['--public-url', 'https://drive.example.org/'] })
    expect((await fixed.ask('GET', '/drive/v2/about')).json.selfLink).toBe(
      'https://drive.example.org/drive/v2/about',
    )
    const behind = await startDrive({ args: ['--trust-proxy'] })
    const headers = { 'x-forwarded-host': 'lab.example.org', 'x-forwarded-proto': 'https' }
    const { json } = await behind.ask('GET', '/drive/v2/about', { headers })
    expect(json.selfLink).toBe('https://lab.example.org/drive/v2/about')
  })
})

describe('requests that stand for others', () => {
  test.for(['PATCH', 'put'])('POST with an override is %s', async (method) => {
    const headers = { 'x-http-method-override': method }
    const { json } = await drive.ask('POST', file(), { headers, body: { title: `by ${method}` } })
    expect(json.title).toBe(`by ${method}`)
  })

  test('a form is the query of a GET', async () => {
    const headers = { 'x-http-method-override': 'GET', 'content-type': FORM }
    const body = 'fields=id%2Ctitle&alt=json'
    for (const type of [FORM, `${FORM}; charset=utf-8`, FORM.toUpperCase()])
      expect(
        Object.keys(
          (await drive.ask('POST', file(), { headers: { ...headers, 'content-type': type }, body })).json,
        ),
      ).toEqual(['id', 'title'])
    const long = await drive.ask('POST', file(), { headers, body: `fields=id&x=${'x'.repeat(1 << 20)}` })
    expect(long.status).toBe(413)
  })

  test('others are what they are', async () => {
    const headers = { 'x-http-method-override': 'DELETE' }
    expect((await drive.ask('GET', file(), { headers })).status).toBe(200)
  })
})

describe('pages of other origins', () => {
  test('may ask', async () => {
    const asked = { origin: 'https://app.example.org', 'access-control-request-method': 'PATCH' }
    const headers = { ...asked, 'access-control-request-headers': 'authorization,x-upload-content-type' }
    const before = await drive.ask('OPTIONS', file(), { token: undefined, headers })
    expect(before.status).toBe(204)
    expect(before.headers.get('access-control-allow-origin')).toBe('*')
    expect(before.headers.get('access-control-allow-methods')).toContain('PATCH')
    expect(before.headers.get('access-control-allow-headers')).toBe('authorization,x-upload-content-type')
    const reply = await drive.ask('GET', file(), { headers: { origin: 'https://app.example.org' } })
    expect(reply.headers.get('access-control-allow-origin')).toBe('*')
    expect(reply.headers.get('access-control-expose-headers')).toContain('etag')
    const refused = await drive.ask('GET', file(), { token: undefined, headers: { origin: 'null' } })
    expect(refused.headers.get('access-control-allow-origin')).toBe('*')
  })
})

describe('looking at a file', () => {
  test('is noted when that is asked for', async () => {
    const { id: own } = (await drive.ask('POST', '/drive/v2/files', { body: {} })).json
    const get = async (query = {}) => (await drive.ask('GET', `/drive/v2/files/${own}`, { query })).json
    expect((await get()).labels.viewed).toBe(false)
    const seen = await get({ updateViewedDate: true })
    expect(seen.labels.viewed).toBe(true)
    expect(seen.lastViewedByMeDate).toMatch(/Z$/)
    expect(seen).toMatchObject({ version: '1' })
  })

  test.each(['PATCH', 'PUT'])(
    'a change of metadata by %s is a view, unless it says otherwise',
    async (method) => {
      const { id: own } = (await drive.ask('POST', '/drive/v2/files', { body: {} })).json
      const change = async (query = {}) =>
        (await drive.ask(method, `/drive/v2/files/${own}`, { query, body: { title: 'b' } })).json.labels
          .viewed
      expect(await change({ updateViewedDate: false })).toBe(false)
      expect(await change()).toBe(true)
    },
  )
})

describe('slow callers', () => {
  test('whose body stops coming are cut off, others are not', async () => {
    const impatient = await startDrive({ args: ['--idle-timeout', '1s'] })
    const { hostname, port } = new URL(impatient.url)
    const socket = connect(Number(port), hostname)
    const auth = `authorization: Bearer ${impatient.token}`
    socket.write(
      `POST /drive/v2/files HTTP/1.1\r\nhost: x\r\n${auth}\r\ncontent-length: 100\r\n\r\n{"title":`,
    )
    socket.on('error', () => undefined)
    const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()))
    expect((await impatient.ask('GET', '/drive/v2/about')).status).toBe(200)
    await closed
    expect((await impatient.ask('GET', '/drive/v2/files')).json.items).toEqual([])
  })
})

describe('the end of the service', () => {
  test('waits for a request that is under way', async () => {
    const ending = await startDrive()
    const { hostname, port } = new URL(ending.url)
    const socket = connect(Number(port), hostname)
    const body = '{"title":"last"}'
    const auth = `authorization: Bearer ${ending.token}`
    const head = `POST /drive/v2/files HTTP/1.1\r\nhost: x\r\n${auth}\r\ncontent-length: ${body.length}\r\n\r\n`
    const answer = new Promise<string>((resolve) => {
      let text = ''
      socket.on('data', (bytes: Buffer) => (text += bytes.toString()))
      socket.on('close', () => resolve(text))
    })
    socket.write(head + body.slice(0, 5))
    // waits until the request has begun
    await expect.poll(async () => (await ending.ask('GET', '/readyz')).status).toBe(200)
    const ended = ending.stop()
    await expect
      .poll(
        () =>
          fetch(`${ending.url}/healthz`).then(
            () => true,
            () => false,
          ),
        { timeout: 5000 },
      )
      .toBe(false)
    socket.write(body.slice(5))
    expect(await answer).toMatch(/^HTTP\/1\.1 200 /)
    expect(await ended).toBe(0)
    const again = await startDrive({ folder: ending.folder, token: ending.token })
    expect((await again.ask('GET', '/drive/v2/files')).json.items).toMatchObject([{ title: 'last' }])
  })
})

test.for(['file', 'folder', 'shortcut'])('the icon of a %s is for all, and kept for a day', async (kind) => {
  const { status, headers, text } = await drive.ask('GET', `/icons/${kind}.svg`, { token: undefined })
  expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
    200,
    'image/svg+xml',
    'public, max-age=86400',
  ])
  expect(text).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" .*<\/svg>$/)
})

describe('fields of a list without its items', () => {
  test.for([
    ['files?fields=kind', { kind: 'drive#fileList' }],
    ['files?fields=kind&corpus=DOMAIN', { kind: 'drive#fileList' }],
    ['changes?fields=kind', { kind: 'drive#changeList' }],
    ['files/root/children?fields=kind', { kind: 'drive#childList' }],
  ] as const)('%s', async ([path, expected]) => {
    const { status, json } = await drive.ask('GET', `/drive/v2/${path}`)
    expect([status, json]).toEqual([200, expected])
  })

  test('the pages are those with items', async () => {
    for (const title of ['one', 'two', 'three'])
      await drive.ask('POST', '/drive/v2/files', { body: { title } })
    const pages = async (fields: string) => {
      let [count, token] = [0, '']
      do {
        const query = { maxResults: 1, fields, ...(token === '' ? {} : { pageToken: token }) }
        token = (await drive.ask('GET', '/drive/v2/changes', { query })).json.nextPageToken ?? ''
        count += 1
      } while (token !== '')
      return count
    }
    expect(await pages('nextPageToken')).toBe(await pages('nextPageToken,items/id'))
  })
})

test('a folder alone tells whether it takes rights from above', async () => {
  const insert = async (body: object) => (await drive.ask('POST', '/drive/v2/files', { body })).json.id
  const folder = await insert({ mimeType: 'application/vnd.google-apps.folder' })
  const shown = async (id: string) =>
    (await drive.ask('GET', `/drive/v2/files/${id}`, { query: { fields: 'inheritedPermissionsDisabled' } }))
      .json
  expect([await shown(folder), await shown(await insert({}))]).toEqual([
    { inheritedPermissionsDisabled: false },
    {},
  ])
})

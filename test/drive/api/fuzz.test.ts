/** Random requests: each gets an answer that describes its error, and the service keeps running. */
import { request as send } from 'node:http'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { METHODS } from '../../../src/drive/contract/methods.ts'
import { type Drive, startDrive } from '../../support/drive.ts'
import { rounds } from '../../support/rounds.ts'

let drive: Drive
let known: readonly string[]
beforeAll(async () => {
  drive = await startDrive()
  const insert = async (body: object) =>
    (await drive.ask('POST', '/drive/v2/files', { body })).json.id as string
  const folder = await insert({ title: 'f', mimeType: 'application/vnd.google-apps.folder' })
  const query = { requestId: 'fuzz' }
  const shared = await drive.ask('POST', '/drive/v2/drives', { body: { name: 'd' }, query })
  known = ['root', shared.json.id, folder, await insert({ title: 'x.csv', parents: [{ id: folder }] })]
})

const name = fc.constantFrom(
  'q',
  'fields',
  'maxResults',
  'pageToken',
  'orderBy',
  'alt',
  'uploadType',
  'upload_id',
  'spaces',
  'visibility',
  'addParents',
  'revisionId',
  'mimeType',
  'startChangeId',
  'corpora',
  'driveId',
  'modifiedDateBehavior',
  'requestId',
  'supportsAllDrives',
  'includeItemsFromAllDrives',
  'useDomainAdminAccess',
  'transferOwnership',
  'removeExpiration',
  'moveToNewOwnersRoot',
  'allowItemDeletion',
)
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom(
    'true',
    '-1',
    '0',
    '9e99',
    '*',
    'items(id',
    "title = 'x'",
    'media',
    'resumable',
    'multipart',
    'root',
  ),
)
const json = fc.oneof(
  fc.json(),
  fc
    .record(
      {
        title: fc.oneof(fc.string({ unit: 'binary' }), fc.constant(5), fc.constant(null)),
        parents: fc.oneof(fc.array(fc.record({ id: text })), fc.string()),
        labels: fc.record({ trashed: fc.oneof(fc.boolean(), fc.string()) }, { requiredKeys: [] }),
        mimeType: fc.oneof(
          text,
          text.map((parameters) => `text/plain;${parameters}`),
        ),
        properties: fc.array(fc.record({ key: text, value: text, visibility: text }, { requiredKeys: [] })),
        modifiedDate: text,
        id: text,
        content: fc.oneof(text, fc.string({ unit: 'binary' })),
        verb: text,
        anchor: text,
        context: fc.record({ type: text, value: text }, { requiredKeys: [] }),
        type: fc.oneof(text, fc.constantFrom('web_hook', 'user', 'group', 'domain', 'anyone')),
        address: fc.oneof(
          text,
          fc.webUrl(),
          fc.ipV6().map((ip) => `https://[${ip}]/`),
        ),
        token: text,
        expiration: fc.oneof(text, fc.integer(), fc.double()),
        params: fc.dictionary(text, text),
        resourceId: text,
        labelModifications: fc.array(
          fc.record({ labelId: text, fieldModifications: fc.array(fc.anything()) }),
        ),
        key: text,
        role: fc.oneof(text, fc.constantFrom('reader', 'writer', 'owner', 'organizer')),
        additionalRoles: fc.array(fc.oneof(text, fc.constant('commenter'))),
        value: fc.oneof(text, fc.emailAddress()),
        withLink: fc.oneof(fc.boolean(), text),
        expirationDate: fc.oneof(text, fc.date({ noInvalidDate: true }).map(String)),
        name: text,
        themeId: text,
        colorRgb: text,
        restrictions: fc.dictionary(
          fc.constantFrom('driveMembersOnly', 'domainUsersOnly', 'x'),
          fc.boolean(),
        ),
      },
      { requiredKeys: [] },
    )
    .map((body) => JSON.stringify(body)),
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
)
const header = fc.constantFrom(
  'content-type',
  'content-range',
  'range',
  'if-match',
  'if-none-match',
  'slug',
  'x-upload-content-length',
  'x-goog-upload-protocol',
  'x-goog-upload-command',
  'x-goog-upload-offset',
  'content-md5',
  'accept-encoding',
)
const headerText = fc.oneof(
  fc.string({ unit: 'grapheme-ascii', maxLength: 30 }),
  fc.constantFrom(
    'multipart/related; boundary=x',
    'bytes 0-9/10',
    'bytes */5',
    'bytes=0-',
    '*',
    'start',
    'resumable',
  ),
)

interface Made {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

const templates = [
  ...Object.values(METHODS).map(({ httpMethod, path }) => [httpMethod, `/drive/v2/${path}`] as const),
  ['POST', '/upload/drive/v2/files'] as const,
  ['PUT', '/upload/drive/v2/files/{fileId}'] as const,
  ['POST', '/batch/drive/v2'] as const,
  ['POST', '/token'] as const,
]

const made: fc.Arbitrary<Made> = fc
  .record({
    template: fc.constantFrom(...templates),
    ids: fc.array(fc.oneof(fc.nat(3), text), { minLength: 3, maxLength: 3 }),
    query: fc.array(fc.tuple(name, text), { maxLength: 3 }),
    headers: fc.array(fc.tuple(header, headerText), { maxLength: 2 }),
    body: json,
  })
  .map(({ template: [method, path], ids, query, headers, body }) => {
    let at = 0
    const filled = path.replaceAll(/\{\w+\}/g, () => {
      const id = ids[at++]
      return typeof id === 'number' ? `@known${id}@` : encodeURIComponent((id ?? '').toWellFormed())
    })
    const search = new URLSearchParams(query.map(([key, value]): [string, string] => [key, value])).toString()
    const clean = headers.map(([key, value]): [string, string] => [
      key,
      value.replaceAll(/[^\t\x20-\x7e]/g, ' '),
    ])
    const isRead = method === 'GET' || method === 'DELETE'
    return {
      method,
      path: `${filled}${search === '' ? '' : `?${search}`}`,
      headers: Object.fromEntries(clean),
      body: isRead ? '' : body,
    }
  })

/** The same requests as parts of a batch. */
const batched: fc.Arbitrary<Made> = fc.array(made, { minLength: 1, maxLength: 3 }).map((parts) => ({
  method: 'POST',
  path: '/batch/drive/v2',
  headers: { 'content-type': 'multipart/mixed; boundary=x-parts' },
  body: `${parts.map(partOf).join('')}--x-parts--\r\n`,
}))

function partOf({ method, path, headers, body }: Made): string {
  const lines = Object.entries(headers).map(([key, value]) => `${key}: ${value}`)
  const head = ['--x-parts', 'Content-Type: application/http', '', `${method} ${path} HTTP/1.1`, ...lines]
  return [...head, '', body, ''].join('\r\n')
}

test('no request is answered by a failure of the service', async () => {
  const request = fc.oneof({ weight: 9, arbitrary: made }, { weight: 1, arbitrary: batched })
  await fc.assert(
    fc.asyncProperty(request, async (one) => {
      const { status, text: answer } = await ask(one)
      expect(status, `${JSON.stringify(one)} ${answer}`).toBeLessThan(500)
      if (one.path.startsWith('/batch')) expect(answer).not.toMatch(/^HTTP\/1\.1 5/m)
      // RFC 6749 defines its own error codes, and a cancelled upload has no body
      if (status >= 400 && status !== 499 && one.path.startsWith('/drive/v2'))
        expect(JSON.parse(answer).error.code).toBe(status)
    }),
    { numRuns: rounds(3000) },
  )
  expect((await drive.ask('GET', '/drive/v2/about')).status).toBe(200)
})

function withKnownIds(text: string): string {
  return text.replaceAll(/@known(\d)@/g, (_, at: string) => known[Number(at)] ?? 'root')
}

/** Sends a request without fetch, which would correct it. */
function ask(given: Made): Promise<{ readonly status: number; readonly text: string }> {
  const { hostname, port } = new URL(drive.url)
  const { method, headers } = given
  const [path, body] = [withKnownIds(given.path), withKnownIds(given.body)]
  return new Promise((resolve, reject) => {
    const request = send(
      {
        hostname,
        port,
        method,
        path,
        headers: {
          ...headers,
          authorization: `Bearer ${drive.token}`,
          ...(body === '' ? {} : { 'content-length': Buffer.byteLength(body) }),
        },
      },
      (response) => {
        let answer = ''
        response.on('data', (bytes: Buffer) => (answer += bytes.toString('latin1')))
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text: answer }))
      },
    )
    request.on('error', reject)
    request.end(body)
  })
}

/** Which lists the service's main thread makes, and when it stops making them; how the text of an answer is made and sent. */
import type { ListCall } from '../../../src/drive/api/requests/parts.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type MethodId, findMethod } from '../../../src/drive/contract/methods.ts'
import type { ParameterValues } from '../../../src/drive/contract/parameter.ts'
import { LIGHT } from '../../../src/drive/api/lists/listers.ts'
import { isLight, lightLists, pageItems } from '../../../src/drive/api/lists/light-lists.ts'
import {
  dateOrNone,
  dateText,
  formatJson,
  isJsonText,
  isKnown,
  jsonText,
  makeLinks,
  quoted,
  quotedEtag,
  sendText,
  stringifyJson,
} from '../../../src/drive/api/answers/json.ts'
import { parseFields } from '../../../src/drive/protocol/answers/fields.ts'
import type { Store } from '../../../src/drive/persistence/store.ts'
import { addFile, openTestStore } from '../../support/store.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()
let store: Store
let items = 0
let drives = 0

beforeAll(async () => {
  store = await openTestStore(temp('light'))
  await addFile(store, 'one')
})

afterAll(() => store.close())

interface Other {
  readonly id?: MethodId
  readonly user?: number
}

function asked(parameters: ParameterValues, { id = 'files.list', user = 1 }: Other = {}): ListCall {
  const read = {
    ...store.read,
    get: ((sql: string, ...values: never[]) =>
      items > 0 && sql.includes('max(pk)')
        ? { last: items }
        : drives > 0 && sql.includes('FROM drives')
          ? { drives }
          : store.read.get(sql, ...values)) as Store['read']['get'],
  }
  return {
    drive: { store: { ...store, read } },
    method: findMethod(id),
    caller: { user, client: 1, scopes: ['drive'] } as unknown as ListCall['caller'],
    path: {},
    parameters,
    query: {},
    links: makeLinks('http://localhost'),
    request: { url: '/' },
  }
}

describe('a list is light', () => {
  test.each<ParameterValues>([
    {},
    { orderBy: 'modifiedDate desc', maxResults: 100 },
    { q: "'root' in parents" },
    { q: "'root' in parents and trashed = false and title = 'a'", orderBy: 'folder,title' },
  ])('%j', (parameters) => {
    expect(isLight(asked(parameters))).toBe(true)
  })

  test('of a few shared drives', () => {
    drives = LIGHT.drives
    expect(isLight(asked({ maxResults: 100 }, { id: 'drives.list' }))).toBe(true)
    drives = 0
  })
})

describe('a list is not light', () => {
  test.each<ParameterValues>([
    { maxResults: 101 },
    { q: "fullText contains 'a'" },
    { q: "title = 'a' and fullText contains 'b'" },
    { q: "not title contains 'a'" },
    { q: "'a' in parents and 'b' in writers and 'c' in readers" },
    { q: `title = '${'a'.repeat(500)}'` },
    { orderBy: 'folder,title,createdDate' },
  ])('%j', (parameters) => {
    expect(isLight(asked(parameters))).toBe(false)
  })

  test('of changes, whose number the items do not tell', () => {
    expect(isLight(asked({}, { id: 'changes.list' }))).toBe(false)
  })

  test.each<[number, ParameterValues]>([
    [LIGHT.drives + 1, {}],
    [1, { q: "name contains 'a'" }],
  ])('of %i shared drives, by %j', (count, parameters) => {
    drives = count
    expect(isLight(asked(parameters, { id: 'drives.list' }))).toBe(false)
    drives = 0
  })

  test('of a large store', () => {
    items = 5001
    expect(isLight(asked({}))).toBe(false)
    items = 0
  })
})

test('a page has room for so many characters, and for its first item in any case', () => {
  const fitting = (most: number, views: readonly string[], fields?: string) => {
    const page = pageItems(most, parseFields(fields, 'FileList'), (view: string) => view)
    return [views.map((view) => page.fits(view)), page.items.map(({ jsonText }) => jsonText)]
  }
  expect(fitting(10, ['abc', 'def', 'g'])).toEqual([
    [true, true, false],
    ['"abc"', '"def"'],
  ])
  expect(fitting(10, ['much longer', 'g'])).toEqual([[true, false], ['"much longer"']])
  expect(fitting(1, ['a', 'b'], 'nextPageToken')).toEqual([[true, true], []])
})

/** Lists with a clock that the test sets, because the machine may be busy. */
function timedLists() {
  let now = 0
  const lists = lightLists(() => {
    const began = now
    return () => now - began
  })
  return (user: number, ms: number) =>
    lists.make(asked({}, { user }), () => {
      now += ms
      return 'made'
    })
}

const made = { made: 'made' }

describe('light lists', () => {
  test('of one turn of the event loop are made until they have taken long enough', async () => {
    const make = timedLists()
    expect([0, 1, 2, 3].map((user) => make(user, LIGHT.turn * 0.6))).toEqual([
      made,
      made,
      undefined,
      undefined,
    ])
    await new Promise((later) => setImmediate(later))
    expect(make(1, 0)).toEqual(made)
  })

  test('of a user of whom one took long are made elsewhere for a while', async () => {
    const make = timedLists()
    make(1, LIGHT.surprising + 1)
    await new Promise((later) => setImmediate(later))
    expect(make(1, 0)).toBeUndefined()
    expect(make(2, 0)).toEqual(made)
  })

  test('take the time that they take', async () => {
    const lists = lightLists()
    lists.make(asked({}), () => busy(LIGHT.surprising + 5))
    await new Promise((later) => setImmediate(later))
    expect(lists.make(asked({}), () => 'made')).toBeUndefined()
  })
})

/** Uses at least so many ms of clock time and processor time. */
function busy(ms: number): void {
  const [end, used] = [performance.now() + ms, process.cpuUsage()]
  for (let worked = 0; worked < ms || performance.now() < end;) {
    const { user, system } = process.cpuUsage(used)
    worked = (user + system) / 1000
  }
}

test('a text of JSON stands in an answer as it is written, among all other values', () => {
  const text = jsonText('{ "b":1.0 }')
  expect(
    stringifyJson({ a: 1, text, none: undefined, list: [text, null, 'x', undefined], 'a"b': { text } }),
  ).toBe('{"a":1,"text":{ "b":1.0 },"list":[{ "b":1.0 },null,"x",null],"a\\"b":{"text":{ "b":1.0 }}}')
  expect(stringifyJson({ a: 1, b: 'x', c: null, d: undefined })).toBe('{"a":1,"b":"x","c":null}')
  expect(JSON.stringify({ text })).toBe('{"text":{"b":1}}')
  expect([text, { jsonText: 1 }, {}].map(isJsonText)).toEqual([true, false, false])
})

test('a text of an answer is JSON', () => {
  expect([quoted('a"b'), quotedEtag('"x"'), formatJson({ a: [1] }), formatJson({ a: [1] }, true)]).toEqual([
    '"a\\"b"',
    '"\\"x\\""',
    '{"a":[1]}',
    '{\n  "a": [\n    1\n  ]\n}',
  ])
  const times = [0, 0, 1, 0]
  expect(times.map(dateText)).toEqual(times.map((time) => `"1970-01-01T00:00:00.00${time}Z"`))
  expect([dateOrNone(null), dateOrNone(1)]).toEqual([null, '1970-01-01T00:00:00.001Z'])
})

test('links of an answer begin with the address of the store', () => {
  for (const base of ['https://a.example', 'https://b.example', 'https://a.example']) {
    const links = makeLinks(base)
    expect([
      links.base,
      links.file('f'),
      links.page('folder', 'f'),
      links.content('f'),
      links.to('about'),
    ]).toEqual(
      [
        '',
        '/drive/v2/files/f',
        '/#folder/f',
        '/drive/v2/files/f?alt=media&source=downloadUrl',
        '/drive/v2/about',
      ].map((path) => base + path),
    )
  }
})

/** The headers and the body of an answer, sent to who accepts these encodings. */
function sent(text: string, accepted: string | undefined, given: Readonly<Record<string, string>> = {}) {
  const headers: Record<string, string> = { ...given }
  return new Promise<{ headers: object; body: unknown }>((resolve) => {
    const reply = {
      request: { headers: { 'accept-encoding': accepted } },
      hasHeader: (name: string) => name in headers,
      header: (name: string, value: string) => ((headers[name] = value), reply),
      type: (value: string) => reply.header('content-type', value),
      send: (body: unknown) => (resolve({ headers, body }), reply),
    }
    sendText(reply as unknown as FastifyReply, text) // the parts that are used
  })
}

test.for([
  [1024, 'gzip', false],
  [1025, 'gzip', true],
  [1025, undefined, false],
  [1025, 'br', false],
  [32_768, 'gzip', true],
  [32_769, 'deflate, gzip', true],
] as const)(
  'an answer of %i characters to who accepts %s is compressed: %s',
  async ([length, accepted, isCompressed]) => {
    const text = `"${'x'.repeat(length - 2)}"`
    const { headers, body } = await sent(text, accepted)
    expect(headers).toEqual({
      'cache-control': 'private, max-age=0, must-revalidate',
      'content-type': 'application/json; charset=UTF-8',
      'x-content-type-options': 'nosniff',
      ...(length > 1024 ? { vary: 'accept-encoding' } : {}),
      ...(isCompressed ? { 'content-encoding': 'gzip' } : {}),
    })
    expect(isCompressed ? gunzipSync(body as Buffer).toString() : body).toBe(text)
  },
)

test('an answer may say itself how long it is kept', async () => {
  expect((await sent('1', undefined, { 'cache-control': 'no-store' })).headers).toMatchObject({
    'cache-control': 'no-store',
  })
})

test.for([
  ['GET', '"a"', '"a"', true],
  ['HEAD', '"b", W/"a"', '"a"', true],
  ['GET', '*', '"a"', true],
  ['POST', '"a"', '"a"', false],
  ['GET', '"b"', '"a"', false],
  ['GET', undefined, '"a"', false],
  ['GET', '"a"', undefined, false],
] as const)('%s of who knows %s is answered with %s: known is %s', ([method, tags, etag, known]) => {
  expect(isKnown({ method, headers: { 'if-none-match': tags } } as FastifyRequest, etag)).toBe(known)
})

/** Requests of administrators: docs/how-to/pages.md has every one, and commands ask for whole lists. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyRequest } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  describeGroup,
  describeKey,
  describeToken,
  describeUser,
  readAdminCall,
  readRemoval,
  type RequestId,
} from '../../src/drive/api/admin/requests.ts'
import { readMembers } from '../../src/drive/api/requests/members.ts'
import { type Ask, listAll } from '../../src/drive/commands/administration/as-operator.ts'
import { ADMIN_REQUESTS, type AdminRequest } from '../../src/drive/contract/admin-requests.ts'
import { OPERATOR } from '../../src/drive/domain/commands.ts'
import type { Store } from '../../src/drive/persistence/store.ts'
import { atTheLimit } from '../support/at-the-limit.ts'
import { type Library, openLibrary } from '../support/library.ts'
import { tempFolder } from '../support/temp.ts'

const DOCS = join(import.meta.dirname, '../../docs')

test('docs/how-to/pages.md has every request of administrators, with all that it takes', () => {
  const text = readFileSync(join(DOCS, 'how-to/pages.md'), 'utf8')
  const missing = Object.values<AdminRequest>(ADMIN_REQUESTS).flatMap(({ verb, path, query, body }) => {
    const named = path
      .replaceAll(':member', ':email')
      .replaceAll(/:(\w+)/g, (_, word: string) => word.toUpperCase())
    return [`${verb} ${named}`, ...Object.keys({ ...query, ...body })].filter(
      (word) => !text.includes(`\`${word}\``) && !text.includes(`\`${word}=`),
    )
  })
  expect(missing).toEqual([])
})

test('a command asks for all pages of a list', async () => {
  const pages = [{ items: [1, 2], nextPageToken: 'b' }, { items: [], nextPageToken: 'c' }, { items: [3] }]
  const asked: unknown[] = []
  const ask = ((_id, { query } = {}) => {
    asked.push(query?.['pageToken'])
    return Promise.resolve(pages[asked.length - 1])
  }) as Ask
  expect(await listAll(ask, 'users.list')).toEqual([1, 2, 3])
  expect(asked).toEqual([undefined, 'b', 'c'])
})

describe('a request', () => {
  const temp = tempFolder()
  let library: Library
  beforeAll(async () => {
    library = await openLibrary(temp('store'))
  })
  afterAll(() => library.close())

  function readCall(id: RequestId, query: object, body?: object, caller = OPERATOR) {
    const bytes = body === undefined ? undefined : Buffer.from(JSON.stringify(body))
    const request = { query, params: { email: 'a@b.c' }, body: bytes } as unknown as FastifyRequest // the parts that are read
    const store = { read: library.db } as unknown as Store // the part that is read
    const { drive: _, ...call } = readAdminCall(
      id,
      { store, callers: { forget: () => undefined } },
      caller,
      request,
    )
    return call
  }

  const call = {
    caller: OPERATOR,
    path: { email: 'a@b.c' },
    query: {},
    body: {},
    page: { most: 100, after: undefined },
  }
  test.for<[RequestId, object, object | undefined, object]>([
    ['users.list', {}, undefined, {}],
    [
      'users.list',
      { prefix: 'a', maxResults: '2', pageToken: 'x', access_token: 'y' },
      undefined,
      { query: { prefix: 'a', maxResults: 2, pageToken: 'x' }, page: { most: 2, after: 'x' } },
    ],
    ['users.list', { maxResults: '0' }, undefined, { query: { maxResults: 0 }, page: { most: 1, after: undefined } }],
    ['users.list', { maxResults: '99999' }, undefined, { query: { maxResults: 99_999 }, page: { most: 1000, after: undefined } }],
    ['users.delete', { deleteFiles: 'true', giveTo: 'b@b.c' }, undefined, { query: { deleteFiles: true, giveTo: 'b@b.c' } }],
    ['users.delete', { deleteFiles: 'false' }, undefined, { query: { deleteFiles: false } }],
    [
      'users.insert',
      {},
      { email: 'a@b.c', name: 'A', isAdmin: true, quotaBytes: '5', password: 'x\t' },
      { body: { email: 'a@b.c', name: 'A', isAdmin: true, quotaBytes: 5, password: 'x\t' } },
    ],
    ['users.patch', {}, { quotaBytes: null }, { body: { quotaBytes: null } }],
    ['tokens.insert', {}, { user: 'a', scopes: ['drive'], isRefresh: true }, { body: { user: 'a', scopes: ['drive'], isRefresh: true } }],
  ])('%s with %j and %j is read', ([id, query, body, expected]) => {
    expect(readCall(id, query, body)).toEqual({ ...call, ...expected })
  }) // prettier-ignore

  test('a member that only the operator may give is unknown to administrators', () => {
    const body = { user: 'a', scopes: ['drive'], isRefresh: true }
    expect(() => readCall('tokens.insert', {}, body, library.callers[0])).toThrow(
      'Unknown member of the request: isRefresh.',
    )
  })

  test.for([
    [{ prefix: ['a', 'b'] }, 'users.list', 'prefix', 'prefix is there twice.'],
    [{ deleteFiles: 'yes' }, 'users.delete', 'deleteFiles', 'deleteFiles must be true or false.'],
    [{ deleteFiles: 'true ' }, 'users.delete', 'deleteFiles', 'deleteFiles must be true or false.'],
  ] as const)('%j is refused', ([query, id, location, message]) => {
    expect(() => readCall(id, query)).toThrow(
      expect.objectContaining({
        status: 400,
        reason: 'invalidParameter',
        message,
        details: { location, locationType: 'parameter' },
      }),
    )
  })

  test('names whom to remove, and what becomes of the files', () => {
    const { path } = call
    expect(readRemoval({ path, query: { giveTo: 'b@b.c', deleteFiles: true } })).toEqual({
      email: 'a@b.c',
      heir: 'b@b.c',
      withFiles: true,
    })
  })
})

describe('members of a request', () => {
  const read = (body: object) =>
    readMembers(Buffer.from(JSON.stringify(body)), {
      a: 'text!',
      b: 'texts',
      c: 'count',
      d: 'flag',
      e: 'raw',
    })

  test('are read by their kinds', () => {
    const body = { a: 'x', b: ['y', 'z'], c: 0, d: false, e: '\n' }
    expect(read(body)).toEqual(body)
    const [most] = atTheLimit((size) => 'x'.repeat(size), 1024)
    expect(read({ a: most })).toEqual({ a: most })
  })

  test.for([
    [{ a: 'x', f: 1 }, 'invalid', 'f', 'Unknown member of the request: f.'],
    [{ b: [] }, 'required', 'a', 'Required parameter: a'],
    [{ a: '' }, 'required', 'a', 'Required parameter: a'],
    [{ a: 'x'.repeat(1025) }, 'invalid', 'a', 'a is longer than 1024 characters.'],
    [{ a: 'x\ny' }, 'invalid', 'a', 'a has a control character.'],
    [{ a: 'x', b: ['y', 'z\u007f'] }, 'invalid', 'b', 'b has a control character.'],
    [{ a: 'x', c: -1 }, 'invalid', 'c', 'c cannot be less than 0.'],
  ] as const)('%j is refused', ([body, reason, location, message]) => {
    expect(() => read(body)).toThrow(
      expect.objectContaining({
        status: 400,
        reason,
        message,
        details: { location, locationType: 'parameter' },
      }),
    )
  })
})

describe('an answer', () => {
  const date = '2026-01-01T00:00:00.000Z'
  const created = Date.parse(date)

  test.for([0, 1] as const)('has each fact in its own member: %i', (yes) => {
    const [isSo, isNot] = [yes === 1, yes === 0]
    const user = { pk: 1, id: 'u', email: 'a@b.c', name: 'A', is_admin: yes, is_disabled: 1 - yes, has_password: yes, quota: 5, used: 2 } // prettier-ignore
    expect(describeUser(user)).toEqual({
      id: 'u', email: 'a@b.c', name: 'A', isAdmin: isSo, isDisabled: isNot, hasPassword: isSo, quotaBytes: 5, usedBytes: 2,
    }) // prettier-ignore
    const group = { pk: 1, id: 'g', email: 'g@b.c', name: 'G', members: 3, is_disabled: yes }
    expect(describeGroup(group)).toEqual({ id: 'g', email: 'g@b.c', name: 'G', members: 3, isDisabled: isSo })
    const key = { kid: 'k', email: 'a@b.c', name: 'K', created, may_impersonate: yes, is_disabled: 1 - yes }
    expect(describeKey(key)).toEqual({
      id: 'k', account: 'a@b.c', name: 'K', created: date, impersonates: isSo, isDisabled: isNot,
    }) // prettier-ignore
  })

  test.for([[created, date], [null, null]] as const)('a token that ends at %j', ([expires, ends]) => {
    const token = { digest: 'd', email: 'a@b.c', client: 'c', scopes: 'drive drive.file', kind: 'access', created, expires, label: 'L' } as const // prettier-ignore
    expect(describeToken(token)).toEqual({
      id: 'd', user: 'a@b.c', client: 'c', scopes: ['drive', 'drive.file'], kind: 'access', created: date, expires: ends, label: 'L',
    })
  }) // prettier-ignore
})

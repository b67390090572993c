/** The service caches a valid token until it expires or a request may have revoked one. */
import type { FastifyRequest } from 'fastify'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { authenticator, findRequestedItem } from '../../../src/drive/api/requests/authenticate.ts'
import { authenticateClient, GrantError, namedClient } from '../../../src/drive/api/sign-in/client-login.ts'
import { digestToken } from '../../../src/drive/domain/accounts/tokens.ts'
import { OPERATOR } from '../../../src/drive/domain/commands.ts'
import { openLibrary } from '../../support/library.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()
const HOUR = 3_600_000

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }))
afterEach(() => void vi.useRealTimers())

function request(token: string): FastifyRequest {
  return { headers: { authorization: `Bearer ${token}` }, query: {} } as FastifyRequest // the parts that are read
}

const NOBODY = 'Invalid Credentials'

test.for([
  ['Bearer good', undefined],
  ['bearer  good', undefined],
  ['Bearer good x', NOBODY],
  ['x Bearer good', NOBODY],
  ['Basic good', NOBODY],
  ['good', NOBODY],
  ['', NOBODY],
] as const)('the header %j', async ([authorization, message], { task }) => {
  const library = await openLibrary(temp(task.id))
  const [{ user, client }] = library.callers
  library.run('addToken', OPERATOR, {
    digest: digestToken('good'),
    user,
    client,
    scopes: ['drive'],
    kind: 'access',
  })
  const { callerOf } = authenticator(library.db, false, 0)
  // the parts that are read
  const given = { headers: { authorization }, query: {} } as FastifyRequest
  if (message === undefined) expect(callerOf(given)).toMatchObject({ user, client })
  else expect(() => callerOf(given)).toThrow(message)
  library.close()
})

const base64 = (text: string) => Buffer.from(text).toString('base64')

test.for([
  [`Basic ${base64('other:secret')}`, 'other'],
  [`basic  ${base64('other:secret')}`, 'other'],
  // with the signs + and /
  [`Basic ${base64('other:>>>???')}`, 'other'],
  [`Basic ${base64('%6Fther:secret')}`, 'other'],
  [`x Basic ${base64('other:secret')}`, 'of-form'],
  [`Basic ${base64('other:secret')} x`, 'of-form'],
  ['Basic', 'of-form'],
  ['Bearer x', 'of-form'],
  [undefined, 'of-form'],
  [`Basic ${base64('other')}`, undefined],
  [`Basic ${base64('otherx')}`, undefined],
  [`Basic ${base64(':other')}`, undefined],
  [`Basic ${base64('none:secret')}`, undefined],
] as const)('a program that logs in by %j is %s', async ([authorization, id], { task }) => {
  const library = await openLibrary(temp(task.id))
  library.run('addClient', OPERATOR, { id: 'of-form' })
  const request = { headers: { authorization } } as FastifyRequest // the parts that are read
  expect(namedClient(library.db, request, { client_id: 'of-form' })?.id).toBe(id)
  library.close()
})

const NOT_REGISTERED = 'the program is not registered: ask the operator to run hla drive client add'
const WRONG_SECRET = 'the secret of the program is wrong, or missing'

test('a program is who its id and its secret say', async () => {
  const library = await openLibrary(temp('programs'))
  for (const id of ['open', 'own', 'off']) library.run('addClient', OPERATOR, { id })
  library.run('changeClient', OPERATOR, { id: 'own', secret: digestToken('a b+%zz') })
  library.run('changeClient', OPERATOR, { id: 'off', isDisabled: true })
  const login = (authorization: string | undefined, form = {}) => {
    try {
      return authenticateClient(library.db, { headers: { authorization } } as FastifyRequest, form).id
    } catch (error) {
      return error instanceof GrantError ? [error.code, error.message] : error
    }
  }
  const basic = (text: string) => login(`Basic ${base64(text)}`)
  const refused = { unknown: ['invalid_client', NOT_REGISTERED], wrong: ['invalid_client', WRONG_SECRET] }
  expect([login(undefined, { client_id: 'open' }), basic('open:'), basic('open:any')]).toEqual([
    'open',
    'open',
    'open',
  ])
  expect(login(undefined, { client_id: 'own', client_secret: 'a b+%zz' })).toBe('own')
  // in the encoding of forms, or as it is where that cannot be
  expect([basic('own:a+b%2B%25zz'), basic('own:a b+%zz')]).toEqual(['own', 'own'])
  for (const text of ['own:a+b+%25zz', 'own:a b%2B%zz', 'own:', 'own:a', 'own:a b+%zz '])
    expect(basic(text)).toEqual(refused.wrong)
  for (const form of [{ client_id: 'own' }, { client_id: 'own', client_secret: '' }])
    expect(login(undefined, form)).toEqual(refused.wrong)
  for (const form of [{}, { client_id: '' }, { client_id: 'none' }, { client_id: 'off' }])
    expect(login(undefined, form)).toEqual(refused.unknown)
  for (const text of ['own', 'open', ':a', 'off:']) expect(basic(text)).toEqual(refused.unknown)
  library.close()
})

const FOLDER = 'the-folder'

test.for<[method: string, url: string, query: object, item: string | undefined]>([
  ['GET', '/drive/v2/files/:fileId', {}, 'the-file'],
  ['HEAD', '/drive/v2/files/:fileId', {}, 'the-file'],
  ['DELETE', '/drive/v2/files/:fileId', {}, undefined],
  ['GET', '/drive/v2/files/:fileId', { updateViewedDate: 'true' }, undefined],
  ['GET', '/drive/v2/files/:fileId', { revisionId: '1' }, undefined],
  ['GET', '/drive/v2/files/:fileId/export', {}, 'the-file'],
  ['GET', '/drive/v2/files/:fileId/export', { revisionId: '1' }, undefined],
  ['GET', '/public/:fileId', {}, 'the-file'],
  ['GET', '/drive/v2/files/:fileId/permissions', {}, undefined],
  ['GET', '/drive/v2/files', { q: `'${FOLDER}' in parents` }, FOLDER],
  ['GET', '/drive/v2/files', { q: `'${FOLDER}' in parents and trashed = false` }, FOLDER],
  ['GET', '/drive/v2/files', { q: `'${FOLDER}' in parents or trashed = false` }, undefined],
  ['GET', '/drive/v2/files', { q: `'${FOLDER}' in parents and title = 'x' OR trashed = false` }, undefined],
  ['GET', '/drive/v2/files', { q: `not '${FOLDER}' in parents` }, undefined],
  ['GET', '/drive/v2/files', { q: `'${FOLDER}' in parentsx` }, undefined],
  ['GET', '/drive/v2/files', { q: [`'${FOLDER}' in parents`] }, undefined],
  ['GET', '/drive/v2/files', {}, undefined],
])('%s %s with %j may be open to anyone: %s', ([method, url, query, item]) => {
  const params = url.includes(':fileId') ? { fileId: 'the-file' } : {}
  const request = { method, routeOptions: { url }, query, params } as unknown as FastifyRequest
  expect(findRequestedItem(request)).toBe(item)
})

test('no other process ends a token, so the store is not asked again', async () => {
  const library = await openLibrary(temp('trusted'))
  vi.setSystemTime(library.now())
  const [{ user, client }] = library.callers
  const add = (token: string, expires?: number) =>
    library.run('addToken', OPERATOR, {
      digest: digestToken(token),
      user,
      client,
      scopes: ['drive'],
      kind: 'access',
      expires,
    })
  add('lasting')
  add('ending', library.now() + HOUR)
  const { callerOf, forget } = authenticator(library.db, false, 0)
  const first = callerOf(request('lasting'))
  expect(callerOf(request('ending'))).toMatchObject({ user, client })
  vi.setSystemTime(Date.now() + HOUR - 10_000)
  library.run('revokeToken', OPERATOR, { digest: digestToken('lasting') })
  expect(callerOf(request('lasting'))).toBe(first)
  expect(callerOf(request('ending'))).toMatchObject({ user, client })
  vi.setSystemTime(Date.now() + HOUR)
  expect(() => callerOf(request('ending'))).toThrow('Invalid Credentials')
  expect(callerOf(request('lasting'))).toBe(first)
  forget()
  expect(() => callerOf(request('lasting'))).toThrow('Invalid Credentials')
  library.close()
})

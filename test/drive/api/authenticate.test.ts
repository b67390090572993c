/** The service caches a valid token until it expires or a request may have revoked one. */
import type { FastifyRequest } from 'fastify'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { authenticator } from '../../../src/drive/api/requests/authenticate.ts'
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

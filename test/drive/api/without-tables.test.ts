/** A service that converts no tables, as one opened without a converter. */
import { beforeAll, afterAll, expect, test } from 'vitest'
import { type DriveService, openDriveService } from '../../../src/drive/api/service.ts'
import { COMMANDS, OPERATOR, command } from '../../../src/drive/domain/commands.ts'
import { digestToken, newToken } from '../../../src/drive/domain/accounts/tokens.ts'
import type { Store } from '../../../src/drive/persistence/store.ts'
import { openTestStore } from '../../support/store.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()
const token = newToken()
let store: Store
let service: DriveService
let address: string
beforeAll(async () => {
  store = await openTestStore(temp('store'), { writer: COMMANDS })
  await command(store, 'setUp', OPERATOR, { email: 'ada@b.c', digest: digestToken(token) })
  service = await openDriveService(store, {})
  address = await service.app.listen({ port: 0 })
})
afterAll(async () => {
  await service.app.close()
  await store.close()
})

async function ask(method: 'GET' | 'POST', url: string, payload?: object | string) {
  const type = typeof payload === 'string' ? 'text/csv' : 'application/json'
  const reply = await fetch(`${address}${url}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(payload === undefined ? {} : { 'content-type': type }),
    },
    ...(payload === undefined
      ? {}
      : { body: typeof payload === 'string' ? payload : JSON.stringify(payload) }),
  })
  return { status: reply.status, json: JSON.parse(await reply.text()) }
}

test.for<[url: string, payload: object | string, status: number, error: object]>([
  [
    '/upload/drive/v2/files?uploadType=media&convert=true',
    'ID,A\n',
    400,
    {
      reason: 'badRequest',
      message: 'This service converts no tables.',
      location: 'convert',
      locationType: 'parameter',
    },
  ],
  [
    '/drive/typings/v1/check',
    'ID,A\n',
    400,
    { reason: 'badRequest', message: 'This service does not check typings.' },
  ],
  [
    '/rules',
    { folder: 'root', method: 'lgx' },
    501,
    { reason: 'notImplemented', message: 'This server converts no tables.' },
  ],
])('%s is refused', async ([url, payload, status, error]) => {
  const reply = await ask('POST', url, payload)
  expect([reply.status, reply.json.error.errors]).toEqual([status, [{ domain: 'global', ...error }]])
})

test('there are no rules, and none to choose from', async () => {
  expect(await ask('GET', '/rules')).toEqual({
    status: 200,
    json: { kind: 'hla#ruleList', items: [], offers: { methods: [], releases: [] } },
  })
  const twice = await ask('GET', '/rules?folder=a&folder=b')
  expect([twice.status, twice.json.error.message]).toEqual([400, '`folder` must be given at most once.'])
})

test('what needs no converter is stored', async () => {
  const { status, json } = await ask('POST', '/upload/drive/v2/files?uploadType=media', 'ID,A\n')
  expect([status, json.fileSize]).toEqual([200, '5'])
})

/** Administration requests of the operator, over the socket in the store's folder or inside the command. */
import { writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { asOperator } from '../../../src/drive/commands/administration/as-operator.ts'
import {
  ADMIN_ROOT,
  type AdminRequest,
  OPERATOR_REQUESTS,
} from '../../../src/drive/contract/admin-requests.ts'
import { storeFolder } from '../../../src/drive/persistence/folder.ts'
import { type SendRequest, connectInFolder } from '../../../src/drive/persistence/service-socket.ts'
import { callHla } from '../../support/call-hla.ts'
import { type Drive, startDrive } from '../../support/drive.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()
const GROUP = 'typing@lab.example'
let drive: Drive
let send: SendRequest

beforeAll(async () => {
  drive = await startDrive()
  const found = await connectInFolder(storeFolder(drive.folder))
  if (found === undefined) throw new Error('the service has no socket')
  send = found
})
afterAll(() => drive.stop())

async function ask(method: string, path: string, body?: object) {
  const url = `${ADMIN_ROOT}/${path}`
  const { status, text } = await send({
    method,
    url,
    body: body === undefined ? undefined : JSON.stringify(body),
  })
  return { status, json: text === '' ? undefined : JSON.parse(text) }
}

test('the socket speaks the HTTP of the port, as the operator', async () => {
  expect(await ask('GET', 'self')).toEqual({ status: 200, json: { isAdministrator: true } })
  const made = await ask('POST', 'users', { email: 'served@lab.example' })
  const onPort = await drive.ask('GET', `${ADMIN_ROOT}/users`, { query: { prefix: 'served' } })
  expect(onPort.json.items).toEqual([made.json])
  const { json } = await drive.ask('GET', `${ADMIN_ROOT}/log`)
  expect(json.items[0]).toMatchObject({ by: null, command: 'addUser', subject: 'served@lab.example' })
  expect((await ask('GET', '../../v2/about')).status).toBe(404)
  expect((await ask('GET', 'nothing')).status).toBe(404)
})

describe('a port takes nothing that is the operator’s alone', () => {
  test.for(Object.values<AdminRequest>(OPERATOR_REQUESTS))('$verb $path', async ({ verb, path }) => {
    const asking = verb === 'GET' ? {} : { body: {} }
    const reply = await drive.ask(verb, `${ADMIN_ROOT}/${path.replaceAll(/:\w+/g, 'x')}`, asking)
    expect(reply.status).toBe(404)
    expect(reply.json.error.message).toBe('Not Found')
  })

  test.for<[string, string, object]>([
    ['POST', 'tokens', { user: 'owner@localhost', scopes: ['drive'], client: 'hla' }],
    ['POST', 'tokens', { user: 'owner@localhost', scopes: ['drive'], isRefresh: true }],
    ['PATCH', `groups/${GROUP}`, { add: ['owner@localhost'] }],
  ])('%s %s with %j', async ([method, path, body]) => {
    const reply = await drive.ask(method, `${ADMIN_ROOT}/${path}`, { body })
    const [{ reason, location }] = reply.json.error.errors
    expect([reply.status, reason, location]).toEqual([400, 'invalid', Object.keys(body).at(-1)])
  })
})

describe('a command that is refused in part changes nothing', () => {
  const hla = async (...words: readonly string[]) => {
    const { status, stdout, stderr } = await callHla(['drive', ...words], { cwd: temp('.') })
    return { status, out: stdout + stderr }
  }

  test.each(['beside a service', 'alone'])('%s', async (where) => {
    const data = temp(where)
    const other = await startDrive({ folder: data })
    if (where === 'alone') await other.stop()
    const at = (...words: readonly string[]) => hla(...words, '--data', data)
    await at('group', 'add', GROUP)
    expect(await at('group', 'set', GROUP, '--add', 'owner@localhost', '--remove', 'no@lab.example')).toEqual(
      {
        status: 2,
        out: 'hla: error: user not found: no@lab.example\n',
      },
    )
    expect(JSON.parse((await at('group', 'list', '--json')).out)).toMatchObject({ members: 0, users: '' })
    const password = temp(`${where}.password`)
    writeFileSync(password, 'correct horse battery\n')
    const refused = await at(
      'user',
      'set',
      'owner@localhost',
      '--password-file',
      password,
      '--quota',
      '9000PiB',
    )
    expect(refused).toMatchObject({ status: 2 })
    expect(JSON.parse((await at('user', 'list', '--json')).out)).toMatchObject({
      quota: null,
      password: false,
    })
    writeFileSync(password, '')
    expect(await at('user', 'set', 'owner@localhost', '--password-file', password)).toEqual({
      status: 2,
      out: 'hla: error: a password has 12 to 1024 characters\n',
    })
    // an error with a hint: the task needs exclusive access to the store's contents
    const tidied = await at('gc', '--grace', '1ms')
    if (where === 'alone') expect(tidied.status).toBe(0)
    else
      expect(tidied).toEqual({
        status: 2,
        out: expect.stringMatching(/a service uses the store[^]*\n  Use --grace 1h or more/),
      })
    if (where !== 'alone') await other.stop()
  })
})

test('a bug in a request of a command is shown as it is', async () => {
  const data = temp('bug')
  const own = await startDrive({ folder: data })
  await own.stop()
  const asked = asOperator(data, (ask) => ask('accesses.list'))
  await expect(asked).rejects.toThrow('accesses are recorded by a service')
})

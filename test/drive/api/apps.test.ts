/** The list of programs that hold tokens, as users see it. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { type Drive, startDrive } from '../../support/drive.ts'
import { callHla } from '../../support/call-hla.ts'

let drive: Drive
let token: string
beforeAll(async () => {
  drive = await startDrive()
  const facts = join(drive.folder, 'app.json')
  const hla = (...args: string[]) =>
    callHla(['drive', ...args, '--data', drive.folder], { cwd: drive.folder })
  const client = (...args: string[]) => hla('client', ...args)
  await client('add', 'plain')
  writeFileSync(
    facts,
    JSON.stringify({ installed: true, primaryFileExtensions: ['csv'], useByDefault: true }),
  )
  await client('add', 'tables', '--name', 'Tables', '--app', facts)
  writeFileSync(
    facts,
    JSON.stringify({ primaryMimeTypes: ['text/plain'], localized: { de: { name: 'Notizen' } } }),
  )
  await client('set', 'plain', '--name', 'Notes', '--app', facts)
  // the scope that lists apps
  const scopes = ['--client', 'plain', '--scopes', 'drive.apps.readonly']
  token = (await hla('token', 'create', '--user', 'owner@localhost', ...scopes)).stdout.trim()
})

test('are named by what is said of them, unless by an option', async () => {
  const facts = join(drive.folder, 'named.json')
  writeFileSync(facts, JSON.stringify({ name: 'Viewer', installed: false }))
  const client = async (...args: string[]) =>
    (await callHla(['drive', 'client', ...args, '--json', '--data', drive.folder], { cwd: drive.folder }))
      .stdout
  expect(JSON.parse(await client('add', 'one', '--app', facts))).toMatchObject({ name: 'Viewer' })
  expect(JSON.parse(await client('set', 'one', '--app', facts, '--name', 'Eye'))).toMatchObject({
    name: 'Eye',
  })
  await client('remove', 'one')
})

const list = async (query = {}) => (await drive.ask('GET', '/drive/v2/apps', { query, token })).json

const names = ({ items }: { items: readonly { name: string }[] }) => items.map(({ name }) => name)

test('those with tokens of the user, and those for everybody', async () => {
  const apps = await list()
  expect(apps).toMatchObject({ kind: 'drive#appList', defaultAppIds: ['tables'] })
  expect(names(apps)).toEqual(['hla', 'Notes', 'Tables'])
  expect(apps.items).toMatchObject([
    { kind: 'drive#app', id: 'hla', authorized: true, installed: true, hasDriveWideScope: true },
    { id: 'plain', authorized: true, hasDriveWideScope: false, primaryMimeTypes: ['text/plain'] },
    { id: 'tables', authorized: false, installed: true, useByDefault: true },
  ])
})

test.for<[object, string[]]>([
  [{ appFilterExtensions: 'CSV,xls' }, ['Tables']],
  [{ appFilterMimeTypes: 'text/plain' }, ['Notes']],
  [{ appFilterMimeTypes: 'text/plain', appFilterExtensions: 'csv' }, ['Notes', 'Tables']],
  [{ appFilterExtensions: 'pdf' }, []],
  [{ languageCode: 'de' }, ['hla', 'Notizen', 'Tables']],
])('%j: %j', async ([query, expected]) => expect(names(await list(query))).toEqual(expected))

test('one by its id', async () => {
  expect((await drive.ask('GET', '/drive/v2/apps/tables')).json).toMatchObject({
    kind: 'drive#app',
    name: 'Tables',
  })
  expect((await drive.ask('GET', '/drive/v2/apps/none')).status).toBe(404)
})

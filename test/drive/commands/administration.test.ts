/** Commands of administration on a store that no service holds. drive-session.test.ts has them beside a service. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { COMMANDS, command, OPERATOR } from '../../../src/drive/domain/commands.ts'
import { callHla } from '../../support/call-hla.ts'
import { openTestStore } from '../../support/store.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()
const cwd = temp('here')
beforeAll(async () => {
  mkdirSync(cwd)
  const store = await openTestStore(temp('store'), { writer: COMMANDS })
  await command(store, 'setUp', OPERATOR, { email: 'owner@localhost', digest: 'd' })
  await store.close()
  const files = {
    fields: '[{"id":"by","valueType":"user"},{"id":"note","valueType":"text"}]',
    app: '{"productUrl":"https://p.example/"}',
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(`${cwd}/${name}`, text)
})

/** Ids, times and secrets are replaced by others of the same length. */
async function hla(line: string): Promise<readonly [status: number, told: string, printed: string]> {
  const words = [...line.matchAll(/(?:'[^']*'|[^ '])+/g)].map(([word]) => word.replaceAll("'", ''))
  const { status, stderr, stdout } = await callHla(['drive', ...words, '--data', temp('store')], { cwd })
  const shown = (text: string) =>
    text
      .replaceAll(/\d{20}/g, '12345678901234567890')
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]{12}Z/g, '2026-01-01T00:00:00.000Z')
      .replaceAll(/hla_[\w-]{32}/g, 'hla_SECRET')
      .replaceAll(/^[\w-]{10}(?=  owner)/gm, 'digest----')
      .replace(/\n$/, '')
  return [status, shown(stderr), shown(stdout)]
}

test.for<[string, number, string, string]>([
  ['group add lab@example.org', 0, '', `EMAIL            NAME             ID                    MEMBERS  DISABLED
lab@example.org  lab@example.org  12345678901234567890  0        false`],
  ['group set lab@example.org --add owner@localhost', 0, '', `EMAIL            NAME             ID                    MEMBERS  DISABLED
lab@example.org  lab@example.org  12345678901234567890  1        false`],
  ['group set lab@example.org --name Lab --disable', 0, '', `EMAIL            NAME  ID                    MEMBERS  DISABLED
lab@example.org  Lab   12345678901234567890  1        true`],
  ['group set lab@example.org --enable', 0, '', `EMAIL            NAME  ID                    MEMBERS  DISABLED
lab@example.org  Lab   12345678901234567890  1        false`],
  ['group list', 0, '', `EMAIL            NAME  ID                    MEMBERS  DISABLED  USERS
lab@example.org  Lab   12345678901234567890  1        false     owner@localhost`],
  ['client add viewer --name Viewer --redirect https://a.example/x --redirect http://127.0.0.1/', 0, '', `ID      NAME    DISABLED  REDIRECT                               SECRET
viewer  Viewer  false     https://a.example/x http://127.0.0.1/  false`],
  ['client add installed --redirect http://127.0.0.1/ --json', 0, '', '{"id":"installed","name":"installed","disabled":false,"redirect":"http://127.0.0.1/","secret":false}'],
  ['client set viewer --disable', 0, '', `ID      NAME    DISABLED  REDIRECT                               SECRET
viewer  Viewer  true      https://a.example/x http://127.0.0.1/  false`],
  ['client set viewer --enable --app app', 0, '', `ID      NAME    DISABLED  REDIRECT                               SECRET
viewer  Viewer  false     https://a.example/x http://127.0.0.1/  false`],
  ['client credentials viewer --url https://drive.example//', 0, '', `{
  "web": {
    "client_id": "viewer",
    "client_secret": "hla_SECRET",
    "auth_uri": "https://drive.example/authorize",
    "token_uri": "https://drive.example/token",
    "redirect_uris": [
      "https://a.example/x",
      "http://127.0.0.1/"
    ]
  }
}`],
  ['client credentials installed --url https://drive.example', 0, '', `{
  "installed": {
    "client_id": "installed",
    "client_secret": "hla_SECRET",
    "auth_uri": "https://drive.example/authorize",
    "token_uri": "https://drive.example/token",
    "redirect_uris": [
      "http://127.0.0.1/"
    ]
  }
}`],
  ['client list', 0, '', `ID         NAME       DISABLED  REDIRECT                               SECRET
hla        hla        false     -                                      false
viewer     Viewer     false     https://a.example/x http://127.0.0.1/  true
installed  installed  false     http://127.0.0.1/                      true`],
  ['token create --user owner@localhost --client viewer --scopes drive.readonly,drive.file --label x --refresh', 0, '', 'hla_SECRET'],
  ['token list', 0, '', `NAME        USER             CLIENT  SCOPES                     KIND     CREATED                   EXPIRES                   LABEL
digest----  owner@localhost  viewer  drive.readonly drive.file  refresh  2026-01-01T00:00:00.000Z  -                         x
d           owner@localhost  hla     drive drive.apps.readonly  access   2026-01-01T00:00:00.000Z  2026-01-01T00:00:00.000Z  made at first start`],
  ['label set urgent --fields fields', 0, '', `ID      REVISION  FIELDS    DISABLED
urgent  1         by, note  false`],
  ['label set urgent --rename pressing --disable', 0, '', `ID        REVISION  FIELDS    DISABLED
pressing  1         by, note  true`],
  ['label set pressing --enable', 0, '', `ID        REVISION  FIELDS    DISABLED
pressing  1         by, note  false`],
  ['limit set title-bytes=5', 0, '', `NAME         LIMIT  STANDARD  SET   OF
title-bytes  5      32,767    true  title`],
  ['gc --grace 0s --json', 0, '', '{"purged":0,"expiredUploads":0,"files":0}'],
])('hla drive %s', async ([line, ...answer]) => {
  expect(await hla(line)).toEqual(answer)
}) // prettier-ignore

/** What a command prints. */
const printed = async (...words: readonly string[]) => {
  const { status, stdout, stderr } = await callHla(['drive', ...words, '--data', temp('store')], { cwd })
  return status === 0 ? stdout : stderr
}
const listed = async (what: string) =>
  (await printed(what, 'list', '--json'))
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Readonly<Record<string, string>>)

test('a key is renamed, disabled, replaced and revoked', async () => {
  const url = ['--url', 'https://drive.example/']
  await printed('account', 'add', 'robot@example.org', ...url)
  const [first] = await listed('key')
  const kid = first?.['key'] ?? ''
  const change = async (...words: readonly string[]) =>
    JSON.parse(await printed('key', 'set', kid, ...words, '--json')) as object
  const named = { ...first, name: 'desk' }
  expect(await change('--name', 'desk')).toEqual(named)
  expect(await change('--disable')).toEqual({ ...named, disabled: true })
  expect(await change('--enable')).toEqual(named)
  expect(await printed('key', 'set', kid, '--enable', '--disable')).toBe(
    'hla: error: give --disable or --enable, not both\n',
  )
  await printed('key', 'add', 'robot@example.org', ...url, '--impersonate')
  const others = async () => (await listed('key')).filter(({ key }) => key !== kid)
  const [other] = await others()
  expect(other).toMatchObject({ account: 'robot@example.org', name: null, impersonates: true })
  const made = JSON.parse(await printed('key', 'rotate', other?.['key'] ?? '', ...url)) as object
  const [next, ...more] = await others()
  expect([next, more]).toEqual([{ ...other, key: expect.any(String), created: expect.any(String) }, []])
  expect(next?.['key']).not.toBe(other?.['key'])
  expect(made).toMatchObject({ private_key_id: next?.['key'], client_email: 'robot@example.org' })
  expect(await printed('key', 'revoke', next?.['key'] ?? '')).toBe('')
  expect([await others(), (await listed('account')).map(({ keys }) => keys)]).toEqual([[], [1]])
})

test('a token ends in time, and is revoked by itself or by its name', async () => {
  const create = async (...words: readonly string[]) =>
    (await printed('token', 'create', '--user', 'owner@localhost', ...words)).trim()
  const before = (await listed('token')).length
  const [token] = [await create('--expires', '12h'), await create('--label', 'b')]
  const [second, first] = await listed('token')
  const time = Date.parse(first?.['expires'] ?? '') - Date.parse(first?.['created'] ?? '')
  expect(Math.round(time / 60_000)).toBe(12 * 60)
  expect([second?.['label'], second?.['expires']]).toEqual(['b', null])
  for (const word of [token, second?.['name'] ?? ''])
    expect(await hla(`token revoke ${word}`)).toEqual([0, 'hla: the token is revoked', ''])
  expect(await listed('token')).toHaveLength(before)
})

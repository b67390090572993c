/** The check of a table's first lines for cells that are not typings, as the page requests it. */
import { beforeAll, expect, test } from 'vitest'
import { type Drive, startDrive } from '../../support/drive.ts'

let drive: Drive
beforeAll(async () => {
  drive = await startDrive({ env: { HLA_RELEASE: 'starter' } })
})

const check = (body: string, token: string | undefined = drive.token) =>
  drive.ask('POST', '/drive/typings/v1/check', { body, token, headers: { 'content-type': 'text/csv' } })

test('cells that are no typings are told by line and column, with the reason and the release', async () => {
  const { status, json, headers } = await check(
    'id,A_1,A_2\n1,01:01,02:01\n2,A*99:99,24:02\n3,A**1,03:01\n4,11:01,\n',
  )
  expect(status).toBe(200)
  expect(headers.get('cache-control')).toBe('no-store')
  expect(json).toEqual({
    release: 'the starter set of 3.58.0',
    typings: 7,
    found: 2,
    cells: [
      {
        line: 3,
        column: 'A_1',
        value: 'A*99:99',
        // the starter set does not have every name
        isUndecided: true,
        why: expect.stringContaining('not fully covered by the built-in starter set'),
      },
      { line: 4, column: 'A_1', value: 'A**1', isUndecided: false, why: 'a name has only one "*"' },
    ],
  })
})

test('a table without typings is told so, and is no fault', async () => {
  const { status, json } = await check('name,city\nAda,London\n')
  expect([status, Object.keys(json)]).toEqual([200, ['why']])
  expect((await check('')).status).toBe(200)
})

test('who has no token is told nothing, and no more is read than a page shows', async () => {
  const anonymous = await drive.ask('POST', '/drive/typings/v1/check', { body: 'A_1\n01:01\n', token: '' })
  expect(anonymous.status).toBe(401)
  expect((await check(`A_1\n${'01:01\n'.repeat(50_000)}`)).status).toBe(413)
})

test('a release that is not installed is said', async () => {
  const other = await startDrive({ env: { HLA_RELEASE: '3.1.0' } })
  const { json } = await other.ask('POST', '/drive/typings/v1/check', { body: 'A_1,A_2\n01:01,02:01\n' })
  expect(json.why).toContain('3.1.0')
})

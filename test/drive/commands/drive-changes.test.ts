/** `hla drive mv`, `cp`, `mkdir`, `search`, `trash` and `untrash`: their refusals, and that they replace nothing. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callHla } from '../../support/call-hla.ts'
import { type Drive, startDrive } from '../../support/drive.ts'

let drive: Drive
const made = new Map<string, string>()
const hla = (...args: string[]) =>
  callHla(['drive', ...args], {
    cwd: drive.folder,
    env: { HLA_DRIVE_URL: drive.url, HLA_DRIVE_TOKEN: drive.token },
  })
beforeAll(async () => {
  drive = await startDrive()
  const make = async (title: string, parent: string, mimeType = 'text/csv') => {
    const body = { title, mimeType, parents: [{ id: made.get(parent) ?? 'root' }] }
    made.set(title, (await drive.ask('POST', '/drive/v2/files', { body })).json.id)
  }
  await make('desk', 'root', 'application/vnd.google-apps.folder')
  await make('box', 'root', 'application/vnd.google-apps.folder')
  await make('full', 'root', 'application/vnd.google-apps.folder')
  await make('b.csv', 'full')
  for (const title of ['a.csv', 'b.csv', 'gone.csv']) await make(title, 'desk')
})
afterAll(() => drive.stop())

test.for([
  [['mv', '/desk/a.csv', '/desk/b.csv'], 'not overwritten'],
  [['mv', '/desk/a.csv', '/desk/b.csv', '/desk/c.csv'], 'is not a folder'],
  [['mv', '/desk/a.csv', '/desk/b.csv', '/full/'], 'there is a b.csv already'],
  [['cp', '/desk/a.csv', '/desk/b.csv', '/full/'], 'there is a b.csv already'],
  [['mv', '/desk/a.csv'], 'the destination is missing'],
  [['mv', '/desk/none.csv', '/box'], 'there is no /desk/none.csv'],
  [['cp', '/desk', '/copy'], 'is a folder'],
  [['cp', '/desk/a.csv', '/desk/b.csv'], 'not overwritten'],
  [['mkdir', '/desk'], 'not overwritten'],
  [['mkdir', '/none/below'], 'there is no /none'],
  [['untrash', '/desk/a.csv'], 'in the trash'],
  [['search'], 'nothing to search for'],
  [['search', '--query', 'title ==== x'], 'Invalid'],
] as const)('%j is refused, and nothing changes', async ([args, message]) => {
  const { status, stderr, stdout } = await hla(...args)
  expect([status, stdout]).toEqual([expect.any(Number), ''])
  expect([status > 0, stderr]).toEqual([true, expect.stringContaining(message)])
  expect((await hla('ls', '/desk', '/full')).stdout).toBe('a.csv\nb.csv\ngone.csv\nb.csv\n')
})

test('several are moved at once, keep their ids, and come back out of the trash to where they were', async () => {
  expect(await hla('mv', '/desk/a.csv', '/desk/b.csv', '/box/')).toMatchObject({ status: 0 })
  const { json } = await drive.ask('GET', `/drive/v2/files/${made.get('a.csv')}`)
  expect([json.title, json.parents.map(({ id }: { id: string }) => id)]).toEqual(['a.csv', [made.get('box')]])
  await hla('trash', '/desk/gone.csv')
  expect((await hla('trash', '--json')).stdout).toContain('"title":"gone.csv"')
  await hla('untrash', '/desk/gone.csv')
  expect((await hla('ls', '/desk')).stdout).toBe('gone.csv\n')
})

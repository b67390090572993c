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

const THERE = 'already; existing files are not overwritten'
test.for<[words: string[], status: number, message: string]>([
  [['mv', '/desk/a.csv', '/desk/b.csv'], 2, `there is a /desk/b.csv ${THERE}`],
  [['mv', '/desk/a.csv', '/desk/b.csv', '/desk/c.csv'], 2, '/desk/c.csv is not a folder'],
  [['mv', '/desk/a.csv', '/desk/b.csv', '/full/'], 2, `there is a b.csv ${THERE}`],
  [['cp', '/desk/a.csv', '/desk/b.csv', '/full/'], 2, `there is a b.csv ${THERE}`],
  [['mv', '/desk/a.csv'], 2, 'the destination is missing'],
  [['mv', '/desk/none.csv', '/box'], 4, 'there is no /desk/none.csv in the store'],
  [['cp', '/desk', '/copy'], 2, 'desk is a folder\n  -R copies it and everything in it'],
  [['cp', '/desk/a.csv', '/desk/b.csv'], 2, `there is a /desk/b.csv ${THERE}`],
  [['mkdir', '/desk'], 2, `there is a desk ${THERE}`],
  [['mkdir', '/none/below'], 4, 'there is no /none in the store'],
  [['untrash', '/desk/a.csv'], 4, 'there is no /desk/a.csv in the trash'],
  [['search'], 2, 'there is nothing to search for\n  hla drive search DRB1'],
  [
    ['search', '--query', 'title ==== x'],
    4,
    'the store says: Invalid query at character 9: a string in quotes expected',
  ],
  [['put', 'owner-token', '/desk/a.csv/'], 4, '/desk/a.csv is a file, not a folder'],
  [
    ['put', '--new', 'owner-token', '/desk/a.csv'],
    2,
    'a file a.csv already exists in the store\n  without --new, a new revision is added to it',
  ],
  [['rm', '/desk/a.csv', '/full'], 2, '/full is a folder\n  -R removes it and everything in it'],
  [['rm', '/desk/a.csv', '/none'], 4, 'there is no /none in the store'],
])('%j is refused, and nothing changes', async ([args, status, message]) => {
  expect(await hla(...args)).toEqual({ status, stdout: '', stderr: `hla: error: ${message}\n` })
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

test('two of one path in the trash are told apart by their ids', async () => {
  const ids: string[] = []
  for (const _ of [1, 2]) {
    const body = { title: 'twin.csv', mimeType: 'text/csv', parents: [{ id: made.get('box') }] }
    const { id } = (await drive.ask('POST', '/drive/v2/files', { body })).json
    ids.push(id)
    expect(await hla('trash', id)).toMatchObject({ status: 0 })
  }
  const { status, stderr } = await hla('untrash', '/box/twin.csv')
  const [first = '', ...lines] = stderr.trimEnd().split('\n')
  expect([status, first]).toEqual([
    2,
    'hla: error: 2 files in the trash were /box/twin.csv: give the id of one',
  ])
  expect(lines.map((line) => line.trim().split('  ')[0] ?? '').toSorted()).toEqual(ids.toSorted())
  expect(await hla('untrash', ids[1] ?? '')).toEqual({ status: 0, stdout: '', stderr: '' })
  expect(JSON.parse((await hla('ls', '--json', '/box/twin.csv')).stdout)).toMatchObject({ id: ids[1] })
})

test('a file of two folders is taken out of one, and removed for ever by its id alone', async () => {
  const body = {
    title: 'both.csv',
    mimeType: 'text/csv',
    parents: ['desk', 'full'].map((name) => ({ id: made.get(name) })),
  }
  const { id } = (await drive.ask('POST', '/drive/v2/files', { body })).json
  expect(await hla('rm', '--forever', '/desk/both.csv')).toEqual({
    status: 2,
    stdout: '',
    stderr:
      'hla: error: /desk/both.csv is in 2 folders\n' +
      `  without --forever it is taken out of this one; hla drive rm --forever ${id} deletes it from all\n`,
  })
  expect(await hla('rm', '/desk/both.csv')).toEqual({ status: 0, stdout: '', stderr: '' })
  expect((await hla('ls', '/full')).stdout).toContain('both.csv')
  expect(await hla('rm', '--forever', '/full/both.csv')).toMatchObject({ status: 0 })
  expect((await drive.ask('GET', `/drive/v2/files/${id}`)).status).toBe(404)
})

test('a file named by its id gets a revision', async () => {
  const id = made.get('gone.csv') ?? ''
  expect(await hla('put', 'owner-token', id)).toEqual({ status: 0, stdout: '', stderr: '' })
  expect(await drive.ask('GET', `/drive/v2/files/${id}`)).toMatchObject({
    json: { title: 'gone.csv', mimeType: 'text/csv', fileSize: String(drive.token.length + 1) },
  })
})

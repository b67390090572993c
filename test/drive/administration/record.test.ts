/** Every administrative change is recorded in the same transaction, by every route, and the record expires. */
import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { pageOfRecords, pageOfUsers } from '../../../src/drive/domain/administration/lists.ts'
import { OPERATOR } from '../../../src/drive/domain/commands.ts'
import { purgeAll } from '../../../src/drive/domain/upkeep/purge.ts'
import type { Database } from '../../../src/drive/persistence/database/database.ts'
import { PROGRAM, startDrive } from '../../support/drive.ts'
import { openLibrary } from '../../support/library.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()
const DAY = 86_400_000
const written = (db: Database) =>
  pageOfRecords(db, { most: 100, after: undefined }).items.map(({ actor, command, subject }) => [
    actor,
    command,
    subject,
  ])

test('steps are made together, or none of them', async () => {
  const library = await openLibrary(temp('steps'))
  const [ada] = library.callers
  const email = 'new@example.org'
  const add = { command: 'addUser', input: { email } } as const
  const fail = { command: 'addGroup', input: { email } } as const
  expect(() => library.run('administer', ada, { steps: [add, fail] })).toThrow('There is a user')
  expect(written(library.db)).toEqual([])
  expect(pageOfUsers(library.db, { most: 10, after: undefined }, 'new').items).toEqual([])
  library.run('administer', ada, { steps: [add, { command: 'setPassword', input: { email, hash: null } }] })
  expect(written(library.db)).toEqual([
    [ada.user, 'setPassword', email],
    [ada.user, 'addUser', email],
  ])
  library.close()
})

test('a token of another program changes nothing, in the transaction neither', async () => {
  const library = await openLibrary(temp('program'))
  const [ada, bo] = library.callers
  const steps = [{ command: 'addGroup', input: { email: 'g@example.org' } }] as const
  for (const caller of [
    bo,
    { ...ada, client: bo.client },
    { ...ada, via: ['x', 'y'] },
    { ...ada, scopes: [] },
  ])
    expect(() => library.run('administer', caller, { steps })).toThrow(
      /Only an administrator|Invalid Credentials/,
    )
  library.run('administer', ada, { steps })
  // the operator may remove the last administrator, and can add another
  const last = [{ command: 'changeUser', input: { pk: ada.user, isAdmin: false } }] as const
  expect(() => library.run('administer', ada, { steps: last })).toThrow('no administrator left')
  library.run('administer', OPERATOR, { steps: last })
  expect(() => library.run('administer', ada, { steps })).toThrow('Only an administrator')
  library.close()
})

test('it goes after the days that the limit says', async () => {
  const library = await openLibrary(temp('purge'))
  const purge = () => purgeAll(async (step) => library.run('purge', OPERATOR, step))
  const add = (email: string) =>
    library.run('administer', OPERATOR, { steps: [{ command: 'addGroup', input: { email } }] })
  add('old@example.org')
  library.wait(400 * DAY)
  add('new@example.org')
  await purge()
  expect(await purge()).toBe(0)
  expect(written(library.db)).toHaveLength(2)
  library.run('setLimit', OPERATOR, { name: 'administration-days', value: 365 })
  expect(await purge()).toBe(1)
  expect(written(library.db)).toEqual([[0, 'addGroup', 'new@example.org']])
  library.close()
})

test('the command line writes it down, beside a service and alone', async () => {
  const drive = await startDrive()
  const hla = (...words: readonly string[]) => {
    const { status, stderr } = spawnSync(process.execPath, [
      PROGRAM,
      'drive',
      ...words,
      '--data',
      drive.folder,
    ])
    expect([status, String(stderr)]).toEqual([0, ''])
  }
  hla('user', 'add', 'served@lab.example', '--name', 'Served')
  const log = async () => (await drive.ask('GET', '/drive/admin/v1/log')).json.items
  expect(await log()).toEqual([
    expect.objectContaining({ by: null, command: 'addUser', subject: 'served@lab.example' }),
  ])
  await drive.stop()
  hla('user', 'add', 'alone@lab.example', '--name', 'Alone')
  const again = await startDrive({ folder: drive.folder, token: drive.token })
  const { json } = await again.ask('GET', '/drive/admin/v1/log')
  expect(json.items.map(({ subject }: { subject: string }) => subject)).toEqual([
    'alone@lab.example',
    'served@lab.example',
  ])
  await again.stop()
})

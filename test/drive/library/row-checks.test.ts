import { describe, expect, test } from 'vitest'
import type { Caller } from '../../../src/drive/contract/failure.ts'
import { FOLDER_MIME } from '../../../src/drive/contract/kinds.ts'
import { COMMANDS, command, OPERATOR } from '../../../src/drive/domain/commands.ts'
import { LIBRARY_CHECKS } from '../../../src/drive/domain/upkeep/row-checks.ts'
import { fsck } from '../../../src/drive/persistence/upkeep/fsck.ts'
import type { Store } from '../../../src/drive/persistence/store.ts'
import { openTestStore, runSql } from '../../support/store.ts'
import { STORE_COMMANDS } from '../../support/store-commands.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()
const writer = { ...COMMANDS, sql: STORE_COMMANDS['sql'] ?? (() => undefined) }

async function makeStore(name: string): Promise<Store> {
  const store = await openTestStore(temp(name), { writer })
  await command(store, 'setUp', OPERATOR, { email: 'a@b.c', digest: 'd' })
  const user = store.read.get<{ pk: number }>(`SELECT pk FROM principals WHERE kind = 'user'`)?.pk ?? 0
  const caller: Caller = { user, client: 1, scopes: ['drive'] }
  await command(store, 'insertFile', caller, { body: { title: 'typings.csv' } })
  return store
}

async function told(store: Store, isRepairing: boolean): Promise<[string, boolean | undefined][]> {
  const options = { isDeep: true, isRepairing, checks: LIBRARY_CHECKS }
  return (await fsck(store.folder.path, options)).findings.map(({ what, isRepaired }) => [what, isRepaired])
}

describe('LIBRARY_CHECKS', () => {
  test('find nothing in what the library wrote', async () => {
    const store = await makeStore('clean')
    await store.close()
    expect(await told(store, false)).toEqual([])
  })

  test.for<[string, string, string?]>([
    ['DELETE FROM words', 'are not indexed'],
    ['UPDATE files SET trashed = 1 WHERE is_root = 0', 'is marked as in the trash'],
    ['UPDATE files SET explicit_trash = 1 WHERE is_root = 0', 'is not marked as in the trash'],
    [`UPDATE acls SET digest = 'x'`, 'has changed unexpectedly'],
    [
      `UPDATE acl_entries SET role = 'reader'`,
      'has changed unexpectedly',
      'differ from the permissions granted',
    ],
  ])('find what is wrong after %s, and mend it', async ([sql, what, also], { task }) => {
    const store = await makeStore(task.id)
    await runSql(store, sql)
    await store.close()
    const expected = (isRepaired: boolean, count: number) => [
      [expect.stringContaining(what) as unknown, isRepaired],
      // one finding per item
      ...Array.from({ length: also === undefined ? 0 : count - 1 }, () => [
        expect.stringContaining(also ?? '') as unknown,
        isRepaired,
      ]),
    ]
    const found = await told(store, false)
    expect(found).toEqual(expected(false, found.length))
    const mended = await told(store, true)
    expect(mended).toEqual(expected(true, mended.length))
    expect(await told(store, false)).toEqual([])
  })
})

test('a folder that is inside itself is found once, wherever it is, and goes to the root', async () => {
  const store = await makeStore('cycle')
  const user = store.read.get<{ pk: number }>(`SELECT pk FROM principals WHERE kind = 'user'`)?.pk ?? 0
  const caller: Caller = { user, client: 1, scopes: ['drive'] }
  const make = async (title: string, parent: string) => {
    const body = { title, mimeType: FOLDER_MIME, parents: [{ id: parent }] }
    return (await command(store, 'insertFile', caller, { body })).row.id
  }
  const [top, other] = [await make('top', 'root'), await make('other', 'root')]
  const [inner, own] = [await make('inner', top), await make('own', other)]
  const put = (parent: string, child: string) =>
    runSql(
      store,
      `INSERT INTO parents(parent, child) SELECT p.pk, c.pk FROM files p, files c WHERE p.id = '${parent}' AND c.id = '${child}'`,
    )
  await put(own, own)
  await put(inner, top)
  await store.close()
  const inside = async (isRepairing: boolean) =>
    (await told(store, isRepairing)).filter(([what]) => what.endsWith(' is inside itself'))
  const expected = (isRepaired: boolean) =>
    [top, own].map((id) => [`folder ${id} is inside itself`, isRepaired])
  expect(await inside(false)).toEqual(expected(false))
  expect(await inside(true)).toEqual(expected(true))
  expect(await inside(false)).toEqual([])
})

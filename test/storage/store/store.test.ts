import { statSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { Caller } from '../../../src/storage/model/caller.ts'
import { openStore, type Store } from '../../../src/storage/store/store.ts'
import { bundled } from '../../support/bundled.ts'
import { STORE_COMMANDS } from '../../support/store-commands.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()
const thread = { file: bundled('test/support/store-writer.ts') }

const NOBODY: Caller = { user: 0, client: 0, scopes: [] }

const WRITERS = [
  ['a thread', thread],
  ['this thread', STORE_COMMANDS],
] as const

function countOf(store: Store): number | undefined {
  return store.read.get<{ count: number }>('SELECT count(*) AS count FROM files')?.count
}

describe.for(WRITERS)('openStore with %s that writes', ([name, writer]) => {
  test('runs commands and reads what they wrote', async () => {
    const events = {
      onBroken: (e: Error) => {
        throw e
      },
      onWarning: (t: string) => {
        throw new Error(t)
      },
    }
    const store = await openStore(temp(`run-${name}`), { writer, isService: true, ...events })
    const all = await Promise.all(
      Array.from({ length: 300 }, (_, at) => store.write('add', NOBODY, { title: `t${at}` })),
    )
    expect(all).toHaveLength(300)
    expect(countOf(store)).toBe(300)
    await expect(store.write('refuse', NOBODY, { title: 'r' })).rejects.toMatchObject({
      name: 'StorageFailure',
      status: 404,
      details: { location: 'fileId' },
    })
    await expect(store.write('crash', NOBODY, { title: 'r' })).rejects.toMatchObject({
      name: 'TypeError',
      stack: expect.stringContaining('crash'),
    })
    await expect(store.write('async', NOBODY, {})).rejects.toThrow('waits for nothing')
    if (writer === thread)
      await expect(store.write('uncloneable', NOBODY, {})).rejects.toThrow('could not be cloned')
    expect(countOf(store)).toBe(300)
    expect(statSync(store.folder.database).mode & 0o777).toBe(0o600)
    await store.close()
  })
})

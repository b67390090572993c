/** A change takes longer than the time after which a hanging server loses its turn. */
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { openSharedStore } from '../../../src/drive/persistence/shared/shared-store.ts'
import type { Store } from '../../../src/drive/persistence/store.ts'
import { bundled } from '../../support/bundled.ts'
import { POSTGRES, startPostgres } from '../../support/postgres.ts'
import { addFile, titlesOf } from '../../support/store.ts'
import { NOBODY, type SlowInput } from '../../support/store-commands.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()

describe.skipIf(POSTGRES === undefined)('a change of eleven seconds', async () => {
  const postgres = POSTGRES === undefined ? undefined : await startPostgres()
  const writer = { file: bundled('test/support/store-writer.ts') }

  test('is made once beside a server that writes all the time', async () => {
    const url = postgres?.database('long') ?? ''
    const open = (folder: string) =>
      openSharedStore(temp(folder), {
        url,
        contents: temp('contents'),
        writer,
        isService: true,
        onBroken(error) {
          throw error
        },
        onWarning: () => undefined,
      })
    const [one, other] = [await open('1'), await open('2')]
    const made: string[] = []
    const load = { isOver: false }
    const add = async (store: Store, title: string) => {
      await addFile(store, title)
      made.push(title)
    }
    await add(one, 'first')
    await add(other, 'second')
    const loading = (async () => {
      for (let at = 0; !load.isOver; at += 1) {
        // a request that waited too long is answered with 503
        await add(other, `beside ${at}`).catch((error: unknown) =>
          expect(error).toMatchObject({ status: 503 }),
        )
        await sleep(50)
      }
    })()
    const input: SlowInput = { title: 'long', milliseconds: 11_000 }
    await one.write('slow', NOBODY, input)
    made.push(input.title)
    load.isOver = true
    await loading
    await one.sharing?.current()
    expect(titlesOf(one).toSorted()).toEqual(made.toSorted())
    await other.sharing?.current()
    expect(titlesOf(other)).toEqual(titlesOf(one))
    await Promise.all([one.close(), other.close()])
  })
})

/** A command that finds no service locks the store; other commands and a starting service wait for it. */
import { expect, test } from 'vitest'
import { asOperator } from '../../../src/drive/commands/administration/as-operator.ts'
import { storeFolder } from '../../../src/drive/persistence/folder.ts'
import { LockHeld, lockService } from '../../../src/drive/persistence/lock.ts'
import { openTestStore } from '../../support/store.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()

test.each(['a command', 'a service'])('%s waits until a command has ended', async (what) => {
  const path = temp(what)
  await (await openTestStore(path)).close()
  const order: string[] = []
  const openNext = () =>
    what === 'a command'
      ? asOperator(path, async () => void order.push('next'))
      : openTestStore(path).then((store) => {
          order.push('next')
          return store.close()
        })
  let next: Promise<void> | undefined
  await asOperator(path, async () => {
    next = openNext()
    await expect(lockService(storeFolder(path))).rejects.toBeInstanceOf(LockHeld)
    order.push('first')
  })
  await next
  expect(order).toEqual(['first', 'next'])
})

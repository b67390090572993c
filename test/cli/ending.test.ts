/** A run that goes on until it is asked to end: when it is asked while it does something else, it does not wait any more. */
import { afterEach, expect, test } from 'vitest'
import { type Ending, untilEnding } from '../../src/cli/run/watch/ending.ts'

let ending: Ending | undefined
afterEach(() => ending?.stop())

test.for([
  ['a signal before it waits', () => void process.emit('SIGTERM'), undefined],
  ['a signal while it waits', undefined, () => void process.emit('SIGINT')],
  ['a wake-up before it waits', ({ wake }: Ending) => wake(), undefined],
  ['a wake-up while it waits', undefined, ({ wake }: Ending) => wake()],
] as const)('%s ends the waiting', async ([, before, meanwhile]) => {
  ending = untilEnding()
  before?.(ending)
  const waited = ending.within(60_000)
  meanwhile?.(ending)
  await expect(waited).resolves.toBeUndefined()
})

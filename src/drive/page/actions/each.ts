/** The same thing done with several items, one after the other: what fails is told with its reason, and the rest is done. */
import type { PageItem } from '../answers.ts'
import { describeError } from '../service.ts'
import { say } from '../talk.ts'

/** `done`: what an item is afterwards, as in `donors.csv is restored.` `then`: shows what has changed. */
export async function doWithEach(
  items: readonly PageItem[],
  done: string,
  act: (item: PageItem) => Promise<unknown>,
  then: () => Promise<void>,
): Promise<void> {
  say('')
  const failures: string[] = []
  for (const [at, item] of items.entries()) {
    if (items.length > 1) say(`${at + 1} of ${items.length}: ${item.title}`)
    try {
      await act(item)
    } catch (error) {
      failures.push(`${item.title}: ${describeError(error)}`)
    }
  }
  await then()
  const count = items.length - failures.length
  const whole = items.length === 1 ? `${items[0]?.title} is ${done}.` : `${count} items are ${done}.`
  if (failures.length === 0) return say(whole)
  const some = items.length === 1 ? '' : `${count} of ${items.length} items are ${done}. `
  say(`${some}${failures.join(' ')}`, true)
}

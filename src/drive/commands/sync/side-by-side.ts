/** Runs work on many items, a few at a time. */

/** Starts no further work after a failure, waits for what has begun, and throws the first failure. */
export async function sideBySide<Item>(
  items: Iterable<Item>,
  most: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const failures: unknown[] = []
  const waiting = items[Symbol.iterator]()
  const worker = async () => {
    while (failures.length === 0) {
      const next = waiting.next()
      if (next.done === true) return
      await work(next.value).catch((error: unknown) => failures.push(error))
    }
  }
  await Promise.all(Array.from({ length: most }, worker))
  if (failures.length > 0) throw failures[0]
}

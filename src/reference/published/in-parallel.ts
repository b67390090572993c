/** Parallel requests to a source, and the numbers that releases may have. Pure. */

const AT_ONCE = 6

/** Last minor number: branch names have two digits for it. */
export const LAST_MINOR = 99

/** Results in the order of the items, a few at a time, without undefined ones. */
export async function inParallel<T, R>(
  items: readonly T[],
  run: (item: T) => Promise<R | undefined>,
): Promise<R[]> {
  const results: (R | undefined)[] = []
  let next = 0
  const work = async () => {
    while (next < items.length) {
      const index = next++
      const item = items[index]
      if (item !== undefined) results[index] = await run(item)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return results.filter((result) => result !== undefined)
}

/** 0 to `last`. */
export function upTo(last: number): number[] {
  return Array.from({ length: last + 1 }, (_, index) => index)
}

/** Groups items by key, in order of their first item. */
export function groupBy<Item>(items: Iterable<Item>, keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>()
  for (const item of items) {
    const key = keyOf(item)
    const found = groups.get(key)
    if (found === undefined) groups.set(key, [item])
    else found.push(item)
  }
  return groups
}

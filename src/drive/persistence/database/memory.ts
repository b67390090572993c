/** Typed cache of a connection, kept as long as it is open. Each reader declares the values it caches. */

/** Declaration of a cached value, made once at module level. The object itself is the key. */
export interface CachedValue<T> {
  readonly make: () => T
}

export interface Memory {
  readonly recall: <T>(what: CachedValue<T>) => T
  /** Discards the value. The next `recall` makes a new one. */
  readonly forget: (what: CachedValue<unknown>) => void
  /** Discards everything, after another writer's changes. */
  readonly clear: () => void
}

export function makeMemory(): Memory {
  const known = new Map<CachedValue<unknown>, unknown>()
  return {
    recall<T>(what: CachedValue<T>): T {
      // the map holds the result of the declaration's `make`
      if (known.has(what)) return known.get(what) as T
      const made = what.make()
      known.set(what, made)
      return made
    },
    forget: (what) => void known.delete(what),
    clear: () => known.clear(),
  }
}

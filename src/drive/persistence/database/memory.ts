/** What is remembered beside a connection, for as long as it is open: each reader declares what it remembers, with its type. */

/** Declared once, outside functions: the object itself is the name. */
export interface Remembered<T> {
  readonly make: () => T
}

export interface Memory {
  readonly recall: <T>(what: Remembered<T>) => T
  /** It is made anew when it is recalled next. */
  readonly forget: (what: Remembered<unknown>) => void
  /** All of it: somebody else has written. */
  readonly clear: () => void
}

export function makeMemory(): Memory {
  const known = new Map<Remembered<unknown>, unknown>()
  return {
    recall<T>(what: Remembered<T>): T {
      // under one declaration there is what it made
      if (known.has(what)) return known.get(what) as T
      const made = what.make()
      known.set(what, made)
      return made
    },
    forget: (what) => void known.delete(what),
    clear: () => known.clear(),
  }
}

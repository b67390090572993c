/** Facts that may have to be asked for, far away: what is made of them is made again until none is missing. */
import type { NameFacts } from './name-facts.ts'

export interface SettlingFacts extends NameFacts {
  /** Asks for what was missing since the last time; whether anything was. Facts that are here have none missing. */
  readonly settle?: () => Promise<boolean>
}

/** `make` is pure; with facts missing it may be wrong, and is run again with them. */
export async function settled<T>({ settle }: SettlingFacts, make: () => T): Promise<T> {
  for (;;) {
    const made = make()
    if (settle === undefined || !(await settle())) return made
  }
}

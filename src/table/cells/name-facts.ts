/** The few things about names that reading a cell must know, some of which may be far away; everything else is left to the operation that answers. */
import { findAntigen } from '../../engine/antigen-levels.ts'
import type { Release } from '../../reference/release.ts'
import { theReading } from '../../nomenclature/version2.ts'

export interface NameFacts {
  /** `IPD-IMGT/HLA 3.58.0`, for messages. */
  readonly title: string
  readonly label: string
  readonly loci: readonly string[]
  readonly isAntigen: (name: string) => boolean
  /** `C*12`: is it one, of an allele or of a broad family? */
  readonly isFirstField: (family: string) => boolean
  /** `A*0101` -> `A*01:01`. What is no name when respelled stays as it is: the lists of old names say what became of it (`B*27051`). */
  readonly respell: (name: string) => string
}

export function makeNameFacts(release: Release): NameFacts {
  const { dataset, label, loci, oldNames } = release.facts
  // the starter set does not hold every antigen: what it does not know it must not call unknown
  const isComplete = dataset === 'full'
  const isListed = (name: string) =>
    release.is('allele', name) || release.listOf('shortNull', name) !== undefined
  return {
    title: columnTitle(label, isComplete),
    label,
    loci,
    isAntigen: (name) => !isComplete || findAntigen(name, release) !== undefined,
    isFirstField: (family) => !isComplete || release.listOf('xx', family) !== undefined,
    respell(name) {
      const reading = oldNames[name] ?? theReading(name)
      return !isComplete || !isDigitName(name) || isListed(reading) ? reading : name
    },
  }
}

/** A code is none: whether there is one is not asked here. */
export function isDigitName(name: string): boolean {
  return /\*\d+[A-Z]?$/.test(name)
}

export function columnTitle(label: string, isComplete: boolean): string {
  return isComplete ? `IPD-IMGT/HLA ${label}` : `the built-in starter set of ${label}`
}

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

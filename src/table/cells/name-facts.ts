/**
 * Facts about names needed for reading a cell, possibly from a remote service; the answering operation checks
 * everything else.
 */
import { findAntigen } from '../../engine/antigen-levels.ts'
import type { Release } from '../../reference/release.ts'
import { theReading } from '../../nomenclature/version2.ts'

export interface NameFacts {
  /** `IPD-IMGT/HLA 3.58.0`, for messages. */
  readonly title: string
  readonly label: string
  readonly loci: readonly string[]
  readonly isAntigen: (name: string) => boolean
  /** True for an allele's name, also a short one. */
  readonly isListed: (name: string) => boolean
  /** True for a first field such as `C*12`, of an allele or of a broad family. */
  readonly isFirstField: (family: string) => boolean
  /**
   * `A*0101` -> `A*01:01`. Unchanged if the respelled text is not a name: lists of old names know its successor
   * (`B*27051`).
   */
  readonly respell: (name: string) => string
}

export function makeNameFacts(release: Release): NameFacts {
  const { dataset, label, loci, oldNames } = release.facts
  // the starter set lacks some antigens: a name outside it must not be called unknown
  const isComplete = dataset === 'full'
  const isListed = (name: string) =>
    release.is('allele', name) || release.listOf('shortNull', name) !== undefined
  return {
    title: columnTitle(label, isComplete),
    label,
    loci,
    isListed,
    isAntigen: (name) => !isComplete || findAntigen(name, release) !== undefined,
    isFirstField: (family) => !isComplete || release.listOf('xx', family) !== undefined,
    respell(name) {
      const reading = oldNames[name] ?? theReading(name)
      return !isComplete || !isDigitName(name) || isListed(reading) ? reading : name
    },
  }
}

/** True for a name in digits. Codes are excluded: their existence is not checked here. */
export function isDigitName(name: string): boolean {
  return /\*\d+[A-Z]?$/.test(name)
}

export function columnTitle(label: string, isComplete: boolean): string {
  return isComplete ? `IPD-IMGT/HLA ${label}` : `the built-in starter set of ${label}`
}

export interface SettlingFacts extends NameFacts {
  /** Requests the facts missing since the last call; resolves to true if there were any. Absent for local facts. */
  readonly settle?: () => Promise<boolean>
}

/** Runs `make`, which must be pure, again until no facts are missing: its earlier results may be wrong. */
export async function settleFacts<T>({ settle }: SettlingFacts, make: () => T): Promise<T> {
  for (;;) {
    const made = make()
    if (settle === undefined || !(await settle())) return made
  }
}

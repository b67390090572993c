/** The cells of one file, each distinct one read once; and the statements that they make. */
import type { HlaError } from '../../errors.ts'
import type { PlannedGroup } from '../plan/plan.ts'
import { readCellParts } from './cell-parts.ts'
import { newStatements, type Statements } from './statements.ts'

export interface KnownPart {
  readonly locus: string
  /** Of its statement. */
  readonly id: number
  /** Why it cannot be compared. */
  readonly error: HlaError | undefined
}

export interface KnownCells {
  readonly read: (value: string, group: PlannedGroup) => readonly KnownPart[]
  readonly statements: () => Statements
  /** Statements have other numbers from now on. */
  readonly forget: () => void
}

/** What a cell says that tells no locus stands under this one. */
export const NO_LOCUS = ''
/** Loci that are told apart: a release has some fifty. */
const MOST_LOCI = 200
/** Distinct cells whose reading is kept. */
const MOST_KEPT = 200_000

/** `asked`: loci that are compared; undefined: all. */
export function newKnownCells(asked: ReadonlySet<string> | undefined): KnownCells {
  const loci = new Set<string>([NO_LOCUS])
  let statements = newStatements()
  // by how a column is read
  let known = new Map<string, Map<string, readonly KnownPart[]>>()
  let size = 0
  const keyOf = (locus: string) => {
    if (loci.size < MOST_LOCI) loci.add(locus)
    return loci.has(locus) ? locus : NO_LOCUS
  }
  return {
    read(value, group) {
      let alike = known.get(group.contextKey)
      const before = alike?.get(value)
      if (before !== undefined) return before
      const parts = readCellParts(value, group)
        .map(({ locus, statement }) => ({ locus: keyOf(locus), statement }))
        .filter(({ locus }) => asked === undefined || locus === NO_LOCUS || asked.has(locus))
        .map(({ locus, statement }) => ({
          locus,
          id: statements.add(statement),
          error: statement.kind === 'fault' ? statement.error : undefined,
        }))
      if (size >= MOST_KEPT) {
        known.clear()
        size = 0
        alike = undefined
      }
      if (alike === undefined) known.set(group.contextKey, (alike = new Map()))
      alike.set(value, parts)
      size += 1
      return parts
    },
    statements: () => statements,
    forget() {
      statements = newStatements()
      known = new Map()
      size = 0
    },
  }
}

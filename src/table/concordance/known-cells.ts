/** Cells of one file, each distinct one read once, and their statements. */
import { HlaError, isHlaError } from '../../errors.ts'
import type { PlannedGroup } from '../plan/plan.ts'
import { type Statement, type Statements, newStatements } from '../answers/statements.ts'
import { readNameLocus } from '../../nomenclature/antigen.ts'
import type { NameFacts } from '../cells/name-facts.ts'
import { readCell } from '../cells/cells.ts'

export interface KnownPart {
  readonly locus: string
  /** ID of its statement. */
  readonly id: number
  /** Reason why it cannot be compared. */
  readonly error: HlaError | undefined
}

export interface KnownCells {
  /** `unread`: why the cell cannot be read, whatever its text. */
  readonly read: (value: string, group: PlannedGroup, unread?: HlaError) => readonly KnownPart[]
  readonly statements: () => Statements
  /** Drops all cells; statements get new numbers. */
  readonly forget: () => void
}

/** Key of statements whose locus is unknown. */
export const NO_LOCUS = ''
/** Maximum number of loci distinguished; a release has some fifty. */
const MAX_LOCI = 200
/** Maximum number of distinct cells kept. */
const MAX_KEPT = 200_000

/** `asked`: loci to compare; undefined for all. */
export function newKnownCells(asked: ReadonlySet<string> | undefined): KnownCells {
  const loci = new Set<string>([NO_LOCUS])
  let statements = newStatements()
  // first key: how a column is read
  let known = new Map<string, Map<string, readonly KnownPart[]>>()
  let size = 0
  const keyOf = (locus: string) => {
    if (loci.size < MAX_LOCI) loci.add(locus)
    return loci.has(locus) ? locus : NO_LOCUS
  }
  const partsOf = (parts: readonly CellPart[]): readonly KnownPart[] =>
    parts
      .map(({ locus, statement }) => ({ locus: keyOf(locus), statement }))
      .filter(({ locus }) => asked === undefined || locus === NO_LOCUS || asked.has(locus))
      .map(({ locus, statement }) => ({
        locus,
        id: statements.add(statement),
        error: statement.kind === 'fault' ? statement.error : undefined,
      }))
  return {
    read(value, group, unread) {
      if (unread !== undefined)
        return partsOf([{ locus: group.locus ?? '', statement: fault(value, unread) }])
      let alike = known.get(group.contextKey)
      const before = alike?.get(value)
      if (before !== undefined) return before
      const parts = partsOf(readCellParts(value, group))
      if (size >= MAX_KEPT) {
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

interface CellPart {
  /** `''` when the cell does not name one. */
  readonly locus: string
  readonly statement: Statement
}

/** Empty for an empty cell: an omitted second typing equals the first. */
export function readCellParts(value: string, group: PlannedGroup): readonly CellPart[] {
  const locus = group.locus ?? ''
  try {
    const read = readCell(value, group.context)
    if (read.kind === 'typing') {
      const of = { locus: group.locus, release: read.release, facts: group.context.facts }
      return read.glString.split('^').flatMap((block) => blockParts(block, of))
    }
    if (read.status === 'untyped') return []
    if (read.status === 'new') return [{ locus, statement: fault(value, newAllele(value)) }]
    return [{ locus, statement: { kind: read.status } }]
  } catch (error) {
    if (!isHlaError(error)) throw error
    return [{ locus, statement: fault(value, error) }]
  }
}

interface BlockFacts {
  /** Locus of the column. */
  readonly locus: string | undefined
  readonly release: string | undefined
  readonly facts: NameFacts
}

/** Parts of a genotype at one locus, or at the loci of a haplotype; phase does not matter within a locus. */
function blockParts(block: string, { locus: ofColumn, release, facts }: BlockFacts): CellPart[] {
  const part = (text: string, kind: 'typing' | 'list'): CellPart => {
    // results keep the prefix, and prefixed names would count as different
    const bare = text.replaceAll(PREFIX, '')
    const loci = new Set(leavesIn(bare).map(leafLocus))
    const [locus = ''] = loci
    if (ofColumn === undefined && loci.size > 1) return { locus: '', statement: fault(text, mixed(text)) }
    const glString = bare.replace(/[^|+/]+/g, (leaf) => wholeFamily(leaf, facts))
    return { locus: ofColumn ?? locus, statement: { kind, glString, release } }
  }
  if (!block.includes('|')) return block.split(/[+~]/).map((text) => part(text, 'typing'))
  if (!block.includes('~')) return [part(block, 'list')]
  return [
    {
      locus: ofColumn ?? leafLocus(leavesIn(block.replaceAll(PREFIX, ''))[0] ?? ''),
      statement: fault(block, phased(block)),
    },
  ]
}

function leavesIn(text: string): string[] {
  return text.split(/[|+~/]/)
}

function leafLocus(leaf: string): string {
  const locus = readNameLocus(leaf)
  return locus === 'Cw' ? 'C' : locus
}

/** Programs that typed only the first field write `A*01`. */
function wholeFamily(leaf: string, facts: NameFacts): string {
  return ONE_FIELD.test(leaf) && facts.isFirstField(leaf) ? `${leaf}:XX` : leaf
}

const PREFIX = /HLA-/gi

const ONE_FIELD = /^[A-Z][A-Z0-9]*\*\d{2,3}$/

function fault(text: string, error: HlaError): Statement {
  return { kind: 'fault', text, error }
}

function newAllele(text: string): HlaError {
  return new HlaError('unknown-allele', `${text}: an allele that no release has cannot be compared`, {
    offending: text,
  })
}

function mixed(text: string): HlaError {
  return new HlaError('mixed-loci', `${text} has names of different loci`, { offending: text })
}

function phased(text: string): HlaError {
  return new HlaError('bad-syntax', `${text}: lists of genotypes with haplotypes cannot be compared`, {
    offending: text,
  })
}

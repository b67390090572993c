/** A cell -> what it says of each locus it is about. */
import { HlaError, isHlaError } from '../../errors.ts'
import { readNameLocus } from '../../nomenclature/antigen.ts'
import type { NameFacts } from '../cells/name-facts.ts'
import { readCell } from '../cells/cells.ts'
import type { PlannedGroup } from '../plan/plan.ts'
import type { Statement } from './statements.ts'

export interface CellPart {
  /** `''`: the cell does not tell. */
  readonly locus: string
  readonly statement: Statement
}

/** Nothing for a cell in which nothing is said: a second typing that is left out is the first again. */
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
  /** Of the column. */
  readonly locus: string | undefined
  readonly release: string | undefined
  readonly facts: NameFacts
}

/** A genotype of one locus, or of a haplotype's; its phase is of no matter to a locus. */
function blockParts(block: string, { locus: ofColumn, release, facts }: BlockFacts): CellPart[] {
  const part = (text: string, kind: 'typing' | 'list'): CellPart => {
    // results keep the prefix, and names with it would be others
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

/** `A*01` is what a program writes that has typed no more than that. */
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
  return new HlaError('bad-syntax', `${text}: a list of genotypes with haplotypes is not compared`, {
    offending: text,
  })
}

/** Statements of cells about loci, and of a file about a locus of a person; each distinct one has a number. */
import { assured, HlaError, isHlaError } from '../../errors.ts'
import { readNameLocus } from '../../nomenclature/antigen.ts'
import { findMalformation, malformedError } from '../../nomenclature/grammar.ts'
import { readCell } from '../cells/cells.ts'
import type { NameFacts } from '../cells/name-facts.ts'
import type { PlannedGroup } from '../plan/plan.ts'

export interface LocusSlots {
  readonly first: number
  /** NOTHING_SAID when the first stands once or twice, or the gene has one copy. */
  readonly second: number
}

/** `ids`: in the order of the cells. */
export function makeSlots(ids: readonly number[], statements: Statements): LocusSlots {
  const [first = NO_STATEMENT] = ids
  if (ids.length === 1) return { first, second: NO_STATEMENT }
  const broken = ids.find((id) => statements.get(id).kind === 'fault')
  if (broken !== undefined) return { first: broken, second: NO_STATEMENT }
  const typed = ids.filter((id) => id !== ABSENT && id !== UNKNOWN)
  const text = () => ids.map((id) => statementText(statements.get(id))).join('+')
  const fault = (error: HlaError) => ({
    first: statements.add({ kind: 'fault', text: text(), error }),
    second: NO_STATEMENT,
  })
  if (ids.includes(UNKNOWN))
    return typed.length === 0 ? { first: UNKNOWN, second: NO_STATEMENT } : fault(halfKnown(text()))
  if (typed.length === 0) return { first: ABSENT, second: NO_STATEMENT }
  if (typed.length > 2 || (typed.length > 1 && typed.some((id) => statements.get(id).kind === 'list')))
    return fault(surplus(text()))
  const [one = NO_STATEMENT, other = NO_STATEMENT] = typed
  return { first: one, second: other }
}

function halfKnown(text: string): HlaError {
  return new HlaError(
    'bad-syntax',
    `${text}: one of the two typings is unknown, so the genotype cannot be compared`,
    {
      offending: text,
    },
  )
}

function surplus(text: string): HlaError {
  return new HlaError('surplus-typing', `${text}: more typings than a person has at a locus`, {
    offending: text,
  })
}

export interface TypedStatement {
  /** `typing`: possible alleles of one copy. `list`: possible genotypes of a locus, with `|`. */
  readonly kind: 'typing' | 'list'
  readonly glString: string
  /** Release named by a GL String Code. */
  readonly release: string | undefined
}

/** Statement that cannot be compared. */
interface BrokenStatement {
  readonly kind: 'fault'
  readonly text: string
  readonly error: HlaError
}

export type Statement =
  | TypedStatement
  | BrokenStatement
  | { readonly kind: 'absent' }
  | { readonly kind: 'unknown' }

/** ID of an empty statement. */
export const NO_STATEMENT = 0
/** ID for an absent gene. */
export const ABSENT = 1
/** ID for a typed gene with an unknown result. */
export const UNKNOWN = 2

export interface Statements {
  readonly add: (statement: Statement) => number
  readonly get: (id: number) => Statement
  /** Characters of all statements. */
  readonly characters: () => number
}

const ALWAYS: readonly Statement[] = [{ kind: 'unknown' }, { kind: 'absent' }, { kind: 'unknown' }]

export function newStatements(): Statements {
  const all = [...ALWAYS]
  const known = new Map<string, number>()
  let characters = 0
  return {
    add(statement) {
      if (statement.kind === 'absent') return ABSENT
      if (statement.kind === 'unknown') return UNKNOWN
      const key = statementKey(statement)
      const found = known.get(key)
      if (found !== undefined) return found
      characters += key.length + (statement.kind === 'fault' ? OF_FAULT : 0)
      known.set(key, all.length)
      return all.push(statement) - 1
    },
    get(id) {
      const found = all[id]
      if (found === undefined) throw new Error(`there is no statement ${id}`)
      return found
    },
    characters: () => characters,
  }
}

/** Size in characters counted for an error with its advice. */
const OF_FAULT = 1000

function statementKey(statement: TypedStatement | BrokenStatement): string {
  if (statement.kind === 'fault') return `!${statement.error.code} ${statement.text}`
  return statement.release === undefined ? statement.glString : `#${statement.release}#${statement.glString}`
}

/** Statement as written in the file. */
export function statementText(statement: Statement): string {
  if (statement.kind === 'fault') return statement.text
  return 'glString' in statement ? statement.glString : statement.kind
}

export interface CellPart {
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
    if (read.status === 'new') return [{ locus, statement: faultStatement(value, newAllele(value)) }]
    return [{ locus, statement: { kind: read.status } }]
  } catch (error) {
    if (!isHlaError(error)) throw error
    return [{ locus, statement: faultStatement(value, error) }]
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
    if (ofColumn === undefined && loci.size > 1)
      return { locus: '', statement: faultStatement(text, mixed(text)) }
    if (ofColumn === undefined && locus === '')
      return { locus, statement: faultStatement(text, noName(bare)) }
    const glString = bare.replace(/[^|+/]+/g, (leaf) => wholeFamily(leaf, facts))
    return { locus: ofColumn ?? locus, statement: { kind, glString, release } }
  }
  if (!block.includes('|')) return block.split(/[+~]/).map((text) => part(text, 'typing'))
  if (!block.includes('~')) return [part(block, 'list')]
  return [
    {
      locus: ofColumn ?? leafLocus(leavesIn(block.replaceAll(PREFIX, ''))[0] ?? ''),
      statement: faultStatement(block, phased(block)),
    },
  ]
}

function leavesIn(text: string): string[] {
  return text.split(/[|+~/]/)
}

/** `''` for a word, which names no locus. */
function leafLocus(leaf: string): string {
  if (!leaf.includes('*') && findMalformation(leaf) !== undefined) return ''
  const locus = readNameLocus(leaf)
  return locus === 'Cw' ? 'C' : locus
}

/** Programs that typed only the first field write `A*01`. */
function wholeFamily(leaf: string, facts: NameFacts): string {
  return ONE_FIELD.test(leaf) && facts.isFirstField(leaf) ? `${leaf}:XX` : leaf
}

const PREFIX = /HLA-/gi

const ONE_FIELD = /^[A-Z][A-Z0-9]*\*\d{2,3}$/

export function faultStatement(text: string, error: HlaError): Statement {
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

/** Error of a word, or of the first of a list. */
function noName(text: string): HlaError {
  const [leaf = ''] = leavesIn(text)
  return malformedError(assured(findMalformation(leaf), 'a word has no locus'), leaf, 0)
}

function phased(text: string): HlaError {
  return new HlaError('bad-syntax', `${text}: lists of genotypes with haplotypes cannot be compared`, {
    offending: text,
  })
}

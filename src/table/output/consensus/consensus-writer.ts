/** Writes one row per person: for each locus the typing of most callers, their votes, and who said what. */
import { advice, option } from '../../../advice.ts'
import { HlaError } from '../../../errors.ts'
import { says, type TypedGenotype, type TypedPlace } from '../../../engine/match/sets.ts'
import type { CONSENSUS } from '../../../options/choices.ts'
import type { CellAnswer } from '../../answers/answers.ts'
import { readGenotype, withoutCopies } from '../../answers/reductions.ts'
import type { Dialect } from '../../input/dialect.ts'
import { encodeByteText, readable } from '../../input/encoding.ts'
import type { TableRow } from '../../input/read-table.ts'
import { DRB345 } from '../../words/locus-header.ts'
import type { PlannedGroup, TablePlan } from '../../plan/plan.ts'
import type { WriteRequest } from '../../plan/table-request.ts'
import { byteOrderMark, chooseLineEnd, fieldText, outQuoting, withoutLoci } from '../written-text.ts'
import { answersOf, joinAnswers } from '../gl-column.ts'
import type { ConvertedRow, RowWriter } from '../written-row.ts'
import { type ConsensusCounts, countConsensus, findConsensus, type Statement } from './consensus.ts'

interface CallerTyping extends Statement<TypingOfCaller> {
  /** Results, one or two. */
  readonly texts: readonly string[]
  /** The results, with null alleles by their full names; or the reason why the typing cannot be read. */
  readonly said: string
}

type TypingOfCaller =
  | { readonly kind: 'absent' }
  | { readonly kind: 'typed'; readonly genotypes: readonly TypedGenotype[]; readonly copies: 1 | 2 }

/** @throws {HlaError} usage — several methods */
export function consensusWriter(
  rule: (typeof CONSENSUS)[number],
  plan: TablePlan,
  dialect: Dialect,
  request: WriteRequest,
): RowWriter {
  if (request.results.length !== 1)
    throw new HlaError('usage', advice`${option('consensus')} compares by one method, and several are given`)
  const quoting = outQuoting(dialect, request)
  const loci = byLocus(plan.groups)
  const decide = decider(rule, dialect)
  const ofPerson = ({ values }: TableRow) => values.slice(0, plan.source?.personColumns ?? 0)
  const line = (row: TableRow, cells: readonly string[]) => {
    const all = [...ofPerson(row), ...cells.map((cell) => encodeByteText(cell, dialect.encoding))]
    const end = chooseLineEnd(row, request) || dialect.eol
    return all.map((cell) => fieldText(cell, quoting)).join(quoting.delimiter) + end
  }
  const shown = (text: string) => (request.locusPrefix === 'bare' ? withoutLoci(text) : text)
  const { headerRow } = plan
  return {
    mark: byteOrderMark(dialect, request),
    upper: '',
    head: headerRow === undefined ? '' : line(headerRow, [...loci.keys()].flatMap(columnsOf)),
    other: () => '',
    again: () => '',
    consensus: decide.counts,
    row(converted) {
      const cells = [...loci].flatMap(([locus, groups]) => {
        const { texts: [first = '', second = ''], votes, sayings } = decide.locus(locus, groups, converted) // prettier-ignore
        return [shown(first), shown(second), votes, sayings]
      })
      return line(converted.row, cells)
    },
  }
}

function columnsOf(locus: string): readonly string[] {
  return ['1', '2', 'votes', 'callers'].map((name) => `${locus}_${name}`)
}

interface Decided {
  readonly texts: readonly string[]
  /** `2/3`: callers that say so, and callers with a vote. */
  readonly votes: string
  readonly sayings: string
}

/** Decides a locus of a row, and counts the agreement. */
function decider(rule: (typeof CONSENSUS)[number], dialect: Dialect) {
  const counts: ConsensusCounts = new Map()
  const reader = answerReader()
  return {
    counts,
    locus(locus: string, groups: readonly PlannedGroup[], row: ConvertedRow): Decided {
      const statements = groups.flatMap((group) => reader(group, row, dialect) ?? [])
      const found = findConsensus<TypingOfCaller, CallerTyping>(statements, rule, (one, other) =>
        saysTyping(one, other, locus),
      )
      countConsensus(counts, locus, statements, found)
      const { agreed, supporters, voters } = found
      const written = agreed && (supporters.find((one) => isAsNarrow(one, agreed, locus)) ?? agreed)
      const votes = voters === 0 ? '' : `${supporters.length}/${voters}`
      return { texts: written?.texts ?? [], votes, sayings: sayingsText(statements) }
    },
  }
}

function byLocus(groups: readonly PlannedGroup[]): ReadonlyMap<string, readonly PlannedGroup[]> {
  const loci = new Map<string, PlannedGroup[]>()
  for (const group of groups) {
    const { locus } = group
    if (locus !== undefined) loci.set(locus, [...(loci.get(locus) ?? []), group])
  }
  return loci
}

function saysTyping(one: TypingOfCaller, other: TypingOfCaller, locus: string): boolean {
  if (one.kind === 'absent' || other.kind === 'absent') return one.kind === other.kind
  // a gene that not every chromosome has is not the same once and twice
  if (DRB345.includes(locus) && one.copies !== other.copies) return false
  return says(one.genotypes, other.genotypes)
}

/** True for the same typing written twice, where `agreed` may be written once. */
function isAsNarrow({ typing }: CallerTyping, { typing: agreed }: CallerTyping, locus: string): boolean {
  if (typing?.kind !== 'typed' || agreed?.kind !== 'typed' || typing.copies === 1) return false
  return saysTyping(agreed, typing, locus)
}

type StatementReader = (group: PlannedGroup, row: ConvertedRow, dialect: Dialect) => CallerTyping | undefined

/** Reader of the callers' typings; undefined where a caller has none. What a typing may be is remembered with its answer. */
function answerReader(): StatementReader {
  const numbers = new Map<string, number>()
  const known = new WeakMap<CellAnswer, readonly TypedGenotype[]>()
  const genotypesOf = (answer: CellAnswer) => {
    const before = known.get(answer)
    if (before !== undefined) return before
    if (answer.copies === undefined) throw withoutCopies()
    const genotypes = answer.copies.map((typings) => readGenotype(typings, numbers))
    known.set(answer, genotypes)
    return genotypes
  }
  return (group, { row, answers }, { encoding }) => {
    const { subject: caller, columns } = group
    const { typed, open } = joinAnswers(answersOf(group, answers))
    if (open !== undefined) {
      // a gene that was typed without a result says nothing
      if (open.status === 'unknown' && typed.length === 0) return undefined
      return { caller, typing: undefined, texts: [], said: `failed: ${open.error?.code ?? open.status}` }
    }
    if (typed.length === 0) {
      const absent = columns.find((column) => answers.get(column)?.status === 'absent')
      if (absent === undefined) return undefined
      const source = readable(row.values[absent] ?? '', encoding)
      return { caller, typing: { kind: 'absent' }, texts: [source], said: source }
    }
    const texts = typed.map(({ results }) => results[0] ?? '')
    const said = typed.map((answer, at) => nullsOf(answer) ?? texts[at] ?? '')
    const [first = [], second] = typed.map(genotypesOf)
    const isList = typed.some(({ copies }) => copies?.some((one) => one.length > 1) === true)
    const isSingle = isList || second === undefined
    const genotypes = isSingle ? first : pairOf(first[0]?.[0], second[0]?.[0])
    const typing = { kind: 'typed', genotypes, copies: isSingle && !isList ? 1 : 2 } as const
    return { caller, typing, texts, said: said.toSorted().join('+') }
  }
}

/** Full names of a typing that is a null allele, whose result may be the name of an expressed one. */
function nullsOf({ copies }: CellAnswer): string | undefined {
  const [[copy] = []] = copies ?? []
  return copies?.flat().length === 1 && copy?.expressed === '' && copy.nulls !== '' ? copy.nulls : undefined
}

function pairOf(one: TypedPlace | undefined, other: TypedPlace | undefined): readonly TypedGenotype[] {
  return one === undefined || other === undefined ? [] : [[one, other]]
}

/** `A*01:01+A*02:01 (OptiType, T1K); failed: unknown-allele (LILAC)` */
function sayingsText(statements: readonly CallerTyping[]): string {
  const callers = new Map<string, string[]>()
  for (const { caller, said } of statements) callers.set(said, [...(callers.get(said) ?? []), caller])
  return [...callers].map(([said, all]) => `${said} (${all.join(', ')})`).join('; ')
}

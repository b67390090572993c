/**
 * Columns of one allele or antigen each, with its presence or count per person: `Bw4` with + and -, `DR52` with 1 and
 * 0, `B27` with pos and neg, dosages of imputation (`A_101`, `HLA_A*01:01`). They contain no typings, and are reported.
 * Pure.
 */
import { listWords } from '../header-words.ts'
import { type Header, plainName } from '../header.ts'
import { AMBIGUOUS_LOCI, readLocusHeader } from '../locus-header.ts'
import { type UnreadColumns, columnSelector } from './unread-text.ts'
import { findAntigen } from '../../cells/digits.ts'
import type { NameFacts } from '../../cells/name-facts.ts'

const ANTIGEN =
  /^(?:HLA[_. -]?)?(?:Bw[46]?|Bw4[/_ .-]?(?:Bw)?6|DRw?5[123](?:[/_ .-]?(?:DRw?)?5[123]){0,2}|(Cw|DR|DQ|DP|A|B|C)w?\d{1,4})(?:[_. -](?:pos|positive|status|flag|present|carrier|neg))?$/i
/** `HLA_A*01:01`, `A*0101`, `HLA.A.01.01`, and `A_101` of UK Biobank, where a bare letter stands for a common locus. */
const ALLELES = [
  /^(?:HLA[_. -]?)?([A-Z]{1,4}\d?)[_.]?\*\d{2,4}(?:[:_.]\d{2,3}){0,3}[A-Z]?$/i,
  /^HLA[_. -]?([A-Z]{1,4}\d?)[_. -]\d{2,4}(?:[:_.]\d{2,3}){0,3}[A-Z]?$/i,
  /^(A|B|Cw?|DR[AB]\d?|D[QPMO][AB]\d?|MIC[AB])[_.](?:\d{3,4}|\d{2,3}(?:[:_.]\d{2,3}){1,3}[A-Z]?)$/i,
]

/** Locus of the allele or antigen in the column's name, `public` for public antigens; undefined for none. */
function namedAllele(name: string): string | undefined {
  const found = ANTIGEN.exec(name) ?? findAllele(name)
  if (found === null) return undefined
  return found[1] === undefined ? 'public' : found[1].toUpperCase().replace('CW', 'C')
}

/** `HLA_A*01:01` and `A_101` in a header, whatever the content. */
export function namesAllele(name: string): boolean {
  const plain = plainName(name)
  return findAllele(plain) !== null
}

function findAllele(name: string): RegExpExecArray | null {
  // each pattern has two digits: other names do not need them compiled
  if (!/\d\d/.test(name)) return null
  for (const pattern of ALLELES) {
    const found = pattern.exec(name)
    if (found !== null) return found
  }
  return null
}

const WORDS: ReadonlySet<string> = new Set(listWords('cell', 'presence'))
const COUNT = /^[012](?:[.,]\d+)?$|^\d(?:\.\d+)?e-\d+$/i

/** Values that are public antigens: `4/6`, `Bw4`, `DR52,DR53`. */
const PUBLIC = /^(?:Bw|DRw?)?(?:[46]|5[123])(?:[/,;+ ]+(?:Bw|DRw?)?(?:[46]|5[123])){0,3}$/i

/** `word`: presence. `count`: also number or probability. */
function presenceKind(values: readonly string[], locus = ''): 'word' | 'count' | undefined {
  const texts = [...new Set(values)].map((value) => value.trim())
  if (texts.length === 0) return undefined
  if (texts.every((text) => COUNT.test(text))) return 'count'
  const isSaid = (text: string) =>
    WORDS.has(text.toLowerCase()) || COUNT.test(text) || (locus === 'public' && PUBLIC.test(text))
  return texts.every(isSaid) ? 'word' : undefined
}

/** True for a cell that can only be presence, below the name of an allele. */
export function isPresence(text: string): boolean {
  return text !== '0' && presenceKind([text]) !== undefined
}

export interface AlleleColumnsRequest {
  readonly header: Header
  readonly columns: readonly number[]
  /** Values of a column, without those that are not typings. */
  readonly sampled: (column: number) => readonly string[]
}

/**
 * `A1` and `A2` may also be the two typings of A: numbers below them are counts if two other columns of A are named
 * after antigens that cannot be typing numbers, and contain only counts.
 */
export function findAlleleColumns({ header, columns, sampled }: AlleleColumnsRequest): number[] {
  const called = columns.flatMap((column) => {
    const name = plainName(header.names?.[column] ?? '')
    const locus = namedAllele(name)
    if (locus === undefined) return []
    const kind = presenceKind(sampled(column), locus)
    const isCalledSo = readLocusHeader(name).every(({ slot }) => slot === undefined)
    const mayBe = kind !== undefined || sampled(column).length === 0
    return mayBe ? [{ column, locus, kind, isCalledSo }] : []
  })
  const isSurrounded = (wanted: string) =>
    called.filter(({ isCalledSo, locus }) => isCalledSo && locus === wanted).length > 1
  if (called.every(({ kind }) => kind === undefined)) return []
  return called
    .filter(
      ({ kind, isCalledSo, locus }) =>
        kind === 'word' || (kind === 'count' && isCalledSo) || isSurrounded(locus),
    )
    .map(({ column }) => column)
}

/** All of them in one line: a table of imputation has hundreds. */
export function describeAlleleColumns(columns: readonly number[], header: Header): UnreadColumns[] {
  if (columns.length === 0) return []
  const why =
    columns.length === 1
      ? 'presence or count of an allele or antigen, not a typing'
      : 'presence or count columns, not typings'
  return [
    {
      columns,
      code: 'presence',
      why,
      option: { option: 'exclude', value: rangesText(columns, header) },
    },
  ]
}

/** `A_101..B_801,DR52` */
function rangesText(columns: readonly number[], header: Header): string {
  const runs: number[][] = []
  for (const column of columns) {
    const last = runs.at(-1)
    if (last !== undefined && last.at(-1) === column - 1) last.push(column)
    else runs.push([column])
  }
  return runs
    .map((run) => run.map((column) => columnSelector(column, header)))
    .map((names) => (names.length > 2 ? `${names[0]}..${names.at(-1)}` : names.join(',')))
    .join(',')
}

export type NameForms = Pick<NameFacts, 'isAntigen' | 'isFirstField' | 'respell'>

interface CountColumnsRequest {
  readonly header: Header
  readonly columns: readonly number[]
  /** Values of a column, without those that are not typings. */
  readonly sampled: (column: number) => readonly string[]
  /** undefined: names cannot be checked, and no column is recognised as counts. */
  readonly facts: NameForms | undefined
}

const DECIMAL = /^(\d+)[.,]0+$/

/** Share of the distinct numbers that could be typings; of typings damaged by a spreadsheet nearly all could. */
const TYPED = 0.75

/** Decided for all columns of one person together, since one program wrote them. */
export function findCountColumns({ header, columns, sampled, facts }: CountColumnsRequest): number[] {
  if (facts === undefined) return []
  const written = columns.flatMap((column) => {
    const [read] = readLocusHeader(plainName(header.names?.[column] ?? ''))
    const numbers = [...new Set(sampled(column))].map((value) => DECIMAL.exec(value.trim())?.[1])
    // numbers below `E1` are not typings in any case
    const isRead = read !== undefined && (read.isSure || !AMBIGUOUS_LOCI.has(read.locus))
    return !isRead || numbers.length === 0 || numbers.includes(undefined)
      ? []
      : [{ column, ...read, numbers: numbers.flatMap((number) => number ?? []) }]
  })
  const areCounts = (subject: string) => {
    const own = written.filter((one) => one.subject === subject)
    const typed = own.map(
      ({ numbers, locus }) => numbers.filter((one) => mayBeTyped(one, locus, facts)).length,
    )
    return sum(typed) < TYPED * sum(own.map(({ numbers }) => numbers.length))
  }
  const counted = new Set(written.map(({ subject }) => subject).filter(areCounts))
  return written.filter(({ subject }) => counted.has(subject)).map(({ column }) => column)
}

/**
 * `2`, `24` and `2403` are antigens, `2` a first field too; `101` and `2402` are old names, the first without its zero.
 */
function mayBeTyped(digits: string, locus: string, facts: NameForms): boolean {
  const antigen = findAntigen(digits, locus)
  if (antigen !== undefined && facts.isAntigen(antigen)) return true
  const name = `${locus}*${digits.length % 2 === 0 ? digits : `0${digits}`}`
  return digits.length > 2 ? facts.respell(name) !== name : facts.isFirstField(name)
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0)
}

/** Writes one person per row in a population genetics format, and reports typings that it cannot hold. */
import { advice, option } from '../../../advice.ts'
import { HlaError } from '../../../errors.ts'
import type { CellAnswer } from '../../cells/answers.ts'
import type { Dialect } from '../../input/dialect.ts'
import { encodeByteText, readable } from '../../input/encoding.ts'
import type { TableRow } from '../../input/read-table.ts'
import { DRB345 } from '../../plan/locus-header.ts'
import type { PlannedGroup, TablePlan } from '../../plan/plan.ts'
import type { OutputFormatName } from '../../plan/output-format-names.ts'
import type { WriteRequest } from '../../plan/table-request.ts'
import type { ConvertedRow, RowWriter } from '../written-row.ts'
import {
  type Genotype,
  type LocusGenotype,
  type PersonRole,
  type PopulationFormat,
  POPULATION_FORMATS,
} from './population-formats.ts'
import { type Header, plainName, selectColumns } from '../../plan/header.ts'
import { columnSelector } from '../../plan/recognition/unread-text.ts'
import { readLocus } from '../../../nomenclature/allele.ts'
import type { RowAnswers } from '../gl-column.ts'

/** @throws {HlaError} usage — the table lacks something that the format requires */
export function populationWriter(
  name: OutputFormatName,
  plan: TablePlan,
  dialect: Dialect,
  request: WriteRequest,
): RowWriter {
  const format = POPULATION_FORMATS[name]
  const layout = findPopulationLayout(plan, format, request)
  const isHomozygous = request.secondBlank === 'homozygous'
  const asked: GenotypeRequest = { format, isHomozygous, read: genotypeReader() }
  const release = plan.groups[0]?.context.facts.label ?? ''
  const ended = (text: string) => (request.eol === 'crlf' ? text.replaceAll('\n', '\r\n') : text)
  const encoded = (text: string) => encodeByteText(ended(text), dialect.encoding)
  const value = (row: TableRow, column: number) => readable(row.values[column] ?? '', dialect.encoding).trim()
  const role = (row: TableRow) => (name: PersonRole) => {
    const column = layout.roles.get(name)
    return column === undefined ? '' : written(name, value(row, column))
  }
  return {
    mark: encoded(format.head?.(layout.loci) ?? ''),
    upper: '',
    head: '',
    other: () => '',
    again: () => '',
    fault: (row) => findFault(row),
    held: (group, answers) => heldAnswers(group, answers, asked),
    row({ row, answers }: ConvertedRow) {
      // an unreadable row does not identify its person
      if (answers.size === 0) return ''
      const genotypes = findGenotypes(plan.groups, answers, asked)
      const ordered =
        format.loci?.map((locus) => genotypes.find((one) => one.locus === locus) ?? NOT_TYPED(locus)) ??
        genotypes
      const id = value(row, layout.idColumn)
      return encoded(format.row({ id, release, role: role(row), genotypes: ordered }))
    },
  }

  function findFault(row: TableRow): HlaError | undefined {
    const id = value(row, layout.idColumn)
    if (id === '') return notInFormat(`a row without a name of the person`, format)
    const all = [id, ...[...layout.roles.values()].map((column) => value(row, column))]
    const wrong = all.find((one) => format.forbidden.test(one))
    if (wrong !== undefined) return notInFormat(`${JSON.stringify(wrong)} as the value of a column`, format)
    const sex = layout.roles.get('sex')
    if (sex !== undefined && readSex(value(row, sex)) === undefined)
      return notInFormat(`the sex ${JSON.stringify(value(row, sex))}`, format)
    return undefined
  }
}

function NOT_TYPED(locus: string) {
  return { locus, genotype: undefined }
}

function written(role: PersonRole, value: string): string {
  return role === 'sex' ? (readSex(value) ?? '') : value
}

/** As in a PLINK pedigree: 1 is male, 2 female, 0 unknown. */
function readSex(text: string): string | undefined {
  const word = text.toLowerCase()
  if (['1', 'm', 'male'].includes(word)) return '1'
  if (['2', 'f', 'female'].includes(word)) return '2'
  return ['', '0', 'u', 'na', 'unknown'].includes(word) ? '0' : undefined
}

/** Answers of a locus, with an error for each that the format cannot hold. */
function heldAnswers(
  group: PlannedGroup,
  answers: readonly CellAnswer[],
  request: GenotypeRequest,
): readonly CellAnswer[] {
  const { format } = request
  const isAbsentHeld = format.absent !== undefined && DRB345.includes(group.locus ?? '')
  const single = answers.map((answer) => {
    if (answer.status === 'new') return refused(answer, 'a new allele', format)
    if (answer.status === 'absent' && !isAbsentHeld) return refused(answer, 'an absent gene', format)
    return answer
  })
  const reason = refuseGenotype(group, single, request)
  if (reason === undefined) return single
  return single.map((answer) => (answer.status === 'ok' ? refused(answer, reason, format) : answer))
}

function refused({ kind }: CellAnswer, what: string, format: PopulationFormat): CellAnswer {
  return { status: 'error', results: [], kind, error: notInFormat(what, format), notes: [] }
}

function notInFormat(what: string, { title }: PopulationFormat): HlaError {
  return new HlaError('not-in-format', `${title} cannot hold ${what}`)
}

interface GenotypeRequest {
  readonly format: PopulationFormat
  /** True when a single copy stands for both. */
  readonly isHomozygous: boolean
  readonly read: GenotypeReader
}

type WritableRequest = Omit<GenotypeRequest, 'format'> & {
  readonly format: Pick<PopulationFormat, 'holds' | 'absent'>
}

/** Reason why the typings of a locus cannot be written; undefined if they can. */
function refuseGenotype(
  group: Pick<PlannedGroup, 'locus'>,
  answers: readonly CellAnswer[],
  { format: { holds, absent }, isHomozygous, read }: WritableRequest,
): string | undefined {
  const copies = typedCopies(answers, absent)
  if (copies.length === 0) return undefined
  const isLost = answers.some(({ status }) => status === 'error' || status === 'unknown')
  if (isLost && holds.half !== 'copy') return 'one copy of a genotype whose other is not known'
  const parts = group.locus === undefined ? copies.flatMap((text) => text.split('^')) : [copies]
  for (const part of parts) {
    const genotype = read(typeof part === 'string' ? [part] : part)
    if (typeof genotype === 'string') return genotype
    const { alternatives } = genotype
    if (alternatives.length > 1 && !holds.alternatives) return `${alternatives.length} possible genotypes (|)`
    if (alternatives.length > 1 && isLost) return 'several possible genotypes beside one that is not known'
    if (holds.anyLoci && alternatives.flat().some((copy) => !copy.includes('*')))
      return 'an antigen, which does not name its locus'
    const list = alternatives.flat().find((copy) => copy.includes('/'))
    if (list !== undefined && !holds.lists) return `a list of ${list.split('/').length} alleles`
    const isHalf = alternatives.some((one) => one.length < 2)
    if (isHalf && !isHomozygous && holds.half === 'none') return 'one copy of a genotype without the other'
  }
  return undefined
}

/** In the order of the table; loci of GL Strings as they come. */
function findGenotypes(
  groups: readonly PlannedGroup[],
  answers: RowAnswers,
  request: WritableRequest,
): LocusGenotype[] {
  return groups.flatMap((group) => {
    const cells = group.columns.flatMap((column) => answers.get(column) ?? [])
    const copies = typedCopies(cells, request.format.absent)
    // an unknown second typing is not a second copy of the first
    const isWhole = cells.every(({ status }) => status === 'ok' || status === 'untyped')
    const asked = { isHomozygous: request.isHomozygous && isWhole, read: request.read }
    if (group.locus !== undefined) return [{ locus: group.locus, genotype: makeGenotype(copies, asked) }]
    return copies
      .flatMap((text) => text.split('^'))
      .map((text) => ({ locus: readLocus(text.replace('HLA-', '')), genotype: makeGenotype([text], asked) }))
  })
}

function typedCopies(answers: readonly CellAnswer[], absent: string | undefined): string[] {
  return answers.flatMap(({ status, results }) =>
    status === 'absent' && absent !== undefined ? [absent] : status === 'ok' ? (results[0] ?? []) : [],
  )
}

/** Genotype of a locus; answers that the format cannot hold have become errors and do not count. */
function makeGenotype(
  copies: readonly string[],
  { isHomozygous, read }: Omit<GenotypeRequest, 'format'>,
): Genotype | undefined {
  const genotype = copies.length === 0 ? undefined : read(copies)
  if (genotype === undefined || typeof genotype === 'string') return undefined
  if (!isHomozygous) return genotype
  return {
    alternatives: genotype.alternatives.map((one) => (one.length === 1 ? [...one, ...one] : one)),
  }
}

interface PopulationLayout {
  readonly idColumn: number
  readonly roles: ReadonlyMap<PersonRole, number>
  /** Loci of the format's columns; empty when rows name them. */
  readonly loci: readonly string[]
}

/**
 * @throws {HlaError} usage — the table lacks something that the format requires, or has something it cannot hold at all
 */
function findPopulationLayout(
  plan: TablePlan,
  format: PopulationFormat,
  request: WriteRequest,
): PopulationLayout {
  const { title, holds, loci: fixed } = format
  const { groups, header, idColumn } = plan
  if (idColumn === undefined)
    throw new HlaError(
      'usage',
      `${title} needs a name for each person, but ${header.table} has no column of person names`,
      {
        hint: advice`${option('id-column')} names it`,
      },
    )
  const subjects = [...new Set(groups.map(({ subject }) => subject))]
  if (subjects.length > 1)
    throw new HlaError(
      'usage',
      `${title} has one person per row, but each row of ${header.table} has several: ${subjects.join(', ')}`,
      {
        hint: advice`${option('exclude')} leaves out the columns of the others`,
      },
    )
  const named = groups.flatMap(({ locus }) => (locus === undefined ? [] : [locus]))
  const labels = ({ columns }: PlannedGroup) => columns.map((column) => header.labels[column] ?? '').join(' ')
  const mixed = groups.find(({ locus }) => locus === undefined)
  if (mixed !== undefined && !holds.anyLoci)
    throw new HlaError(
      'usage',
      `${title} needs one locus per column, but ${labels(mixed)} may hold typings of any locus`,
      {
        hint: advice`${option('input-format', 'gl')} splits GL Strings by locus; ${option('exclude')} leaves columns out`,
      },
    )
  const hint = advice`${option('exclude')} leaves columns out`
  const other = groups.find(({ locus = '' }) => fixed?.includes(locus) === false)
  const all = fixed?.join(', ')
  if (other !== undefined)
    throw new HlaError('usage', `${title} has no place for ${labels(other)}: its loci are ${all}`, { hint })
  const twice = named.find((locus, at) => named.indexOf(locus) < at)
  if (twice !== undefined)
    throw new HlaError('usage', `${title} has room for one typing of ${twice}, but several columns have it`, { hint }) // prettier-ignore
  const roles = findPersonColumns(request.personColumns, header, format)
  return { idColumn, roles, loci: fixed ?? named }
}

/** @throws {HlaError} usage — no such role or column, or one that the format `title` does not have */
function findPersonColumns(
  text: string | undefined,
  header: Header,
  { title, roles }: { readonly title: string; readonly roles: readonly PersonRole[] },
): ReadonlyMap<PersonRole, number> {
  const found = new Map<PersonRole, number>()
  for (const item of (text ?? '').split(',').filter((one) => one.trim() !== '')) {
    const [, name = '', column = ''] = /^\s*(\w+)\s*=\s*(.+?)\s*$/.exec(item) ?? []
    const role = roles.find((one) => one === name)
    if (role === undefined || found.has(role)) {
      const has = roles.length === 0 ? 'has none' : `has ${roles.join(', ')}`
      throw new HlaError(
        'usage',
        advice`${option('person-columns')} ${JSON.stringify(item)}: ${title} ${has}, each once`,
        {
          hint: 'name=column, with commas between: population=POP',
        },
      )
    }
    const [at, another] = selectColumns(column, header)
    if (at === undefined || another !== undefined)
      throw new HlaError(
        'usage',
        advice`${option('person-columns')} ${JSON.stringify(item)} names more than one column`,
      )
    found.set(role, at)
  }
  return found
}

/**
 * The request with the columns about persons whose names are roles of the format, and a note on them. Columns that are
 * named, typed or excluded are left as they are.
 */
export function withRoleColumns(
  name: OutputFormatName,
  plan: TablePlan,
  request: WriteRequest,
  excluded: readonly number[],
): { readonly plan: TablePlan; readonly request: WriteRequest } {
  const { header, groups, idColumn } = plan
  const format = POPULATION_FORMATS[name]
  const named = findPersonColumns(request.personColumns, header, format)
  const taken = new Set([
    ...named.values(),
    ...excluded,
    idColumn,
    ...groups.flatMap(({ columns }) => columns),
  ])
  const found = format.roles.flatMap((role) => {
    const columns = (header.names ?? []).flatMap((one, at) =>
      !taken.has(at) && ROLE_WORDS[role].includes(plainName(one).toLowerCase()) ? [at] : [],
    )
    const [column, another] = columns
    return named.has(role) || column === undefined || another !== undefined ? [] : [[role, column] as const]
  })
  if (found.length === 0) return { plan, request }
  const items = found.map(([role, column]) => `${role}=${columnSelector(column, header)}`)
  const message = `columns about persons: ${items.join(', ')}`
  const note = { level: 'note', code: 'person-columns', message } as const
  const given = request.personColumns === undefined ? [] : [request.personColumns]
  return {
    plan: { ...plan, rowNotes: [...plan.rowNotes, note] },
    request: { ...request, personColumns: [...given, ...items].join(',') },
  }
}

/** Names of columns, in lower case; PyPop calls its own `populat`. */
const ROLE_WORDS: Readonly<Record<PersonRole, readonly string[]>> = {
  population: ['population', 'populat', 'pop'],
  race: ['race'],
  race2: ['race2'],
  family: ['family', 'family_id', 'fid', 'f_id'],
  father: ['father'],
  mother: ['mother'],
  sex: ['sex', 'gender'],
  phenotype: ['phenotype', 'pheno'],
}

/** Maximum number of cached genotypes; persons share most of theirs. */
const MAX_KEPT = 10_000
/** Maximum characters of a cached genotype. */
const MAX_KEPT_LENGTH = 500

/** Results of a locus's cells -> its genotype, or the reason why two copies cannot be distinguished. */
type GenotypeReader = (texts: readonly string[]) => Genotype | string

/** Reader of one run, with a cache. */
function genotypeReader(): GenotypeReader {
  const known = new Map<string, Genotype | string>()
  return (texts) => {
    const key = texts.join('\n')
    const found = known.get(key)
    if (found !== undefined) return found
    const genotype = parseGenotype(texts)
    if (known.size >= MAX_KEPT) known.clear()
    if (key.length <= MAX_KEPT_LENGTH) known.set(key, genotype)
    return genotype
  }
}

function parseGenotype(texts: readonly string[]): Genotype | string {
  const bare = texts.map((text) => text.replaceAll('HLA-', ''))
  if (bare.some((text) => text.includes('^'))) return 'typings of several loci'
  if (bare.some((text) => text.includes('~'))) return 'haplotypes (~)'
  if (bare.some((text) => text.includes('?'))) return 'possible genes (?)'
  const isList = bare.some((text) => text.includes('|'))
  if (isList && bare.length > 1) return 'several genotypes (|) beside another typing'
  const alternatives = isList
    ? (bare[0] ?? '').split('|').map((one) => one.split('+'))
    : [bare.flatMap((text) => text.split('+'))]
  const most = Math.max(...alternatives.map((copies) => copies.length))
  if (most > 2) return `${most} copies`
  const names = alternatives.flat().flatMap((copy) => copy.split('/'))
  // an antigen does not name its locus
  const loci = new Set(names.filter((name) => name.includes('*')).map(readLocus))
  return loci.size > 1 ? `copies of ${[...loci].join(' and ')}` : { alternatives }
}

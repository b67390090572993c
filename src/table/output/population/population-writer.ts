/** Writes one person per row in a format other than a table, and reports what it cannot hold. */
import { type Advice, advice, clause, option, optionLike } from '../../../advice.ts'
import { HlaError } from '../../../errors.ts'
import type { CellAnswer } from '../../answers/answers.ts'
import type { Dialect } from '../../input/dialect.ts'
import { encodeByteText, readable } from '../../input/encoding.ts'
import type { TableRow } from '../../input/read-table.ts'
import { DRB345 } from '../../words/locus-header.ts'
import type { PlannedGroup, TablePlan } from '../../plan/plan.ts'
import { FORMAT_FILES, type OutputFormatName } from '../../plan/output-format-names.ts'
import type { WriteRequest } from '../../plan/table-request.ts'
import type { ConvertedRow, RowWriter } from '../written-row.ts'
import type {
  FieldValue,
  FormatField,
  Genotype,
  LocusGenotype,
  OutputFormat,
  WrittenPerson,
} from './output-format.ts'
import { OUTPUT_FORMATS } from './population-formats.ts'
import { type Header, selectColumns } from '../../plan/header.ts'
import { plainName } from '../../words/header-words.ts'
import { columnSelector } from '../../plan/recognition/unread-text.ts'
import { groupBy } from '../../words/group-by.ts'
import { PersonIndex } from '../../person-index.ts'
import { readLocus } from '../../../nomenclature/allele.ts'
import { answersOf, joinAnswers, type RowAnswers } from '../gl-column.ts'

/** @throws {HlaError} usage — the table lacks something that the format requires */
export function formatWriter(
  name: OutputFormatName,
  plan: TablePlan,
  dialect: Dialect,
  request: WriteRequest,
): RowWriter {
  const format = OUTPUT_FORMATS[name]
  const { isUtf8, isDocument } = FORMAT_FILES[name]
  const layout = findOutputLayout(plan, format, request)
  const asked = { format, isHomozygous: request.secondBlank === 'homozygous', read: genotypeReader() }
  const encoding = isUtf8 === true ? 'utf8' : dialect.encoding
  const ended = (text: string) => (request.eol === 'crlf' ? text.replaceAll('\n', '\r\n') : text)
  const encoded = (text: string) => encodeByteText(ended(text), encoding)
  const { idOf, fieldOf } = rowReader(layout, dialect)
  const release = request.release ?? plan.groups[0]?.context.facts.label ?? ''
  const personIn = ({ row, answers }: Pick<ConvertedRow, 'row' | 'answers'>): WrittenPerson => {
    const genotypes = findGenotypes(plan.groups, answers, asked)
    const ordered =
      format.loci?.map((locus) => genotypes.find((one) => one.locus === locus) ?? NOT_TYPED(locus)) ??
      genotypes
    return { id: idOf(row), release, field: fieldOf(row), genotypes: ordered }
  }
  const persons = isDocument === true ? new PersonIndex() : undefined
  return {
    mark: encoded(format.head?.(layout.loci, (field) => layout.values.get(field) ?? '') ?? ''),
    upper: '',
    head: '',
    other: () => '',
    again: () => '',
    fault: (row) => findFault(idOf(row), fieldOf(row), format),
    held: (group, answers) => heldAnswers(group, answers, asked),
    leftOut(converted) {
      const person = personIn(converted)
      const reason = format.refusePerson?.(person) ?? refuseRepeated(person, persons)
      return reason === undefined ? undefined : notInFormat(reason, format)
    },
    // an unreadable row does not identify its person
    row: (converted) => (converted.answers.size === 0 ? '' : encoded(format.row(personIn(converted)))),
  }
}

/** Name and fields of a row's person. */
function rowReader({ idColumn, columns, values }: OutputLayout, { encoding }: Dialect) {
  const value = (row: TableRow, column: number) => readable(row.values[column] ?? '', encoding).trim()
  return {
    idOf: (row: TableRow) => value(row, idColumn),
    fieldOf: (row: TableRow) => (field: string) => {
      const column = columns.get(field)
      const own = column === undefined ? '' : value(row, column)
      return own === '' ? (values.get(field) ?? '') : own
    },
  }
}

/** Reason why the name and the fields of a person cannot be written. */
function findFault(id: string, field: FieldValue, format: OutputFormat): HlaError | undefined {
  if (id === '') return notInFormat('a row without a name of the person', format)
  const all = [id, ...format.fields.map(({ name }) => field(name))]
  const wrong = all.find((one) => format.forbidden.test(one))
  if (wrong !== undefined) return notInFormat(`${JSON.stringify(wrong)} as the value of a column`, format)
  for (const { name, need, rule } of format.fields) {
    const text = field(name)
    if (text === '' && need === 'required') return notInFormat(`a person without a ${name}`, format)
    const broken = text === '' ? undefined : rule?.(text)
    if (broken !== undefined)
      return notInFormat(`the ${name} ${JSON.stringify(text)}, which ${broken}`, format)
  }
  return undefined
}

/** A typing of a locus in several columns, or a person in several rows. */
function refuseRepeated(
  { id, genotypes }: WrittenPerson,
  persons: PersonIndex | undefined,
): string | undefined {
  const loci = genotypes.flatMap(({ locus, genotype }) => (genotype === undefined ? [] : [locus]))
  const twice = loci.find((locus, at) => loci.indexOf(locus) < at)
  if (twice !== undefined) return `several typings of ${twice} of one person`
  return persons?.add(id) === undefined && persons !== undefined ? `${JSON.stringify(id)} twice` : undefined
}

function NOT_TYPED(locus: string) {
  return { locus, genotype: undefined }
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

function refused({ kind }: CellAnswer, what: string, format: OutputFormat): CellAnswer {
  return { status: 'error', results: [], kind, error: notInFormat(what, format), notes: [] }
}

function notInFormat(what: string, { title }: OutputFormat): HlaError {
  return new HlaError('not-in-format', `${title} cannot hold ${what}`)
}

interface GenotypeRequest {
  readonly format: OutputFormat
  /** True when a single copy stands for both. */
  readonly isHomozygous: boolean
  readonly read: GenotypeReader
}

/** Reason why the typings of a locus cannot be written; undefined if they can. */
function refuseGenotype(
  group: Pick<PlannedGroup, 'locus'>,
  answers: readonly CellAnswer[],
  { format, isHomozygous, read }: GenotypeRequest,
): string | undefined {
  const { holds, absent } = format
  const copies = typedCopies(answers, absent)
  if (copies.length === 0) return undefined
  const isLost = joinAnswers(answers).open !== undefined
  if (isLost && holds.half !== 'copy') return 'one copy of a genotype whose other is not known'
  for (const [locus, part] of copiesByLocus(group, copies)) {
    const genotype = read(part)
    if (typeof genotype === 'string') return genotype
    const { alternatives } = genotype
    if (alternatives.length > 1 && !holds.alternatives) return `${alternatives.length} possible genotypes (|)`
    if (alternatives.length > 1 && isLost) return 'several possible genotypes beside one that is not known'
    const isNamed = holds.antigens && group.locus !== undefined
    if (!isNamed && alternatives.flat().some((copy) => !copy.includes('*')))
      return 'an antigen, which does not name its locus'
    const list = alternatives.flat().find((copy) => copy.includes('/'))
    if (list !== undefined && !holds.lists) return `a list of ${list.split('/').length} alleles`
    const isHalf = alternatives.some((one) => one.length < 2)
    if (isHalf && !isHomozygous && holds.half === 'none') return 'one copy of a genotype without the other'
    const other = format.refuseGenotype?.(genotype, locus)
    if (other !== undefined) return other
  }
  return undefined
}

/** In the order of the table; loci of GL Strings as they come. What the format cannot hold has become an error, and does not count. */
function findGenotypes(
  groups: readonly PlannedGroup[],
  answers: RowAnswers,
  { format, isHomozygous, read }: GenotypeRequest,
): LocusGenotype[] {
  return groups.flatMap((group) => {
    const cells = answersOf(group, answers)
    const isDoubled = isHomozygous && joinAnswers(cells).isWhole
    return copiesByLocus(group, typedCopies(cells, format.absent)).map(([locus, copies]) => {
      const genotype = copies.length === 0 ? undefined : read(copies)
      if (genotype === undefined || typeof genotype === 'string') return NOT_TYPED(locus)
      return { locus, genotype: isDoubled ? withBothCopies(genotype) : genotype }
    })
  })
}

function withBothCopies({ alternatives }: Genotype): Genotype {
  return {
    alternatives: alternatives.map((copies) => (copies.length === 1 ? [...copies, ...copies] : copies)),
  }
}

/** One entry for a column of a locus, even without copies; those of other columns by the loci of their names. */
function copiesByLocus(
  { locus }: Pick<PlannedGroup, 'locus'>,
  copies: readonly string[],
): readonly (readonly [string, readonly string[]])[] {
  if (locus !== undefined) return [[locus, copies]]
  const texts = copies.flatMap((text) => text.split('^'))
  return [...groupBy(texts, (text) => readLocus(text.replace('HLA-', '')))]
}

function typedCopies(answers: readonly CellAnswer[], absent: string | undefined): string[] {
  return answers.flatMap(({ status, results }) =>
    status === 'absent' && absent !== undefined ? [absent] : status === 'ok' ? (results[0] ?? []) : [],
  )
}

interface OutputLayout {
  readonly idColumn: number
  /** Field -> its column. */
  readonly columns: ReadonlyMap<string, number>
  /** Field -> its value where no column gives one. */
  readonly values: ReadonlyMap<string, string>
  /** Loci of the format's columns; empty when rows name them. */
  readonly loci: readonly string[]
}

/**
 * @throws {HlaError} usage — the table lacks something that the format requires, or has something it cannot hold at all
 */
function findOutputLayout(plan: TablePlan, format: OutputFormat, request: WriteRequest): OutputLayout {
  const { title, holds, loci: fixed } = format
  const { groups, header, idColumn } = plan
  if (idColumn === undefined)
    throw unwritable(
      `${title} needs a name for each person, but ${header.table} has no column of person names`,
      advice`${option('id-column')} names it`,
    )
  const subjects = [...new Set(groups.map(({ subject }) => subject))]
  if (subjects.length > 1)
    throw unwritable(
      `${title} has one person per row, but each row of ${header.table} has several: ${subjects.join(', ')}`,
      advice`${option('exclude')} leaves out the columns of the others`,
    )
  const named = groups.flatMap(({ locus }) => (locus === undefined ? [] : [locus]))
  const labels = ({ columns }: PlannedGroup) => columns.map((column) => header.labels[column] ?? '').join(' ')
  const mixed = groups.find(({ locus }) => locus === undefined)
  if (mixed !== undefined && !holds.anyLoci)
    throw unwritable(
      `${title} needs one locus per column, but ${labels(mixed)} may hold typings of any locus`,
      advice`${option('input-format', 'gl')} splits GL Strings by locus; ${option('exclude')} leaves columns out`,
    )
  const hint = advice`${option('exclude')} leaves columns out`
  const other = groups.find(({ locus = '' }) => fixed?.includes(locus) === false)
  const all = fixed?.join(', ')
  if (other !== undefined)
    throw unwritable(`${title} has no place for ${labels(other)}: its loci are ${all}`, hint)
  const twice = named.find((locus, at) => named.indexOf(locus) < at)
  if (twice !== undefined)
    throw unwritable(`${title} has room for one typing of ${twice}, but several columns have it`, hint)
  const columns = request.fieldColumns ?? new Map<string, number>()
  const values = findValues(request.set, columns, format)
  return { idColumn, columns, values, loci: fixed ?? named }
}

function unwritable(reason: string, hint: Advice): HlaError {
  return new HlaError('usage', reason, { hint })
}

/** @throws {HlaError} usage — no such field or column, or one that the format does not have */
function findPersonColumns(
  text: string | undefined,
  header: Header,
  format: OutputFormat,
): ReadonlyMap<string, number> {
  const ofPersons = format.fields.filter(({ columns }) => columns !== undefined)
  const named = readPairs('person-columns', text, { ...format, fields: ofPersons })
  return new Map(
    [...named].map(([name, column]) => {
      const [at, another] = selectColumns(column, header)
      if (at === undefined || another !== undefined)
        throw new HlaError(
          'usage',
          advice`${option('person-columns')} ${JSON.stringify(`${name}=${column}`)} names more than one column`,
        )
      return [name, at]
    }),
  )
}

/** @throws {HlaError} usage — no such field, a value that breaks its rule, or a required field without one */
function findValues(
  text: string | undefined,
  columns: ReadonlyMap<string, number>,
  format: OutputFormat,
): ReadonlyMap<string, string> {
  const { title, fields } = format
  const said = readPairs('set', text, format)
  for (const { name, rule } of fields) {
    const value = said.get(name)
    if (value === undefined) continue
    const broken = rule?.(value) ?? (format.forbidden.test(value) ? 'cannot be written' : undefined)
    if (broken !== undefined)
      throw new HlaError('usage', advice`${option('set', `${name}=${value}`)}: it ${broken}`)
  }
  const missing = fields.filter(
    ({ name, need }) => need === 'required' && !said.has(name) && !columns.has(name),
  )
  if (missing.length > 0) {
    const names = missing.map(({ name }) => name)
    throw unwritable(`${title} needs ${names.join(', ')}`, fieldAdvice(missing))
  }
  const fallbacks = fields.flatMap(({ name, fallback }) =>
    fallback === undefined ? [] : [[name, fallback] as const],
  )
  return new Map([...fallbacks, ...said])
}

/** How to give these fields. */
function fieldAdvice(fields: readonly FormatField[]): Advice {
  const values = fields.map(({ name, form = 'VALUE' }) => `${name}=${form}`).join(',')
  const ofPersons = fields.filter(({ columns }) => columns !== undefined)
  const byColumn = optionLike('person-columns', ofPersons.map(({ name }) => `${name}=COLUMN`).join(','))
  return advice`${optionLike('set', values)}${ofPersons.length === 0 ? '' : clause`, or ${byColumn}`}`
}

/** `name=text,name=text`. @throws {HlaError} usage — no such field, or one twice */
function readPairs(
  from: 'person-columns' | 'set',
  text: string | undefined,
  { title, fields }: Pick<OutputFormat, 'title' | 'fields'>,
): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const item of (text ?? '').split(',').filter((one) => one.trim() !== '')) {
    const [, name = '', value = ''] = /^\s*([\w-]+)\s*=\s*(.+?)\s*$/.exec(item) ?? []
    if (!fields.some((one) => one.name === name) || found.has(name)) {
      const has =
        fields.length === 0 ? 'has none' : `has ${fields.map((one) => one.name).join(', ')}, each once`
      const hint = from === 'set' ? 'name=value, with commas between' : 'name=column, with commas between: population=POP' // prettier-ignore
      throw new HlaError('usage', advice`${option(from)} ${JSON.stringify(item)}: ${title} ${has}`, { hint }) // prettier-ignore
    }
    found.set(name, value)
  }
  return found
}

/**
 * The request with the columns about persons whose names are fields of the format, and notes on them and on fields that
 * are missing. Columns that are named, typed or excluded are left as they are.
 */
export function withFieldColumns(
  name: OutputFormatName,
  plan: TablePlan,
  request: WriteRequest,
  excluded: readonly number[],
): { readonly plan: TablePlan; readonly request: WriteRequest } {
  const { header, groups, idColumn } = plan
  const format = OUTPUT_FORMATS[name]
  const named = findPersonColumns(request.personColumns, header, format)
  const taken = new Set([
    ...named.values(),
    ...excluded,
    idColumn,
    ...groups.flatMap(({ columns }) => columns),
  ])
  const found = format.fields.flatMap(({ name: field, columns: words }) => {
    const columns = (header.names ?? []).flatMap((one, at) =>
      !taken.has(at) && words?.includes(plainName(one).toLowerCase()) === true ? [at] : [],
    )
    const [column, another] = columns
    return named.has(field) || column === undefined || another !== undefined ? [] : [[field, column] as const]
  })
  const fieldColumns = new Map([...named, ...found])
  const given = new Set([...fieldColumns.keys(), ...readPairs('set', request.set, format).keys()])
  const missing = format.fields.filter(({ name: field, need }) => need === 'expected' && !given.has(field))
  const shown = found.map(([field, column]) => `${field}=${columnSelector(column, header)}`)
  const notes = [
    ...(shown.length === 0 ? [] : [`columns about persons: ${shown.join(', ')}`]),
    ...(missing.length === 0
      ? []
      : [
          advice`${format.title} without ${missing.map((one) => one.name).join(', ')}${clause`; ${fieldAdvice(missing)} gives them`}`,
        ]),
  ]
  const rowNotes = notes.map((message) => ({ level: 'note', code: 'person-columns', message }) as const)
  return {
    plan: { ...plan, rowNotes: [...plan.rowNotes, ...rowNotes] },
    request: { ...request, fieldColumns },
  }
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

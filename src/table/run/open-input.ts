/**
 * Input of a conversion as a table: the file itself, or the table made of its typing records; several files make one
 * table.
 */
import { advice, option } from '../../advice.ts'
import { HlaError } from '../../errors.ts'
import { fileEnding } from '../../io/file-ending.ts'
import { makeTokens, findToken } from '../cells/tokens.ts'
import { delimitersOf } from '../input/dialect.ts'
import { readTableInput } from '../input/input.ts'
import type { TableInput } from '../plan/table-input.ts'
import type { ShapeRequest } from '../sources/open-records.ts'
import { columnItems } from '../plan/header.ts'
import { recognizeContent } from '../sources/recognize.ts'
import { layoutFor, type TableLayout } from '../plan/layouts.ts'
import { openTable, undecidedDigits } from '../plan/open-table.ts'
import type { SettlingFacts } from '../cells/name-facts.ts'
import type { ManyRequest } from '../sources/many-files.ts'
import type { ReadRequest } from '../plan/table-request.ts'
import { withTyped } from '../plan/raw-table-options.ts'
import { type ResolvedOptions, resolvedOptions, type TableJob } from './table-job.ts'

/**
 * `limited`: limits the bytes read of each file; `began` is called with each file as it is, and omitted where advice is
 * not tried. @throws {HlaError} errors of reading and recognition
 */
export async function openInput(
  job: TableJob,
  limited: (input: TableInput) => TableInput,
  began?: (input: TableInput) => void,
): Promise<TableInput> {
  const { source, parts, skipped, provenance, options, layout, planFrom, answering, operation, inputs, output } = job // prettier-ignore
  const isHashed = provenance !== undefined
  const { sheet } = options.reading
  const isChecked = operation.name === 'validate'
  // --from overrides the file
  const past = inputs.some((input) => input['from'] !== undefined) ? undefined : answering.past
  const request = { ...shapeRequest(options.reading, layout, answering.facts.loci), isChecked, past }
  const isNamed = options.reading.records?.sampleFrom !== undefined
  if (parts !== undefined || (isNamed && options.writing.consensus === undefined)) {
    const { openManyFiles } = await import('../sources/many-files.ts')
    const read = ({ reading }: ResolvedOptions, own: TableLayout | undefined) => ({
      ...shapeRequest(reading, own, answering.facts.loci),
      ...fileReader(reading, own, answering.facts, { isChecked, past }),
    })
    const opened = (one: TableInput) => {
      const input = limited(one)
      began?.(input)
      return input
    }
    const retyped: ManyRequest['retyped'] = (typed) => {
      const question = { ...job.question, options: withTyped(job.question.options, typed) }
      return read(resolvedOptions(question), layoutFor(question.options.inputFormat, source.title))
    }
    const many = { ...request, ...read(options, layout), isHashed, sheet, limited: opened, skipped, delimiter: delimiterOf(output) } // prettier-ignore
    return openManyFiles(source.name, parts ?? [source], { ...many, retyped: began && retyped })
  }
  if (options.writing.consensus !== undefined)
    throw new HlaError('usage', advice`${option('consensus')} needs files of several callers: a folder, or several files`, { offending: source.name }) // prettier-ignore
  const input = limited(
    await readTableInput(source.name, source.bytes(), {
      isHashed,
      sheet,
      dialect: options.reading.dialect,
    }),
  )
  began?.(input)
  // a part is read like the whole: row by row
  const shaped = planFrom === undefined ? await shapeInput(input, request) : input
  if (shaped.made === undefined) refuseLong(options.reading, source.name)
  return shaped
}

/** Each of several files is read as when it is converted alone, with the layout of its own name. */
export function fileReader(
  reading: ReadRequest,
  layout: TableLayout | undefined,
  facts: SettlingFacts,
  more: Pick<ShapeRequest, 'isChecked' | 'past'> = {},
): Pick<ManyRequest, 'ofFile' | 'unmatched'> {
  const { exclude } = reading.choice
  const unmatched = new Set(exclude === undefined ? [] : columnItems(exclude))
  const ofFile: ManyRequest['ofFile'] = (name) => {
    const own = layout ?? layoutFor(undefined, name)
    const { delimiter = own?.delimiter, comment = own?.comment, header, ...rest } = reading.dialect
    const dialect = {
      ...rest,
      delimiter,
      comment,
      header: own?.header === true ? header : (own?.header ?? header),
    }
    const asked = { ...reading, dialect, choice: { ...reading.choice, unmatched } }
    return {
      dialect,
      shape: { ...shapeRequest(asked, own, facts.loci), ...more, cellSeparator: asked.cellSeparator },
      async open(input) {
        const table = await openTable(input, asked, own, facts)
        const refusal = undecidedDigits(table.plan, asked)
        if (refusal !== undefined) throw refusal
        return table
      },
      rows: {
        idColumn: reading.idColumn,
        sample: reading.records?.sample,
        ragged: reading.ragged,
        facts,
      },
    }
  }
  return { ofFile, unmatched }
}

/** Delimiter of a table made of several kinds of files, by its output name. */
function delimiterOf(output: string): string {
  return delimitersOf(output)[0] ?? (fileEnding(output) === 'txt' ? '\t' : ',')
}

/** Refuses columns of a long table when the rows are read as they stand. @throws {HlaError} usage */
function refuseLong({ records = {} }: ReadRequest, table: string): void {
  const { sample, locus, alleles, scores, loci } = records
  if ([sample, locus, alleles, scores, loci].every((one) => one === undefined)) return
  throw new HlaError(
    'usage',
    advice`${option('long')} requires a table with one row per typing, and ${table} is not read as one`,
  )
}

/** Table of the input's typing records; a plain table is returned unchanged, without loading their readers. */
export async function shapeInput(input: TableInput, request: ShapeRequest): Promise<TableInput> {
  const recognized = recognizeContent(input, request)
  if (recognized.isPlain) return input
  const { shapedInput } = await import('../sources/open-records.ts')
  return shapedInput(input, request, recognized)
}

export function shapeRequest(
  { records, header, choice, tokens: asked }: ReadRequest,
  layout: TableLayout | undefined,
  loci: readonly string[],
): ShapeRequest {
  const tokens = makeTokens(asked)
  const { columns, gl, loci: named } = choice
  return {
    records,
    header,
    isTold: layout !== undefined || [columns, gl, named].some((one) => one !== undefined),
    loci,
    isTyping: (text) => findToken(text, undefined, tokens) === undefined && !OF_PROGRAMS.has(text),
  }
}

/** Words that programs write in place of an allele. */
const OF_PROGRAMS: ReadonlySet<string> = new Set(['no', 'Not typed'])

/**
 * Input of a conversion as a table: the file itself, or the table made of its typing records; several files make one
 * table.
 */
import { advice, option, type OptionAdvice } from '../../advice.ts'
import { HlaError } from '../../errors.ts'
import type { ByteInput } from '../../io/file-port.ts'
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
import { resolvedOptions, type TableJob } from './table-job.ts'

/**
 * `limited`: limits the bytes read of each file; `began` is called with each file as it is, and omitted where advice is
 * not tried. @throws {HlaError} errors of reading and recognition
 */
export async function openInput(
  job: TableJob,
  limited: (input: TableInput) => TableInput,
  began?: (input: TableInput) => void,
): Promise<TableInput> {
  const { source, parts, provenance, question, planFrom, answering, operation, inputs } = job
  const { reading, writing } = job.options
  if (parts === undefined && writing.consensus !== undefined)
    throw new HlaError('usage', advice`${option('consensus')} needs files of several callers: a folder, or several files`, { offending: source.name }) // prettier-ignore
  const retyped: TableFiles['retyped'] = (typed) => {
    const options = withTyped(question.options, typed)
    const layout = layoutFor(options.inputFormat, source.title)
    return { reading: resolvedOptions({ ...question, options }).reading, layout }
  }
  const input = await openFiles({
    ...job,
    reading,
    facts: answering.facts,
    isHashed: provenance !== undefined,
    isChecked: operation.name === 'validate',
    // --from overrides the file
    past: inputs.some((one) => one['from'] !== undefined) ? undefined : answering.past,
    delimiter: delimiterOf(job.output),
    // a part is read like the whole: row by row
    isPart: planFrom !== undefined,
    retyped: began && retyped,
    opened(one) {
      const file = limited(one)
      began?.(file)
      return file
    },
  })
  if (input.source === undefined) refuseLong(reading, source.name)
  return input
}

interface FileReading extends Pick<ShapeRequest, 'isChecked' | 'past'> {
  readonly reading: ReadRequest
  readonly layout: TableLayout | undefined
  readonly facts: SettlingFacts
}

/** Files that are read as one table. */
interface TableFiles extends FileReading, Pick<ManyRequest, 'skipped' | 'delimiter' | 'isHashed'> {
  readonly source: ByteInput
  /** Files that the source stands for, when there are several. */
  readonly parts?: readonly ByteInput[] | undefined
  /** True when the rows of a single file are not gathered. */
  readonly isPart?: boolean
  /** Called with each file, as it is; returns how it is read on. */
  readonly opened: (input: TableInput) => TableInput
  /** Reading with further options typed; omit to try nothing. */
  readonly retyped?: ((typed: readonly OptionAdvice[]) => Pick<FileReading, 'reading' | 'layout'>) | undefined
}

/** @throws {HlaError} errors of reading and recognition */
export async function openFiles(files: TableFiles): Promise<TableInput> {
  const { source, parts, reading, isHashed, opened, retyped } = files
  const { sheet, dialect, records } = reading
  if (parts === undefined && records?.sampleFrom === undefined) {
    const input = opened(await readTableInput(source.name, source.bytes(), { isHashed, sheet, dialect }))
    return files.isPart === true ? input : shapeInput(input, shapeRequest(files))
  }
  const { openManyFiles } = await import('../sources/many-files.ts')
  return openManyFiles(source.name, parts ?? [source], {
    ...files,
    ...readingOfMany(files),
    sheet,
    limited: opened,
    retyped: retyped && ((typed) => readingOfMany({ ...files, ...retyped(typed) })),
  })
}

/** Each of several files is read as when it is converted alone, with the layout of its own name. */
function readingOfMany(files: FileReading): ShapeRequest & Pick<ManyRequest, 'ofFile' | 'unmatched'> {
  const { reading, layout, facts } = files
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
    const { idColumn, ragged, cellSeparator } = asked
    return {
      dialect,
      shape: { ...shapeRequest({ ...files, reading: asked, layout: own }), cellSeparator },
      async open(input) {
        const table = await openTable(input, asked, own, facts)
        const refusal = undecidedDigits(table.plan, asked)
        if (refusal !== undefined) throw refusal
        return table
      },
      rows: { idColumn, sample: reading.records?.sample, ragged, facts },
    }
  }
  return { ...shapeRequest(files), ofFile, unmatched }
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
async function shapeInput(input: TableInput, request: ShapeRequest): Promise<TableInput> {
  const recognized = recognizeContent(input, request)
  if (recognized.isPlain) return input
  const { shapedInput } = await import('../sources/open-records.ts')
  return shapedInput(input, request, recognized)
}

function shapeRequest({ reading, layout, facts, isChecked, past }: FileReading): ShapeRequest {
  const { records, header, choice, tokens: asked } = reading
  const tokens = makeTokens(asked)
  const { columns, gl, loci: named } = choice
  return {
    records,
    header,
    isTold: layout !== undefined || [columns, gl, named].some((one) => one !== undefined),
    loci: facts.loci,
    isTyping: (text) => findToken(text, undefined, tokens) === undefined && !OF_PROGRAMS.has(text),
    isChecked,
    past,
  }
}

/** Words that programs write in place of an allele. */
const OF_PROGRAMS: ReadonlySet<string> = new Set(['no', 'Not typed'])

/** Opens a file of typing records as rows of persons; the format is detected by its beginning, or requested. */
import { advice, clause, command, option } from '../../advice.ts'
import { HlaError, isHlaError } from '../../errors.ts'
import type { PastNames } from '../cells/past-names.ts'
import { findToken, makeTokens } from '../cells/tokens.ts'
import { COLUMN_LOCI } from '../words/locus-header.ts'
import { encodeByteText, readable, toByteText } from '../input/encoding.ts'
import { readTableInput } from '../input/input.ts'
import type { ColumnGroup } from '../cells/joined/decide-joined.ts'
import type { SourceFacts, TableInput } from '../plan/table-input.ts'
import type { LocusColumns } from '../plan/recognition/unread-columns.ts'
import { readRows } from '../input/read-table.ts'
import { type Cohort, gather, type Gathered } from './gathering/gather.ts'
import type { RecordFile } from './gathering/record-files.ts'
import { NO_LOCUS, personName, splitCaller } from './gathering/person.ts'
import { type Recognized, recognizeContent } from './recognize.ts'
import { openRecognized, recordFormat } from './record-formats.ts'
import { locusColumns, scoreColumns } from './gathering/row-maker.ts'
import type { RecordInput, RecordSource } from './typing-record.ts'
import type { RecordRequest } from '../plan/table-request.ts'
import { formatCount } from '../../format-count.ts'

export interface ShapeRequest {
  readonly records: RecordRequest | undefined
  /** undefined: decided by content. */
  readonly header: boolean | undefined
  /** True when columns were named: rows are converted as they are, unless another option says otherwise. */
  readonly isTold: boolean
  /** Loci of the release. */
  readonly loci: readonly string[]
  readonly isTyping: (text: string) => boolean
  /** Also check rules of the format. */
  readonly isChecked?: boolean | undefined
  /** Separator of typings in a cell, as asked; undefined when the resulting table decides. */
  readonly cellSeparator?: string | undefined
  /** Settings for several files. */
  readonly cohort?: (Cohort & Pick<SourceFacts, 'lost' | 'notes' | 'skipped' | 'samples'>) | undefined
  /** Reads names by a release that the file states; omit to read them unchanged. */
  readonly past?: PastNames | undefined
}

/** The table of its records, or the input itself when it is already a table. @throws {HlaError} errors of the format */
export async function shapedInput(
  input: TableInput,
  request: ShapeRequest,
  recognized: Recognized,
): Promise<TableInput> {
  const source = await openSource(input, request, recognized)
  if (source === undefined) return input
  const person = encodeByteText(personName(input.name, undefined), source.dialect.encoding)
  return gatheredInput(input, [{ name: undefined, person, source }], request)
}

/** undefined when it is already a table. */
export async function openSource(
  input: TableInput,
  { records = {}, header, loci, isTyping, isChecked = false, past, cellSeparator }: ShapeRequest,
  recognized: Recognized,
): Promise<RecordSource | undefined> {
  if (recognized.isPlain) return undefined
  const { format = 'auto' } = records
  const { dialect, lines } = input
  const known = new Set<string>([...COLUMN_LOCI, ...loci])
  const file: RecordInput = {
    input,
    dialect,
    rows: recognized.isWide ? [] : await firstRows(input, dialect),
    lines,
    request: records,
    header,
    isLocus: (name) => known.has(name),
    isTyping,
    isChecked,
    past,
    cellSeparator,
  }
  if (format === 'auto') return openRecognized(file, recognized)
  const opened = recordFormat(format).open(file, true)
  if (opened !== undefined) return opened
  throw new HlaError('io', `${input.name} is not in the format of ${format}`, {
    offending: input.name,
    hint: advice`${clause`${command('help formats')} shows a line of each; `}${option('input-format', 'auto')} recognizes them`,
  })
}

/** Complete rows of the beginning. */
async function firstRows(
  { sample }: TableInput,
  dialect: RecordInput['dialect'],
): Promise<readonly (readonly string[])[]> {
  const rows: (readonly string[])[] = []
  const text = (value: string) => readable(value, dialect.encoding)
  try {
    for await (const block of readRows(toByteText([sample], dialect), dialect))
      rows.push(...block.filter(({ kind }) => kind === 'row').map(({ values }) => values.map(text)))
  } catch (error) {
    // a quoted field may end after the beginning; the full read reports what is wrong
    if (!(error instanceof HlaError)) throw error
  }
  return sample.at(-1) === LF || rows.length < 2 ? rows : rows.slice(0, -1)
}

const LF = 10

/** True when the beginning of a file is that of typing records, without any options. */
export async function recognizeRecords(name: string, sample: Buffer): Promise<boolean> {
  const tokens = makeTokens({})
  try {
    const input = await readTableInput(name, [sample])
    const request = {
      records: undefined,
      header: undefined,
      isTold: false,
      loci: [],
      isTyping: (text: string) => findToken(text, undefined, tokens) === undefined,
    }
    return (await openSource(input, request, recognizeContent(input, request))) !== undefined
  } catch (error) {
    // a long table that needs an option is one; data that cannot be unpacked are not
    if (isHlaError(error)) return error.code === 'usage'
    throw error
  }
}

/** `input` describes the bytes that are read. */
export async function gatheredInput(
  input: TableInput,
  files: AsyncIterable<RecordFile> | readonly RecordFile[],
  { records, loci, past, cohort }: ShapeRequest,
): Promise<TableInput> {
  const asked = records?.loci?.map((one) => one.replace(/^HLA-/i, '').toUpperCase())
  const gathered = await gather(files, { loci: asked, cohort })
  const { columns, rows, left } = gathered
  const all = locusColumns(columns)
  const inRelease = new Set(loci)
  const groups: ColumnGroup[] = []
  const unknownLoci: LocusColumns[] = []
  for (const [key, at] of all) {
    const [subject, locus] = splitCaller(key)
    if (inRelease.has(locus)) groups.push({ subject, locus, columns: [at, at + 1] })
    else if (key === NO_LOCUS) groups.push({ subject: '', locus: undefined, columns: [at] })
    else unknownLoci.push({ locus: key, columns: [at, at + 1] })
  }
  const unknown = unknownLoci.map(({ locus }) => locus)
  if (groups.length === 0) throw noTypings(input.name, unknown)
  // a document contains only typings, each in a field, while a program's file may have other genes
  const isDocument = columns.hasPaths && !columns.isMixed
  const others = isDocument ? unknownLoci.flatMap((one) => one.columns) : []
  for (const at of others) groups.push({ subject: '', locus: undefined, columns: [at] })
  // each file said which of its columns are typings
  const isExact = cohort?.hasSources === true
  const facts = {
    ...sourceFacts(gathered, cohort),
    ...(records?.isConsensus === true ? { personColumns: all[0]?.[1], left: [...left, ...unknown] } : {}),
    past,
  }
  const source = {
    columns: { groups, unknownLoci, scores: scoreColumns(columns), isExact, isDocument },
    facts,
    rows,
    hasFiles: columns.hasFiles,
    hasPaths: columns.hasPaths,
  }
  return { ...input, dialect: columns.dialect, source }
}

function sourceFacts(gathered: Gathered, cohort: ShapeRequest['cohort']): SourceFacts {
  const { columns, first, left, opened, repeated } = gathered
  const kinds = [...opened.programs()].map(([name, count]) => `${count} ${name}`)
  return {
    format: columns.source === undefined ? first.source.format : `files: ${kinds.join(', ')}`,
    reading:
      columns.source === undefined
        ? first.source.reading
        : `one row per sample, ${columns.source} names its file`,
    files: opened.count(),
    lost: cohort?.lost ?? [],
    notes: cohort?.notes ?? [],
    samples: cohort?.samples,
    skipped: cohort?.skipped ?? [],
    repeated: [...repeated],
    kept: columns.facts.map(({ name }) => name),
    left,
    ignored: [
      ...opened.ignored(),
      ...[...opened.leftOut()].map(([what, count]) => `${what} (${formatCount(count)})`),
    ],
    releases: opened.releases(),
  }
}

/** `loci`: of its typings, none of which is one of the release. */
export function noTypings(name: string, loci: readonly string[]): HlaError {
  const message =
    loci.length === 0
      ? `${name} holds no typings`
      : `${name} holds no typings of HLA genes: its loci are ${loci.join(' ')}`
  return new HlaError('io', message, { offending: name })
}

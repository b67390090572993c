/** Options of a table, and the requests made from them with defaults. */
import { advice, clause, option, type OptionAdvice } from '../../advice.ts'
import type { Leniency } from '../../engine/accept.ts'
import { HlaError } from '../../errors.ts'
import { parseDelimiter } from '../input/dialect.ts'
import { parseCellSeparator } from '../cells/joined/joined.ts'
import type { TableLayout } from './layouts.ts'
import type { ReadRequest, WriteRequest } from './table-request.ts'
import { TABLE_OPTIONS, type RawTableOptions } from '../../options/table-options.ts'
import { isGiven } from '../../options/check-options.ts'
import { memberOf } from '../../options/option-row.ts'
import { isLayout, parseLong, parseSkip, parseTokens } from '../../options/table-values.ts'
import type { RecordRequest } from './table-request.ts'

export function readRequest(
  options: RawTableOptions,
  layout: TableLayout | undefined,
  accept: readonly Leniency[],
): ReadRequest {
  const { header, headerRow, bareDigits } = options
  const skip = parseSkip(options.skip)
  const preamble = headerRow === undefined ? skip.count : Math.max(0, headerRow - 1)
  return {
    dialect: {
      delimiter: chooseDelimiter(options, layout),
      quote: chooseQuote(options),
      lazyQuotes: options.quote === 'lazy' ? true : undefined,
      preamble,
      comment: skip.prefix ?? layout?.comment,
      header: layout?.header === 'find' ? 'find' : header === false || (layout?.header === false && headerRow === undefined) ? false : undefined, // prettier-ignore
      encoding: options.encoding,
    },
    layout: isLayout(options.inputFormat) ? options.inputFormat : undefined,
    sheet: options.sheet,
    header: header === false ? false : headerRow === undefined ? undefined : true,
    choice: {
      columns: options.columns,
      exclude: options.exclude,
      loci: options.locus,
      gl: options.gl,
      subjects: options.subject,
      isExact: options.onlyNamed === true ? true : undefined,
      naming: options.name,
    },
    idColumn: options.idColumn,
    digits: bareDigits ?? 'auto',
    cellSeparator: parseCellSeparator(options.cellSeparator ?? 'auto'),
    tokens: parseTokens(options),
    accept,
    ragged: options.ragged ?? 'error',
    planFrom: options.planFrom,
    records: recordRequest(options),
  }
}

/** undefined when no option was given. */
function recordRequest(options: RawTableOptions): RecordRequest | undefined {
  const { inputFormat } = options
  const { sample, locus, allele, scores, loci } = parseLong(options.long)
  const records = {
    format: isLayout(inputFormat) || inputFormat === 'lines' ? undefined : inputFormat,
    sample,
    locus,
    alleles: allele,
    scores,
    loci: loci?.split(','),
    sampleFrom: options.sampleFrom,
    isMerged: options.merge === true ? true : undefined,
    isConsensus: options.consensus === undefined ? undefined : true,
  }
  return Object.values(records).some((one) => one !== undefined) ? records : undefined
}

function chooseDelimiter(
  { delimiter }: RawTableOptions,
  layout: TableLayout | undefined,
): string | undefined {
  if (delimiter !== undefined) return delimiter === 'auto' ? undefined : parseDelimiter(delimiter)
  return layout?.delimiter
}

function chooseQuote({ quote }: RawTableOptions): string | undefined {
  // eslint-disable-next-line no-control-regex
  if (quote === undefined || quote === 'none' || /^[!-\u007e]$/.test(quote)) return quote
  if (quote === 'lazy') return undefined
  throw new HlaError(
    'usage',
    advice`${option('quote')} is one character, none or lazy, not ${JSON.stringify(quote)}`,
  )
}

export function writeRequest(given: RawTableOptions, results: readonly string[], width = 1): WriteRequest {
  const options = withShape(withFormat(given, results), results)
  const { outputFormat, personColumns, set } = options
  return {
    into: options.into ?? 'after',
    name: options.name ?? '{col}_{method}',
    results,
    width,
    glOut: options.glOut ?? (options.glsc ? 'gl' : undefined),
    glsc: options.glsc ?? false,
    drbx: options.drbx,
    secondBlank: options.secondBlank ?? 'blank',
    dropSource: options.dropSource ?? false,
    locusPrefix: options.locusPrefix ?? 'full',
    onError: options.onError ?? 'blank',
    delimiter: options.outDelimiter === undefined ? undefined : parseDelimiter(options.outDelimiter),
    eol: options.eol ?? 'keep',
    bom: options.bom ?? 'keep',
    shape: options.shape === 'long' ? 'long' : undefined,
    consensus: options.consensus,
    format: outputFormat,
    personColumns,
    set,
  }
}

/** @throws {HlaError} usage — a format that cannot be written; options without a place in it */
function withFormat(options: RawTableOptions, results: readonly string[]): RawTableOptions {
  const { outputFormat } = options
  if (outputFormat === undefined) return options
  const said = TABLE_OPTIONS.find((row) => 'ofWrittenTables' in row && isGiven(row, options))
  if (said !== undefined || results.length > 1 || KEPT.has(options.onError ?? ''))
    throw new HlaError('usage', advice`${option('output-format', outputFormat)} writes no table`, {
      hint: advice`use one method, remove the options about columns and column names, and do not use ${option('on-error', 'keep')} or report`,
    })
  return { ...options, into: 'none' }
}

/** Settings of --on-error that write something other than a typing for a failed one. */
const KEPT: ReadonlySet<string> = new Set(['keep', 'report'])

/** @throws {HlaError} usage — requested columns do not fit a table of that shape */
function withShape(options: RawTableOptions, results: readonly string[]): RawTableOptions {
  const { shape, glOut, drbx, into, dropSource } = options
  if (shape === 'long' && (glOut !== undefined || drbx !== undefined || into === 'none'))
    throw new HlaError(
      'usage',
      advice`${option('shape', 'long')} writes one row per typing, without columns for a whole person`,
      {
        hint: advice`${option('gl-out')}, ${clause`${option('drbx')} and `}${option('into', 'none')} belong to ${option('shape', 'wide')}`,
      },
    )
  if (shape !== 'gl') return options
  if (into !== undefined || dropSource !== undefined || results.length > 1)
    throw new HlaError(
      'usage',
      advice`${option('shape', 'gl')} writes one GL String per person, and no columns of loci`,
      {
        hint: advice`use one method, without ${option('into')}${clause` and ${option('drop-source')}`}; ${option('gl-out')} names the column`,
      },
    )
  return { ...options, into: 'none', dropSource: true, glOut: glOut ?? 'gl' }
}

/** The options with those of an advice, as if both were typed. */
export function withTyped(options: RawTableOptions, typed: readonly OptionAdvice[]): RawTableOptions {
  const all: Record<string, unknown> = { ...options }
  for (const { option: name, value = '' } of typed) {
    const row = TABLE_OPTIONS.find((one) => one.name === name)
    const member = memberOf(name)
    const before = all[member]
    const earlier: readonly unknown[] = Array.isArray(before) ? before : []
    const reading = row !== undefined && 'reading' in row ? row.reading : undefined
    if (row !== undefined && !('value' in row)) all[member] = !name.startsWith('no-')
    else if (reading === 'each') all[member] = [...earlier, value]
    else if (reading === 'words') all[member] = [...earlier, ...value.split(',')]
    else if (reading === 'number') all[member] = Number(value)
    else if (name === 'exclude' && typeof before === 'string') all[member] = `${before},${value}`
    else all[member] = value
  }
  return all
}

/** Options of table mode -> what the batch layer is asked. */
import type { ReadRequest, WriteRequest } from '../../batch/table-request.ts'
import type { Leniency } from '../../engine/accept.ts'
import { parseDelimiter } from '../../batch/dialect.ts'
import type { Layout } from '../../batch/layouts.ts'
import { HlaError } from '../../errors.ts'
import type { TableOptions } from '../commands/table-options.ts'

export function readRequest(
  options: TableOptions,
  layout: Layout | undefined,
  accept: readonly Leniency[],
): ReadRequest {
  const { header, headerRow, skip, bareDigits } = options
  if (headerRow !== undefined && skip !== undefined)
    throw new HlaError('usage', '--header-row and --skip both say where the table begins')
  const preamble = headerRow === undefined ? skip : Math.max(0, headerRow - 1)
  return {
    dialect: {
      delimiter: delimiterOf(options, layout),
      quote: options.quote,
      lazyQuotes: options.lazyQuotes,
      preamble,
      comment: options.comment ?? layout?.comment,
      encoding: options.encoding,
    },
    layout: options.layout,
    header: header === false ? false : headerRow === undefined ? undefined : true,
    choice: {
      columns: options.columns,
      exclude: options.exclude,
      loci: options.locus,
      gl: options.gl,
      subjects: options.subject,
    },
    idColumn: options.idColumn,
    digits: bareDigits ?? 'auto',
    tokens: { untyped: options.missing, absent: options.absent, unknown: options.unknown, new: options.new },
    accept,
    ragged: options.ragged ?? 'error',
  }
}

function delimiterOf({ csv, tsv, delimiter }: TableOptions, layout: Layout | undefined): string | undefined {
  if (delimiter !== undefined) return delimiter === 'auto' ? undefined : parseDelimiter(delimiter)
  return csv ? ',' : tsv ? '\t' : layout?.delimiter
}

export function writeRequest(options: TableOptions, methods: readonly string[]): WriteRequest {
  return {
    into: options.into ?? 'after',
    name: options.name ?? '{col}_{method}',
    methods,
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
  }
}

export type MaxErrors = { readonly count: number } | { readonly share: number }

/** `100` or `5%` */
export function parseMaxErrors(text: string | undefined): MaxErrors | undefined {
  if (text === undefined) return undefined
  const [, digits, percent] = /^(\d+(?:\.\d+)?)(%?)$/.exec(text) ?? []
  if (digits === undefined || (percent === '' && digits.includes('.')))
    throw new HlaError(
      'usage',
      `--max-errors is a number such as 100 or a share such as 5%, not ${JSON.stringify(text)}`,
    )
  return percent === '%' ? { share: Number(digits) / 100 } : { count: Number(digits) }
}

export interface SummaryChoice {
  readonly kind: 'text' | 'json'
  readonly file: string | undefined
}

export function parseSummary(text: string | undefined): SummaryChoice {
  if (text === undefined || text === 'text') return { kind: 'text', file: undefined }
  if (text === 'json') return { kind: 'json', file: undefined }
  if (text.startsWith('json=') && text.length > 5) return { kind: 'json', file: text.slice(5) }
  throw new HlaError('usage', `--summary is text, json or json=FILE, not ${JSON.stringify(text)}`)
}

/** Options of table mode that only the command line has. */
import { HlaError } from '../../../errors.ts'
import type { Conversion } from '../../../table/run/convert.ts'

/** `100` or `5%` */
export function parseMaxErrors(text: string | undefined): Conversion['maxErrors'] {
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

/** Error of a row that does not fit the columns. Pure. */
import { type Advice, advice, option } from '../../advice.ts'
import { HlaError } from '../../errors.ts'
import type { Dialect } from '../input/dialect.ts'
import type { TableRow } from '../input/read-table.ts'
import { fieldsInstead } from '../input/split-row.ts'
import type { TablePlan } from './plan.ts'

export interface RowReading {
  readonly plan: Pick<TablePlan, 'header'>
  readonly ragged: 'error' | 'pad'
  readonly dialect: Dialect
}

/** Error of a row with the wrong number of fields, which may be under the wrong columns. */
export function conversionError(
  row: TableRow,
  { plan: { header }, ragged, dialect }: RowReading,
): HlaError | undefined {
  if (row.place !== undefined) return row.place.fault?.error
  const { width } = header
  const found = row.values.length
  if (row.isMisquoted)
    return new HlaError('bad-quote', 'misplaced quote character', { hint: quoteAdvice(row, width, dialect) })
  if (found === width) return undefined
  const isHarmless = found < width || row.values.slice(width).every((value) => value === '')
  if (hasLines(row))
    return new HlaError('ragged-row', `${fieldsInstead(found, width)}, and a quoted cell of several lines`, {
      hint: quoteAdvice(row, width, dialect),
    })
  if (ragged === 'pad' && isHarmless) return undefined
  const pad = found < width ? 'fills short rows with empty fields' : 'accepts extra fields that are empty'
  const hint = isHarmless ? advice`${option('ragged', 'pad')} ${pad}` : undefined
  return new HlaError('ragged-row', fieldsInstead(found, width), { hint })
}

/** True for a quote that is never meant to close, and takes the lines below it into its cell. */
function hasLines({ values }: TableRow): boolean {
  return values.some((value) => value.includes('\n'))
}

/** Readings of quotes with which the row, or a line within it, has its fields. */
function quoteAdvice(row: TableRow, width: number, { delimiter }: Dialect): Advice | undefined {
  const isLazy = !hasLines(row) && row.values.length === width
  const lines = row.raws.join(delimiter).split('\n')
  const isBare = lines.some((line) => line.split(delimiter).length === width)
  const asText = advice`${option('quote', 'none')} treats all quotes as text`
  if (!isLazy) return isBare ? asText : undefined
  return advice`${option('quote', 'lazy')} treats it as text${isBare ? advice`, ${asText}` : ''}`
}

/** Texts of a written table: fields, line ends, the byte order mark. */
import { advice, option } from '../../advice.ts'
import { HlaError } from '../../errors.ts'
import { readLocus } from '../../nomenclature/allele.ts'
import { type Dialect, outDelimiter } from '../input/dialect.ts'
import { BOM_BYTES } from '../input/encoding.ts'
import type { TableRow } from '../input/read-table.ts'
import { type Quoting, unquoteField } from '../input/split-row.ts'
import { quoted } from '../placed-error.ts'
import type { WriteRequest } from '../plan/table-request.ts'

/** In byte text. @throws {HlaError} usage — the mark would change the table's encoding */
export function byteOrderMark({ bom, encoding }: Dialect, { bom: asked }: WriteRequest): string {
  if (bom === 0 && asked === 'add' && encoding === 'latin1')
    throw new HlaError('usage', advice`${option('bom', 'add')}: a Latin-1 table has no byte order mark`, {
      hint: advice`${option('encoding')} sets the encoding of the table`,
    })
  return asked === 'add' || (asked === 'keep' && bom > 0) ? BOM_BYTES : ''
}

export function chooseLineEnd({ eol }: TableRow, request: WriteRequest): string {
  return eol === '' || request.eol === 'keep' ? eol : request.eol === 'lf' ? '\n' : '\r\n'
}

export function outQuoting(dialect: Dialect, request: WriteRequest): Quoting {
  return { delimiter: outDelimiter(dialect, request), quote: dialect.quote }
}

export function fieldText(value: string, quoting: Quoting): string {
  const field = unquoteField(value, quoting)
  if (field !== undefined) return field
  throw new HlaError('io', `${quoted(value)} contains the delimiter and cannot be quoted`, {
    hint: advice`choose another delimiter with ${option('out-delimiter')}`,
  })
}

/** `A*01:01/A*01:02` -> `01:01/01:02`; antigens keep their letters. */
export function withoutLoci(glString: string): string {
  // the names are needed to know the gene
  if (glString.includes('?')) return glString
  return glString
    .split(/([\^|+~/])/)
    .map((part) => (part.includes('*') ? part.slice(readLocus(part).length + 1) : part))
    .join('')
}

/** THE LIST of formats that yield typing records, in the order they are tried. */
import { HlaError } from '../../../errors.ts'
import { INPUT_FORMATS } from './record-format-names.ts'
import { GL_ROWS } from './gl-rows.ts'
import { LONG_TABLE } from './long-table.ts'
import { PROGRAMS } from './programs/programs.ts'
import { TRANSPOSED } from './transposed.ts'
import type { RecordFormat } from './typing-record.ts'

/** Programs first: what they write is often a long table too. */
export const RECORD_FORMATS: readonly RecordFormat[] = [...PROGRAMS, TRANSPOSED, LONG_TABLE, GL_ROWS]

/** @throws {HlaError} usage — no such format */
export function recordFormat(name: string): RecordFormat {
  const found = RECORD_FORMATS.find((format) => format.name === name)
  if (found !== undefined) return found
  throw new HlaError('usage', `unknown input format ${JSON.stringify(name)}`, {
    hint: `input formats are ${INPUT_FORMATS.join(' ')}`,
  })
}

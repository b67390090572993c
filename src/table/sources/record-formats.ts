/** All formats of typing records, in the order they are tried. */
import { HlaError } from '../../errors.ts'
import { INPUT_FORMATS } from '../../options/choices.ts'
import { GL_ROWS } from './gl-rows.ts'
import { LONG_TABLE } from './long-table.ts'
import type { Recognized } from './recognize.ts'
import { PROGRAMS } from './programs/programs.ts'
import { TRANSPOSED } from './transposed.ts'
import type { RecordFormat, RecordInput, RecordSource } from './typing-record.ts'
import { DONOR_JSON } from './exchange/donor-reader.ts'
import { WMDA } from './exchange/wmda-reader.ts'
import { HML } from './exchange/hml-reader.ts'

const EXCHANGE: readonly RecordFormat[] = [HML, WMDA, DONOR_JSON]

export const RECORD_FORMATS: readonly RecordFormat[] = [
  ...EXCHANGE,
  ...PROGRAMS,
  TRANSPOSED,
  LONG_TABLE,
  GL_ROWS,
]

/** Programs that write a wide table, one row per person: name, and a header. */
export const TABLE_PROGRAMS: readonly (readonly [name: string, header: string])[] = [
  ['OptiType', '\tA1\tA2\tB1\tB2\tC1\tC2\tReads\tObjective'],
  ['arcasHLA merge', 'subject\tA1\tA2\tB1\tB2'],
  ['HLAscan and others', 'sample\tHLA_A_Type1\tHLA_A_Type2'],
]

/** Program that writes a wide table with this header. */
export function tableProgram(header: string): string | undefined {
  return TABLE_PROGRAMS.find(([, beginning]) => header.startsWith(beginning))?.[0]
}

/**
 * Format detected by the beginning; undefined when there are no typing records, since GL Strings are converted whole.
 */
export function openRecognized(
  file: RecordInput,
  { mayBeDocument, program, isWide }: Recognized,
): RecordSource | undefined {
  // documents and programs first: their output often is a long table too
  if (mayBeDocument) {
    for (const document of EXCHANGE) {
      const source = document.open(file, false)
      if (source !== undefined) return source
    }
  }
  if (program !== undefined) return program.open(file, false)
  if (isWide) return undefined
  return TRANSPOSED.open(file, false) ?? LONG_TABLE.open(file, false)
}

/** @throws {HlaError} usage — no such format */
export function recordFormat(name: string): RecordFormat {
  const found = RECORD_FORMATS.find((format) => format.name === name)
  if (found !== undefined) return found
  throw new HlaError('usage', `unknown input format ${JSON.stringify(name)}`, {
    hint: `input formats are ${INPUT_FORMATS.join(' ')}`,
  })
}

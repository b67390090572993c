/** THE LIST of documents that are written back. */
import { HlaError } from '../../errors.ts'
import { recordFormat } from '../input/records/record-formats.ts'
import type { RecordInput } from '../input/records/typing-record.ts'
import type { DocumentFormat, Place } from './document.ts'
import { DONOR_JSON_DOCUMENT } from './formats/donor-json-document.ts'
import { HML_DOCUMENT } from './formats/hml-document.ts'
import { WMDA_DOCUMENT } from './formats/wmda-document.ts'

export const DOCUMENT_FORMATS: readonly DocumentFormat[] = [HML_DOCUMENT, WMDA_DOCUMENT, DONOR_JSON_DOCUMENT]

/** As it was asked for, or by its beginning. @throws {HlaError} usage — it is none of them; unknown input format */
export function documentFormat(file: RecordInput): DocumentFormat {
  const { format = 'auto' } = file.request
  const named = format === 'auto' ? undefined : recordFormat(format).name
  const found = DOCUMENT_FORMATS.find(({ name }) =>
    named === undefined ? recordFormat(name).open(file, false) !== undefined : name === named,
  )
  if (found !== undefined) return found
  const names = DOCUMENT_FORMATS.map(({ name }) => name).join(', ')
  throw new HlaError('usage', `${file.input.name} is no document that is written back: those are ${names}`, {
    offending: file.input.name,
    hint: 'without --output-format same, the output is a table',
  })
}

/** @throws {HlaError} usage — the format has no such place */
export function choosePlace({ name, places, whyPlaces }: DocumentFormat, asked: string | undefined): Place {
  const found = asked === undefined ? places[0] : places.find((place) => place === asked)
  if (found !== undefined) return found
  throw new HlaError('usage', `--into ${asked} is not for ${name}: ${whyPlaces}`, {
    hint: `--into ${places.join(' or --into ')}`,
  })
}

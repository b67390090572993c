/** HML, XML and JSON in place of a table are named as what they are, before their lines are taken for rows. */
import { HlaError } from '../../errors.ts'
import { recognizeDocument } from '../../nomenclature/document-format.ts'

/** Where what the document is about begins: comments may stand before it. */
const BEGINNING = 4096

/** `sample` in any encoding. @throws {HlaError} io — it is no table */
export function refuseDocument(sample: Buffer, name: string): void {
  // signs of formats are ASCII: what else an encoding has between or before them is left out
  const beginning = sample.subarray(0, BEGINNING).toString('latin1').replaceAll('\0', '').replace(/^(?:\u00ef\u00bb\u00bf|\u00ff\u00fe|\u00fe\u00ff)/, '') // prettier-ignore
  const format = recognizeDocument(beginning)
  if (format === undefined) return
  const hint =
    format === 'JSON'
      ? 'a table has a row a line; hla pipe reads JSON, a request a line'
      : 'in HML the GL Strings are the texts of its glstring elements; a table has a row a line'
  throw new HlaError('io', `${name} is ${format}, not a table`, { offending: name, hint })
}

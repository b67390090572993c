/** Names of the formats that typings of a table can be written in; apart from the formats, which are loaded when one is written. */
import { HlaError } from '../../errors.ts'

/** `same`: the document that was read, with its typings replaced. */
export const OUTPUT_FORMAT_NAMES = [
  'same', 'pypop', 'arlequin', 'uniformat', 'haplomat', 'grimm', 'hped', 'fhir',
] as const // prettier-ignore

export type OutputFormatName = (typeof OUTPUT_FORMAT_NAMES)[number]

/** Those that are written so far. */
const WRITTEN: ReadonlySet<OutputFormatName> = new Set(['same'])

/** @throws {HlaError} usage — nobody writes it yet */
export function refuseUnwritten(format: OutputFormatName): void {
  if (WRITTEN.has(format)) return
  throw new HlaError('usage', `--output-format ${format} is not written yet`, {
    hint: 'without it, the output is a table in the shape of --shape',
  })
}

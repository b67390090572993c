/** Names of the output formats for typings of a table; separate from the formats, which are loaded when written. */

import type { OUTPUT_FORMAT_NAMES } from '../../options/choices.ts'

export type OutputFormatName = (typeof OUTPUT_FORMAT_NAMES)[number]

interface FormatFile {
  readonly suffix: string
  /** Kind of file; omit for text. */
  readonly kind?: 'JSON' | 'JSON lines' | 'XML'
  /** True when it is UTF-8, whatever the encoding of the table. */
  readonly isUtf8?: true
  /** True for a document of persons, each of which it may hold once. */
  readonly isDocument?: true
}

export const FORMAT_FILES: Readonly<Record<OutputFormatName, FormatFile>> = {
  pypop: { suffix: '.pop' },
  arlequin: { suffix: '.arp' },
  uniformat: { suffix: '.unif' },
  haplomat: { suffix: '.glc' },
  grimm: { suffix: '.csv' },
  hped: { suffix: '.hped' },
  fhir: { suffix: '.jsonl', kind: 'JSON lines', isUtf8: true },
  hml: { suffix: '.hml', kind: 'XML', isUtf8: true, isDocument: true },
  donors: { suffix: '.json', kind: 'JSON', isUtf8: true, isDocument: true },
}

/** Names of the output formats for typings of a table; separate from the formats, which are loaded when written. */

import type { OUTPUT_FORMAT_NAMES } from '../../options/choices.ts'

export type OutputFormatName = (typeof OUTPUT_FORMAT_NAMES)[number]

/** Population genetics formats, one person per row, with their file suffixes. */
export const POPULATION_SUFFIXES: Readonly<Record<OutputFormatName, string>> = {
  pypop: '.pop',
  arlequin: '.arp',
  uniformat: '.unif',
  haplomat: '.glc',
  grimm: '.csv',
  hped: '.hped',
  fhir: '.jsonl',
}

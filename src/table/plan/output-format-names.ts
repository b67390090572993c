/** Names of the formats that typings of a table can be written in; apart from the formats, which are loaded when one is written. */

import type { OUTPUT_FORMAT_NAMES } from '../../options/choices.ts'

export type OutputFormatName = (typeof OUTPUT_FORMAT_NAMES)[number]

/** Those of population genetics: a person a row, each with the end of its files' names. */
export const POPULATION_SUFFIXES: ReadonlyMap<OutputFormatName, string> = new Map([
  ['pypop', '.pop'],
  ['arlequin', '.arp'],
  ['uniformat', '.unif'],
  ['haplomat', '.glc'],
  ['grimm', '.csv'],
  ['hped', '.hped'],
  ['fhir', '.jsonl'],
])

/**
 * Options of questions, which advice also words for requests, queries and the service's page. The command line adds to
 * some the values that the engine knows.
 */
import type { OptionRow } from './option-row.ts'

export const METHOD = { name: 'method', short: 'm', synonyms: ['redux-type', 'reduction-method', 'level'], value: 'method', env: 'HLA_METHOD', isCommon: true, inRequest: 'reduction_method', inQuery: true } as const // prettier-ignore
export const ACCEPT = { name: 'accept', value: 'leniencies', reading: 'list', env: 'HLA_ACCEPT', property: 'accept', isCommon: true, inRequest: 'accept', inQuery: true, onPage: 'the choice "Correct small slips"' } as const // prettier-ignore
export const FROM = { name: 'from', synonyms: ['from-release'], value: 'rel', help: 'the names in the input come from this release: translate them first', brief: 'release of the names in the input', property: 'from', isOfOneRun: true, inRequest: 'from' } as const // prettier-ignore
export const LIFT = { name: 'lift', help: 'the names may come from any earlier release: translate them where that is unambiguous', brief: 'translate names of any earlier release', property: 'lift', isCommon: true, inRequest: 'lift' } as const // prettier-ignore
export const IGNORE_SUFFIX = { name: 'ignore-suffix', value: 'list', reading: 'list', help: 'leave names unchanged that have this after the "*", such as NNNN,UUUU', brief: 'leave names with this after "*" unchanged', inRequest: 'options.ignoredSuffixes' } as const // prettier-ignore
export const LIMIT = { name: 'limit', value: 'n', reading: 'number', help: 'largest number of names in one input or answer; 0 means no limit', brief: 'largest number of names; 0: no limit', inRequest: 'options.limit' } as const // prettier-ignore
export const RELEASE = { name: 'release', short: 'r', synonyms: ['imgt-version', 'db-version'], value: 'rel', help: 'IPD-IMGT/HLA release to use: 3.58.0, 3580, active or starter', env: 'HLA_RELEASE', default: 'active', isCommon: true } as const // prettier-ignore
export const OUTPUT = { name: 'output', short: 'o', synonyms: ['out', 'outfile', 'output-file'], value: 'file', help: 'write results to a file, which appears only when complete; .gz compresses, drive:/… is a file in a file store', brief: 'file to write; .gz compresses; drive:/…', default: '-', isCommon: true, isOfOneRun: true } as const // prettier-ignore

export type NamedOption = Partial<OptionRow> & Pick<OptionRow, 'name'>

export const QUESTION_OPTIONS: readonly NamedOption[] = [
  METHOD,
  ACCEPT,
  FROM,
  LIFT,
  IGNORE_SUFFIX,
  LIMIT,
  RELEASE,
  OUTPUT,
  // its flag is of a property of the operation
  { name: 'xx', inRequest: 'xx' },
]

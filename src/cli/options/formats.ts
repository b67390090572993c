/** The output formats of records. */

export const FORMATS = ['plain', 'json', 'jsonl', 'csv', 'tsv', 'table'] as const
export type Format = (typeof FORMATS)[number]

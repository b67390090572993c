/** What can be said about a table behind `?`, and what it means. */
import { DIGIT_READINGS } from '../../table/cells/digits.ts'
import { LAYOUTS } from '../../table/plan/layouts.ts'
import { INPUT_FORMATS } from '../../table/input/records/record-format-names.ts'
import { OUTPUT_FORMAT_NAMES } from '../../table/plan/output-format-names.ts'
import { INTO, SHAPES } from '../../table/plan/table-request.ts'
import type { RawTableOptions } from '../../table/plan/raw-table-options.ts'
import { LENIENCIES, readLeniencies } from '../../engine/accept.ts'
import { ALL_METHODS, DEFAULT_METHOD, METHODS_OR_ALL, releaseMethods } from '../../engine/reduce/methods.ts'
import type { Release } from '../../reference/release.ts'
import { ANTIGENS_PROPERTY } from '../../operations/options-schema.ts'
import type { InputSchema, ValueOf } from '../../operations/schema.ts'

/** The words of `hla redux` for tables, as far as somebody needs them who sees the table. */
export const TABLE_QUERY = {
  type: 'object',
  properties: {
    name: { type: 'string', description: 'the name of the file: its suffix says how it is written' },
    method: {
      type: 'array',
      items: { type: 'string', enum: METHODS_OR_ALL },
      description: `reduction methods (default ${DEFAULT_METHOD}), one column each; ${ALL_METHODS}: every one that the release has`,
    },
    antigens: ANTIGENS_PROPERTY,
    into: {
      type: 'string',
      enum: INTO,
      description: 'results stand after their source (default), replace it, or stand at the end',
    },
    on_error: {
      type: 'string',
      enum: ['blank', 'keep', 'report'],
      description: 'a cell that cannot be reduced: empty (default), as it was, or with two more columns',
    },
    columns: {
      type: 'string',
      description: 'typing columns: names, numbers, ranges such as A_1..B_2, globs',
    },
    exclude: { type: 'string', description: 'columns to leave out of the typing columns' },
    gl: { type: 'string', description: 'columns that contain GL Strings' },
    locus: { type: 'string', description: 'the columns of loci: A=A1,A2 B=B1,B2' },
    only_named: { type: 'boolean', description: 'read no columns besides those of locus and gl' },
    missing: { type: 'string', description: 'more values that mean not typed, with commas between' },
    header: { type: 'boolean', description: 'false: the first row is data' },
    delimiter: { type: 'string', description: 'auto, a character, tab, pipe or space' },
    sheet: {
      type: 'string',
      description: 'the sheet of a workbook (.xlsx; default: the first that has something in it)',
    },
    layout: { type: 'string', description: `a known layout: ${Object.keys(LAYOUTS).join(' ')}` },
    input_format: {
      type: 'string',
      enum: INPUT_FORMATS,
      description: 'what the file is: auto (default), table, long, transposed, or the program that wrote it',
    },
    sample_column: { type: 'string', description: 'column of a long table that names the sample' },
    locus_column: { type: 'string', description: 'column of a long table that names the locus' },
    allele_column: { type: 'string', description: 'one or two columns of a long table with the alleles' },
    scores: { type: 'string', description: 'columns of a long table that belong to a typing' },
    shape: {
      type: 'string',
      enum: SHAPES,
      description: 'a row a person (wide, default), a row a typing, or a row a person with one GL String',
    },
    output_format: {
      type: 'string',
      enum: OUTPUT_FORMAT_NAMES,
      description:
        'what to write instead of a table: the document that was read, or a file of another program',
    },
    person_columns: {
      type: 'string',
      description: 'columns that an output format has a place for: population=POP,race=R1,sex=SEX',
    },
    ragged: {
      type: 'string',
      enum: ['error', 'pad'],
      description: 'how to treat rows with too few or too many fields',
    },
    bare_digits: {
      type: 'string',
      enum: ['auto', ...DIGIT_READINGS],
      description: 'how to read digits without a colon',
    },
    cell_separator: {
      type: 'string',
      description: 'what stands between two typings in one cell: auto (default), none, or a character',
    },
    gl_out: { type: 'string', description: 'the name of a column with one GL String a person' },
    accept: {
      type: 'array',
      items: { type: 'string' },
      description: `leniencies: ${LENIENCIES.join(' ')} all`,
    },
  },
  additionalProperties: false,
} as const satisfies InputSchema

export type TableQuery = ValueOf<typeof TABLE_QUERY>

/** @throws {HlaError} bad-request — no such leniency */
export function readTableQuery(query: TableQuery, { facts: { hasHats } }: Release) {
  const { name = '', method = [DEFAULT_METHOD], antigens, accept, into, on_error: onError } = query
  const { columns, exclude, gl, header, delimiter, sheet, layout, ragged, scores, shape } = query
  const rawOptions = {
    columns,
    exclude,
    gl,
    header,
    delimiter,
    sheet,
    layout,
    ragged,
    into,
    onError,
    scores,
    shape,
    locus: query.locus?.split(/\s+/),
    onlyNamed: query.only_named,
    missing: query.missing?.split(','),
    bareDigits: query.bare_digits,
    cellSeparator: query.cell_separator,
    glOut: query.gl_out,
    inputFormat: query.input_format,
    outputFormat: query.output_format,
    personColumns: query.person_columns,
    sampleColumn: query.sample_column,
    locusColumn: query.locus_column,
    alleleColumn: query.allele_column,
  }
  return {
    // a path is the business of whoever sends it
    name: name.replace(/^.*[/\\]/s, '') || 'table.csv',
    methods: [...new Set(method.flatMap((one) => (one === ALL_METHODS ? releaseMethods(hasHats) : [one])))],
    accept: accept === undefined ? undefined : readLeniencies(accept),
    options: antigens === undefined ? undefined : { antigens },
    rawOptions: given(rawOptions),
  }
}

/** Without what was not said. */
function given(rawOptions: {
  [K in keyof RawTableOptions]: RawTableOptions[K] | undefined
}): RawTableOptions {
  return Object.fromEntries(Object.entries(rawOptions).filter(([, value]) => value !== undefined))
}

/**
 * Definitions of the table options. Flags, the query of `POST /table`, its description, the manual page and the checks
 * are generated from them.
 */
import {
  CONSENSUS,
  DIGIT_READINGS,
  ENCODINGS,
  INPUT_FORMATS,
  INTO,
  LAYOUT_FORMATS,
  LONG_PARTS,
  ON_ERROR,
  OUTPUT_FORMAT_NAMES,
  PROGRESS,
  SAMPLE_FROM,
  SECOND_BLANK,
  SHAPES,
  TOKEN_KINDS,
} from './choices.ts'
import type { OptionsOf, TableRow } from './option-row.ts'

/** Outputs with one GL String per person. */
const GL_STRINGS = [{ option: 'gl-out' }, { option: 'glsc' }, { option: 'shape', values: ['gl'] }, { option: 'output-format' }] as const // prettier-ignore

/** Options about rows, columns and texts that a consensus decides. */
const BESIDE_CONSENSUS = [{ option: 'merge' }, { option: 'columns' }, { option: 'locus' }, { option: 'gl' }, { option: 'subject' }, { option: 'into' }, { option: 'name' }, { option: 'gl-out' }, { option: 'glsc' }, { option: 'drbx' }, { option: 'shape' }, { option: 'drop-source' }, { option: 'on-error' }, { option: 'plan-from' }] as const // prettier-ignore

/** Options in the order of the help. */
export const TABLE_OPTIONS = [
  { name: 'delimiter', short: 'd', synonyms: ['sep', 'separator', 'delim', 'field-separator'], value: 'char', help: 'delimiter of the input: auto, one character, tab, pipe or space', brief: 'delimiter: auto, a character, tab, pipe or space', scope: 'reading', group: 'text', inQuery: true, ofTables: true },
  { name: 'no-header', short: 'H', synonyms: ['noheader', 'without-header'], help: 'the first row is data, not a header', scope: 'reading', group: 'text', inQuery: true, ofTables: true },
  { name: 'header-row', value: 'n', reading: 'number', help: 'number of the header line; lines before it are copied unchanged', brief: 'line of the header; lines above it are copied', scope: 'reading', group: 'text', ofTables: true },
  { name: 'skip', synonyms: ['skiprows', 'skip-rows', 'skip-lines'], value: 'lines', reading: 'each', help: 'copy this number of lines before the table unchanged, or all lines that begin with this prefix (repeatable)', brief: 'copy the first n lines, or lines that begin with this', scope: 'reading', group: 'text', ofTables: true },
  { name: 'quote', synonyms: ['quotechar'], value: 'char', help: 'quote character, none, or lazy: misplaced quotes are text', brief: 'quote character, none, or lazy', scope: 'reading', group: 'text', ofTables: true },
  { name: 'encoding', synonyms: ['charset'], value: 'name', choices: ENCODINGS, help: 'encoding of the input', scope: 'reading', group: 'text' },
  { name: 'ragged', value: 'what', choices: ['error', 'pad'], help: 'how to treat rows with too few or too many fields', brief: 'rows with too few or too many fields', scope: 'reading', group: 'text', inQuery: true, ofTables: true },
  { name: 'sheet', synonyms: ['sheet-name', 'worksheet'], value: 'name', help: 'sheet of a workbook (.xlsx); by default, the first with typings', brief: 'sheet of a workbook (default: the first with typings)', scope: 'reading', group: 'text', inQuery: true, ofTables: true },
  { name: 'input-format', value: 'format', choices: [...INPUT_FORMATS, ...LAYOUT_FORMATS, 'lines'], help: ['what the file is: auto, table, long, lines (one typing a line), a layout, or the program that wrote it', [' (', { command: 'help formats' }, ')']], brief: 'what the file is (hla help formats)', scope: 'reading', group: 'shape', inQuery: [...INPUT_FORMATS, ...LAYOUT_FORMATS] },
  { name: 'long', value: 'part=columns', reading: 'each', help: `columns of a long table: ${LONG_PARTS.slice(0, 4).join('=…, ')}=…; loci=… for the loci of the result (repeatable)`, brief: 'of a long table: sample=, locus=, allele=, loci= …', scope: 'reading', group: 'shape', inQuery: true, ofTables: true },
  { name: 'sample-from', value: 'what', choices: SAMPLE_FROM, help: 'with several files, name the samples by the file, by its folder, by the folder above it (folder:2), or as the rows say (column)', brief: 'with several files: what names the samples', scope: 'reading', group: 'shape', ofTables: true },
  { name: 'merge', help: 'make one row from all files of a sample; by default, each file has its own rows', brief: 'one row for all files of a sample', scope: 'reading', group: 'shape', ofTables: true },
  { name: 'consensus', value: 'rule', choices: CONSENSUS, help: 'with files of several programs, write one row per sample: the typing that more than half of them (majority), or all, agree on', brief: 'of several programs: the typing of most, or of all', scope: 'typings', group: 'shape', ofTables: true, ofWrittenTables: true, excludes: BESIDE_CONSENSUS, isOfOneRun: true },
  { name: 'columns', short: 'c', synonyms: ['cols', 'fields', 'usecols'], value: 'columns', reading: 'columns', help: 'typing columns: names, numbers, ranges such as A_1..B_2, globs', brief: 'typing columns: names, numbers, A_1..B_2, globs', scope: 'reading', group: 'columns', inQuery: true, ofTables: true, isCommon: true },
  { name: 'exclude', short: 'x', synonyms: ['skip-columns', 'drop-columns'], value: 'columns', reading: 'columns', help: 'columns to leave out of the typing columns', brief: 'columns that are not typing columns', scope: 'reading', group: 'columns', inQuery: true, ofTables: true },
  { name: 'locus', short: 'l', value: 'locus=columns', reading: 'each', help: 'columns of a locus, besides those that are found: A=A1,A2 or subject:A=A1,A2 (repeatable)', brief: 'columns of a locus: A=A1,A2 or subject:A=A1,A2', scope: 'reading', group: 'columns', inQuery: true, onPage: 'Columns of a locus:', ofTables: true, isCommon: true },
  { name: 'gl', short: 'g', value: 'columns', reading: 'columns', help: 'columns that contain GL Strings', scope: 'reading', group: 'columns', inQuery: true, onPage: 'columns of GL Strings:', ofTables: true },
  { name: 'subject', value: 'name=prefix', reading: 'each', help: 'columns with this prefix belong to one person (repeatable)', brief: 'columns with this prefix are of one person', scope: 'reading', group: 'columns', ofTables: true },
  { name: 'only-named', help: ['read only the columns given with ', { option: 'locus' }, ' and ', { option: 'gl' }], scope: 'reading', group: 'columns', inQuery: true, ofTables: true, requires: [{ option: 'locus' }, { option: 'gl' }, { option: 'columns' }, { option: 'input-format', values: LAYOUT_FORMATS, form: 'LAYOUT' }] },
  { name: 'strict-columns', help: 'exit with status 1 if a column looks like typings and is not read', brief: 'exit 1 if a column of typings is not read', scope: 'reading', group: 'columns' },
  { name: 'id-column', synonyms: ['sample-id', 'id-col'], value: 'column', help: 'column that identifies rows in reports', scope: 'reading', group: 'columns', ofTables: true },
  { name: 'bare-digits', value: 'what', choices: ['auto', ...DIGIT_READINGS], help: 'how to read digits without a colon', brief: 'digits without a colon', scope: 'reading', group: 'cells', inQuery: true },
  { name: 'cell-separator', value: 'char', help: 'separator of two typings in one cell: auto, none, or a character such as , ; / pipe or space', brief: 'between two typings in a cell: auto, none, , ; …', scope: 'reading', group: 'cells', inQuery: true, ofTables: true },
  { name: 'missing', synonyms: ['na', 'na-values', 'na-value'], value: 'list', reading: 'words', help: 'more values that mean not typed', scope: 'reading', group: 'cells', inQuery: true },
  { name: 'token', value: 'word=kind', reading: 'words', help: `more values that are not typings, and what each means: ${TOKEN_KINDS.join(', ')}`, brief: 'more values: absent, unknown, new, untyped', scope: 'reading', group: 'cells', inQuery: true },
  { name: 'plan', synonyms: ['dry-run', 'preview'], help: 'show how the table would be read and converted, without converting it', brief: 'show how the table would be read, and stop', scope: 'reading', group: 'run', excludes: [{ option: 'input-format', values: ['lines'] }], isCommon: true, isOfOneRun: true },
  { name: 'into', value: 'where', choices: INTO, help: 'where to write results: after the source column, in its place, at the end of the row, or nowhere', brief: 'where results are written', scope: 'results', group: 'output', inQuery: true, ofTables: true, ofWrittenTables: true, isCommon: true },
  { name: 'name', value: 'template', help: 'names of result columns (default {col}_{method}; for other commands {method} is the kind of result)', brief: 'names of result columns (default {col}_{method})', scope: 'results', group: 'output', ofTables: true, ofWrittenTables: true, excludes: [{ option: 'into', values: ['replace', 'none'] }, { option: 'shape', values: ['gl'] }] },
  { name: 'gl-out', value: 'name', help: 'add a column with one GL String per person', scope: 'typings', group: 'output', inQuery: true, ofTables: true, ofWrittenTables: true },
  { name: 'glsc', help: 'write the GL String column as a GL String Code, which includes the release', brief: 'write the GL String column as a GL String Code', scope: 'typings', group: 'output', ofTables: true, ofWrittenTables: true },
  { name: 'drbx', value: 'name', help: 'add two columns with the DRB3/4/5 typings of each person', brief: 'add two columns with DRB3/4/5 of each person', scope: 'typings', group: 'output', ofTables: true, ofWrittenTables: true },
  { name: 'second-blank', value: 'what', choices: SECOND_BLANK, help: 'how to write an empty second typing in the GL String', brief: 'an empty second typing in the GL String', scope: 'typings', group: 'output', ofTables: true, requires: GL_STRINGS },
  { name: 'shape', value: 'shape', choices: SHAPES, help: 'what to write: one row per person, one row per typing, or one row per person with a GL String', brief: 'one row per person, per typing, or GL Strings', scope: 'results', group: 'output', inQuery: true, ofTables: true, ofWrittenTables: true },
  { name: 'output-format', value: 'format', choices: OUTPUT_FORMAT_NAMES, help: ['write HML, donors of Atlas, FHIR, or a file of a population genetics program instead of a table', [' (', { command: 'help formats' }, ')']], brief: 'file of another program instead of a table', scope: 'typings', group: 'output', inQuery: true },
  { name: 'person-columns', value: 'list', reading: 'columns', help: ['columns about the person, for formats of ', { option: 'output-format' }, ' that can hold them: population=POP,sex=SEX'], brief: 'columns about the person: population=POP,sex=SEX', scope: 'typings', group: 'output', inQuery: true, requires: [{ option: 'output-format' }] },
  { name: 'set', value: 'list', reading: 'columns', help: ['fields of the ', { option: 'output-format' }, ' with one value for all persons: project-name=LAB,date=2026-11-29'], brief: 'fields for all persons: project-name=LAB,date=…', scope: 'typings', group: 'output', inQuery: true, requires: [{ option: 'output-format' }] },
  { name: 'drop-source', help: 'leave the source columns out of the output', brief: 'leave out the source columns', scope: 'results', group: 'output', ofTables: true, ofWrittenTables: true },
  { name: 'locus-prefix', value: 'how', choices: ['full', 'bare'], help: 'write names with or without their locus', brief: 'names with or without their locus', scope: 'typings', group: 'output', ofTables: true, ofWrittenTables: true },
  { name: 'out-delimiter', short: 'D', synonyms: ['output-delimiter', 'out-sep'], value: 'char', help: 'delimiter of the output (default: by the ending .csv, .tsv or .psv, else that of the input)', brief: 'delimiter of the output', scope: 'results', group: 'output', ofTables: true, ofWrittenTables: true },
  { name: 'eol', value: 'what', choices: ['keep', 'lf', 'crlf'], help: 'line endings of the output', scope: 'results', group: 'output', ofTables: true },
  { name: 'bom', value: 'what', choices: ['keep', 'add', 'drop'], help: 'byte order mark of the output', scope: 'results', group: 'output', ofTables: true, ofWrittenTables: true },
  { name: 'on-error', value: 'what', choices: ON_ERROR, help: 'what to write for a typing that fails: nothing, the input, nothing plus two report columns, or stop', brief: 'what is written for a typing that fails', scope: 'results', group: 'output', inQuery: ['blank', 'keep', 'report'] },
  { name: 'errors', synonyms: ['error-file', 'report'], value: 'file', help: 'write a report of failed cells to this file: .csv, .tsv or .jsonl', brief: 'report of failed cells: .csv, .tsv or .jsonl', scope: 'report', group: 'run', isOfOneRun: true },
  { name: 'max-errors', value: 'n', help: 'stop after this many failures, or a share such as 5%', brief: 'stop after so many failures, or a share (5%)', scope: 'results', group: 'run' },
  { name: 'exit-zero', help: 'exit with status 0 even if typings failed', brief: 'exit 0 even if typings failed', scope: 'report', group: 'run' },
  { name: 'summary', value: 'how', help: 'format of the summary: text, json or json=FILE', brief: 'summary as text, json or json=FILE', scope: 'results', group: 'run', isOfOneRun: true },
  { name: 'provenance', value: '[file]', help: 'record input, data, options and output in a file (default OUTPUT.hla.json)', brief: 'record of the run (default OUTPUT.hla.json)', scope: 'results', group: 'run' },
  { name: 'plan-from', value: 'file', help: 'plan by the first rows of this table, of which the input is a part', brief: 'plan by this table, of which the input is a part', scope: 'results', group: 'run', ofTables: true, isOfOneRun: true },
  { name: 'progress', value: 'how', choices: PROGRESS, help: 'auto (on a terminal), always, never, or jsonl (one object per second)', brief: 'progress reports', scope: 'results', group: 'run' },
] as const satisfies readonly TableRow[] // prettier-ignore

/** Table options as given; missing ones have their defaults. */
export type RawTableOptions = Omit<OptionsOf<typeof TABLE_OPTIONS>, 'plan' | 'inputFormat'> & {
  /** Checked when the file is opened. */
  readonly inputFormat?: string
}

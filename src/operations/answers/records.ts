/** Records: the answers for one input, in each output format. */
import type { HlaError } from '../../errors.ts'

/** Answer for one input under one method. */
export interface AnswerRecord {
  readonly input: string
  /** undefined for operations without methods */
  readonly method: string | undefined
  /** Answer as text; empty for a failed input. */
  readonly text: string
  /** Answer as JSON. */
  readonly json: Readonly<Record<string, unknown>>
  /** Answer in the operation's own columns, if it has them. */
  readonly cells?: readonly string[] | undefined
  readonly error: HlaError | undefined
  /** True for a negative answer, whose text is a word and, after a tab, the reason. */
  readonly isNegative?: boolean
}

export interface Formatter {
  /** Text before the first record. */
  readonly head: string
  /** Record of one input, with its answers under each method. */
  readonly record: (answers: readonly AnswerRecord[]) => string
  /** Text after the last record. */
  readonly tail: () => string
}

export interface FormatRequest {
  readonly format: Format
  readonly withInput: boolean
  readonly withMethod: boolean
  /** The operation's own columns, in place of the general ones. */
  readonly columns?: readonly string[] | undefined
  /** Print a JSON array even for one record. */
  readonly isList: boolean
}

/** Loads csv-stringify for csv only. */
export async function chooseFormatter(request: FormatRequest): Promise<Formatter> {
  const { format, withInput, withMethod, columns, isList } = request
  switch (format) {
    case 'csv':
      return rowFormatter(await csvRow(), chooseLayout(withMethod, columns))
    case 'tsv':
      return rowFormatter(tsvRow, chooseLayout(withMethod, columns))
    case 'table':
      return alignedFormatter(chooseLayout(withMethod, columns))
    default:
      return formatterOf(format, isList, withInput)
  }
}

/** Formatter of the formats shared by every operation. */
export function formatterOf(
  format: 'plain' | 'json' | 'jsonl',
  isList: boolean,
  withInput = false,
): Formatter {
  if (format === 'json') return jsonFormatter(isList)
  if (format === 'jsonl')
    return simple('', (answers) => answers.map(({ json }) => `${JSON.stringify(json)}\n`).join(''))
  return simple('', (answers) => `${plainCells(answers, withInput).join(chooseSeparator(answers))}\n`)
}

function simple(head: string, record: Formatter['record']): Formatter {
  return { head, record, tail: () => '' }
}

/** Answers of several lines are placed below each other. */
function chooseSeparator(answers: readonly AnswerRecord[]): string {
  return answers.some(({ text }) => text.includes('\n')) ? '\n' : '\t'
}

function plainCells(answers: readonly AnswerRecord[], withInput: boolean): string[] {
  const input = withInput ? answers.slice(0, 1).map((answer) => answer.input) : []
  return [...input, ...answers.map(({ text }) => text)]
}

function jsonFormatter(isList: boolean): Formatter {
  let separator = ''
  return {
    head: isList ? '[' : '',
    record(answers) {
      if (!isList) return `${answers.map(({ json }) => indented(json)).join('\n')}\n`
      return answers
        .map(({ json }) => {
          const text = `${separator}\n  ${indented(json).replaceAll('\n', '\n  ')}`
          separator = ','
          return text
        })
        .join('')
    },
    tail: () => (isList ? (separator === '' ? ']\n' : '\n]\n') : ''),
  }
}

/** Indents by two spaces; positions stay on one line. */
function indented(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(/\[\n\s+(\d+),\n\s+(\d+)\n\s+\]/g, '[$1, $2]')
}

interface Layout {
  readonly columns: readonly string[]
  readonly cellsOf: (answer: AnswerRecord) => readonly string[]
}

/** A failed input fills the matching general columns: input, status, and the error. */
function chooseLayout(withMethod: boolean, own: readonly string[] | undefined): Layout {
  const columns = own ?? ['input', ...(withMethod ? ['method'] : []), 'result', 'status', 'code', 'message']
  return {
    columns,
    cellsOf(answer) {
      if (answer.cells !== undefined) return answer.cells
      const general = new Map(Object.entries(generalCells(answer)))
      return columns.map((column) => general.get(column) ?? '')
    },
  }
}

function generalCells({
  input,
  method = '',
  text,
  json,
  error,
  isNegative,
}: AnswerRecord): Record<string, string> {
  if (error !== undefined) {
    return { input, method, result: text, status: 'error', code: error.code, message: error.message }
  }
  const { code } = json
  const hasReason = isNegative === true || typeof code === 'string'
  const [result = '', message = ''] = hasReason ? text.split('\t') : [text]
  const status = isNegative === true ? 'error' : 'ok'
  return { input, method, result, status, code: typeof code === 'string' ? code : '', message }
}

type FormatRow = (cells: readonly string[]) => string

function rowFormatter(row: FormatRow, { columns, cellsOf }: Layout): Formatter {
  return simple(row(columns), (answers) => answers.map((answer) => row(cellsOf(answer))).join(''))
}

async function csvRow(): Promise<FormatRow> {
  const { stringify } = await import('csv-stringify/sync')
  return (cells) => stringify([[...cells]])
}

/** TSV has no quoting, so tabs and line ends become spaces. */
function tsvRow(cells: readonly string[]): string {
  return `${cells.map((cell) => cell.replace(/[\t\r\n]/g, ' ')).join('\t')}\n`
}

/** Maximum column width in characters: wider cells overflow, since one long answer would pad every other row. */
const WIDEST_COLUMN = 60

/** Aligned columns. Rows are held until the end, since widths depend on all of them. */
function alignedFormatter({ columns, cellsOf }: Layout): Formatter {
  const rows: (readonly string[])[] = [columns]
  return {
    head: '',
    record(answers) {
      for (const answer of answers) rows.push(cellsOf(answer))
      return ''
    },
    tail() {
      const widths = columns.map((_, at) =>
        rows.reduce((width, row) => Math.min(Math.max(width, row[at]?.length ?? 0), WIDEST_COLUMN), 0),
      )
      const line = (row: readonly string[]) => row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  ')
      return rows.map((row) => `${line(row).trimEnd()}\n`).join('')
    },
  }
}

export const FORMATS = ['plain', 'json', 'jsonl', 'csv', 'tsv', 'table'] as const
export type Format = (typeof FORMATS)[number]

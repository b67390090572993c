/** Records: what one input gave, in each of the output formats. */
import type { HlaError } from '../errors.ts'

export const FORMATS = ['plain', 'json', 'jsonl', 'csv', 'tsv', 'table'] as const
export type Format = (typeof FORMATS)[number]

/** One input under one method. */
export interface Answer {
  readonly input: string
  /** undefined for operations without methods */
  readonly method: string | undefined
  /** The answer as text; empty for a failed input. */
  readonly text: string
  /** The answer as JSON. */
  readonly json: Readonly<Record<string, unknown>>
  readonly error: HlaError | undefined
}

export interface Formatter {
  /** Before the first record. */
  readonly head: string
  /** The record of one input: its answers under each method. */
  readonly record: (answers: readonly Answer[]) => string
  /** After the last record. */
  readonly tail: () => string
}

export interface FormatRequest {
  readonly format: Format
  readonly withInput: boolean
  readonly withMethod: boolean
  /** Print a JSON array even for one record. */
  readonly isList: boolean
}

export function formatterOf({ format, withInput, withMethod, isList }: FormatRequest): Formatter {
  switch (format) {
    case 'plain':
      return simple('', (answers) => `${plainCells(answers, withInput).join('\t')}\n`)
    case 'jsonl':
      return simple('', (answers) => answers.map(({ json }) => `${JSON.stringify(json)}\n`).join(''))
    case 'json':
      return jsonFormatter(isList)
    case 'csv':
    case 'tsv':
      return tableFormatter(format, withMethod)
    case 'table':
      return alignedFormatter(withMethod)
  }
}

function simple(head: string, record: Formatter['record']): Formatter {
  return { head, record, tail: () => '' }
}

function plainCells(answers: readonly Answer[], withInput: boolean): string[] {
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

/** Two spaces a level; positions stay on one line. */
function indented(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(/\[\n\s+(\d+),\n\s+(\d+)\n\s+\]/g, '[$1, $2]')
}

function columnsOf(withMethod: boolean): string[] {
  return ['input', ...(withMethod ? ['method'] : []), 'result', 'status', 'code', 'message']
}

function cellsOf({ input, method, text, error }: Answer, withMethod: boolean): string[] {
  const status = error === undefined ? 'ok' : 'error'
  return [input, ...(withMethod ? [method ?? ''] : []), text, status, error?.code ?? '', error?.message ?? '']
}

function tableFormatter(format: 'csv' | 'tsv', withMethod: boolean): Formatter {
  const row = (cells: readonly string[]) =>
    `${cells.map(format === 'csv' ? csvCell : tsvCell).join(format === 'csv' ? ',' : '\t')}\n`
  return simple(row(columnsOf(withMethod)), (answers) =>
    answers.map((answer) => row(cellsOf(answer, withMethod))).join(''),
  )
}

/** RFC 4180 */
function csvCell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** TSV has no quoting: what would break a row becomes a space. */
function tsvCell(text: string): string {
  return text.replace(/[\t\r\n]/g, ' ')
}

/** Aligned for eyes; held until the end, because widths are known only then. */
function alignedFormatter(withMethod: boolean): Formatter {
  const rows = [columnsOf(withMethod)]
  return {
    head: '',
    record(answers) {
      for (const answer of answers) rows.push(cellsOf(answer, withMethod))
      return ''
    },
    tail() {
      const widths = columnsOf(withMethod).map((_, at) =>
        Math.max(...rows.map((row) => row[at]?.length ?? 0)),
      )
      return rows
        .map(
          (row) =>
            `${row
              .map((cell, at) => cell.padEnd(widths[at] ?? 0))
              .join('  ')
              .trimEnd()}\n`,
        )
        .join('')
    },
  }
}

/** Page: part of the manual as blocks, rendered as man page, help topic or Markdown. */
import type { Example } from '../operations/operation.ts'

/** Block; in every text, backticks enclose code. */
export type Block =
  | { readonly kind: 'heading'; readonly text: string }
  /** Heading within a section. */
  | { readonly kind: 'subheading'; readonly text: string }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'terms'; readonly terms: readonly Term[] }
  | {
      readonly kind: 'table'
      readonly head: readonly string[]
      readonly rows: readonly (readonly string[])[]
    }
  /** Content of a file that the examples read. */
  | { readonly kind: 'file'; readonly name: string; readonly text: string }
  /** Commands run in sequence in one folder, with their output. */
  | { readonly kind: 'session'; readonly steps: readonly Example[] }

export type Term = readonly [term: string, text: string]

export interface Page {
  /** Name for man(1) and the file: `hla-data-install`. */
  readonly name: string
  readonly section: 1 | 7
  readonly summary: string
  readonly blocks: readonly Block[]
}

export function heading(text: string): Block {
  return { kind: 'heading', text }
}

export function subheading(text: string): Block {
  return { kind: 'subheading', text }
}

export function text(...paragraphs: readonly string[]): Block[] {
  return paragraphs.map((paragraph) => ({ kind: 'text', text: paragraph }))
}

export function terms(list: readonly Term[]): Block {
  return { kind: 'terms', terms: list }
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): Block {
  return { kind: 'table', head, rows }
}

export function file(name: string, content: string): Block {
  return { kind: 'file', name, text: content }
}

export function session(...steps: readonly Example[]): Block {
  return { kind: 'session', steps }
}

/** Section with a heading; empty without blocks. */
export function section(title: string, blocks: readonly Block[]): Block[] {
  return blocks.length === 0 ? [] : [heading(title), ...blocks]
}

/** Commands and output as a shell shows them. */
export function sessionLines(steps: readonly Example[]): string[] {
  return steps.flatMap(({ command, output = '' }) => [
    `$ ${command}`,
    ...(output === '' ? [] : output.split('\n')),
  ])
}

/** Rows with aligned columns; the last column is not padded. */
export function alignedRows(rows: readonly (readonly string[])[]): string[] {
  const width = (column: number) => Math.max(...rows.map((row) => row[column]?.length ?? 0))
  return rows.map((row) =>
    row.map((cell, at) => (at === row.length - 1 ? cell : cell.padEnd(width(at)))).join('  '),
  )
}

/** Table as a list without header: the first cell of each row as term, the others as text, without empty ones. */
export function asTerms([, ...rows]: readonly (readonly string[])[]): Term[] {
  return rows.map(([first = '', ...rest]) => [first, `${rest.filter((cell) => cell !== '').join('; ')}.`])
}

/** Text split at backticks: prose and code alternate, prose first. */
export function codeAndProse(given: string): string[] {
  return given.split('`')
}

/** Page: a piece of the manual as blocks, from which man pages, help topics and Markdown are made. */
import type { Example } from '../operations/operation.ts'

/** In every text, what stands between backticks is code. */
export type Block =
  | { readonly kind: 'heading'; readonly text: string }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'terms'; readonly terms: readonly Term[] }
  | {
      readonly kind: 'table'
      readonly head: readonly string[]
      readonly rows: readonly (readonly string[])[]
    }
  /** What a file that the examples read holds. */
  | { readonly kind: 'file'; readonly name: string; readonly text: string }
  /** Commands one after the other in one folder, and what they print. */
  | { readonly kind: 'session'; readonly steps: readonly Example[] }

export type Term = readonly [term: string, text: string]

export interface Page {
  /** `hla-data-install`: as man(1) and the file have it. */
  readonly name: string
  readonly section: 1 | 7
  readonly summary: string
  readonly blocks: readonly Block[]
}

export function heading(text: string): Block {
  return { kind: 'heading', text }
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

/** A section; nothing where it would be empty. */
export function section(title: string, blocks: readonly Block[]): Block[] {
  return blocks.length === 0 ? [] : [heading(title), ...blocks]
}

/** Lines as a shell shows them. */
export function sessionLines(steps: readonly Example[]): string[] {
  return steps.flatMap(({ command, output }) => [
    `$ ${command}`,
    ...(output === '' ? [] : output.split('\n')),
  ])
}

/** Cells under each other; the last column is as long as it is. */
export function alignedRows(rows: readonly (readonly string[])[]): string[] {
  const width = (column: number) => Math.max(...rows.map((row) => row[column]?.length ?? 0))
  return rows.map((row) =>
    row.map((cell, at) => (at === row.length - 1 ? cell : cell.padEnd(width(at)))).join('  '),
  )
}

/** A table as a list, without its head: the first cell of each row, then the others that say something. */
export function asTerms([, ...rows]: readonly (readonly string[])[]): Term[] {
  return rows.map(([first = '', ...rest]) => [first, `${rest.filter((cell) => cell !== '').join('; ')}.`])
}

/** Pieces of a text: code and what is none, in turn, prose first. */
export function codeAndProse(given: string): string[] {
  return given.split('`')
}

/** Renders a page as plain text of 79 columns, regardless of the terminal's width. Pure. */
import { alignedRows, asTerms, type Block, type Page, sessionLines, type Term } from './page.ts'

const WIDTH = 79
const INDENT = '  '
/** Column at which the text of a term begins. */
const COLUMN = 24

export function toPlain({ name, summary, blocks }: Page): string {
  const head = `${name} - ${bare(summary)}`
  return `${[head, ...blocks.map(blockText)].join('\n\n').replace(/:\n\n\n/g, ':\n')}\n`
}

function blockText(block: Block): string {
  switch (block.kind) {
    case 'heading':
      return `${block.text.toUpperCase()}:\n`
    case 'subheading':
      return `${INDENT}${bare(block.text)}:\n`
    case 'text':
      return indented(wrapped(bare(block.text), WIDTH - INDENT.length))
    case 'terms':
      return block.terms.flatMap(termLines).join('\n')
    case 'table':
      return tableText([block.head, ...block.rows].map((row) => row.map(bare)))
    case 'file':
      return indented([`${block.name}:`, ...indentedLines(block.text.replace(/\n$/, '').split('\n'))])
    case 'session':
      return indented(sessionLines(block.steps))
  }
}

/** A table wider than the page becomes a list: the first cell as term, the others below it. */
function tableText(rows: readonly (readonly string[])[]): string {
  const lines = alignedRows(rows)
  if (lines.every((line) => line.length <= WIDTH - INDENT.length)) return indented(lines)
  return asTerms(rows).flatMap(termLines).join('\n')
}

function termLines([term, text]: Term): string[] {
  const lines = wrapped(bare(text), WIDTH - COLUMN)
  const head = `${INDENT}${bare(term)}`
  if (head.length > COLUMN - 2) return [head, ...lines.map((line) => ' '.repeat(COLUMN) + line)]
  const [first = '', ...rest] = lines
  return [`${head.padEnd(COLUMN)}${first}`.trimEnd(), ...rest.map((line) => ' '.repeat(COLUMN) + line)]
}

function bare(text: string): string {
  return text.replaceAll('`', '')
}

function indented(lines: readonly string[]): string {
  return indentedLines(lines).join('\n')
}

function indentedLines(lines: readonly string[]): string[] {
  return lines.map((line) => (line === '' ? '' : `${INDENT}${line}`))
}

function wrapped(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(/\s+/)) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return line === '' ? lines : [...lines, line]
}

/** Renders a page as roff with the man macros, for man(1). Pure. */
import { alignedRows, asTerms, type Block, codeAndProse, type Page, sessionLines } from './page.ts'

/** `source` is the footer text: program and release. */
export function toRoff({ name, section, summary, blocks }: Page, source: string): string {
  const lines = [
    '.\\" Made by: npm run docs',
    // no hyphenation and no justification, so that names and options stay searchable
    '.nr HY 0',
    // no date, since the page changes only with the program
    `.TH ${argument(name.toUpperCase())} ${section} "" ${argument(source)} ${argument('Manual of hla')}`,
    '.ad l',
    '.SH NAME',
    `${prose(name)} \\- ${inline(summary)}`,
    ...(blocks[0]?.kind === 'heading' ? [] : ['.SH DESCRIPTION']),
    ...blocks.flatMap(blockLines),
  ]
  return `${lines.join('\n')}\n`
}

function blockLines(block: Block): string[] {
  switch (block.kind) {
    case 'heading':
      return [`.SH ${argument(block.text.toUpperCase())}`]
    case 'subheading':
      return [`.SS ${argument(block.text)}`]
    case 'text':
      return ['.PP', guarded(inline(block.text))]
    case 'terms':
      return block.terms.flatMap(([term, text]) => [
        '.TP',
        guarded(bold(withoutTicks(term))),
        guarded(inline(text)),
      ])
    case 'table':
      return tableLines([block.head, ...block.rows])
    case 'file':
      return ['.PP', `${bold(block.name)}:`, ...verbatim(block.text.replace(/\n$/, '').split('\n'))]
    case 'session':
      return verbatim(sessionLines(block.steps))
  }
}

/** A table wider than the page becomes a list: the first cell as term, the others below it. */
function tableLines(rows: readonly (readonly string[])[]): string[] {
  const lines = alignedRows(rows.map((row) => row.map(withoutTicks)))
  if (lines.every((line) => line.length <= WIDEST)) return verbatim(lines)
  return blockLines({ kind: 'terms', terms: asTerms(rows) })
}

/** Maximum width of a table: 80 columns minus margins. */
const WIDEST = 68

function verbatim(lines: readonly string[]): string[] {
  return ['.PP', '.RS 4', '.EX', ...lines.map((line) => guarded(code(line))), '.EE', '.RE']
}

/** Text with code in backticks rendered bold. */
function inline(text: string): string {
  return codeAndProse(text)
    .map((piece, at) => (at % 2 === 0 ? prose(piece) : bold(piece)))
    .join('')
}

function bold(text: string): string {
  return `\\fB${code(text)}\\fR`
}

function withoutTicks(text: string): string {
  return text.replaceAll('`', '')
}

/** Escapes that keep code ASCII in the formatted page, so that it can be copied to a shell. */
const CODE: Readonly<Record<string, string>> = {
  '-': '\\-', "'": '\\(aq', '`': '\\(ga', '^': '\\(ha', '~': '\\(ti',
} // prettier-ignore

function code(text: string): string {
  return prose(text).replace(/[-'`^~]/g, (character) => CODE[character] ?? character)
}

function prose(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('…', '...')
    .replace(
      /[^\n\t -~]/gu,
      (character) => `\\[u${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}]`,
    )
}

/** Guards a line that begins with a dot or quote, which roff would take for a request. */
function guarded(line: string): string {
  return /^[.']/.test(line) ? `\\&${line}` : line
}

function argument(text: string): string {
  return `"${prose(text).replaceAll('"', '\\(dq')}"`
}

/** Page -> Markdown. Pure. */
import { type Block, type Page, sessionLines } from './page.ts'

export function toMarkdown(title: string, { summary, blocks }: Page): string {
  const [first = '', ...rest] = summary
  return `${[`# ${title}`, `${first.toUpperCase()}${rest.join('')}.`, ...blocks.map(blockText)].join('\n\n')}\n`
}

function blockText(block: Block): string {
  switch (block.kind) {
    case 'heading':
      return `## ${block.text}`
    case 'text':
      return block.text
    case 'terms':
      return block.terms.map(([term, text]) => `* \`${term}\`: ${text}`).join('\n')
    case 'table':
      return markdownTable(block.head, block.rows)
    case 'file':
      return `\`${block.name}\`:\n\n${fenced('text', block.text.replace(/\n$/, '').split('\n'))}`
    case 'session':
      return fenced('console', sessionLines(block.steps))
  }
}

function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), `|${head.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n')
}

/** The language tells whoever runs the page what is a session. */
function fenced(language: string, lines: readonly string[]): string {
  return [`\`\`\`${language}`, ...lines, '```'].join('\n')
}

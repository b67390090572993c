/** Project files generated from the definitions: `npm run docs` writes them, and a test detects stale ones. Pure. */
import { commandPages } from './command-page.ts'
import type { ManualFacts } from './manual-facts.ts'
import { toRoff } from './roff.ts'
import { topicPage, topicPages } from './topics.ts'
import type { Example } from '../operations/operation.ts'
import type { Block, Page } from './page.ts'

/** Path in the project -> content. */
export function generatedFiles(facts: ManualFacts): Map<string, string> {
  const pages = [...commandPages(facts), ...topicPages(facts)]
  return new Map([
    ...pages.map(
      (page) => [`man/${page.name}.${page.section}`, toRoff(page, `hla ${facts.version}`)] as const,
    ),
    ['docs/migration.md', toMarkdown('From py-ard to hla', topicPage('migrate', facts))],
  ])
}

function toMarkdown(title: string, { summary, blocks }: Page): string {
  const [first = '', ...rest] = summary
  return `${[`# ${title}`, `${first.toUpperCase()}${rest.join('')}.`, ...blocks.map(blockText)].join('\n\n')}\n`
}

function blockText(block: Block): string {
  switch (block.kind) {
    case 'heading':
      return `## ${block.text}`
    case 'subheading':
      return `### ${block.text}`
    case 'text':
      return block.text
    case 'terms':
      return block.terms.map(([term, text]) => `* \`${term}\`: ${text}`).join('\n')
    case 'table':
      return markdownTable(block.head, block.rows)
    case 'file':
      return `\`${block.name}\`:\n\n${fenced('text', block.text.replace(/\n$/, '').split('\n'))}`
    case 'session':
      return block.steps.map(stepText).join('\n\n')
  }
}

function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(head), `|${head.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n')
}

/** A block that can be pasted, and what it prints. */
function stepText({ command, output = '' }: Example): string {
  const shown = output === '' ? [] : [fenced('text', output.split('\n'))]
  return [fenced('sh', [command]), ...shown].join('\n\n')
}

/** The language tells the test that runs the page which blocks are commands. */
function fenced(language: string, lines: readonly string[]): string {
  return [`\`\`\`${language}`, ...lines, '```'].join('\n')
}

/** Files of the project that follow from the definitions: `npm run docs` writes them, a test finds them stale. Pure. */
import { commandPages } from './command-page.ts'
import type { ManualFacts } from './manual-facts.ts'
import { toMarkdown } from './markdown.ts'
import { toRoff } from './roff.ts'
import { topicPage, topicPages } from './topics.ts'

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

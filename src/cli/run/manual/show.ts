/** Shows pages of the manual: through man(1) on a terminal, else as plain text.  [process] */
import { spawn } from 'node:child_process'
import { commandPages } from '../../../manual/command-page.ts'
import type { Page } from '../../../manual/page.ts'
import { toPlain } from '../../../manual/plain.ts'
import { isTopic, type TopicName, TOPICS } from '../../../manual/topic-names.ts'
import { topicPage } from '../../../manual/topics.ts'
import { HlaError } from '../../../errors.ts'
import { packageBuild, packageFile, packagePath } from '../../../package-root.ts'
import { closest } from '../../options/closest.ts'
import { EXIT } from '../../exit-status.ts'
import { isTerminal, writeAll } from '../../../io/stdout.ts'
import { manualFacts } from './facts.ts'

export function showTopic(name: TopicName): void {
  writeAll(1, toPlain(topicPage(name, manualFacts())))
}

/** The exit status. @throws {HlaError} usage — no such page */
export async function showPage(words: readonly string[]): Promise<number> {
  const page = pageNamed(words)
  if (isTerminal(1) && (await runMan(`${page.name}.${page.section}`))) return EXIT.ok
  writeAll(1, toPlain(page))
  return EXIT.ok
}

function pageNamed(words: readonly string[]): Page {
  const facts = manualFacts()
  const [first] = words
  if (words.length === 1 && isTopic(first)) return topicPage(first, facts)
  const pages = commandPages(facts)
  const name = ['hla', ...words].join('-')
  const page = pages.find((one) => one.name === name)
  if (page !== undefined) return page
  const asked = words.join(' ')
  const known = [...pages.map((one) => one.name.slice('hla-'.length)), ...Object.keys(TOPICS)]
  const [near] = closest(words.join('-'), known, 1)
  const hint =
    near === undefined ? 'hla help lists commands and topics' : `hla man ${near.replaceAll('-', ' ')}`
  throw new HlaError('usage', `there is no manual page for "${asked}"`, { offending: asked, hint })
}

/** Whether there is a man(1) that showed it. */
function runMan(name: string): Promise<boolean> {
  const text = packageFile('man', name)
  if (text === undefined) return Promise.resolve(false)
  return new Promise((resolve) => {
    // a program that is a single file has no pages on disk
    const isOnDisk = packageBuild() === undefined
    const man = spawn('man', ['-l', isOnDisk ? packagePath('man', name) : '-'], {
      stdio: [isOnDisk ? 'inherit' : 'pipe', 'inherit', 'inherit'],
    })
    // a pager that was left early
    man.stdin?.on('error', () => undefined).end(text)
    man.on('error', () => resolve(false))
    man.on('close', (status) => resolve(status === 0))
  })
}

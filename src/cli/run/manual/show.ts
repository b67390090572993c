/** Shows pages of the manual: through man(1) on a terminal, else as plain text.  [process] */
import { spawn } from 'node:child_process'
import { commandPages } from '../../../manual/command-page.ts'
import type { Page, Term } from '../../../manual/page.ts'
import { toPlain } from '../../../manual/plain.ts'
import { TOPICS, type TopicName, isTopic } from '../../../manual/topic-names.ts'
import { topicPage } from '../../../manual/topics.ts'
import { type CommandFacts, hasOwnPage, pageName, withSubcommands } from '../../../manual/command-facts.ts'
import { assured, HlaError } from '../../../errors.ts'
import { packageBuild, packageFile, packagePath, packageVersion } from '../../../package-root.ts'
import { closest } from '../../closest.ts'
import { EXIT, EXIT_MEANINGS } from '../../../io/exit-status.ts'
import { isTerminal, writeOut } from '../../../io/stdout.ts'
import { LAYOUTS } from '../../../table/plan/layouts.ts'
import { RECORD_FORMATS, TABLE_PROGRAMS } from '../../../table/sources/record-formats.ts'
import type { FormatField } from '../../../table/output/population/output-format.ts'
import { OUTPUT_FORMATS } from '../../../table/output/population/population-formats.ts'
import { DEFAULT_TOKENS, TOKEN_STATUSES, type TokenStatus } from '../../../table/cells/tokens.ts'
import type { ManualFacts } from '../../../manual/manual-facts.ts'
import type { Program } from '../../options/declare-command.ts'
import { programFacts } from '../../options/program-facts.ts'

export function showTopic(name: TopicName, programs: readonly Program[]): void {
  writeOut(toPlain(topicPage(name, manualFacts(programs))))
}

/** @throws {HlaError} usage — no such page */
export async function showPage(words: readonly string[], programs: readonly Program[]): Promise<void> {
  const page = findPage(words, manualFacts(programs))
  if (isTerminal('output') && (await runMan(`${page.name}.${page.section}`))) return
  writeOut(toPlain(page))
}

function findPage(words: readonly string[], facts: ManualFacts): Page {
  const commands = withSubcommands(facts.program)
  // also the name of a page, such as hla-redux
  const name = words.join('-').replace(/^hla(?:-|$)/, '')
  if (isTopic(name)) return topicPage(name, facts)
  const command = commands.find(({ words: path }) => path.join('-') === name)
  if (command !== undefined) return pageOf(command, facts)
  const text = words.join(' ')
  const names = [...commands.map((one) => one.words.join(' ')), ...Object.keys(TOPICS)]
  const [near] = closest(text, names, 1)
  const hint = near === undefined ? 'hla help lists commands and topics' : `hla man ${near}`
  throw new HlaError('usage', `there is no manual page for "${text}"`, { offending: text, hint })
}

/** Page of a command, or of the group that it is in. */
function pageOf(command: CommandFacts, facts: ManualFacts): Page {
  const { words } = command
  const name = pageName({ words: hasOwnPage(command) ? words : words.slice(0, -1) })
  return assured(
    commandPages(facts).find((one) => one.name === name),
    'a command is on its page, or on that of its group',
  )
}

/** Resolves to true when man(1) exists and showed the page. */
function runMan(name: string): Promise<boolean> {
  const text = packageFile('man', name)
  if (text === undefined) return Promise.resolve(false)
  return new Promise((resolve) => {
    // the single-file program has no pages on disk
    const isOnDisk = packageBuild() === undefined
    const man = spawn('man', ['-l', isOnDisk ? packagePath('man', name) : '-'], {
      stdio: [isOnDisk ? 'inherit' : 'pipe', 'inherit', 'inherit'],
    })
    // ignore the error of a pager that quit early
    man.stdin?.on('error', () => undefined).end(text)
    man.on('error', () => resolve(false))
    man.on('close', (status) => resolve(status === 0))
  })
}

export function manualFacts(programs: readonly Program[]): ManualFacts {
  return {
    version: packageVersion(),
    program: programFacts(programs),
    exits: exits(),
    layouts: Object.entries(LAYOUTS).map(([name, { summary }]) => [name, summary]),
    recordFormats: RECORD_FORMATS.map(({ name, summary, example }) => [name, summary, example]),
    outputFormats: Object.entries(OUTPUT_FORMATS).map(([name, { summary }]) => [name, summary]),
    outputFields: Object.entries(OUTPUT_FORMATS)
      .filter(([, { fields }]) => fields.length > 0)
      .map(([name, { fields }]) => [name, fields.map(fieldText).join(', ')]),
    tablePrograms: TABLE_PROGRAMS.map(([name, header]) => [
      name,
      `\`${header.trim().replaceAll('\t', ' ')}\``,
    ]),
    tokens: TOKEN_STATUSES.map((status) => [status, listTokens(status)]),
  }
}

function exits(): Term[] {
  // the keys of EXIT are its type
  const names = Object.keys(EXIT) as (keyof typeof EXIT)[]
  return names.toSorted((a, b) => EXIT[a] - EXIT[b]).map((name) => [String(EXIT[name]), EXIT_MEANINGS[name]])
}

function listTokens(status: TokenStatus): string {
  const empty = status === 'untyped' ? ['an empty cell'] : []
  return `${[...empty, ...DEFAULT_TOKENS[status].map((token) => `\`${token}\``)].join(', ')}.`
}

/** `updateMode=diff|full|check (required, for all persons)` */
function fieldText({ name, form, need, columns }: FormatField): string {
  const properties = [
    ...(need === 'required' ? ['required'] : []),
    ...(columns === undefined ? ['for all persons'] : []),
  ]
  const value = form === undefined ? '' : `=${form}`
  return `\`${name}${value}\`${properties.length === 0 ? '' : ` (${properties.join(', ')})`}`
}

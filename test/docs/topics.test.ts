/** Help topics and pages include every definition, taken from the source. */
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { LAYOUTS } from '../../src/table/plan/layouts.ts'
import { EXIT } from '../../src/io/exit-status.ts'
import { loadPrograms } from '../../src/cli/commands/programs.ts'
import { manualFacts } from '../../src/cli/run/manual/show.ts'
import { VARIABLES } from '../../src/manual/topics/environment.ts'
import { FORMATS } from '../../src/operations/answers/records.ts'
import { withSubcommands } from '../../src/manual/command-facts.ts'
import { commandPages } from '../../src/manual/command-page.ts'
import { toPlain } from '../../src/manual/plain.ts'
import { TOPICS, type TopicName } from '../../src/manual/topic-names.ts'
import { LAYOUT_EXAMPLES } from '../../src/manual/topics/tables.ts'
import { topicPage, topicPages } from '../../src/manual/topics.ts'
import { METHODS } from '../../src/engine/reduce/methods.ts'
import { ERROR_CODES } from '../../src/errors.ts'
import { OPERATIONS } from '../../src/operations/registry.ts'

const ROOT = join(import.meta.dirname, '../..')
const facts = manualFacts(await loadPrograms())
const commands = withSubcommands(facts.program)
const textOf = (name: TopicName) => toPlain(topicPage(name, facts))

test('every operation of the registry has a page', () => {
  const names = commandPages(facts).map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(OPERATIONS.map(({ name }) => `hla-${name}`)))
})

test('every option of every command is on its page, with what it is for', () => {
  const pages = new Map(commandPages(facts).map((page) => [page.name, toPlain(page).replace(/\s+/g, ' ')]))
  for (const { words, options, commands: below } of commands) {
    const isOnOwn = words.length < 2 || below.length > 0
    const page = pages.get(['hla', ...(isOnOwn ? words : words.slice(0, -1))].join('-')) ?? ''
    for (const { flags, description } of options) {
      expect(description).toMatch(/\w\w/)
      expect(page).toContain(`${flags} ${description}`)
    }
  }
})

test.for([
  ['errors', ERROR_CODES],
  ['exit-codes', Object.values(EXIT).map(String)],
  ['formats', FORMATS],
  ['tables', Object.keys(LAYOUTS)],
] as const)('topic %s has all of %o', ([topic, names]) => {
  const lines = textOf(topic).split('\n')
  expect(names.filter((name) => !lines.some((line) => new RegExp(`^ *${name}(:| |$)`).test(line)))).toEqual(
    [],
  )
})

test('every layout has a small table, every format an example', () => {
  expect(Object.keys(LAYOUT_EXAMPLES)).toEqual(Object.keys(LAYOUTS))
  const headings = topicPage('formats', facts).blocks.flatMap((block) =>
    block.kind === 'heading' ? [block.text] : [],
  )
  expect(headings).toEqual(expect.arrayContaining([...FORMATS]))
})

describe('the environment', () => {
  const read = sourcesText().matchAll(/\benv\['([A-Z0-9_]+)'\]|\.env\('([A-Z0-9_]+)'\)/g)
  const variables = new Set([...read].map(([, one = '', two = '']) => one || two))
  const text = textOf('environment')

  test('every variable that the sources read is described', () => {
    expect([...variables].filter((name) => !text.includes(name))).toEqual([])
  })

  test('every variable described is read, by us or by what we use', () => {
    const others = ['HTTPS_PROXY', 'NODE_EXTRA_CA_CERTS']
    const unread = Object.keys(VARIABLES).filter((name) => !variables.has(name) && !others.includes(name))
    expect(unread).toEqual([])
  })
})

function sourcesText(): string {
  const files = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
  return files
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(join(ROOT, 'src', file), 'utf8'))
    .join('\n')
}

test('no line of a page that is not an example is wider than 79 columns', () => {
  for (const page of topicPages(facts)) {
    const blocks = page.blocks.filter(({ kind }) => kind !== 'session' && kind !== 'file')
    const lines = toPlain({ ...page, blocks }).split('\n')
    // a single word wider than the line cannot be wrapped
    expect(lines.filter((line) => line.length > 79 && line.trim().split(' ').length > 1)).toEqual([])
  }
})

describe('README.md', () => {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8')

  test.for(Object.keys(METHODS))('names method %s', (name) => expect(readme).toContain(`\`${name}\``))

  test('names the page with every exit status', () => {
    expect(readme).toContain('`hla help exit-codes`')
  })
})

test('topics are told apart from commands', () => {
  const names = commands.map(({ words }) => words[0])
  expect(Object.keys(TOPICS).filter((topic) => names.includes(topic))).toEqual([])
})

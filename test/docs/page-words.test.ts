/** Commands, options and topics in the running text of README.md and docs exist, and sentences are short. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { loadPrograms } from '../../src/cli/commands/programs.ts'
import { manualFacts } from '../../src/cli/run/manual/show.ts'
import { withSubcommands } from '../../src/manual/command-facts.ts'
import { TOPICS } from '../../src/manual/topic-names.ts'
import { openApi } from '../../src/service/openapi/openapi.ts'
import { DOC_PAGES, textOf } from '../support/doc-page.ts'

const ROOT = join(import.meta.dirname, '../..')
const commands = withSubcommands(manualFacts(await loadPrograms()).program)
const options = new Set([
  '--help',
  '--version',
  ...commands.flatMap(({ options: own }) => own.flatMap(({ long, short = '' }) => [long, short])),
])
// an OpenAPI document maps paths to methods
const requests = new Set(
  Object.entries(openApi()['paths'] as Record<string, object>).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  ),
)
const names = new Set(commands.map(({ words }) => words.join(' ')))

describe.for(DOC_PAGES)('%s', (path) => {
  const text = readFileSync(join(ROOT, path), 'utf8').replaceAll(/^```[^]*?^```$/gm, '')
  const spans = [...text.matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span)
  // an option without a program is an option of hla
  const ours = spans.filter((span) => /^(?:hla |-)/.test(span))

  test('names options that there are', () => {
    const named = ours.flatMap((span) => span.match(/(?<=^| )--[a-z][a-z-]*/g) ?? [])
    expect(named.filter((option) => !options.has(option))).toEqual([])
  })

  test('names commands and topics that there are', () => {
    const asked = ours.flatMap(
      (span) => /^hla ([a-z][a-z-]*)(?: ([a-z][a-z-]*))?/.exec(span)?.slice(1, 3) ?? [],
    )
    const pairs = asked.flatMap((word, at) => (at % 2 === 0 ? [[word, asked[at + 1]] as const] : []))
    expect(pairs.filter(([command, word]) => !isThere(command, word)).map(String)).toEqual([])
  })

  // pages about the store name its own requests
  test.skipIf(path.startsWith('docs/drive/'))(
    'names requests of the reduction service that there are',
    () => {
      const asked = spans.flatMap((span) => /^(GET|POST) (\/[a-z]*)$/.exec(span)?.slice(1, 3).join(' ') ?? [])
      expect(asked.filter((request) => !requests.has(request))).toEqual([])
    },
  )

  test('has no sentence of more than 35 words', () => {
    const spoken = textOf(text).replaceAll(/\]\([^)]*\)/g, ']')
    const long = sentencesOf(spoken).filter((sentence) => countWords(sentence) > 35)
    expect(long).toEqual([])
  })
})

function isThere(command: string, word: string | undefined): boolean {
  if (command === 'help') return word === undefined || word in TOPICS
  const hasCommands = commands.some(({ words }) => words.length > 1 && words[0] === command)
  return names.has(command) && (word === undefined || !hasCommands || names.has(`${command} ${word}`))
}

/** Table cells, list items and headings each count as a sentence. */
function sentencesOf(text: string): string[] {
  const parts = text
    .replaceAll(/^\s*(?:[-*]|\d+\.)\s/gm, '\n\n')
    .replaceAll(/^\s*(?:#|\|).*$/gm, (line) => `\n\n${line.replaceAll('|', '\n\n')}\n\n`)
    .split(/\n\s*\n/)
  return parts.flatMap((part) => part.replaceAll(/\s+/g, ' ').split(/(?<=[.!?:;]) /))
}

const countWords = (sentence: string) => sentence.split(' ').filter((word) => /\w/.test(word)).length

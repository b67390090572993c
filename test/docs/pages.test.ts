/** Each shell block of README.md and of the pages in docs is run, or states why not. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ALL_PAGES, blocksOf, DOC_PAGES, linksOf, placesOf, textOf } from '../support/doc-page.ts'
import { isRun, NOT_RUN, runPage } from '../support/doc-shell.ts'
import { RUN_FOLDER } from '../support/run-hla.ts'

const ROOT = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')

describe.concurrent('the commands of', () => {
  const running = DOC_PAGES.filter((path) => blocksOf(read(path)).some(isRun))

  test.for(running)('%s', async (path) => {
    const folder = join(RUN_FOLDER, 'pages', path)
    mkdirSync(folder, { recursive: true })
    const page = read(path)
    const { now, failures } = await runPage(page, folder)
    expect(failures).toEqual([])
    // writes the current output: read the difference before you commit it
    if (process.env['HLA_UPDATE_SESSIONS']) writeFileSync(join(ROOT, path), now)
    else expect(now).toBe(page)
  })
})

describe.for(DOC_PAGES)('%s', (path) => {
  const blocks = blocksOf(read(path))

  test("names the language of every block, so that none that is a shell's is overlooked", () => {
    const unknown = blocks.filter(({ language, file }) => file === undefined && !LANGUAGES.has(language))
    expect(unknown.map(({ line, language }) => ({ line, language }))).toEqual([])
    // the parser would miss a fence inside a list
    expect(
      read(path)
        .split('\n')
        .filter((line) => /^\s+```/.test(line)),
    ).toEqual([])
  })

  test('has blocks that can be pasted: commands in an sh block, what they print in a text block below', () => {
    const prompts = blocks.filter(({ lines, language }) => language === 'console' || lines.some(isPrompt))
    expect(prompts.map(({ line }) => `line ${line}: ${HOW_TO_PASTE}`)).toEqual([])
  })

  test('has a known reason for what is not run', () => {
    const marks = blocks.flatMap(({ mark }) => mark ?? [])
    expect(marks.filter((mark) => !isKnown(mark))).toEqual([])
  })
})

describe.for(ALL_PAGES)('%s', (path) => {
  const page = read(path)

  test('links to what there is', () => {
    const missing = linksOf(page).filter(({ path: to, place }) => {
      const target = to === '' ? path : join(dirname(path), to)
      if (!existsSync(join(ROOT, target))) return true
      return place !== '' && target.endsWith('.md') && !placesOf(read(target)).has(place)
    })
    expect(missing).toEqual([])
  })

  test('speaks of nobody as a man or a woman', () => {
    expect(textOf(page).match(/\b(?:he|she|his|hers?|him|himself|herself)\b/gi) ?? []).toEqual([])
  })
})

test('README.md is short, and begins with a picture', () => {
  const page = read('README.md')
  expect(page.split(/\s+/).filter((word) => word !== '').length).toBeLessThan(900)
  expect(page.split('\n').slice(0, 10).join('\n')).toMatch(/^!\[[^\]]+\]\(docs\/terminal\.svg\)$/m)
})

const HOW_TO_PASTE =
  'write the commands without "$ " into an sh block, and what they print into a text block just below'
const isPrompt = (line: string) => line.startsWith('$ ')

const LANGUAGES = new Set(
  'sh text ts json csv tsv yaml toml ini mermaid r python perl ruby go java groovy snakemake nginx'.split(
    ' ',
  ),
)

function isKnown(mark: string): boolean {
  const [kind, , what = ''] = mark.split(/(: )/)
  if (kind === 'not run') return NOT_RUN.includes(what)
  if (kind === 'run by') return existsSync(join(ROOT, what))
  return kind !== 'needs' || /^[\w. -]+$/.test(what)
}

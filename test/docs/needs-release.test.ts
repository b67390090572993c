/** Pages whose blocks need a release, or leave notes out, say so where readers see it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type DocBlock, DOC_PAGES, blocksOf, textOf } from '../support/doc-page.ts'

const ROOT = join(import.meta.dirname, '../..')
const pages = DOC_PAGES.map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }))
const needy = pages.filter(({ text }) => blocksOf(text).some(({ mark }) => mark === 'needs: release'))

test('there are such pages', () => expect(needy.length).toBeGreaterThan(5))

test.for(needy)('$path says that it needs a release', ({ text }) => {
  expect(textOf(text)).toMatch(/needs? (?:a|an installed) release/i)
})

const quiet = pages.filter(({ text }) => blocksOf(text).some(isQuiet))

test.for(quiet)('$path says what -q leaves out', ({ text }) => {
  expect(text.replaceAll(/^```[^]*?^```$/gm, '')).toContain('`-q`')
})

function isQuiet({ language, lines }: DocBlock): boolean {
  return language === 'sh' && lines.some((line) => /\bhla .*(?:-q|--quiet)\b/.test(line))
}

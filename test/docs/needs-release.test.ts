/** Pages whose blocks need a release say so where readers see it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { DOC_PAGES, blocksOf, textOf } from '../support/doc-page.ts'

const ROOT = join(import.meta.dirname, '../..')
const pages = DOC_PAGES.map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }))
const needy = pages.filter(({ text }) => blocksOf(text).some(({ mark }) => mark === 'needs: release'))

test('there are such pages', () => expect(needy.length).toBeGreaterThan(5))

test.for(needy)('$path says that it needs a release', ({ text }) => {
  expect(textOf(text)).toMatch(/needs? (?:a|an installed) release/i)
})

/** docs/architecture.md shows the layers that the tests hold; with HLA_UPDATE_DOCS its picture is drawn again. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { blocksOf, withBlocks } from '../support/doc-page.ts'
import { layersPicture, MAY_IMPORT } from '../support/layers.ts'

const PATH = join(import.meta.dirname, '../../docs/architecture.md')

test('its picture is that of test/support/layers.ts: if this fails, run "npm run docs"', () => {
  const page = readFileSync(PATH, 'utf8')
  const picture = blocksOf(page).filter(({ language }) => language === 'mermaid')
  const now = withBlocks(page, new Map(picture.map((block) => [block, layersPicture().split('\n')])))
  if (process.env['HLA_UPDATE_DOCS']) writeFileSync(PATH, now)
  else expect(now).toBe(page)
  expect(picture).toHaveLength(1)
})

test('its table names every layer, and no other', () => {
  const rows = [...readFileSync(PATH, 'utf8').matchAll(/^\| `([\w/]+)` \|/gm)].map(([, layer = '']) => layer)
  expect(rows.toSorted()).toEqual(Object.keys(MAY_IMPORT).toSorted())
})

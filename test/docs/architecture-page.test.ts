/** docs/architecture.md shows the layers that the tests hold; with HLA_UPDATE_DOCS its picture is drawn again. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { blocksOf, withBlocks } from '../support/doc-page.ts'
import { layerOf, layersPicture, MAY_IMPORT } from '../support/layers.ts'

const PATH = join(import.meta.dirname, '../../docs/architecture.md')
const SRC = join(import.meta.dirname, '../../src')

test('its picture is that of test/support/layers.ts: if this fails, run "npm run docs"', () => {
  const page = readFileSync(PATH, 'utf8')
  const picture = blocksOf(page).filter(({ language }) => language === 'mermaid')
  const now = withBlocks(page, new Map(picture.map((block) => [block, layersPicture().split('\n')])))
  if (process.env['HLA_UPDATE_DOCS']) writeFileSync(PATH, now)
  else expect(now).toBe(page)
  expect(picture).toHaveLength(1)
})

test('its table has every layer, and whether files of it say that they touch disk or network', () => {
  const rows = [...readFileSync(PATH, 'utf8').matchAll(/^\| `([\w/]+)` \|.*\| (Y?) ?\|$/gm)]
  const told = rows.map(([, layer = '', touches = '']) => ({ layer, touches: touches === 'Y' }))
  const layers = Object.keys(MAY_IMPORT).map((layer) => ({ layer, touches: touchesWorld(layer) }))
  expect(told).toEqual(expect.arrayContaining(layers))
  expect(told).toHaveLength(layers.length)
})

function touchesWorld(layer: string): boolean {
  const all = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
  const own = all.filter((file) => layerOf(file) === layer)
  return own.some((file) => /^[^\n]*\[(?:disk|network)/.test(readFileSync(join(SRC, file), 'utf8')))
}

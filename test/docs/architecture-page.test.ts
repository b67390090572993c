/** docs/architecture.md shows the tested layers; HLA_UPDATE_DOCS redraws its picture. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { blocksOf, withBlocks } from '../support/doc-page.ts'
import { layerOf, layersPicture, MAY_IMPORT } from '../support/layers.ts'

const ROOT = join(import.meta.dirname, '../..')
const PATH = join(ROOT, 'docs/architecture.md')
const SRC = join(ROOT, 'src')

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

test('it names files that exist', () => {
  const page = readFileSync(PATH, 'utf8')
  const named = [...page.matchAll(/`([\w/.-]+\.ts)`/g)].map(([, file = '']) => file)
  const exists = (file: string) => existsSync(join(SRC, file)) || existsSync(join(ROOT, file))
  expect(named.filter((file) => !exists(file))).toEqual([])
  expect(named.length).toBeGreaterThan(40)
})

test('CONTRIBUTING.md names files, folders and scripts that exist', () => {
  const page = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8')
  const paths = [...page.matchAll(/(?<![\w/])(?:src|test|docs|\.build|\.ci)\/[\w./-]*[\w]/g)].map(
    ([path]) => path,
  )
  // a path may be a prefix, as in vitest's filters
  const exists = (path: string) =>
    existsSync(join(ROOT, path)) ||
    readdirSync(join(ROOT, dirname(path))).some((name) => name.startsWith(basename(path)))
  expect(paths.filter((path) => !exists(path))).toEqual([])
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }
  const named = [...page.matchAll(/npm run ([\w:]+)/g)].map(([, name = '']) => name)
  expect(named.filter((name) => scripts[name] === undefined)).toEqual([])
  expect(paths.length).toBeGreaterThan(30)
})

test('docs/dictionary.md names what src declares', () => {
  const page = readFileSync(join(PATH, '../dictionary.md'), 'utf8')
  const isName = (word: string) => /^(?:[a-z]+[A-Z]\w*|(?:[A-Z][a-z]+){2,}|[A-Z]+_[A-Z_]+)$/.test(word)
  const named = [...page.matchAll(/`(\w+)`/g)].map(([, word = '']) => word).filter(isName)
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
  const source = files.map((file) => readFileSync(join(SRC, file), 'utf8')).join('\n')
  const isDeclared = (name: string) =>
    new RegExp(`^export (?:async )?(?:function|const|class|interface|type) ${name}\\b`, 'm').test(source)
  expect(named.filter((name) => !isDeclared(name))).toEqual([])
  expect(named.length).toBeGreaterThan(5)
})

test('every folder that docs/dictionary.md names exists, and no word stands in it twice', () => {
  const page = readFileSync(join(PATH, '../dictionary.md'), 'utf8')
  const rows = page.split('\n').flatMap((line) => {
    const [, word = '', , where = ''] = line.split(/(?<!\\)\|/).map((cell) => cell.trim())
    return line.startsWith('| ') && !/^(?:word$|---)/.test(word) ? [{ word, where }] : []
  })
  const folders = rows.flatMap(({ where }) =>
    [...where.matchAll(/`([^`]+)`/g)].map(([, folder = '']) => folder),
  )
  expect(folders.filter((folder) => !existsSync(join(SRC, folder)))).toEqual([])
  const words = rows.flatMap(({ word }) => word.split(', '))
  expect(words.filter((word, at) => words.indexOf(word) < at)).toEqual([])
  expect(rows.length).toBeGreaterThan(70)
})

function touchesWorld(layer: string): boolean {
  const all = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
  const own = all.filter((file) => layerOf(file) === layer)
  return own.some((file) => /^[^\n]*\[(?:disk|network)/.test(readFileSync(join(SRC, file), 'utf8')))
}

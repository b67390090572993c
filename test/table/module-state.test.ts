/** State belongs to a run: what one table has left behind must not change how the next is read. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const FOLDER = join(import.meta.dirname, '../../src/table')

/** What a module holds that can change: a `let`, or a constant made of an empty collection, which is filled later. */
function mutableNames(text: string): string[] {
  // what begins a line is not inside a function
  const declared = text.matchAll(/^(?:export )?(let|const) (\w+|[[{].*?[\]}])((?:.*)(?:\n[ \t]+.*)*)/gm)
  return [...declared]
    .filter(([, word, , rest = '']) => word === 'let' || EMPTY.test(rest.replace(/(?:=>|\) \{)[^]*/, '')))
    .map(([, , name = '']) => name)
}

const EMPTY = /(?:=|\w:) new (?:Weak)?(?:Map|Set)(?:<[^=]*>)?\(\)|^(?:: [^=]*)? = (?:\[\]|\{\})$/

test('no module of src/table holds state', () => {
  const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts')) // prettier-ignore
  const found = files.flatMap((file) =>
    mutableNames(readFileSync(join(FOLDER, file), 'utf8')).map((name) => `${file}: ${name}`),
  )
  expect(found.toSorted()).toEqual([])
})

test.each([
  ['let last = 0', ['last']],
  ['const known = new Map<string, string>()', ['known']],
  ['export const found: string[] = []', ['found']],
  ['const made = { usual: new Map<string, RegExp>() }', ['made']],
  ['const held = {\n  names: new Map<string, number>(),\n}', ['held']],
  ['const make = () => new Map()', []],
  [
    'const KNOWN = new Set(["A"])\nfunction f() { let at = 0; const seen = new Set(); return [at, seen] }',
    [],
  ],
])('%s', (text, names) => {
  expect(mutableNames(text)).toEqual(names)
})

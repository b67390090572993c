/** Checks the layers: which folder may import which, by the table and the picture in docs/architecture.md. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, relative } from 'node:path'
import { describe, expect, test } from 'vitest'
import { FLOORS, layerOf, MAY_IMPORT } from './support/layers.ts'

const SRC = join(import.meta.dirname, '../src')

/** Layers without effects. */
const PURE = new Set(['nomenclature', 'engine', 'operations', 'manual', 'drive/contract', 'drive/protocol'])

/** Files that any layer may import; they import none of our modules. */
const LEAVES = new Set([
  'advice.ts',
  'byte-blocks.ts',
  'errors.ts',
  'error-table.ts',
  'format-count.ts',
  'glob.ts',
  'package-files.ts',
  'package-root.ts',
])

/** Only these may touch disk, network or the terminal, and their first line declares it. */
const EFFECTS =
  /from '(?:node:(?:fs|fs\/promises|net|http|https|child_process|worker_threads)|undici|yauzl|yazl)'/

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))

interface Import {
  readonly from: string
  readonly to: string
}

const imports: Import[] = files.flatMap((file) => {
  const text = readFileSync(join(SRC, file), 'utf8')
  // value, type, side-effect and late imports
  const paths = [...text.matchAll(/(?:\bfrom|\bimport\(|^import)\s*'(\.[^']+)'/gm)].map(
    (match) => match[1] ?? '',
  )
  return paths.map((path) => ({ from: file, to: normalize(join(dirname(file), path)) }))
})

/** `file: name` of module state, and its justification. */
const JUSTIFIED_STATE: Readonly<Record<string, string>> = {}

function moduleState(file: string): string[] {
  return stateIn(readFileSync(join(SRC, file), 'utf8')).map((name) => `${file}: ${name}`)
}

/** Module variables that can change, or contain values filled later; answers must not depend on earlier questions. */
function stateIn(text: string): string[] {
  const declarations = text.matchAll(
    /^(?:export )?(let|var|const) (\w+|[[{].*?[\]}])([^]*?)(?=^\S(?<![)\]}])|(?![^]))/gm,
  )
  return [...declarations].flatMap(([, keyword = '', name = '', rest = '']) => {
    const empty =
      /new (?:Weak(?:Map|Set|Ref)|(?:Map|Set)(?:<[^]*?>)?\(\)|\w+Array\(|Array\()|Buffer\.alloc|byteWriter\(/.exec(
        rest,
      )
    // values inside a function are new at each call
    const isFunction = /=>|\bfunction\b|^ +\w+\([^)]*\).*\{$/m.test(rest.slice(0, empty?.index))
    const write = new RegExp(
      String.raw`\b${/^\w+$/.test(name) ? name : '[]'}(?:\.\w+|\[[^\]]*\])*(?:\.(?:set|add|push|clear|delete|splice|fill)\(|(?:\.\w+|\[[^\]]*\]) (?:[-+*|&^]|\?\?|\|\|)?= )`,
    )
    const isState = keyword !== 'const' || (!isFunction && (empty !== null || write.test(text)))
    return isState ? [name] : []
  })
}

/** Files in import cycles. */
function circles(): string[] {
  const to = new Map(files.map((file) => [file, new Set<string>()]))
  for (const one of imports) to.get(one.from)?.add(one.to)
  // a file whose imports are all removed is in no cycle
  for (let isChanged = true; isChanged;) {
    isChanged = false
    for (const [file, targets] of to) {
      if ([...targets].some((target) => to.has(target))) continue
      to.delete(file)
      isChanged = true
    }
  }
  // a file that no remaining file imports is in no cycle
  for (let isChanged = true; isChanged;) {
    isChanged = false
    for (const file of to.keys()) {
      if ([...to.values()].some((targets) => targets.has(file))) continue
      to.delete(file)
      isChanged = true
    }
  }
  return [...to.keys()].toSorted()
}

describe('the layers', () => {
  test('there is a rule for every folder', () => {
    const layers = new Set(files.map(layerOf))
    expect([...layers].filter((layer) => MAY_IMPORT[layer] === undefined)).toEqual([])
  })

  test('imports point one way', () => {
    const wrong = imports.filter(({ from, to }) => {
      if (LEAVES.has(to) || layerOf(from) === layerOf(to)) return false
      return LEAVES.has(from) || !MAY_IMPORT[layerOf(from)]?.includes(layerOf(to))
    })
    expect(wrong).toEqual([])
  })

  test('every permission is used', () => {
    const used = new Set(imports.map(({ from, to }) => `${layerOf(from)} -> ${layerOf(to)}`))
    const given = Object.entries(MAY_IMPORT).flatMap(([from, all]) => all.map((to) => `${from} -> ${to}`))
    expect(given.filter((one) => !used.has(one))).toEqual([])
  })

  test.for(Object.entries(FLOORS))('%s has floors: no file imports one of a floor above', ([, floors]) => {
    const floorOf = (file: string) => {
      const [own] = floors
        .filter((floor) => file.startsWith(`${floor}/`))
        .toSorted((a, b) => b.length - a.length)
      return own === undefined ? -1 : floors.indexOf(own)
    }
    const up = imports.filter(({ from, to }) => floorOf(from) >= 0 && floorOf(to) > floorOf(from))
    expect(up).toEqual([])
    expect(floors.filter((_, at) => !files.some((file) => floorOf(file) === at))).toEqual([])
  })

  test('files of tables outside of floors are leaves of them', () => {
    const outside = /^table\/[^/]+$/
    expect(imports.filter(({ from, to }) => outside.test(from) && to.startsWith('table/'))).toEqual([])
  })

  test('no file reaches itself, neither by value, nor by type, nor by an import that is made late', () => {
    expect(circles()).toEqual([])
  })

  test('the file store and the HLA core know nothing of each other', () => {
    const ofStore = (file: string) => file.startsWith('drive/')
    // clients and commands of the store know both
    const joining = /^(?:cli|remote|io|web|drive\/(?:client|commands|rules|serve))\//
    const crossing = imports.filter(
      ({ from, to }) =>
        ofStore(from) !== ofStore(to) && !joining.test(from) && !joining.test(to) && !LEAVES.has(to),
    )
    expect(crossing).toEqual([])
  })

  test('every import names a file that exists', () => {
    expect(imports.filter(({ to }) => !files.includes(relative('.', to)))).toEqual([])
  })

  test('the pure layers touch neither disk nor network', () => {
    const pure = files.filter((file) => PURE.has(layerOf(file)))
    expect(pure.filter((file) => EFFECTS.test(readFileSync(join(SRC, file), 'utf8')))).toEqual([])
  })

  test('nothing is remembered in modules', () => {
    const folders = /^(?:nomenclature|reference|engine|operations|table)\//
    const found = files.filter((file) => folders.test(file)).flatMap(moduleState)
    expect(found.toSorted()).toEqual(Object.keys(JUSTIFIED_STATE).toSorted())
  })

  test('what modules would remember is found', () => {
    const found = [
      'let known: string[] | undefined', 'const read = new WeakMap<Release, Names>()', 'export const kept: Kept = { texts: new Map() }',
      'const scratch = new Uint8Array(64)', 'const texts: string[] = []\nfunction keep(text: string) {\n  texts.push(text)\n}',
      'let [one, other] = [0, 0]', 'const found: string[] = []\nfound.push()', 'const held = {\n  names: new Map<string, number>(),\n}',
      'const counts = { all: 0 }\nfunction count() {\n  counts.all += 1\n}', 'const memo = byteWriter()',
    ] // prettier-ignore
    expect(found.filter((text) => stateIn(text).length !== 1)).toEqual([])
    const harmless = [
      "const WORDS = new Set(['a', 'b'])", 'const NONE: readonly string[] = []', 'const make = () => new Map()', 'const ONE = {\n  open(file) {\n    return new Map()\n  },\n}',
      'const FORMS = new Map(\n  names.map((name) => [name, 1]),\n)', 'function read() {\n  let at = 0\n  return new Map()\n}',
    ] // prettier-ignore
    expect(harmless.flatMap(stateIn)).toEqual([])
  })

  test('what touches disk or network says so in its first line', () => {
    const touching = files.filter((file) => EFFECTS.test(readFileSync(join(SRC, file), 'utf8')))
    const silent = touching.filter((file) => {
      const [first = ''] = readFileSync(join(SRC, file), 'utf8').split('*/', 1)
      return (
        !/\[(?:disk|network|disk, network|disk, threads|process, clock|terminal|threads)\]/.test(first) &&
        layerOf(file) !== 'cli'
      )
    })
    expect(silent).toEqual([])
  })

  test('every file opens with a line that says what it is', () => {
    expect(files.filter((file) => !/^\/\*\*\s/.test(readFileSync(join(SRC, file), 'utf8')))).toEqual([])
  })

  test('the program sets the exit status that main returns; a signal ends a process, or the end of the service it works for', () => {
    const setting = files.filter((file) =>
      /process\.exit(?:Code\s*=|\()/.test(readFileSync(join(SRC, file), 'utf8')),
    )
    expect(setting.toSorted()).toEqual(['drive/api/lists/lister.ts', 'io/interrupt.ts'])
  })
})

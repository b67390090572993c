/** Holds the layers: which folder may import which, as the table and the picture in docs/architecture.md say. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, relative } from 'node:path'
import { describe, expect, test } from 'vitest'
import { layerOf, MAY_IMPORT } from './support/layers.ts'

const SRC = join(import.meta.dirname, '../src')

/** Layers of answers alone. */
const PURE = new Set(['nomenclature', 'engine', 'operations', 'manual', 'drive/contract', 'drive/protocol'])

/** Files anybody may import; they import nothing of ours. */
const LEAVES = new Set(['errors.ts', 'error-table.ts', 'glob.ts', 'package-root.ts'])

/** Only these may touch disk, network or the terminal, and they say so in their first line. */
const EFFECTS = /from '(?:node:(?:fs|fs\/promises|net|http|https|child_process|worker_threads)|undici|yauzl)'/

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))

interface Import {
  readonly from: string
  readonly to: string
}

const imports: Import[] = files.flatMap((file) => {
  const text = readFileSync(join(SRC, file), 'utf8')
  const paths = [...text.matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)].map((match) => match[1] ?? '')
  return paths.map((path) => ({ from: file, to: normalize(join(dirname(file), path)) }))
})

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

  test('every import names a file that exists', () => {
    expect(imports.filter(({ to }) => !files.includes(relative('.', to)))).toEqual([])
  })

  test('the pure layers touch neither disk nor network', () => {
    const pure = files.filter((file) => PURE.has(layerOf(file)))
    expect(pure.filter((file) => EFFECTS.test(readFileSync(join(SRC, file), 'utf8')))).toEqual([])
  })

  test('what touches disk or network says so in its first line', () => {
    const touching = files.filter((file) => EFFECTS.test(readFileSync(join(SRC, file), 'utf8')))
    const silent = touching.filter((file) => {
      const [first = ''] = readFileSync(join(SRC, file), 'utf8').split('*/', 1)
      return !/\[(?:disk|network|disk, network|process, clock)\]/.test(first) && layerOf(file) !== 'cli'
    })
    expect(silent).toEqual([])
  })

  test('every file opens with a line that says what it is', () => {
    expect(files.filter((file) => !/^\/\*\*\s/.test(readFileSync(join(SRC, file), 'utf8')))).toEqual([])
  })

  test('only main sets the exit status; a signal ends a process, or the end of the service it works for', () => {
    const setting = files.filter((file) =>
      /process\.exit(?:Code\s*=|\()/.test(readFileSync(join(SRC, file), 'utf8')),
    )
    expect(setting.toSorted()).toEqual(['cli/io/interrupt.ts', 'cli/main.ts', 'drive/api/lists/lister.ts'])
  })
})

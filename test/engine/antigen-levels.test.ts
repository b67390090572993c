/**
 * Associated, split and broad antigens: every name and antigen against an independent reading of the published lines.
 */
import { describe, expect, test } from 'vitest'
import { type Engine, makeEngine } from '../../src/engine/engine.ts'
import { type AntigenLevel, DEFAULT_OPTIONS } from '../../src/engine/options.ts'
import { redux } from '../../src/engine/redux.ts'
import { isHlaError } from '../../src/errors.ts'
import { countFields, readLocus, twoFields } from '../../src/nomenclature/allele.ts'
import { isGrouped } from '../../src/nomenclature/allele.ts'
import type { Release } from '../../src/reference/release.ts'
import { parsePublishedFiles } from '../support/independent/files.ts'
import { antigenAtLevel, LEVELS, type Level, nameAtLevel } from '../support/independent/levels.ts'
import { buildTables } from '../support/independent/tables.ts'
import { type World, worldOf } from '../support/independent/world.ts'
import { hasPreview } from '../support/release-2026.ts'
import { newerReleases, readTexts, realRelease } from '../support/releases.ts'
import { hasShared } from '../support/shared.ts'

/** All names take a minute; every eighth suffices to show a fault in the rule. */
const STEP = process.env['HLA_LONG'] === undefined ? 8 : 1
const NEWER = newerReleases()
const NAMES: Readonly<Record<string, number>> = { '3580': 43_984 }
const FULL = [
  ...(hasShared ? ['3580'] : []),
  ...(hasShared && hasPreview && !NEWER.includes('3640') ? ['3640'] : []),
  ...NEWER,
]

function open(name: string): { release: Release; world: World } {
  const release = realRelease(name)
  const texts = readTexts(name)
  const tables = buildTables(parsePublishedFiles(texts))
  return { release, world: { ...worldOf('3580'), tables, memo: new Map(), shared: new Map() } }
}

function engineAt(release: Release, antigens: AntigenLevel): Engine {
  return makeEngine(release, undefined, { ...DEFAULT_OPTIONS, antigens })
}

function answer(engine: Engine, name: string): string {
  try {
    return redux(engine, name, 'S').text
  } catch (error) {
    if (isHlaError(error)) return error.code
    throw error
  }
}

function names(release: Release, kind: 'allele' | 'antigen'): string[] {
  const all: string[] = []
  for (let id = 0; id < release.size; id += 1) if (release.isKind(kind, id)) all.push(release.nameOf(id))
  return all
}

function everyNth(all: readonly string[]): string[] {
  return all.filter((_, at) => at % STEP === 0)
}

function sortedText(antigens: readonly string[]): string {
  return antigens.length === 0 ? 'no-serology' : [...antigens].sort().join('/')
}

describe.for(FULL)('every name of %s', (name) => {
  const { release, world } = open(name)

  test.for(LEVELS)('at the level %s is what the published lines say', (level: Level) => {
    const engine = engineAt(release, level)
    const all = names(release, 'allele')
    const wrong = everyNth(all).flatMap((one) => {
      const isReduced = isGrouped(readLocus(one))
      const expected = isReduced ? sortedText(nameAtLevel(one, level, world)) : one
      const found = answer(engine, one).split('/').sort().join('/')
      return found === expected ? [] : [`${one}: ${found}, not ${expected}`]
    })
    expect(wrong.slice(0, 20)).toEqual([])
    if (name in NAMES) expect(all).toHaveLength(NAMES[name] ?? 0)
  })

  test.for(LEVELS)('every antigen at the level %s', (level: Level) => {
    const engine = engineAt(release, level)
    const antigens = names(release, 'antigen')
    const wrong = antigens.flatMap((one) => {
      const expected = sortedText(antigenAtLevel(one, level, world))
      const found = answer(engine, one).split('/').sort().join('/')
      return found === expected ? [] : [`${one}: ${found}, not ${expected}`]
    })
    expect(wrong).toEqual([])
    expect(antigens.length).toBeGreaterThan(160)
  })

  const levels: readonly AntigenLevel[] = name === '3580' ? LEVELS : [...LEVELS, 'usual']
  test.for(levels)('has at %s the answer of its short forms', (level) => {
    const engine = engineAt(release, level)
    const expressed = names(release, 'allele').filter(
      (one) => countFields(one) > 2 && !one.endsWith('N') && isGrouped(readLocus(one)),
    )
    const wrong = everyNth(expressed).flatMap((one) => {
      const [found, short] = [answer(engine, one), answer(engine, twoFields(one))]
      return found === short ? [] : [`${one}: ${found}; ${twoFields(one)}: ${short}`]
    })
    expect(wrong.slice(0, 20)).toEqual([])
    expect(expressed.length).toBeGreaterThan(15_000)
  })
})

/**
 * Names of a release by every method (a tenth; HLA_LONG=1: all) and published groups (a fifth), against answers computed from
 * the published files without our code.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type Engine, makeEngine } from '../../src/engine/engine.ts'
import { DEFAULT_OPTIONS } from '../../src/engine/options.ts'
import { CONTRACT_METHODS, type Method } from '../../src/engine/reduce/methods.ts'
import { redux } from '../../src/engine/redux.ts'
import { isHlaError } from '../../src/errors.ts'
import { antigensOfAlleles, coveredBy } from '../support/independent/methods.ts'
import { type Answer, answer } from '../support/independent/reduce.ts'
import { groupOfReduced } from '../support/independent/validity.ts'
import { tablesOf } from '../support/independent/tables.ts'
import { type World, worldOf } from '../support/independent/world.ts'
import { releasesOfToday, realMacs, realRelease } from '../support/releases.ts'
import { isInSample } from '../support/rounds.ts'
import { hasShared } from '../support/shared.ts'
import { isEqual } from './judge.ts'

const RELEASES = ['3580', '3530', '3440', '3290'] as const

const isAsked = (name: string) => isInSample(name, 10)
const OPTIONS = { ...DEFAULT_OPTIONS, limit: 0 }

describe.skipIf(!hasShared).for([...RELEASES, ...releasesOfToday()])('release %s', (release) => {
  const engine = () => makeEngine(realRelease(release), realMacs(), OPTIONS)
  // test/engine/antigen-levels.test.ts checks S of the 2026 names against the published lines
  const isOf2026 = Number(release) >= 3640
  const methods = CONTRACT_METHODS.filter((method) => method !== 'S' || !isOf2026)

  test.for(methods)('%s of every name', (method) => {
    const world = worldOf(release)
    const { alleles, shortNulls } = world.tables
    const names = [...alleles, ...shortNulls.keys()].filter(isAsked)
    expect(names.length).toBeGreaterThan(1500)
    expect(differences(names, method, engine(), world)).toEqual([])
  })

  test.for(methods)('%s of every published group', (method) => {
    const world = worldOf(release)
    const { files } = world.tables
    const all = [...files.g, ...files.p].map(({ name }) => name)
    expect(all.length).toBeGreaterThan(800)
    const groups = all.filter((name) => isInSample(name))
    expect(differences(groups, method, engine(), world)).toEqual([])
    const asked = engine()
    const strangers = groups.filter((group) => {
      const given = answerTo(asked, group, method)
      return 'text' in given && !given.text.split('/').every((name) => isNameOf(name, method, world))
    })
    expect(strangers).toEqual([])
  })

  test.skipIf(isOf2026)('S of every name by its own antigens', () => {
    const world = worldOf(release)
    const asked = makeEngine(realRelease(release), realMacs(), { ...OPTIONS, ownAntigens: true })
    const names = [...world.tables.alleles].filter(
      (name) => isAsked(name) && name.includes(':') && isExpressed(name, world),
    )
    const wrong = names.filter((name) => {
      const own = antigensOfAlleles(coveredBy(name, world), world)
      const promised: Answer = own.length === 0 ? { error: 'no-serology' } : { text: own.join('/') }
      return isWithAntigens(name) && !isEqual(answerTo(asked, name, 'S'), promised)
    })
    expect(wrong).toEqual([])
  })
})

test('the computation takes nothing from the program', () => {
  const folder = join(import.meta.dirname, '../support/independent')
  const texts = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'))
  expect(texts.filter((text) => /from '[^']*src\//.test(text))).toEqual([])
  expect(texts.length).toBeGreaterThan(8)
})

function differences(names: readonly string[], method: Method, engine: Engine, world: World) {
  return names.flatMap((name) => {
    const given = answerTo(engine, name, method)
    const promised = answer(name, method, world)
    return isEqual(given, promised) ? [] : [{ name, given, promised }]
  })
}

function answerTo(engine: Engine, name: string, method: Method): Answer {
  try {
    return { text: redux(engine, name, method).text }
  } catch (error) {
    if (isHlaError(error)) return { error: error.code }
    throw error
  }
}

/** Whether it is a name of the release, a group, or an antigen; names of lg end in `g`. */
function isNameOf(name: string, method: Method, world: World): boolean {
  const { tables } = world
  const plain = method === 'lg' ? name.replace(/g$/, '') : name
  if (method === 'S') return tables.antigens.has(plain)
  const isShort = tables.alleles.has(plain) || tables.shortNulls.has(plain)
  return isShort || tables.members.has(plain) || groupOfReduced(plain, world) !== undefined
}

const WITH_ANTIGENS = new Set(['A', 'B', 'C', 'DRB1', 'DRB3', 'DRB4', 'DRB5', 'DQB1'])

function isWithAntigens(name: string): boolean {
  return WITH_ANTIGENS.has(name.split('*')[0] ?? '')
}

/** A short null stands for null alleles. */
function isExpressed(name: string, { tables }: World): boolean {
  return !tables.shortNulls.has(name) && !name.endsWith('N')
}

test.skipIf(!hasShared)('the releases have as many names and groups as published', () => {
  const counts = RELEASES.map((release) => {
    const { who, files } = tablesOf(release)
    return [release, who.size, files.g.length, files.p.length]
  })
  expect(counts).toEqual([
    ['3580', 41_433, 707, 1418],
    ['3530', 37_619, 637, 1316],
    ['3440', 30_523, 538, 1166],
    ['3290', 17_344, 282, 805],
  ])
})

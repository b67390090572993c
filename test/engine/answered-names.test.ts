/**
 * Every name in an answer is a name of the release or a published group; lgx, lg and U2 may answer two fields of a G
 * group.
 */
import { describe, expect, test } from 'vitest'
import { type Engine, makeEngine } from '../../src/engine/engine.ts'
import { DEFAULT_OPTIONS } from '../../src/engine/options.ts'
import { METHOD_NAMES, type Method } from '../../src/engine/reduce/methods.ts'
import { redux } from '../../src/engine/redux.ts'
import { validateGlString } from '../../src/engine/validate/validate.ts'
import { isHlaError } from '../../src/errors.ts'
import { realMacs, realRelease } from '../support/releases.ts'
import { hasShared } from '../support/shared.ts'

/** No allele of 3.58.0 has these two fields; the first member of each group has them with a letter. */
const GROUPS_ONLY = [
  'A*11:403',
  'C*04:59',
  'C*05:99',
  'C*07:33',
  'C*07:726',
  'C*07:787',
  'DPA1*01:114',
  'DQA1*01:07',
]
const TWO_FIELDS: readonly Method[] = ['lgx', 'lg', 'U2']

describe.skipIf(!hasShared)('release 3.58.0', () => {
  const engine = hasShared
    ? makeEngine(realRelease('3580'), realMacs(), { ...DEFAULT_OPTIONS, limit: 0 })
    : undefined

  test.for(METHOD_NAMES)('%s answers names of the release', (method) => {
    const { release } = needed(engine)
    const strangers = new Set<string>()
    let answered = 0
    for (let id = 0; id < release.size; id += 1) {
      const parts = answersOf(release.nameOf(id), method, needed(engine))
      answered += parts.length
      for (const part of parts) if (!isNamed(part, method, needed(engine))) strangers.add(part)
    }
    const expected = TWO_FIELDS.includes(method) ? GROUPS_ONLY : []
    expect([...strangers].map((part) => part.replace(/g$/, '')).sort()).toEqual(expected)
    // hats: only the loci without groups, whose names come back as typed
    expect(answered).toBeGreaterThan(1000)
  })

  test.for(GROUPS_ONLY)('%s is read as its group, and does not exist', (name) => {
    for (const method of METHOD_NAMES)
      expect(answersOf(name, method, needed(engine))).toEqual(
        answersOf(`${name}:01G`, method, needed(engine)),
      )
    expect(isValid(name, needed(engine))).toBe(true)
    const exact = makeEngine(needed(engine).release, undefined, { ...DEFAULT_OPTIONS, exact: true })
    expect(isValid(name, exact)).toBe(false)
    expect(answersOf(name, 'lgx', exact)).toEqual([])
  })
})

function needed(engine: Engine | undefined): Engine {
  if (engine === undefined) throw new Error('the release is not there')
  return engine
}

/** The names of the answer; empty if it is refused. */
function answersOf(name: string, method: Method, engine: Engine): readonly string[] {
  try {
    return redux(engine, name, method).text.split('/')
  } catch (error) {
    if (isHlaError(error)) return []
    throw error
  }
}

function isNamed(part: string, method: Method, { release }: Engine): boolean {
  const name = method === 'lg' ? part.replace(/g$/, '') : part
  const kinds = ['allele', 'gGroup', 'pGroup', 'antigen', 'firstField'] as const
  return kinds.some((kind) => release.is(kind, name)) || release.listOf('shortNull', name) !== undefined
}

function isValid(name: string, engine: Engine): boolean {
  return validateGlString(engine, name).valid
}

/**
 * Retired names: read as their allele's present name, or refused where that has other first two fields or another letter;
 * by validation and every method alike.
 */
import { describe, expect, test } from 'vitest'
import { isReadByTwoFields } from '../../src/engine/names.ts'
import { findSuccessor, isSameProtein } from '../../src/engine/retired.ts'
import type { Engine } from '../../src/engine/engine.ts'
import { METHOD_NAMES, type Method } from '../../src/engine/reduce/methods.ts'
import { redux } from '../../src/engine/redux.ts'
import { validateGlString } from '../../src/engine/validate/validate.ts'
import { isHlaError, type Note } from '../../src/errors.ts'
import { cutFields } from '../../src/nomenclature/allele.ts'
import { localExecutor } from '../../src/operations/executor.ts'
import { makeKnowledge } from '../../src/operations/knowledge.ts'
import { spellRecord } from '../../src/nomenclature/version2.ts'
import { publishedDeletions, publishedHistory } from '../support/history.ts'
import { realMacs, realRelease } from '../support/releases.ts'
import { isInSample } from '../support/rounds.ts'
import { hasShared } from '../support/shared.ts'

describe.skipIf(!hasShared)('retired names', () => {
  const knowledge = () =>
    makeKnowledge({ release: realRelease('3580'), mac: realMacs(), history: publishedHistory })
  const ask = (operation: string, input: object) => localExecutor(knowledge()).execute(operation, input)

  test.for(['lgx', 'U2', 'G', 'W'])(
    'A*24:459:02 is refused by %s: its allele is A*24:608N',
    (reduction_method) => {
      const refused = { code: 'renamed-allele', suggestions: ['A*24:608N'] }
      for (const operation of ['redux', 'explain'])
        expect(errorOf(() => ask(operation, { gl_string: 'A*24:459:02', reduction_method }))).toMatchObject(
          refused,
        )
      const input = { gl_string: 'A*24:459:02', reduction_method, lift: true }
      expect(ask('redux', input)).toMatchObject({
        ard: redux(knowledge().engine(), 'A*24:608N', reduction_method as 'G').text,
      })
    },
  )

  test('A*24:459:02 is not valid, and no typing of a list of common alleles', () => {
    expect(ask('validate', { gl_string: 'A*24:459:02' })).toMatchObject({
      valid: false,
      code: 'renamed-allele',
      suggestions: ['A*24:608N'],
    })
    expect(errorOf(() => ask('cwd', { gl_string: 'A*24:459:02' }))?.code).toBe('renamed-allele')
  })

  test.for([
    // rows of Deleted_alleles.txt in the spelling of 2010: B*150105, A*31011, Cw*16042, Cw*0422, A*0223
    ['B*15:01:05', 'deleted-allele', 'B*15:120'],
    ['C*06:02:02', 'deleted-allele', 'C*06:17'],
    ['C*04:22', 'deleted-allele', 'C*04:15:02'],
    ['A*02:23', 'deleted-allele', 'A*02:22:01:01'],
    // Cw*1101, an artefact
    ['C*11:01', 'deleted-allele', undefined],
    // nulls without their letter, which no list has without it
    ['C*12:274:02', 'renamed-allele', 'C*12:329N'],
    ['A*23:113', 'renamed-allele', 'A*24:586N'],
    // today with another letter
    ['A*02:01:14', 'renamed-allele', 'A*02:01:14Q'],
    ['C*03:03:01:50', 'renamed-allele', 'C*03:03:01:50N'],
    ['A*02:01:08', 'renamed-allele', 'A*02:1040'],
  ] as const)('%s is refused by every question: %s, %s', ([gl_string, code, successor]) => {
    const suggestions = successor === undefined ? [] : [successor]
    expect(ask('validate', { gl_string })).toMatchObject({ valid: false, code, suggestions })
    for (const reduction_method of METHOD_NAMES.filter((one) => one !== 'hats'))
      expect(errorOf(() => ask('redux', { gl_string, reduction_method }))).toMatchObject({
        code,
        suggestions,
      })
  })

  test.for([
    ['A*31:01:01', 'A*31:01:02:01'],
    ['C*16:04:02', 'C*16:04:01:01'],
    ['A*02:17:01', 'A*02:17:02:01'],
    ['F*01:01:03:01', 'F*01:01:01:09'],
  ] as const)('%s is read as %s by every question', ([gl_string, successor]) => {
    const { valid, notes } = ask('validate', { gl_string }) as { valid: boolean; notes: readonly Note[] }
    const note = { code: expect.stringMatching(/^(?:deleted|renamed)-allele$/), message: expect.stringContaining(`it is read as ${successor}`) } // prettier-ignore
    expect({ valid, notes }).toMatchObject({ valid: true, notes: [note] })
    for (const reduction_method of ['lgx', 'G', 'P', 'W', 'exon', 'U2']) {
      const own = ask('redux', { gl_string, reduction_method }) as { ard: string; notes: readonly Note[] }
      const its = ask('redux', { gl_string: successor, reduction_method }) as { ard: string }
      expect([own.ard, own.notes[0]]).toMatchObject([its.ard, note])
    }
  })

  test('each of the 85 old rows of Deleted_alleles.txt is found in the spelling of 2010', () => {
    const rows = publishedDeletions().filter(
      ({ name }) => spellRecord(name).includes(':') && !name.includes(':'),
    )
    expect(rows.length).toBe(85)
    const fates = rows.map(({ name, description }) => {
      const { verdict, names } = ask('validate', { gl_string: spellRecord(name) }) as {
        verdict: string
        names: readonly { reason: string }[]
      }
      return { name, verdict, isNamed: names[0]?.reason === description }
    })
    expect(
      fates.filter(({ verdict, isNamed }) => !/^(?:deleted|renamed)$/.test(verdict) || !isNamed),
    ).toEqual([])
  })

  test('names of today come first, beside a retired one with a letter', () => {
    const history = publishedHistory()
    const { release } = knowledge()
    const names = publishedDeletions().flatMap(({ name }) => {
      const stem = name.replace(/[NLSQ]$/, '')
      return stem !== name && release.is('allele', stem) && !release.is('allele', name) ? [stem] : []
    })
    expect(names).toEqual(expect.arrayContaining(['A*01:331', 'B*13:08', 'C*07:808']))
    expect(names.length).toBe(11)
    for (const name of names) {
      expect(validateGlString(knowledge().engine(), name)).toMatchObject({ valid: true, warnings: [] })
      expect(history.accessionIn('3.58.0', name) ?? release.is('allele', name)).toBeTruthy()
    }
  })

  test.for(['3580', '3530', '3440'] as const)(
    'over %s validation and every method have one verdict',
    (compact) => {
      const history = publishedHistory()
      const data = makeKnowledge({
        release: realRelease(compact),
        mac: realMacs(),
        history: publishedHistory,
      })
      const engine = data.engine()
      const listed = history.spellingsUnder('').flatMap(({ name }) => [name, cutFields(name, 3)])
      const sampled = [...new Set(listed)].filter((name) => isInSample(name))
      const recorded = publishedDeletions().flatMap(({ name }) => [name, spellRecord(name)])
      const names = [...sampled, ...recorded].filter((name) => !data.release.is('allele', name))
      const methods = METHOD_NAMES.filter((method) => method !== 'hats')
      const differing: unknown[] = []
      let retired = 0
      for (const name of names) {
        const { valid } = validateGlString(engine, name)
        for (const method of methods) {
          const { text, code } = reduced(engine, name, method)
          const isRefused = code !== undefined && code !== 'no-serology'
          if (isRefused === valid) differing.push([name, valid, method, text ?? code])
          const successor = isReadByTwoFields(name, engine) ? findSuccessor(name, engine) : undefined
          if (successor === undefined) continue
          retired += 1
          expect([name, valid]).toEqual([name, isSameProtein(name, successor)])
          if (text !== undefined)
            expect([name, text]).toEqual([name, reduced(engine, successor, method).text])
        }
      }
      expect(differing).toEqual([])
      expect(retired).toBeGreaterThan(300)
    },
  )

  test('without the lists of other releases nothing is known of it', () => {
    const engine = makeKnowledge({ release: realRelease('3580') }).engine()
    for (const method of METHOD_NAMES.filter((one) => one !== 'hats' && one !== 'S'))
      expect(redux(engine, 'A*24:459:02', method).notes).toMatchObject([{ code: 'unlisted-fields' }])
  })
})

function reduced(engine: Engine, name: string, method: Method): { text?: string; code?: string } {
  try {
    return { text: redux(engine, name, method).text }
  } catch (error) {
    if (isHlaError(error)) return { code: error.code }
    throw error
  }
}

function errorOf(run: () => unknown) {
  try {
    run()
  } catch (error) {
    if (isHlaError(error)) return error
    throw error
  }
  return undefined
}

/**
 * Old names whose first two fields are still a name: they are read as those two fields only if the allele's present
 * name has the same answer.
 */
import { describe, expect, test } from 'vitest'
import { findSuccessor } from '../../src/engine/lift/retired.ts'
import { isReadByTwoFields } from '../../src/engine/names.ts'
import { METHOD_NAMES } from '../../src/engine/reduce/methods.ts'
import { redux } from '../../src/engine/redux.ts'
import { isHlaError, type Note } from '../../src/errors.ts'
import { cutFields } from '../../src/nomenclature/allele.ts'
import { localExecutor } from '../../src/operations/executor.ts'
import { makeKnowledge } from '../../src/operations/knowledge.ts'
import { publishedHistory } from '../support/history.ts'
import { realMacs, realRelease } from '../support/releases.ts'
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

  test('each is refused, or answered as its successor with a note that names it', () => {
    const history = publishedHistory()
    const engine = knowledge().engine()
    const names = history
      .spellingsUnder('')
      .flatMap(({ name }) => [name, cutFields(name, 3)])
      .filter((name) => isReadByTwoFields(name, engine))
    const retired = [...new Set(names)].flatMap((name) => {
      const successor = findSuccessor(name, engine)
      return successor === undefined ? [] : [{ name, successor }]
    })
    const refused: Record<string, number> = {}
    for (const method of ['lgx', 'U2', 'G'] as const)
      for (const { name, successor } of retired) {
        try {
          const { text, notes } = redux(engine, name, method)
          expect([name, text]).toEqual([name, redux(engine, successor, method).text])
          expect(noteOn(notes, 'unlisted-fields')).toContain(successor)
        } catch (error) {
          expect(error).toMatchObject({ code: 'unknown-allele', offending: name })
          refused[method] = (refused[method] ?? 0) + 1
        }
      }
    // from the four installed lists; G leaves unlisted names unchanged
    expect({ retired: retired.length, refused }).toEqual({ retired: 70, refused: { lgx: 10, U2: 30, G: 70 } })
  })

  test('without the lists of other releases nothing is known of it', () => {
    const engine = makeKnowledge({ release: realRelease('3580') }).engine()
    for (const method of METHOD_NAMES.filter((one) => one !== 'hats' && one !== 'S'))
      expect(redux(engine, 'A*24:459:02', method).notes).toMatchObject([{ code: 'unlisted-fields' }])
  })
})

function noteOn(notes: readonly Note[], code: string): string {
  return notes.find((note) => note.code === code)?.message ?? ''
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

/** Advice on the names that 3.58.0 does not have. */
import { describe, expect, it } from 'vitest'
import { adviseOnUnknown } from '../../src/engine/suggest/suggest.ts'
import { sourceOf } from '../support/name-source.ts'
import { publishedHistory, publishedList } from '../support/history.ts'
import { hasShared } from '../support/shared.ts'

describe.skipIf(!hasShared)('on 3.58.0', () => {
  it('knows what became of every earlier name that is not a name now', () => {
    const source = sourceOf('3.58.0', hasShared ? publishedList('3580').map(([, name]) => name) : [])
    const gone = [...new Set(publishedHistory().spellingsUnder('').map(({ name }) => name))].filter((name) => !source.isKnown(name)) // prettier-ignore
    expect(gone.length).toBeGreaterThan(100)
    const advice = gone.map((name) => adviseOnUnknown(name, source, publishedHistory()))
    expect(new Set(advice.map(({ code }) => code))).toEqual(new Set(['renamed-allele', 'deleted-allele']))
    expect(advice.filter(({ suggestions }) => !suggestions.every((name) => source.isKnown(name)))).toEqual([])
    expect(
      advice.filter(({ code, suggestions }) => code === 'renamed-allele' && suggestions.length !== 1),
    ).toEqual([])
  })

  it('quotes the nomenclature on A*24:329', () => {
    const source = sourceOf('3.58.0', ['A*24:329Q'])
    expect(adviseOnUnknown('A*24:329', source, publishedHistory()).hint).toBe(
      'renamed A*24:329Q in 3.39.0: "Sequence renamed A*24:329Q (October 2019)"',
    )
  })
})

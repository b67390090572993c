/** Advice on the names that 3.58.0 does not have. */
import { describe, expect, it } from 'vitest'
import { adviseOnUnknown } from '../../src/engine/suggest/suggest.ts'
import type { NameSource } from '../../src/engine/suggest/suggest.ts'
import { cutFields } from '../../src/nomenclature/allele.ts'
import { publishedHistory, publishedList } from '../support/history.ts'
import { hasShared } from '../support/shared.ts'

/** A name source with the names, their first two and three fields, and two fields with the expression letter. */
function sourceOf(release: string, names: readonly string[]): NameSource {
  const short = names.map((name) => cutFields(name, 2) + (/\D$/.test(name) ? name.slice(-1) : ''))
  const all = new Set([...names.flatMap((name) => [name, cutFields(name, 2), cutFields(name, 3)]), ...short])
  const sorted = [...all].sort()
  return {
    release,
    counts: new Map(),
    isKnown: (name) => all.has(name),
    isKnownText: (units) => all.has(String.fromCharCode(...units)),
    withPrefix: (prefix) => sorted.filter((name) => name.startsWith(prefix)),
  }
}

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

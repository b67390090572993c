/** Translates every name of the published releases. */
import { describe, expect, it, test } from 'vitest'
import { liftName } from '../../src/engine/lift/lift.ts'
import { locateSuccessor, parseSuccessor } from '../../src/engine/lift/accession.ts'
import { oldReading } from '../../src/engine/designate.ts'
import { makeEngine } from '../../src/engine/engine.ts'
import { firstField } from '../../src/nomenclature/allele.ts'
import { realRelease } from '../support/releases.ts'
import { publishedDeletions, publishedHistory, publishedList } from '../support/history.ts'
import { hasShared } from '../support/shared.ts'

describe.skipIf(!hasShared)('digits alone', () => {
  const oldNames = {}

  test.for([
    ['DPB1*1001', 'DPB1*10:01'],
    ['HLA-DPB1*1001', 'HLA-DPB1*10:01'],
    // 10:41 and 104:1 are no names
    ['DPB1*1041', 'DPB1*1041'],
    ['A*02', 'A*02'],
  ] as const)('%s is %s: an old name before a first field', ([name, result]) => {
    expect(liftName(publishedHistory(), name, { to: '3.58.0', oldNames }).result).toBe(result)
  })

  test('each first field of four digits is read as redux reads it', () => {
    const firsts = new Set(publishedList('3580').map(([, name]) => firstField(name)))
    const digits = [...firsts].filter((name) => /\*\d{4}$/.test(name))
    expect(digits.length).toBeGreaterThan(400)
    const engine = makeEngine(realRelease('3580'))
    const differing = digits.filter((name) => {
      const { result } = liftName(publishedHistory(), name, {
        to: '3.58.0',
        oldNames: engine.release.facts.oldNames,
      })
      return (result ?? name) !== (oldReading(name, engine)?.read ?? name)
    })
    expect(differing).toEqual([])
  })
})

describe.skipIf(!hasShared)('3.29.0 to 3.58.0', () => {
  const before = hasShared ? publishedList('3290') : []
  const after = new Map(hasShared ? publishedList('3580') : [])
  const lifted = () =>
    before.map(([accession, name]) => ({
      accession,
      name,
      lifted: liftName(publishedHistory(), name, { from: '3.29.0', to: '3.58.0' }),
    }))

  it('answers every accession number of the new list, and of the old one where it is still there', () => {
    const wrong = [...after, ...before.filter(([accession]) => after.has(accession))].filter(
      ([accession]) => {
        const { result, status } = liftName(publishedHistory(), accession, { to: '3.58.0' })
        return result !== after.get(accession) || status !== 'same'
      },
    )
    expect(after.size).toBeGreaterThan(40_000)
    expect(wrong).toEqual([])
  })

  it('agrees with a join by accession number on every name', () => {
    const all = lifted()
    expect(all).toHaveLength(17_344)
    const wrong = all.filter(({ accession, name, lifted: { accession: found, result, status } }) => {
      const now = after.get(accession)
      if (found !== accession) return true
      if (now === undefined) return status !== 'merged'
      return result !== now || (status === 'same') !== (now === name)
    })
    expect(wrong).toEqual([])
  })

  it('counts what the join counts', () => {
    const counts: Record<string, number> = {}
    for (const { lifted: one } of lifted()) counts[one.status] = (counts[one.status] ?? 0) + 1
    const joined: Record<string, number> = { same: 0, extended: 0, suffix: 0, renamed: 0, merged: 0 }
    for (const [accession, name] of before) {
      const kind = joinedKind(name, after.get(accession))
      joined[kind] = (joined[kind] ?? 0) + 1
    }
    expect(counts).toEqual(joined)
    // 771 spellings differ; 27 of the 743 have an expression letter, which stays at the end
    expect(counts).toEqual({ same: 16_556, extended: 743, suffix: 13, renamed: 15, merged: 17 })
  })

  it('finds the successor of all 17 alleles that are gone', () => {
    const merged = lifted().filter((one) => one.lifted.status === 'merged')
    const names = new Set(after.values())
    expect(merged.filter((one) => !names.has(one.lifted.result ?? ''))).toEqual([])
  })

  it('warns of A*30:100 alone', () => {
    const warned = lifted().filter((one) => one.lifted.warnings.some(({ code }) => code === 'reissued'))
    expect(warned.map(({ accession, name, lifted: one }) => [accession, name, one.result])).toEqual([
      ['HLA09547', 'A*30:100', 'A*30:02:12'],
    ])
  })

  it('gives the old names back', () => {
    const changed = lifted().filter((one) => one.lifted.status !== 'merged')
    const back = (name: string | null) =>
      liftName(publishedHistory(), name ?? '', { from: '3.58.0', to: '3.29.0' }).result
    expect(changed.filter((one) => back(one.lifted.result) !== one.name)).toEqual([])
  })
})

describe.skipIf(!hasShared)('the published history', () => {
  it('takes every name any release ever had to a name of 3.58.0, or says why not', () => {
    const counts: Record<string, number> = {}
    for (const { name } of publishedHistory().spellingsUnder('')) {
      const { status, result } = liftName(publishedHistory(), name, { to: '3.58.0' })
      expect(result === null).toBe(status === 'deleted')
      counts[status] = (counts[status] ?? 0) + 1
    }
    expect(counts['unknown']).toBeUndefined()
    expect(counts['ambiguous']).toBeUndefined()
  })

  it('knows where the successor of every deleted name is, when its line names one', () => {
    const missing = publishedDeletions().filter(({ description }) => {
      return (
        parseSuccessor(description) !== undefined &&
        locateSuccessor(publishedHistory(), description, '3.58.0') === undefined
      )
    })
    expect(missing).toEqual([])
  })
})

/** An independent comparison of two spellings, without their expression letters. */
function joinedKind(name: string, now: string | undefined): string {
  if (now === undefined) return 'merged'
  if (now === name) return 'same'
  const [stem = '', letter = ''] = name.split(/(?=[A-Z]$)/)
  const [nowStem = '', nowLetter = ''] = now.split(/(?=[A-Z]$)/)
  if (stem === nowStem) return 'suffix'
  return nowStem.startsWith(`${stem}:`) && letter === nowLetter ? 'extended' : 'renamed'
}

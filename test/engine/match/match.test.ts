/** Two persons at a locus of a published release, beside every choice of their alleles by a second reading of its files. */
import { beforeAll, describe, expect, test } from 'vitest'
import { makeEngine } from '../../../src/engine/engine.ts'
import type { Counts } from '../../../src/engine/match/counts.ts'
import { type Matcher, type MatchRules, newMatcher, verdictOf } from '../../../src/engine/match/match.ts'
import { readPerson } from '../../../src/engine/match/person.ts'
import {
  type MatchLevel,
  makeMatchEngines,
  type NullRule,
  resolveTyping,
} from '../../../src/engine/match/resolve.ts'
import { openStarter } from '../../../src/reference/starter/open-starter.ts'
import { type Tables, tablesOf } from '../../support/independent/tables.ts'
import { codes } from '../../support/independent/world.ts'
import { randomNumbers } from '../../support/random-numbers.ts'
import { realMacs, realRelease } from '../../support/releases.ts'
import { rounds } from '../../support/rounds.ts'
import { hasShared } from '../../support/shared.ts'

const RULES: MatchRules = { level: 'P', nulls: 'leave-out', homozygous: 2, antigenLoci: [], tce: 2 }

function matcherOf(rules: Partial<MatchRules> = {}): Matcher {
  const engines = makeMatchEngines(makeEngine(realRelease('3580'), realMacs()))
  const all = { ...RULES, ...rules }
  return newMatcher(all, true, (text, level) => resolveTyping(text, { ...all, level }, engines))
}

function compare(matcher: Matcher, locus: string, patient: string, donor: string) {
  const side = (text: string) => matcher.side(locus, readPerson(text).get(locus))
  return matcher.compare(locus, side(patient), side(donor))
}

/** One typing, by the published files: its expressed alleles, and its nulls where they count. */
interface Meaning {
  readonly expressed: readonly string[]
  readonly nulls: readonly string[]
}

function meaningOf(text: string, tables: Tables): Meaning {
  const all = text.split('/').flatMap((leaf) => allelesOf(leaf, tables))
  return {
    expressed: all.filter((name) => !name.endsWith('N')),
    nulls: all.filter((name) => name.endsWith('N')),
  }
}

function allelesOf(leaf: string, tables: Tables): readonly string[] {
  if (!leaf.includes('*')) return [...(tables.antigens.get(leaf) ?? [])]
  const group = tables.members.get(leaf)
  if (group !== undefined) return group
  const [family = '', code = ''] = leaf.split(':')
  if (code === 'XX') return (tables.xx.get(family) ?? []).flatMap((name) => below(name, tables))
  const members = /^[A-Z]{2,}$/.test(code) ? codes().get(code) : undefined
  if (members === undefined) return below(leaf, tables)
  const names = members.map((member) =>
    member.includes(':') ? `${family.split('*')[0]}*${member}` : `${family}:${member}`,
  )
  return names.filter((name) => tables.alleles.has(name)).flatMap((name) => below(name, tables))
}

/** Alleles with these first fields; without the letter N those that are expressed, unless none is. */
function below(name: string, { files: { names } }: Tables): readonly string[] {
  const own = names.filter((one) => one === name || one.startsWith(`${name}:`))
  const lettered = name.endsWith('N')
    ? names.filter((one) => one.startsWith(`${name.slice(0, -1)}:`) && one.endsWith('N'))
    : []
  const all = own.length > 0 ? own : lettered
  const expressed = all.filter((one) => !one.endsWith('N'))
  return expressed.length > 0 ? expressed : all
}

function atLevel(allele: string, level: MatchLevel, tables: Tables): string {
  if (level === 'W') return allele
  return (level === 'P' ? tables.p.get(allele) : tables.g.get(allele)?.[0]) ?? allele
}

/** A name, or a null. */
type Choice = string | null

function choicesOf(text: string, level: MatchLevel, nulls: NullRule, tables: Tables): Choice[] {
  const { expressed, nulls: own } = meaningOf(text, tables)
  const names = new Set(expressed.map((allele) => atLevel(allele, level, tables)))
  const isNull = own.length > 0 && (expressed.length === 0 || nulls === 'count')
  return [...names, ...(isNull ? [null] : [])]
}

function filled(own: readonly Choice[], other: readonly Choice[]): string[] {
  const names = own.filter((one) => one !== null)
  return names.length === 1 && own.length === 2 && !other.includes(null) ? [...names, ...names] : names
}

function bruteForce(patient: readonly Choice[][], donor: readonly Choice[][]): Counts {
  const [gvh, hvg, matched]: [Set<number>, Set<number>, Set<number>] = [new Set(), new Set(), new Set()]
  for (const own of genotypes(patient))
    for (const other of genotypes(donor)) {
      const [mine, theirs] = [filled(own, other), filled(other, own)]
      const one = mine.filter((name) => !theirs.includes(name)).length
      const two = theirs.filter((name) => !mine.includes(name)).length
      gvh.add(one)
      hvg.add(two)
      matched.add(2 - Math.max(one, two))
    }
  const range = (counts: ReadonlySet<number>) => [Math.min(...counts), Math.max(...counts)] as const
  return { gvh: range(gvh), hvg: range(hvg), matched: range(matched) }
}

function genotypes([first = [], second = []]: readonly Choice[][]): Choice[][] {
  return first.flatMap((one) => second.map((other) => [one, other]))
}

/** First fields with few alleles, so that every choice can be tried, and antigens of them. */
const FAMILIES = { A: ['A*36', 'A*43', 'A*80', 'A*74', 'A*25', 'A36', 'A80'], B: ['B*47', 'B*59', 'B*82', 'B*83', 'B47'], DRB1: ['DRB1*10', 'DRB1*09', 'DR10'], C: ['C*18', 'C*14'] } // prettier-ignore

describe.skipIf(!hasShared)('random pairs', () => {
  let tables: Tables
  let pools: [string, string[]][]
  let nullsOf: (name: string) => readonly string[]

  beforeAll(() => {
    tables = tablesOf('3580')
    const generic = [...codes()].filter(
      ([, members]) => members.length < 5 && !members.some((member) => member.includes(':')),
    )
    pools = Object.entries(FAMILIES).map(([locus, families]) => {
      const texts = families.flatMap((family) => {
        if (!family.includes('*')) return [family]
        const names = tables.files.names.filter((name) => name.startsWith(`${family}:`))
        const short = [...new Set(names.map((name) => name.split(':').slice(0, 2).join(':')))].filter(
          (name) => tables.alleles.has(name),
        )
        const groups = [...tables.members.keys()].filter((name) => name.startsWith(`${family}:`))
        const macs = generic
          .slice(0, 200)
          .map(([code, members]) => [`${family}:${code}`, members] as const)
          .filter(([, members]) => members.some((member) => tables.alleles.has(`${family}:${member}`)))
          .map(([text]) => text)
        return [`${family}:XX`, ...names, ...short, ...short, ...groups, ...macs]
      })
      return [locus, texts]
    })
    nullsOf = (locus) =>
      tables.files.names.filter((name) => name.startsWith(`${locus}*`) && name.endsWith('N'))
  })

  test.for<[MatchLevel, NullRule]>([
    ['P', 'leave-out'],
    ['P', 'count'],
    ['G', 'leave-out'],
    ['W', 'count'],
  ])('by %s, nulls %s', ([level, nulls]) => {
    const random = randomNumbers(63)
    const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T // not empty
    const matcher = matcherOf({ level, nulls })
    const seen = new Set<string>()
    for (let round = 0; round < rounds(5_000); round += 1) {
      const [locus, texts] = pick(pools)
      const typing = () =>
        random() < 0.15
          ? pick(nullsOf(locus))
          : random() < 0.2
            ? `${pick(texts)}/${pick(texts)}`
            : pick(texts)
      const [one, two] = [typing(), typing()]
      const [three, four] = random() < 0.1 ? [two, one] : [typing(), typing()]
      const isList = [one, two, three, four].some(
        (text) => text.includes('/') && !text.split('/').every((leaf) => leaf.includes('*')),
      )
      if (isList) continue
      const choices = [one, two, three, four].map((text) => choicesOf(text, level, nulls, tables))
      if (
        choices.reduce((product, list) => product * list.length, 1) > 20_000 ||
        choices.some(({ length }) => length === 0)
      )
        continue
      const [patient, donor] = [`${one}+${two}`, `${three}+${four}`]
      const found = compare(matcher, locus, patient, donor)
      const expected = bruteForce(choices.slice(0, 2), choices.slice(2))
      expect([patient, donor, found.counts]).toEqual([patient, donor, expected])
      expect(found.verdict).toBe(verdictOf(expected))
      seen.add(found.verdict)
    }
    expect([...seen].toSorted()).toEqual(['match', 'mismatch', 'potential'])
  })
})

describe.skipIf(!hasShared)('two persons', () => {
  test.for([
    ['A', 'A*24:09N+A*01:01', 'A*24:02+A*01:01', 'mismatch', [0, 0], [1, 1]],
    ['A', 'A*24:02+A*01:01', 'A*24:02:01:01+A*01:01:01:01', 'match', [0, 0], [0, 0]],
    ['A', 'A*24:02:01G+A*01:01', 'A*24:02+A*01:01', 'match', [0, 0], [0, 0]],
    // only nulls bear the number
    ['C', 'C*07:726+C*07:01', 'C*07:01+C*07:01', 'match', [0, 0], [0, 0]],
    ['DRB345', 'DRB3*01:01+DRB4*01:03', 'DRB3*01:01', 'mismatch', [1, 1], [0, 0]],
    ['DRB345', 'DRB3*01:01', 'DRB3*01:01', 'match', [0, 0], [0, 0]],
    ['DRB345', 'DRB4*NNNN', 'DRB4*01:03', 'mismatch', [0, 0], [1, 1]],
    ['A', 'A2', 'A*02:01+A*03:01', 'potential', [0, 2], [0, 2]],
    ['A', 'A*02:01+A*03:01|A*02:01+A*01:01', 'A*01:01+A*02:01', 'potential', [0, 1], [0, 1]],
  ] as const)('%s: %s and %s', ([locus, patient, donor, verdict, gvh, hvg]) => {
    const found = compare(matcherOf(), locus, patient, donor)
    expect([found.verdict, found.counts?.gvh, found.counts?.hvg]).toEqual([verdict, gvh, hvg])
  })

  test.for([
    ['S', 'A9', 'A*24:02', 'potential'],
    ['broad', 'A9', 'A*24:02', 'potential'],
    ['broad', 'A9+A1', 'A*24:02+A*01:01', 'match'],
    ['S', 'A9+A1', 'A24+A1', 'potential'],
    ['S', 'A24+A1', 'A*24:02+A*01:01', 'match'],
    ['S', 'A23+A1', 'A*24:02+A*01:01', 'mismatch'],
    ['broad', 'A23+A1', 'A*24:02+A*01:01', 'match'],
  ] as const)('by %s: %s and %s', ([level, patient, donor, verdict]) => {
    expect(compare(matcherOf({ level }), 'A', patient, donor).verdict).toBe(verdict)
  })

  test('a mismatch has the grade of its antigens, or of its first fields', () => {
    const grade = (patient: string, donor: string) => compare(matcherOf(), 'A', patient, donor).grade
    expect(grade('A*02:01+A*01:01', 'A*02:06+A*01:01')).toBe('allele')
    expect(grade('A*02:01+A*01:01', 'A*03:01+A*01:01')).toBe('antigen')
  })

  test('what cannot be read is unread, at its place', () => {
    const found = matcherOf().side('A', readPerson('B*07:02+B*08:01^A*01:01+A*01:foo').get('A'))
    expect(found).toMatchObject({ kind: 'unread', error: { offending: 'A*01:foo', position: [24, 32] } })
    const surplus = matcherOf().side('A', readPerson('A*01:01+A*02:01+A*03:01').get('A'))
    expect(surplus).toMatchObject({ kind: 'unread', error: { code: 'surplus-typing' } })
  })
})

describe('the starter set', () => {
  const engines = makeMatchEngines(makeEngine(openStarter().release))
  const matcher = (level: MatchLevel) =>
    newMatcher({ ...RULES, level }, false, (text) => resolveTyping(text, { ...RULES, level }, engines))

  test('compares names of groups, and grades by first fields', () => {
    for (const level of ['P', 'G', 'lgx', 'U2'] as const)
      expect(compare(matcher(level), 'A', 'A*01:01:01:01+A*02:01', 'A*01:01+A*03:01:01:01')).toMatchObject({
        verdict: 'mismatch',
        grade: 'antigen',
        counts: { gvh: [1, 1], hvg: [1, 1] },
      })
  })

  test('refuses what it has in part', () => {
    const refused = (level: MatchLevel, text: string) => matcher(level).side('A', readPerson(text).get('A'))
    for (const [level, text] of [
      ['W', 'A*01:01'],
      ['P', 'A*01:XX'],
      ['P', 'A25'],
      ['S', 'A*01:01'],
    ] as const)
      // prettier-ignore
      expect(refused(level, text)).toMatchObject({ kind: 'unread', error: { code: 'starter' } })
  })
})

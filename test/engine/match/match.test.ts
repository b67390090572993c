/** Two persons at a locus of a published release, beside every choice of their alleles by a second reading of its files. */
import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { makeEngine } from '../../../src/engine/engine.ts'
import type { Counts } from '../../../src/engine/match/sets.ts'
import { type Matcher, type MatchRules, newMatcher, verdictOf } from '../../../src/engine/match/match.ts'
import { ofRelease, readPerson } from '../../../src/engine/match/person.ts'
import {
  type MatchLevel,
  makeMatchEngines,
  type NullRule,
  resolveTyping,
} from '../../../src/engine/match/resolve.ts'
import { type Tables, tablesOf } from '../../support/independent/tables.ts'
import { grouped, locus as locusOf, short } from '../../support/independent/names.ts'
import { toTwoFields } from '../../support/independent/methods.ts'
import { codes, worldOf } from '../../support/independent/world.ts'
import { randomNumbers } from '../../support/random-numbers.ts'
import { realMacs, realRelease } from '../../support/releases.ts'
import { rounds } from '../../support/rounds.ts'
import { hasShared, sharedPath } from '../../support/shared.ts'

const RULES: MatchRules = {
  level: 'P',
  nulls: 'leave-out',
  homozygous: 2,
  antigenLoci: [],
  tce: 2,
  isGraded: true,
}

let shared: ReturnType<typeof makeMatchEngines> | undefined

function matcherOf(rules: Partial<MatchRules> = {}): Matcher {
  shared ??= makeMatchEngines(makeEngine(realRelease('3580'), realMacs()))
  const engines = shared
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
function below(name: string, tables: Tables): readonly string[] {
  const names = firstFields(tables).get(short(name.replace(/N$/, ''), 1)) ?? []
  const own = names.filter((one) => one === name || one.startsWith(`${name}:`))
  const lettered = name.endsWith('N')
    ? names.filter((one) => one.startsWith(`${name.slice(0, -1)}:`) && one.endsWith('N'))
    : []
  const all = own.length > 0 ? own : lettered
  const expressed = all.filter((one) => !one.endsWith('N'))
  return expressed.length > 0 ? expressed : all
}

/** First field -> full names. */
function firstFields(tables: Tables): Map<string, string[]> {
  named ??= grouped(tables.files.names.map((name) => [short(name, 1), name]))
  return named
}

let named: Map<string, string[]> | undefined

function atLevel(allele: string, level: MatchLevel, tables: Tables): string {
  if (level === 'W') return allele
  if (level === 'lgx' || level === 'U2') return toTwoFields(allele, level, worldOf('3580'))
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
    const nulls = grouped(
      tables.files.names.filter((name) => name.endsWith('N')).map((name) => [locusOf(name), name]),
    )
    nullsOf = (locus) => nulls.get(locus) ?? []
  })

  /** Makes pairs of persons at one locus; a list has no antigens. */
  function pairMaker(seed: number) {
    const random = randomNumbers(seed)
    const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T // not empty
    const isList = (text: string) =>
      text.includes('/') && !text.split('/').every((leaf) => leaf.includes('*'))
    const next = (): readonly [locus: string, texts: readonly [string, string, string, string]] => {
      const [locus, texts] = pick(pools)
      const typing = () =>
        random() < 0.15
          ? pick(nullsOf(locus))
          : random() < 0.2
            ? `${pick(texts)}/${pick(texts)}`
            : pick(texts)
      const four = [typing(), typing(), typing(), typing()] as const
      return four.some(isList) ? next() : [locus, four]
    }
    const listed = new Set(tables.files.names.filter((name) => !name.endsWith('N')))
    const full = pools.map(([locus, texts]) => [locus, texts.filter((text) => listed.has(text))] as const)
    /** Three expressed alleles with different names at the level. */
    const alleles = (level: MatchLevel): readonly [string, readonly [string, string, string]] => {
      const [locus, names] = pick(full)
      const three = [pick(names), pick(names), pick(names)] as const
      const isDistinct = new Set(three.map((name) => atLevel(name, level, tables))).size === 3
      return isDistinct ? [locus, three] : alleles(level)
    }
    return { next, pick, random, alleles }
  }

  test.for<[MatchLevel, NullRule]>([
    ['P', 'leave-out'],
    ['P', 'count'],
    ['G', 'leave-out'],
  ])(
    'form, order and direction never change an answer, and narrowing only decides it: by %s, nulls %s',
    ([level, nulls]) => {
      const { next, pick, random, alleles } = pairMaker(17)
      const matcher = matcherOf({ level, nulls })
      const among = (list: readonly string[]) => list.filter(() => random() < 0.5)
      const narrowed = (text: string) => {
        const { expressed, nulls: own } = meaningOf(text, tables)
        if (nulls === 'count') return [...among([...expressed, ...own]), pick([...expressed, ...own])]
        return expressed.length === 0 ? own : [...among(expressed), ...among(own), pick(expressed)]
      }
      for (let round = 0; round < rounds(3_400); round += 10) {
        const [locus, [a, b, c]] = alleles(level)
        const verdict = (place: string) => compare(matcher, locus, `${place}+${c}`, `${c}+${a}`).verdict
        const verdicts = [verdict(`${a}/${b}`), verdict(a), verdict(b)]
        expect([a, b, c, verdicts]).toEqual([a, b, c, ['potential', 'match', 'mismatch']])
      }
      for (let round = 0; round < rounds(3_400); round += 1) {
        const [locus, texts] = next()
        const lists = texts.map((text) => meaningOf(text, tables))
        if (lists.some(({ expressed, nulls: own }) => expressed.length + own.length === 0)) continue
        const [a, b, c, d] = texts
        const found = compare(matcher, locus, `${a}+${b}`, `${c}+${d}`)
        const turned = compare(matcher, locus, `${d}+${c}`, `${b}+${a}`)
        expect([texts, turned.verdict, turned.counts?.gvh, turned.counts?.hvg]).toEqual([texts, found.verdict, found.counts?.hvg, found.counts?.gvh]) // prettier-ignore
        const [w, x, y, z] = lists.map(({ expressed, nulls: own }) =>
          [...own, ...expressed].toReversed().join('/'),
        )
        const listed = compare(matcher, locus, `${w}+${x}`, `${y}+${z}`)
        expect([texts, listed.verdict, listed.counts]).toEqual([texts, found.verdict, found.counts])
        const at = Math.floor(random() * 4)
        const [e, f, g, h] = texts.map((text, place) =>
          place === at ? [...new Set(narrowed(text))].join('/') : text,
        )
        const narrow = compare(matcher, locus, `${e}+${f}`, `${g}+${h}`)
        if (found.verdict !== 'potential')
          expect([e, f, g, h, narrow.verdict]).toEqual([e, f, g, h, found.verdict])
        for (const key of ['gvh', 'hvg', 'matched'] as const) {
          const [least, most] = found.counts?.[key] ?? [0, 0]
          const [own = -1, other = 99] = narrow.counts?.[key] ?? []
          expect([e, f, g, h, key, own >= least && other <= most]).toEqual([e, f, g, h, key, true])
        }
      }
    },
  )

  test.for<[MatchLevel, NullRule]>([
    ['P', 'leave-out'],
    ['P', 'count'],
    ['G', 'leave-out'],
    ['lgx', 'leave-out'],
    ['U2', 'count'],
    ['W', 'count'],
  ])('by %s, nulls %s', ([level, nulls]) => {
    const { next, alleles } = pairMaker(63)
    const matcher = matcherOf({ level, nulls })
    const seen = new Set<string>()
    for (let round = 0; round < rounds(5_000); round += 1) {
      // of random pairs few match for sure, by W hardly one: every tenth is made so
      const [own, [a, b]] = alleles(level)
      const isMade = round % 10 === 0
      const [locus, [one, two, three, four]] = isMade ? [own, [a, b, b, a]] : next()
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
      if (isMade) expect([a, b, found.verdict]).toEqual([a, b, 'match'])
      else seen.add(found.verdict)
    }
    expect([...seen]).toEqual(expect.arrayContaining(['mismatch', 'potential']))
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
    // no antigen is known of C*12:03
    expect(compare(matcherOf(), 'C', 'C*12:03+C*07:01', 'C*15:02+C*07:01')).toMatchObject({
      grade: 'antigen',
      isGradedByField: true,
    })
    expect(compare(matcherOf(), 'A', 'A*02:01', 'A*03:01').isGradedByField).toBeUndefined()
  })

  test('notes say what is left out, expressed or typed once, and --nulls count considers nulls', () => {
    const codes = (matcher: Matcher, text: string) => {
      const side = matcher.side('A', readPerson(text).get('A'))
      return side.kind === 'typed' ? side.notes.map(({ code }) => code) : side.kind
    }
    expect(codes(matcherOf(), 'A*24:02/A*24:09N+A*01:01')).toEqual(['null-possible'])
    expect(codes(matcherOf({ nulls: 'count' }), 'A*24:02/A*24:09N+A*01:01')).toEqual([])
    expect(codes(matcherOf(), 'A*24:09N+A*01:01')).toEqual([])
    expect(codes(matcherOf(), 'A*24:02:01:02L+A*01:01')).toEqual(['expression'])
    expect(codes(matcherOf(), 'A*01:01')).toEqual(['one-typing'])
    expect(codes(matcherOf(), 'A1')).toEqual([])
    // A*02:01 is typed with its second copy
    expect(codes(matcherOf(), 'A*01:01|A*02:01+A*03:01')).toEqual(['one-typing'])
    expect(codes(matcherOf(), 'A*02:01+A*03:01|A*01:01')).toEqual(['one-typing'])
  })

  test.for([
    ['A*01:01', true],
    ['A*01:01+A*01:01', false],
  ] as const)('%s of a GL String Code is typed once: %s', ([text, isOnce]) => {
    const typed = readPerson(text).get('A')
    const coded = typed && ofRelease(typed, '3.58.0')
    if (coded?.kind !== 'typed') throw new Error('not read')
    expect(coded.genotypes.map(([one, other]) => one === other)).toEqual([isOnce])
  })

  test('what cannot be read is unread, at its place', () => {
    const found = matcherOf().side('A', readPerson('B*07:02+B*08:01^A*01:01+A*01:foo').get('A'))
    expect(found).toMatchObject({ kind: 'unread', error: { offending: 'A*01:foo', position: [24, 32] } })
    const withoutAlleles = matcherOf().side('B', readPerson('B*07:02+Bw4').get('B'))
    expect(withoutAlleles).toMatchObject({ kind: 'unread', error: { code: 'no-alleles', position: [8, 11] } })
    const surplus = matcherOf().side('A', readPerson('A*01:01+A*02:01+A*03:01').get('A'))
    expect(surplus).toMatchObject({ kind: 'unread', error: { code: 'surplus-typing' } })
  })
})

test
  .skipIf(!hasShared)
  .for([
    'A*02:XX+A*24:XX',
    'B*15:XX+B*40:XX',
    'C*07:XX+C*03:XX',
    'DRB1*04:XX+DRB1*15:XX',
    'DQB1*03:XX+DQB1*06:XX',
    'DQA1*01:XX+DQA1*05:XX',
    'DPA1*01:XX+DPA1*02:XX',
    'DPB1*04:XX+DPB1*02:XX',
  ])(
  // prettier-ignore
  'two XX codes against themselves: %s',
  (text) => {
    const found = compare(matcherOf(), text.split('*')[0] ?? '', text, text)
    expect([found.verdict, found.counts]).toEqual([
      'potential',
      { gvh: [0, 2], hvg: [0, 2], matched: [0, 2] },
    ])
  },
)

test.skipIf(!hasShared)('a null is an empty place beside an expressed allele of its group', () => {
  const [, ...lines] = readFileSync(sharedPath('match/null-pairs-3580.tsv'), 'utf8').trimEnd().split('\n')
  const { files, p } = tablesOf('3580')
  const matcher = matcherOf()
  expect(lines).toHaveLength(246)
  for (const line of lines) {
    const [nullAllele = '', expressed = ''] = line.split('\t')
    const gene = nullAllele.split('*')[0] ?? ''
    const other = files.names.find((name) => name.startsWith(`${gene}*`) && /\d$/.test(name) && (p.get(name) ?? name) !== (p.get(expressed) ?? expressed)) // prettier-ignore
    const locus = /^DRB[345]$/.test(gene) ? 'DRB345' : gene
    const found = compare(matcher, locus, `${expressed}+${other}`, `${nullAllele}+${other}`)
    expect([line, found.verdict, found.counts?.gvh, found.counts?.hvg]).toEqual([line, 'mismatch', [1, 1], [0, 0]]) // prettier-ignore
  }
})

/** Reductions of single typings and of GL Strings: the table in test/fixtures/redux.tsv, notes, limits, properties. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readLeniencies, readLeniently } from '../../src/engine/accept.ts'
import { makeEngine } from '../../src/engine/engine.ts'
import { DEFAULT_OPTIONS, DESIGNATION_KINDS, type DesignationKind } from '../../src/engine/options.ts'
import { METHOD_NAMES, type Method, METHODS, parseMethod } from '../../src/engine/reduce/methods.ts'
import { redux } from '../../src/engine/redux.ts'
import { findMixedLoci, findOddities } from '../../src/engine/validate/oddities.ts'
import { validateGlString } from '../../src/engine/validate/validate.ts'
import { type Note } from '../../src/errors.ts'
import { parseGlString } from '../../src/nomenclature/gl-string.ts'
import {
  countFields,
  firstField,
  isGrouped,
  readLocus,
  twoFields,
  withoutPrefix,
} from '../../src/nomenclature/allele.ts'
import type { Release } from '../../src/reference/release.ts'
import { answerOf, refusalOf } from '../support/reductions.ts'
import { readTexts, realMacs, realRelease, releasesAtHand } from '../support/releases.ts'
import { rounds } from '../support/rounds.ts'
import { hasShared } from '../support/shared.ts'
import { readFixture, smallMacs, smallRelease } from '../support/small-release.ts'

const ROWS = readFixture('redux.tsv').map(({ method = '', given = '', expected = '' }) => ({
  method: parseMethod(method),
  given,
  expected,
}))
const small = makeEngine(smallRelease(), smallMacs())

describe.skipIf(!hasShared)('release 3.58.0', () => {
  test.for(ROWS)('$method of "$given" is $expected', ({ method, given, expected }) => {
    expect(answerOf(makeEngine(realRelease('3580'), realMacs()), given, method)).toBe(expected)
  })

  test.for([
    ['lgx', 'A*01:04', 'A*01:01', ['A*01:04:01:01N', 'A*01:04:01:02N']],
    ['G', 'A*02:01^HLA-C*07:33', 'C*07:33:01G', ['C*07:33N', 'C*07:936N']],
    ['lgx', 'B*40:155:01G', 'B*40:155', ['B*40:155:01N', 'B*40:155:02N']],
    // 04, of which A*01:04 is the short name
    ['U2', 'A*01:AD', 'A*01:04', ['A*01:04:01:01N', 'A*01:04:01:02N']],
  ] as const)('%s of %s has %s, of null alleles alone, and says so', ([method, given, part, nulls]) => {
    const { text, notes } = redux(makeEngine(realRelease('3580'), realMacs()), given, method)
    expect(text).toContain(part)
    const losses = nulls.map((name) => ({ name, kind: 'letter' }))
    expect(notes).toMatchObject([{ level: 'note', code: 'expression-lost', losses }])
  })

  test.for([
    ['U2', 'A*01:04'],
    ['lgx', 'C*07:33'],
    ['P', 'C*07:33'],
    ['W', 'A*01:04'],
    // an answer of expressed members, too
    ['lgx', 'A*01:AD'],
  ] as const)('%s of %s loses no letter', ([method, given]) => {
    expect(redux(makeEngine(realRelease('3580'), realMacs()), given, method).notes).toEqual([])
  })

  test('every XX code of a locus without groups comes back with a note', () => {
    const release = realRelease('3580')
    const engine = makeEngine(release, realMacs())
    const families = new Set(namesOf(release).map(firstField))
    const codes = [...families].filter((one) => !isGrouped(readLocus(one))).map((family) => `${family}:XX`)
    const silent = codes.filter((code) => {
      const { text, notes } = redux(engine, code, 'lgx')
      return text !== code || notes[0]?.code !== 'no-groups'
    })
    expect(silent).toEqual([])
    expect(codes.length).toBe(394)
  })
})

describe('the table', () => {
  test.for(METHOD_NAMES)('has a row for method %s', (method) => {
    expect(ROWS.filter((row) => row.method === method)).not.toEqual([])
  })

  test.for(DESIGNATION_KINDS)('has a row for a designation of kind %s', (kind) => {
    expect(ROWS.filter(({ given }) => kindsOf(given).has(kind))).not.toEqual([])
  })
})

describe('redux', () => {
  test.for(['HFE*002:RRNY', 'MICA*167:HYPG', 'HLA-MICA*167:HYPG+MICA*002:01'])(
    'refuses %s: the code leaves no allele, at a locus without groups too',
    (given) => {
      if (!hasShared) return
      for (const options of [DEFAULT_OPTIONS, { ...DEFAULT_OPTIONS, keep: ['mac' as const] }]) {
        const engine = makeEngine(realRelease('3580'), realMacs(), options)
        expect(refusalOf(engine, given, 'lgx').code).toBe('mac-empty-expansion')
      }
    },
  )

  test.skipIf(!hasShared).for([
    ['C*07011', 'C*07:01:01', []],
    ['DPA1*02011', 'DPA1*02:01:01', []],
    ['DPB1*11011', 'DPB1*11:01:01', []],
    ['DPB1*10501', 'DPB1*105:01', []],
    ['A*2402102L', 'A*24:02:01:02L', []],
    ['DRB4*0103102N', 'DRB4*01:03:01:02N', []],
    ['A*01041N', 'A*01:04:01N', []],
    ['B*18012', 'B*18:01:02', []],
    ['C*0422301', 'C*04:223:01', []],
    ['A*24525', 'A*24:525', []],
    // both exist; py-ard uses the first
    ['A*02116', 'A*02:116', ['old-name-readings']],
    ['A*021101', 'A*02:11:01', ['old-name-readings']],
    ['B*15160101', 'B*15:16:01:01', ['old-name-readings']],
  ] as const)('%s, a name from before 2002 or without its colon, is %s', ([old, present, codes]) => {
    const engine = makeEngine(realRelease('3580'), realMacs())
    const read = redux(engine, old, 'W')
    expect(read.text).toBe(redux(engine, present, 'W').text)
    expect(read.notes.map(({ code }) => code)).toEqual(codes)
  })

  test.skipIf(!hasShared).for([
    ['DPA1*01112', ['DPA1*01:11:02', 'DPA1*01:112']],
    ['A*0101101', ['A*01:01:01:01', 'A*01:01:101']],
    ['C*0401155', ['C*04:01:01:55', 'C*04:01:155']],
    ['B*1525101', ['B*15:251:01', 'B*15:25:01:01']],
    ['A*021012', ['A*02:101:02', 'A*02:1012']],
  ] as const)('refuses %s, which py-ard does not read: it can be %s', ([old, suggestions]) => {
    const engine = makeEngine(realRelease('3580'), realMacs())
    const refused = { code: 'ambiguous-old-name', suggestions }
    expect(refusalOf(engine, `B*07:02+${old}`, 'lgx')).toMatchObject(refused)
    expect(validateGlString(engine, old).problems).toMatchObject([refused])
    expect(readLeniently({ engine }, old, readLeniencies(['all']))).toEqual({ text: old, notes: [] })
    for (const name of suggestions) expect(redux(engine, name, 'W').text).not.toBe('')
  })

  test.skipIf(!hasShared).for([
    ['DQA1*05:01/DQB1*02:01', 1],
    ['DQA1*05:01+DQB1*02:01', 1],
    ['A*01:01/B7', 1],
    ['A1+B7', 1],
    ['C*07:01+C*07:02^A*01:01+B*07:02', 1],
    ['A*01:01/B7^C*07:01', 1],
    ['B7+B8^DRB3*01:01+DRB4*01:03', 0],
    ['A*01:01+A*02:01^B*07:02/B*07:05+B*08:01', 0],
    ['DQA1*05:01~DQB1*02:01', 0],
    ['DRB3*01:01+DRB4*01:03', 0],
    ['A*01:01/HLA-A*02:01', 0],
    ['A*01:01', 0],
  ] as const)('mixed loci of %s are said as validate says them: %s', ([given, count]) => {
    const engine = makeEngine(realRelease('3580'), realMacs())
    const mixed = (notes: readonly Note[]) => notes.filter(({ code }) => code === 'mixed-loci')
    const { notes } = redux(engine, given, 'lgx')
    expect(mixed(notes)).toEqual(mixed(validateGlString(engine, given).warnings))
    expect(mixed(notes)).toHaveLength(count)
  })

  test('mixed loci of any GL String are those of its oddities', () => {
    const names = ['A*01:01', 'HLA-A*02:01', 'A1', 'B7', 'B*07:02', 'DRB3*01:01', 'DRB4*01:03', 'DRB1*15']
    const piece = fc.tuple(fc.constantFrom(...names), fc.constantFrom('^', '^', '+', '+', '|', '~', '/', '?'))
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 8 }), (pieces) => {
        const text = pieces.flat().slice(0, -1).join('')
        const mixed = findOddities(parseGlString(text)).filter(({ code }) => code === 'mixed-loci')
        expect(findMixedLoci(text)).toEqual(mixed)
      }),
      { numRuns: rounds(10_000) },
    )
  })

  test.skipIf(!hasShared)(
    'an old name that several names are written as is never read without a word',
    () => {
      const release = realRelease('3580')
      const engine = makeEngine(release, realMacs())
      const written = new Map<string, Set<string>>()
      for (let id = 0; id < release.size; id += 1) {
        const [locus = '', fields = ''] = release.nameOf(id).split('*')
        if (!release.isKind('allele', id) || !fields.includes(':') || /^(?:MIC|HFE)/.test(locus)) continue
        for (const digits of [fields, fields.replace(/^([^:]*:[^:]*:)0/, '$1')]) {
          const old = `${locus}*${digits.replaceAll(':', '')}`
          written.set(old, (written.get(old) ?? new Set()).add(release.nameOf(id)))
        }
      }
      const several = [...written].filter(([, names]) => names.size > 1).map(([old]) => old)
      const counts = { noted: 0, refused: 0 }
      const silent = several.filter((old) => {
        try {
          const { notes } = redux(engine, old, 'W')
          if (!notes.some(({ code }) => code === 'old-name-readings')) return true
          expect(validateGlString(engine, old).warnings[0]).toMatchObject({ code: 'old-name-readings' })
          counts.noted += 1
        } catch (error) {
          expect(error).toMatchObject({ code: 'ambiguous-old-name' })
          counts.refused += 1
        }
        return false
      })
      expect(silent).toEqual([])
      // of 1,146 with five and seven digits, 505 were once read without a note; 42 have more
      expect(counts).toEqual({ noted: 674, refused: 514 })
    },
  )

  test.skipIf(!hasShared)('refuses an answer that is longer than a text may be, without a limit too', () => {
    const engine = makeEngine(realRelease('3580'), realMacs(), { ...DEFAULT_OPTIONS, limit: 0 })
    // W of one is 25,000 characters
    for (const copies of [7000, 25_000]) {
      const many = Array.from({ length: copies }, () => 'A*02:XX').join('+')
      expect(refusalOf(engine, many, 'W').code).toBe('too-ambiguous')
    }
  })

  test('says what there is to say of each of very many names of a list', () => {
    const engine = makeEngine(smallRelease(), smallMacs(), { ...DEFAULT_OPTIONS, limit: 0 })
    const names = Array.from(
      { length: 130_000 },
      (_, at) => `A*01:01:${(at % 9000) + 1000}:${Math.floor(at / 9000) + 100}`,
    )
    expect(redux(engine, names.join('/'), 'lgx').notes).toHaveLength(names.length)
  })
})

describe.skipIf(!hasShared).for(releasesAtHand())('every published group of %s', (compact) => {
  const groups = [...publishedGroups(compact, 'g'), ...publishedGroups(compact, 'p')]
  const engine = () => makeEngine(realRelease(compact), realMacs(), { ...DEFAULT_OPTIONS, limit: 0 })

  test.for(METHOD_NAMES)('%s is names of the release, or refused', (method) => {
    const isName = nameTest(engine().release, method)
    const wrong = groups.flatMap((group) => {
      const names = answerOf(engine(), group, method)
      return NO_ANSWER.includes(names) || names.split('/').every(isName) ? [] : [`${group} -> ${names}`]
    })
    expect(wrong).toEqual([])
  })
})

describe.skipIf(!hasShared)('S of every name of 3.58.0', () => {
  /** Names with antigens that none of their alleles has, and the antigens of their alleles that they lack. */
  function differing(ownAntigens: boolean) {
    const release = realRelease('3580')
    const engine = makeEngine(release, realMacs(), { ...DEFAULT_OPTIONS, ownAntigens })
    return namesOf(release).map((name) => {
      const covered = release.listOf('groupMembers', name) ?? release.listOf('who', name) ?? [name]
      const own = new Set(covered.flatMap((one) => release.listOf('alleleAntigens', one) ?? []))
      const given = METHODS.S.reduce(name, engine)
      return {
        name,
        added: given.filter((one) => !own.has(one)),
        lacking: [...own].filter((one) => !given.includes(one)),
      }
    })
  }

  test('has all antigens of the alleles covered, and with --own-antigens no others', () => {
    const own = differing(true).filter(({ added, lacking }) => added.length + lacking.length > 0)
    expect(own).toEqual([])
    const byLgx = differing(false)
    expect(byLgx.filter(({ lacking }) => lacking.length > 0)).toEqual([])
    expect(byLgx.filter(({ added }) => added.length > 0).length).toBe(665)
  })
})

const NO_ANSWER = ['error no-serology', 'error no-hats']

function publishedGroups(compact: string, kind: 'g' | 'p'): string[] {
  const rows = readTexts(compact)[kind === 'g' ? 'gGroups' : 'pGroups'].split(/\r?\n/)
  return rows
    .filter((row) => !row.startsWith('#'))
    .map((row) => row.split(';'))
    .filter(([, , name]) => Boolean(name))
    .map(([locus, , name]) => `${locus}${name}`)
}

/**
 * Alleles and their short forms, groups, antigens, first fields; for lgx also two fields of a G group without an
 * allele.
 */
function nameTest(release: Release, method: Method): (name: string) => boolean {
  const kinds = ['allele', 'gGroup', 'pGroup', 'antigen', 'firstField'] as const
  const ofGroups = new Set(namesOfKind(release, 'gGroup').map(twoFields))
  return (name) => {
    const bare = method === 'lg' ? name.replace(/g$/, '') : name
    if (kinds.some((kind) => release.is(kind, bare)) || release.listOf('shortNull', bare)) return true
    return ['lg', 'lgx', 'U2'].includes(method) && ofGroups.has(bare)
  }
}

function namesOfKind(release: Release, kind: 'gGroup'): string[] {
  return Array.from({ length: release.size }, (_, id) => id)
    .filter((id) => release.isKind(kind, id))
    .map((id) => release.nameOf(id))
}

/** Reducing an answer again: every answer is accepted as input. */
describe.skipIf(!hasShared)('reducing twice', () => {
  test.for(['G', 'P', 'lgx'] as const)('%s changes nothing more of any name of 3.58.0', (method) => {
    const release = realRelease('3580')
    const engine = makeEngine(release, realMacs(), { ...DEFAULT_OPTIONS, limit: 0 })
    const changed = namesOf(release).flatMap((name) => {
      const once = redux(engine, name, method).text
      const twice = redux(engine, once, method).text
      return once === twice ? [] : [`${name}: ${once} -> ${twice}`]
    })
    expect(changed).toEqual([])
  })
})

describe('the order of parts', () => {
  const names = namesOf(small.release)
  const part = fc
    .array(fc.constantFrom(...names), { minLength: 1, maxLength: 3 })
    .map((list) => list.join('/'))
  const method = fc.constantFrom(...METHOD_NAMES.filter((one) => one !== 'hats'))

  test.for(['/', '|', '+', '^'])('does not matter between %s', (operator) => {
    fc.assert(
      fc.property(fc.array(part, { minLength: 2, maxLength: 5 }), method, fc.nat(), (parts, one, seed) => {
        const shuffled = [...parts].sort((a, b) => mixed(a, seed) - mixed(b, seed))
        expect(answerOf(small, shuffled.join(operator), one)).toBe(answerOf(small, parts.join(operator), one))
      }),
    )
  })
})

function mixed(text: string, seed: number): number {
  let hash = seed | 1
  for (const letter of text) hash = Math.imul(hash ^ letter.charCodeAt(0), 0x01000193)
  return hash
}

function namesOf(release: Release): string[] {
  const names: string[] = []
  for (let id = 0; id < release.size; id += 1) {
    const isName = ['allele', 'gGroup', 'pGroup'] as const
    if (isName.some((kind) => release.isKind(kind, id))) names.push(release.nameOf(id))
  }
  return names
}

/** The kinds of designations in a row of the table. */
function kindsOf(given: string): Set<DesignationKind> {
  return new Set(given.split(/[/|+^~]/).map((leaf) => kindOf(withoutPrefix(leaf))))
}

function kindOf(name: string): DesignationKind {
  if (!name.includes('*')) return 'serology'
  if (/^\w+\*\d+:XX$/.test(name)) return 'xx'
  if (/^\w+\*\d+:[A-Z]+$/.test(name)) return 'mac'
  if (/[GPg]$/.test(name)) return name.slice(-1) as 'G' | 'P' | 'g' // `includes` was tested above
  if (small.release.listOf('shortNull', name) !== undefined) return 'null'
  if (/^\w+\*\d\d\w\w/.test(name)) return 'v2'
  return (['1field', '2field', '3field', '4field'] as const)[countFields(name) - 1] ?? '4field'
}

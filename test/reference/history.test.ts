/** The history of names: compiled from allele lists or from the single history file, opened, queried. */
import * as fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { encodeHistory, readHistory, parseCodeRelease } from '../../src/reference/history/history.ts'
import type { History, ReleaseList, Spelling } from '../../src/reference/history/history.ts'
import { readLateHistory } from '../support/late-release.ts'
import { parseAlleleHistory } from '../../src/reference/sources/allele-history.ts'
import { parseDeletedAlleles } from '../../src/reference/history/history-files.ts'
import {
  SMALL_DELETIONS,
  SMALL_LISTS,
  publishedDeletions,
  publishedHistory,
  publishedList,
} from '../support/history.ts'
import { listOf, smallHistory } from '../support/history.ts'
import { hasShared } from '../support/shared.ts'

describe('releaseOfCode', () => {
  test.for([
    ['300', '3.0.0'],
    ['390', '3.9.0'],
    ['3100', '3.10.0'],
    ['3131', '3.13.0'],
    ['3290', '3.29.0'],
    ['2221', '2.22.1'],
    ['1050', '1.5.0'],
  ] as const)('reads %s as %s', ([code, label]) => expect(parseCodeRelease(code)).toBe(label))

  it('refuses what is not a release number', () => {
    for (const code of ['Latest', 'x3290', '3290x', '33', ''])
      expect(() => parseCodeRelease(code)).toThrow(expect.objectContaining({ code: 'bad-release-file' }))
  })
})

describe('parseDeletedAlleles', () => {
  it('reads both parts, whatever header they have, and keeps commas of the description', () => {
    const text = [
      '# date: 2024-10-09', '# Deleted Alleles', 'AlleleID,Allele,Description',
      'HLA15827,A*03:260,Sequence shown to be identical to A*03:284N (September 2017). The name, has been reused',
      'see HLA15828,A*03:261,Not a row', '15829,A*03:262,Not a row',
      '# Alleles With Suffix Changes', 'AlleleID,Allele,Description', 'HLA14501,A*24:329,Sequence renamed A*24:329Q', '',
    ].join('\r\n') // prettier-ignore
    expect(parseDeletedAlleles(text)).toEqual([
      {
        accession: 'HLA15827',
        name: 'A*03:260',
        description:
          'Sequence shown to be identical to A*03:284N (September 2017). The name, has been reused',
      },
      { accession: 'HLA14501', name: 'A*24:329', description: 'Sequence renamed A*24:329Q' },
    ])
  })
})

describe('parseAlleleHistory', () => {
  it('gives the columns, without the alleles a release does not have', () => {
    const text = '# a line\n# another\nHLA_ID,3100,390\nHLA00001,A*01:01:01,A*01:01\nHLA00002,A*01:01:02,NA\n'
    const columns = parseAlleleHistory(text).map(({ release, rows }) => [release, [...rows]])
    expect(columns).toEqual([
      ['3.10.0', [['HLA00001', 'A*01:01:01'], ['HLA00002', 'A*01:01:02']]],
      ['3.9.0', [['HLA00001', 'A*01:01']]],
    ]) // prettier-ignore
  })

  it('refuses a file without release numbers', () => {
    const parse = () => parseAlleleHistory('HLA00001,A*01:01\n')
    expect(parse).toThrow(expect.objectContaining({ code: 'bad-release-file' }))
  })

  it('compiles to the same bytes as the lists it is made of', () => {
    const accessions = [
      ...new Set(SMALL_LISTS.flatMap(({ rows }) => [...rows].map(([accession]) => accession))),
    ]
    const maps = SMALL_LISTS.map(({ rows }) => new Map(rows))
    const lines = accessions.map((accession) =>
      [accession, ...maps.map((map) => map.get(accession) ?? 'NA')].join(','),
    )
    const text = ['# history', 'HLA_ID,390,3100,3110,3120', ...lines].join('\n')
    expect(encodeHistory(parseAlleleHistory(text), [])).toEqual(encodeHistory(SMALL_LISTS, []))
  })
})

describe('historyOf', () => {
  const history = smallHistory()

  it('lists the releases by number', () => {
    expect(history.releases).toEqual(['3.9.0', '3.10.0', '3.11.0', '3.12.0'])
  })

  it('knows every owner of a name, by first release', () => {
    expect(history.ownersOf('A*30:100')).toEqual([
      { accession: 'HLA00020', name: 'A*30:100', first: '3.9.0', last: '3.9.0' },
      { accession: 'HLA00020', name: 'A*30:100', first: '3.11.0', last: '3.11.0' },
      { accession: 'HLA00022', name: 'A*30:100', first: '3.12.0', last: '3.12.0' },
    ])
  })

  it('knows every name of an accession number, one that came back twice', () => {
    const names = history.spellingsOf('HLA00020').map(({ name, first }) => `${first} ${name}`)
    expect(names).toEqual(['3.9.0 A*30:100', '3.10.0 A*30:02:12', '3.11.0 A*30:100', '3.12.0 A*30:02:12'])
  })

  test.for([
    ['3.11.0', 'A*30:100', 'HLA00020'],
    ['3.12.0', 'A*30:100', 'HLA00022'],
    ['3.10.0', 'A*30:100', undefined],
    ['3.99.0', 'A*30:100', undefined],
    ['3.12.0', 'A*30:10', undefined],
  ] as const)('in %s the owner of %s is %s', ([release, name, owner]) => {
    expect(history.accessionIn(release, name)).toBe(owner)
  })

  it('has nothing for names and numbers it never saw', () => {
    expect(history.ownersOf('A*30:1')).toEqual([])
    expect(history.ownersOf('')).toEqual([])
    expect(history.spellingsOf('HLA99999')).toEqual([])
    expect(history.spellingsOf('HLA1')).toEqual([])
    expect(history.deletionOf('A*30:100')).toBeUndefined()
  })

  it('finds deletions by name and by accession number', () => {
    expect(history.deletionOf('A*0310')).toEqual(SMALL_DELETIONS[4])
    expect(history.deletionOfAccession('HLA00050')).toEqual(SMALL_DELETIONS[0])
  })

  it('finds a deletion by number, name, or the present spelling of the name, in this order', () => {
    const deletions = [
      { accession: 'HLA00003', name: 'A*010103', description: 'c' },
      { accession: 'HLA00001', name: 'A*01:01:03', description: 'a\tand\nmore' },
      { accession: 'HLA00001', name: 'A*01:04', description: 'later' },
    ]
    const [one, two, three] = [{ ...deletions[1], description: 'a and more' }, deletions[2], deletions[0]]
    const deleted = readHistory(encodeHistory(SMALL_LISTS, deletions))
    expect(['A*01:01:03', 'A*01:04', 'A*010103', 'A*01:05', ''].map((name) => deleted.deletionOf(name))).toEqual([one, two, three, undefined, undefined])
    expect(['HLA00001', 'HLA00003', 'HLA00002'].map((accession) => deleted.deletionOfAccession(accession))).toEqual([one, three, undefined])
    const none = readHistory(encodeHistory([], []))
    expect([none.releases, none.spellingsUnder(''), none.deletionOf('A*01:01'), none.nameIn('3.58.0', 'HLA00001')]).toEqual([[], [], undefined, undefined])
  }) // prettier-ignore

  it('finds names below a beginning until one is accepted', () => {
    const seen: string[] = []
    const accept = ({ name }: Spelling) => seen.push(name) === 2
    const all = history.spellingsUnder('A*30').map(({ name }) => name)
    expect(all.length).toBeGreaterThan(2)
    expect([history.hasSpellingUnder('A*30', accept), seen]).toEqual([true, all.slice(0, 2)])
    expect([history.hasSpellingUnder('A*30'), history.hasSpellingUnder('A*31:99'), history.hasSpellingUnder('A*30', () => false)]).toEqual([true, false, false])
    expect(all.every((name) => name.startsWith('A*30'))).toBe(true)
  }) // prettier-ignore

  it('opens bytes that begin anywhere in their buffer', () => {
    const bytes = encodeHistory(SMALL_LISTS, SMALL_DELETIONS)
    const shifted = new Uint8Array(bytes.length + 1)
    shifted.set(bytes, 1)
    expect(readHistory(shifted.subarray(1)).spellingsOf('HLA00020')).toHaveLength(4)
  })

  test.for([
    ['owners', (history: History, { name }: Spelling) => history.ownersOf(name)],
    ['spellings', (history: History, { accession }: Spelling) => history.spellingsOf(accession)],
    ['names below', (history: History, { name }: Spelling) => history.spellingsUnder(name.slice(0, 4))],
    ['accession number', (history: History, { first, name }: Spelling) => history.accessionIn(first, name)],
    ['name', (history: History, { last, accession }: Spelling) => history.nameIn(last, accession)],
    ['deletion', (history: History, { name }: Spelling) => history.deletionOf(name)],
    [
      'deletion of a number',
      (history: History, { accession }: Spelling) => history.deletionOfAccession(accession),
    ],
  ] as const)(
    'answers the %s of each name when that is the first that is asked, of bytes that are read late',
    ([, ask]) => {
      const bytes = encodeHistory(SMALL_LISTS, SMALL_DELETIONS)
      const whole = readHistory(bytes)
      for (const spelling of whole.spellingsUnder(''))
        expect([spelling, ask(readLateHistory(bytes), spelling)]).toEqual([spelling, ask(whole, spelling)])
    },
  )

  test.for([
    ['nothing', (bytes: Uint8Array) => bytes.subarray(0, 0), 'unknown-format'],
    ['a part', (bytes: Uint8Array) => bytes.slice(0, -1), 'truncated-file'],
    ['another file', (bytes: Uint8Array) => bytes.map((byte, at) => (at === 0 ? 0 : byte)), 'unknown-format'],
    [
      'another version',
      (bytes: Uint8Array) => bytes.map((byte, at) => (at === 4 ? 255 : byte)),
      'unknown-format',
    ],
  ] as const)('refuses %s', ([, damage, code]) => {
    const bytes = damage(encodeHistory(SMALL_LISTS, []))
    expect(() => readHistory(bytes)).toThrow(expect.objectContaining({ code }))
  })
})

describe('encodeHistory', () => {
  const name = fc.constantFrom('A*01:01', 'A*01:01:01', 'A*01:01:01:01', 'A*01:010', 'B*07:02', 'B*07:02N')
  const rows = fc.uniqueArray(
    fc.tuple(fc.constantFrom('HLA00001', 'HLA00002', 'HLA12345', 'HLA123456'), name),
    {
      selector: ([accession]) => accession,
    },
  )
  const lists = fc
    .array(rows, { minLength: 1, maxLength: 8 })
    .map((all) => all.map((some, at) => ({ release: `3.${at}.0`, rows: some })))

  it('keeps every row of every list, and no other', () => {
    fc.assert(
      fc.property(lists, (given) => {
        const history = readHistory(encodeHistory(given, []))
        for (const { release, rows: some } of given) {
          const kept = history
            .spellingsUnder('')
            .filter((spelling) => history.nameIn(release, spelling.accession) === spelling.name)
          expect(new Map(kept.map((spelling) => [spelling.accession, spelling.name]))).toEqual(new Map(some))
        }
      }),
    )
  })

  it('gives the same bytes whatever the order of lists and rows', () => {
    fc.assert(
      fc.property(lists, (given) => {
        const turned: ReleaseList[] = given
          .map(({ release, rows: some }) => ({ release, rows: some.toReversed() }))
          .reverse()
        expect(encodeHistory(turned, SMALL_DELETIONS.toReversed())).toEqual(
          encodeHistory(given, SMALL_DELETIONS),
        )
      }),
    )
  })

  it('refuses a release that occurs twice, and more than 256', () => {
    const lists = (count: number) =>
      Array.from({ length: count }, (_, at) => listOf(`3.${at}.0`, { HLA00001: 'A*01:01' }))
    expect(() => encodeHistory([...lists(2), ...lists(1)], [])).toThrow('a release occurs twice')
    expect(() => encodeHistory(lists(257), [])).toThrow('more than 256 releases')
    expect(() => encodeHistory(lists(256), [])).not.toThrow()
  })

  it('refuses another kind of accession number', () => {
    const encode = () => encodeHistory([listOf('3.9.0', { IPD1: 'A*01:01' })], [])
    expect(encode).toThrow(expect.objectContaining({ code: 'bad-release-file' }))
  })
})

describe.skipIf(!hasShared)('the published lists', () => {
  it('know 59 releases, and the alleles of each', () => {
    const history = publishedHistory()
    expect(history.releases).toHaveLength(59)
    expect([history.releases.at(0), history.releases[13], history.releases.at(-1)]).toEqual([
      '3.0.0',
      '3.13.0',
      '3.58.0',
    ])
    for (const code of ['300', '3131', '3290', '3580']) {
      const release = parseCodeRelease(code)
      const wrong = publishedList(code).filter(
        ([accession, name]) => history.nameIn(release, accession) !== name,
      )
      expect(wrong).toEqual([])
    }
  })

  it('tell that HLA09547 was A*30:02:12, A*30:100 and A*30:02:12 again', () => {
    const told = publishedHistory()
      .spellingsOf('HLA09547')
      .map(({ name, first, last }) => [name, first, last])
    expect(told).toEqual([
      ['A*30:02:12', '3.13.0', '3.25.0'],
      ['A*30:100', '3.26.0', '3.31.0'],
      ['A*30:02:12', '3.32.0', '3.58.0'],
    ])
  })

  it('tell who had A*30:100', () => {
    const owners = publishedHistory().ownersOf('A*30:100')
    expect(owners.map(({ accession }) => accession)).toEqual(['HLA14873', 'HLA09547', 'HLA18590'])
  })

  it('come with 267 deletions, none lost', () => {
    const deletions = publishedDeletions()
    expect(deletions).toHaveLength(267)
    expect(
      deletions.filter((row) => publishedHistory().deletionOf(row.name)?.description !== row.description),
    ).toEqual([])
  })
})

/** Parses spellings of release numbers. */
import { adviceText } from '../../src/operations/faces.ts'
import { errorOf } from '../support/errors.ts'
import { assert, integer, property } from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  alleleListNames,
  branchNames,
  compareReleases,
  hasHatsColumn,
  hlaRelease,
  isOfRelease,
  parseReleaseNumber,
} from '../../src/reference/release-number.ts'

describe('parseReleaseNumber', () => {
  test.for([
    ['3.58.0', '3.58.0', '3580', '3.58.0'],
    ['3.58', '3.58.0', '3580', '3.58.0'],
    ['3580', '3.58.0', '3580', '3.58.0'],
    ['3.58.0-r2', '3.58.0', '3580', '3.58.0-r2'],
    ['3580-before.fix', '3.58.0', '3580', '3.58.0-before.fix'],
    ['3.58.0-v2', '3.58.0', '3580', '3.58.0-v2'],
    ['3.9.0', '3.9.0', '390', '3.9.0'],
    ['390', '3.9.0', '390', '3.9.0'],
    ['3090', '3.9.0', '390', '3.9.0'],
    ['3000', '3.0.0', '300', '3.0.0'],
    ['310', '3.1.0', '310', '3.1.0'],
    ['3100', '3.10.0', '3100', '3.10.0'],
    ['3.13.1', '3.13.1', '3131', '3.13.1'],
  ] as const)('reads %s', ([given, label, compact, name]) => {
    expect(parseReleaseNumber(given)).toEqual({ label, compact, name })
  })

  test.for([
    ['v3.65.0-alpha', { label: '3.65.0', compact: '3650', name: '3.65.0-alpha', tag: 'v3.65.0-alpha' }],
    ['v3.65', { label: '3.65.0', compact: '3650', name: '3.65.0', tag: 'v3.65' }],
    ['v3650', { label: '3.65.0', compact: '3650', name: '3.65.0', tag: 'v3650' }],
  ] as const)('reads the tag %s, whose folder has its name', ([tag, release]) => {
    expect(parseReleaseNumber(tag)).toEqual(release)
    expect(branchNames(parseReleaseNumber(tag))).toEqual([tag])
    expect(alleleListNames(parseReleaseNumber(tag))).toEqual(['Allelelist.3650.txt'])
  })

  test.for(['v', 'vx', 'vv3.65', 'x3.65', 'V3.65', 'latest3.58'])('refuses the tag "%s"', (given) => {
    expect(errorOf(() => parseReleaseNumber(given))).toMatchObject({
      code: 'unknown-release',
      message: `"${given}" is not a release: give it as 3.58.0, 3.58 or 3580`,
      offending: given,
    })
  })

  test.for([
    '',
    'latest',
    'active',
    '58',
    '3.580',
    '35800',
    '3.58.0.1',
    '3.58.0-',
    '3.58.0-../x',
    '1.05',
    ' 3.58.0',
  ])('refuses "%s"', (given) => {
    expect(() => parseReleaseNumber(given)).toThrow(expect.objectContaining({ code: 'unknown-release' }))
  })

  test.for(['G', 'P', 'lg', 'lgx', 'W', 'exon', 'U2', 'S', '1F', 'hats', 'all'])(
    'takes %s for a method, a slip of the option',
    (method) => {
      const error = errorOf(() => parseReleaseNumber(method))
      expect(error?.message).toBe(`"${method}" is not a release`)
      expect(adviceText(error?.hint, 'command-line')).toBe(
        `did you mean -m ${method}? (-r chooses the IPD-IMGT/HLA release)`,
      )
    },
  )

  test('says what to type in place of other words', () => {
    const latest = errorOf(() => parseReleaseNumber('Latest'))
    expect(latest).toMatchObject({ code: 'unknown-release', offending: 'Latest' })
    expect(errorOf(() => parseReleaseNumber('lg'))).toMatchObject({
      code: 'unknown-release',
      offending: 'lg',
    })
    expect(latest?.message).toBe('answers come from a release that is installed, not from "latest"')
    expect(adviceText(latest?.hint, 'command-line')).toBe(
      'hla data install latest installs the newest release, then hla data list shows its number',
    )
    expect(errorOf(() => parseReleaseNumber('58'))?.message).toBe(
      '"58" is not a release: give it as 3.58.0, 3.58 or 3580',
    )
  })

  test('reads every label and every compact form back', () => {
    assert(
      property(integer({ min: 0, max: 99 }), integer({ min: 0, max: 9 }), (minor, patch) => {
        const release = parseReleaseNumber(`3.${minor}.${patch}`)
        expect(parseReleaseNumber(release.compact)).toEqual(release)
      }),
    )
  })
})

describe('the names of published files', () => {
  test.for([
    ['3.58.0', ['3580'], ['Allelelist.3580.txt']],
    ['3.0.0', ['300', '3000'], ['Allelelist.300.txt', 'Allelelist.3000.txt']],
    ['3.13.0', ['3130', '3131'], ['Allelelist.3131.txt', 'Allelelist.3130.txt']],
  ] as const)('%s', ([label, branches, lists]) => {
    const release = parseReleaseNumber(label)
    expect(branchNames(release)).toEqual(branches)
    expect(alleleListNames(release)).toEqual(lists)
  })

  test('3.13.1 is the 3.13.0 of the branches', () => {
    expect(isOfRelease('3.13.1', parseReleaseNumber('3.13.0'))).toBe(true)
    expect(isOfRelease('3.12.0', parseReleaseNumber('3.13.0'))).toBe(false)
  })
})

describe('compareReleases', () => {
  test('orders by number, copies after what they are of', () => {
    const names = ['3.10.0', '3.58.0-r2', '3.9.0', '3.58.0', '3.13.1', '3.13.0']
    expect(names.sort(compareReleases)).toEqual([
      '3.9.0',
      '3.10.0',
      '3.13.0',
      '3.13.1',
      '3.58.0',
      '3.58.0-r2',
    ])
  })

  test('is 0 for the same, and of one sign for each order', () => {
    const pairs = [['3.58.0', '3.58.0'], ['3.58.0-a', '3.58.0-a'], ['3.58.0-a', '3.58.0-b'], ['3.58.0', '3.58.0-a'], ['3.58.0', '4.1.0'], ['3.9.0', '3.10.0'], ['3.13.0', '3.13.1']] as const
    const signs = pairs.map(([one, other]) => [Math.sign(compareReleases(one, other)), Math.sign(compareReleases(other, one))])
    expect(signs).toEqual([[0, 0], [0, 0], [-1, 1], [-1, 1], [-1, 1], [-1, 1], [-1, 1]])
    expect([hasHatsColumn(parseReleaseNumber('3.64.0-pre2026')), hasHatsColumn(parseReleaseNumber('3.64.0-r2'))]).toEqual([false, true])
  }) // prettier-ignore

  test.for([
    ['3.63.0', false],
    ['3.64.0', true],
    ['3.7.0', false],
  ] as const)('%s has the HATS column: %s', ([label, expected]) => {
    expect(hasHatsColumn(parseReleaseNumber(label))).toBe(expected)
  })
})

test.for([
  ['IMGT/HLA 3.25.0', '3.25.0'],
  ['3.25.0', '3.25.0'],
  ['3250', '3.25.0'],
  ['xIMGT/HLA 3.25.0', undefined],
  ['IMGT/HLA 3.25.0 x', undefined],
  ['IPD-KIR 2.12.0', undefined],
  ['3.25.0-x y', undefined],
  ['IMGT/HLA ', undefined],
  ['3.25.x', undefined],
  ['', undefined],
] as const)('the release of "%s" is %s', ([name, release]) => expect(hlaRelease(name)).toBe(release))

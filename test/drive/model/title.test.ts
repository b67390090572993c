import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { splitExtensions, foldTitle, naturalTitle, wordsIn } from '../../../src/drive/contract/kinds.ts'

describe('foldTitle', () => {
  test.for([
    ['Report', 'REPORT'],
    ['Straße', 'STRASSE'],
    ['Straße', 'STRA\u1E9EE'],
    ['caf\u00E9', 'CAFE\u0301'],
    ['ΟΔΟΣ', 'οδος'],
    ['οδοσ', 'οδος'],
    ['\u212Bngström', '\u00C5NGSTRÖM'],
    ['ﬁle', 'FILE'],
    ['ŉ', 'ʼN'],
    ['ΐ', 'Ϊ́'],
    ['ǆ', 'Ǆ'],
    ['\u01C5', 'ǆ'],
    ['\u1E9B\u0323', '\u1E69'],
    ['ꭰ', 'Ꭰ'],
  ] as const)('%s is %s', ([a, b]) => {
    expect(foldTitle(a)).toBe(foldTitle(b))
  })

  test.for([
    ['cafe', 'café'],
    ['a', 'b'],
    ['a b', 'ab'],
    ['', ' '],
  ] as const)('%s is not %s', ([a, b]) => {
    expect(foldTitle(a)).not.toBe(foldTitle(b))
  })

  test('does not mind how a title is composed or cased', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (title) => {
        const folded = foldTitle(title)
        expect(foldTitle(folded)).toBe(folded)
        expect(foldTitle(title.normalize('NFD'))).toBe(folded)
        expect(foldTitle(title.toUpperCase())).toBe(folded)
        expect(foldTitle(title.toLowerCase())).toBe(folded)
      }),
    )
  })
})

describe('naturalTitle', () => {
  test('counts', () => {
    const sorted = [
      '',
      '1',
      '2',
      '02 b',
      '10',
      '10a',
      '100',
      '2026-01-02',
      'a',
      'a1',
      'a2',
      'a10',
      'A11',
      'a b',
      'b9.csv',
      'b10.csv',
    ]
    expect(sorted.toSorted((a, b) => compare(naturalTitle(a), naturalTitle(b)))).toEqual([
      '',
      '1',
      '2',
      '02 b',
      '10',
      '10a',
      '100',
      '2026-01-02',
      'a',
      'a b',
      'a1',
      'a2',
      'a10',
      'A11',
      'b9.csv',
      'b10.csv',
    ])
  })

  test.for([
    ['007', '7'],
    ['a0010b', 'a10b'],
    ['000', '0'],
    ['v1.02.003', 'v1.2.3'],
  ] as const)('%s counts as %s', ([padded, plain]) => {
    expect(naturalTitle(padded)).toBe(naturalTitle(plain))
  })

  test('a number of more digits comes later, zeros at its front aside', () => {
    const sorted = ['x8', 'x009', 'x10', 'x0100', 'x101']
    expect(sorted.toSorted((a, b) => compare(naturalTitle(a), naturalTitle(b)))).toEqual(sorted)
  })

  test('puts numbers in their order wherever they stand', () => {
    const numbers = fc.bigInt({ min: 0n, max: 10n ** 40n })
    fc.assert(
      fc.property(numbers, numbers, fc.string(), (a, b, text) => {
        const [first, second] = [naturalTitle(`x${a}.${text}`), naturalTitle(`x${b}.${text}`)]
        expect(Math.sign(compare(first, second))).toBe(a < b ? -1 : Number(a > b))
      }),
    )
  })
})

test.for([
  ['Donors, list 2 (old).csv', ['Donors', 'list', '2', 'old', 'csv']],
  ['  HLA-A*01:01  ', ['HLA', 'A', '01', '01']],
  ['cafe\u0301s', ['cafe\u0301s']],
  [' - ', []],
  ['', []],
] as const)('the words of %j are %j', ([text, words]) => {
  expect(wordsIn(text)).toEqual(words)
})

describe('extensionsOf', () => {
  test.for([
    ['a.txt', 'txt', 'txt'],
    ['a.tar.gz', 'gz', 'tar.gz'],
    ['a.TAR.GZ', 'GZ', 'TAR.GZ'],
    ['a.tar.gz.csv', 'csv', 'csv'],
    ['a.b.c', 'c', 'c'],
    ['a.CSV', 'CSV', 'CSV'],
    ['.profile', 'profile', 'profile'],
    [`a.${'x'.repeat(20)}`, 'x'.repeat(20), 'x'.repeat(20)],
  ] as const)('%s has %s and %s', ([title, last, full]) => {
    expect(splitExtensions(title)).toEqual({ last, full })
  })

  test.for([['a'], ['a.'], ['a.b c'], ['a.é'], [`a.${'x'.repeat(21)}`], ['a.tar_gz'], ['']] as const)(
    '%s has none',
    ([title]) => {
      expect(splitExtensions(title)).toBeUndefined()
    },
  )

  test('a megabyte is read at once', () => {
    expect(splitExtensions('.a'.repeat(500_000))?.last).toBe('a')
    expect(splitExtensions('.'.repeat(1_000_000))).toBeUndefined()
    expect(naturalTitle('1a'.repeat(20_000))).toHaveLength(160_000)
  })
})

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}

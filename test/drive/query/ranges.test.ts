import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isStorageFailure } from '../../../src/drive/contract/failure.ts'
import {
  formatContentRange,
  ifRangeHolds,
  parseContentRange,
  parseRange,
} from '../../../src/drive/protocol/ranges.ts'

describe('parseRange', () => {
  test.for([
    [undefined, 10, undefined],
    ['bytes=0-3', 10, 'bytes 0-3/10'],
    ['bytes=6-9', 10, 'bytes 6-9/10'],
    ['bytes=0-102400', 10, 'bytes 0-9/10'],
    ['bytes=4-', 10, 'bytes 4-9/10'],
    ['bytes=-3', 10, 'bytes 7-9/10'],
    ['bytes=-30', 10, 'bytes 0-9/10'],
    ['bytes=9-9', 10, 'bytes 9-9/10'],
    ['Bytes = 1-2', 10, 'bytes 1-2/10'],
    ['bytes=0-99999999999999999999999', 10, 'bytes 0-9/10'],
    ['bytes=,1-2,', 10, 'bytes 1-2/10'],
    // the whole content
    ['bytes=0-1,4-5', 10, undefined],
    ['bytes=5-2', 10, undefined],
    ['bytes=x', 10, undefined],
    ['bytes=', 10, undefined],
    ['bytes=-', 10, undefined],
    ['lines=0-1', 10, undefined],
    ['bytes 0-1', 10, undefined],
    ['', 10, undefined],
    // an empty content ignores ranges
    ['bytes=0-0', 0, undefined],
    ['bytes=0-102400', 0, undefined],
    ['bytes=-5', 0, undefined],
    ['bytes=7-', 0, undefined],
  ] as const)('%s of %d bytes is %s', ([header, size, expected]) => {
    const range = parseRange(header, size)
    expect(range && formatContentRange(range, size)).toBe(expected)
  })

  test.for([['bytes=10-'], ['bytes=10-20'], ['bytes=99999999999999999999999-'], ['bytes=-0']] as const)(
    '%s of 10 bytes cannot be',
    ([header]) => {
      expect(() => parseRange(header, 10)).toThrow(
        expect.objectContaining({
          status: 416,
          reason: 'requestedRangeNotSatisfiable',
          message: 'Request range not satisfiable',
          details: { locationType: 'header', location: 'Range', headers: { 'Content-Range': 'bytes */10' } },
        }),
      )
    },
  )

  test('what is given is always a part, and not empty', () => {
    fc.assert(
      fc.property(fc.nat(), fc.option(fc.nat(), { nil: '' }), fc.nat(), (first, last, size) => {
        const range = rangeOrNone(`bytes=${first}-${last}`, size)
        if (range === undefined) return true
        return range.start === first && range.start < range.end && range.end <= size
      }),
    )
  })

  test('any text is read or refused', () => {
    fc.assert(
      fc.property(fc.string(), fc.nat(), (text, size) => {
        const range = rangeOrNone(`bytes=${text}`, size)
        return range === undefined || range.end <= size
      }),
    )
    for (const piece of ['bytes=', '0-', ',', ' ', '9', '-']) {
      expect(rangeOrNone(`bytes=${piece.repeat(1_000_000 / piece.length)}`, 10)).toBeUndefined()
    }
  })
})

function rangeOrNone(header: string, size: number): ReturnType<typeof parseRange> {
  try {
    return parseRange(header, size)
  } catch (error) {
    if (isStorageFailure(error) && error.status === 416) return undefined
    throw error
  }
}

describe('ifRangeHolds', () => {
  const now = { etag: '"abc"', modified: Date.UTC(2026, 10, 21, 10, 24, 50, 847) }
  test.for([
    [undefined, true],
    ['"abc"', true],
    ['"abd"', false],
    ['W/"abc"', false],
    ['Sat, 21 Nov 2026 10:24:50 GMT', true],
    ['Sat, 21 Nov 2026 10:24:51 GMT', false],
    ['abc', false],
    ['', false],
  ] as const)('%s: %s', ([header, expected]) => {
    expect(ifRangeHolds(header, now)).toBe(expected)
  })
})

describe('parseContentRange', () => {
  test.for([
    [undefined, undefined],
    ['bytes 0-262143/787209', { kind: 'chunk', start: 0, length: 262_144, total: 787_209 }],
    ['bytes 786432-787208/787209', { kind: 'chunk', start: 786_432, length: 777, total: 787_209 }],
    ['bytes 0-262143/*', { kind: 'chunk', start: 0, length: 262_144, total: undefined }],
    ['bytes 0--1/0', { kind: 'chunk', start: 0, length: 0, total: 0 }],
    ['bytes 0--1/*', { kind: 'chunk', start: 0, length: 0, total: undefined }],
    ['bytes 262144-262143/262144', { kind: 'chunk', start: 262_144, length: 0, total: 262_144 }],
    ['bytes */787209', { kind: 'query', total: 787_209 }],
    ['bytes */0', { kind: 'query', total: 0 }],
    ['bytes */*', { kind: 'query', total: undefined }],
    ['Bytes=0-9/10', { kind: 'chunk', start: 0, length: 10, total: 10 }],
    [' bytes  */ 10 ', { kind: 'query', total: 10 }],
  ] as const)('%s is %j', ([header, expected]) => {
    expect(parseContentRange(header)).toEqual(expected)
  })

  const FORM = 'bytes FIRST-LAST/TOTAL expected'
  const LARGE = 'it is too large'
  const LATE = 'it ends after the total'
  test.for([
    ['', FORM],
    ['*/*', FORM],
    ['bytes', FORM],
    ['bytes*/10', FORM],
    ['bytes0-9/10', FORM],
    ['bytes 0-9', FORM],
    ['bytes 0-9/', FORM],
    ['bytes -5/10', FORM],
    ['bytes 0-9/x', FORM],
    ['bytes 0-9/10x', FORM],
    ['bytes 0-9/10, 1', FORM],
    ['x bytes 0-9/10', FORM],
    ['bytes 0--2/0', FORM],
    ['items 0-9/10', FORM],
    ['bytes 0-9/99999999999999999999', FORM],
    [`bytes ${'0'.repeat(1_000_000)}`, FORM],
    [`bytes ${' '.repeat(1_000_000)}`, FORM],
    ['bytes 9-0/10', 'it ends before it begins'],
    ['bytes 5--1/10', 'it ends before it begins'],
    ['bytes 0-10/10', LATE],
    ['bytes 0-0/0', LATE],
    ['bytes 11-10/10', LATE],
    ['bytes 0-9007199254740991/*', LARGE],
    ['bytes 0-9007199254740992/*', LARGE],
    ['bytes 0-9/9007199254740993', LARGE],
  ] as const)('%s is refused: %s', ([header, why]) => {
    expect(() => parseContentRange(header)).toThrow(
      expect.objectContaining({
        status: 400,
        reason: 'invalid',
        message: `Invalid Content-Range '${header.slice(0, 100)}': ${why}`,
        details: { location: 'Content-Range', locationType: 'header' },
      }),
    )
  })

  test('the largest numbers are read', () => {
    const [end, total] = [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER]
    expect(parseContentRange(`bytes 0-${end - 1}/${total}`)).toEqual({
      kind: 'chunk',
      start: 0,
      length: end,
      total,
    })
  })

  test('a refused header is shown up to 100 characters', () => {
    expect(() => parseContentRange('x'.repeat(101))).toThrow(`Invalid Content-Range '${'x'.repeat(100)}': `)
  })

  test('what is read lies within the total', () => {
    const numbers = fc.nat({ max: 2 ** 40 })
    fc.assert(
      fc.property(numbers, numbers, numbers, (start, end, total) => {
        const range = contentRangeOrNone(`bytes ${start}-${end}/${total}`)
        return range === undefined
          ? end < start - 1 || end >= total
          : range.kind === 'chunk' && range.start + range.length <= total
      }),
    )
    fc.assert(fc.property(fc.string(), (text) => contentRangeOrNone(`bytes ${text}`) !== null))
  })
})

function contentRangeOrNone(header: string): ReturnType<typeof parseContentRange> {
  try {
    return parseContentRange(header)
  } catch (error) {
    if (isStorageFailure(error) && error.status === 400) return undefined
    throw error
  }
}

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  etagOf,
  matches,
  matchesWeakly,
  parseEntityTags,
  requireTag,
} from '../../../src/drive/protocol/etags.ts'

describe('parseEntityTags', () => {
  test.for([
    ['"a"', ['"a"']],
    ['*', '*'],
    [' * ', '*'],
    ['"a", "b","c"', ['"a"', '"b"', '"c"']],
    ['W/"a","b"', ['W/"a"', '"b"']],
    ['""', ['""']],
    ['"bX7M5zOl/MTUy,MzM"', ['"bX7M5zOl/MTUy,MzM"']],
    ['"a" , ,, "b"', ['"a"', '"b"']],
    ['"caf\u00E9"', ['"caf\u00E9"']],
    // malformed values match no tag
    ['', []],
    ['stale', []],
    ['"open', []],
    ["'a'", []],
    ['"a" b, "c"', ['"c"']],
    ['"a", *', ['"a"']],
    ['w/"a"', []],
    ['"a b"', []],
    [',', []],
  ] as const)('%s is %j', ([header, expected]) => {
    expect(parseEntityTags(header)).toEqual(expected)
  })

  test('no header is not a condition', () => {
    expect(parseEntityTags(undefined)).toBeUndefined()
  })

  test.for([
    ['"a"', '"a"', true, true],
    ['"a"', '"b"', false, false],
    ['"b","a"', '"a"', true, true],
    ['W/"a"', '"a"', false, true],
    ['"a"', 'W/"a"', false, true],
    ['*', '"a"', true, true],
    ['*', undefined, false, false],
    ['"a"', undefined, false, false],
    ['stale', '"stale"', false, false],
  ] as const)('%s and %s: If-Match %s, If-None-Match %s', ([header, etag, strong, weak]) => {
    const tags = parseEntityTags(header)
    expect([tags && matches(tags, etag), tags && matchesWeakly(tags, etag)]).toEqual([strong, weak])
  })

  test('finds every tag of a list, whatever stands between', () => {
    const tag = fc.stringMatching(/^(W\/)?"[!#-~]{0,9}"$/)
    const between = fc.constantFrom(',', ', ', ' ,,\t', ',x,')
    fc.assert(
      fc.property(fc.array(tag, { maxLength: 6 }), between, (tags, comma) => {
        expect(parseEntityTags(`,${tags.join(comma)}`)).toEqual(tags)
      }),
    )
  })

  test('any text is read, a megabyte too', () => {
    fc.assert(fc.property(fc.string(), (text) => Array.isArray(parseEntityTags(text)) || text.trim() === '*'))
    for (const piece of ['"', ',', ' ', '"a"', '"a",', 'W/', 'x ']) {
      expect(parseEntityTags(piece.repeat(Math.ceil(1_000_000 / piece.length)))).toBeInstanceOf(Array)
    }
  })
})

test('an etag is the SHA-1 of a text, in quotes', () => {
  expect(etagOf('a')).toBe('"hvfkN_qlp_zhXR3cuerq6jd2Z7g"')
})

test('a change is refused with a tag that the item does not have', () => {
  const refusal = (wanted: string | undefined, etag: string) => {
    try {
      requireTag(parseEntityTags(wanted), () => etag)
      return undefined
    } catch (error) {
      return error
    }
  }
  const refused = {
    status: 412,
    reason: 'conditionNotMet',
    message: 'Precondition Failed',
    details: { location: 'If-Match', locationType: 'header' },
  }
  expect(refusal('"b"', '"a"')).toMatchObject(refused)
  expect(refusal('W/"a"', '"a"')).toMatchObject(refused)
  for (const wanted of ['"a"', '"b", "a"', '*', undefined]) expect(refusal(wanted, '"a"')).toBeUndefined()
  // what no condition asks for is not computed
  requireTag(undefined, () => expect.fail('no tag is needed'))
})

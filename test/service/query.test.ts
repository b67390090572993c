/** The query string: how it is parsed, and that its description matches. */
import { expect, test } from 'vitest'
import { OPERATIONS } from '../../src/operations/registry.ts'
import { queryParameters } from '../../src/service/openapi/openapi-parts.ts'
import { notePlusSigns, readQuery } from '../../src/service/requests/query.ts'

test.for([
  ['array', 'a,b', ['a', 'b']],
  ['array', 'a', ['a']],
  ['array', ['a', 'b'], ['a', 'b']],
  ['boolean', '', true],
  ['boolean', 'true', true],
  ['boolean', 'false', false],
  ['boolean', 'yes', 'yes'],
  ['integer', '123456789', 123_456_789],
  ['integer', '1234567890', '1234567890'],
  ['integer', '1.5', '1.5'],
  ['integer', 'x12', 'x12'],
  ['integer', '12x', '12x'],
  ['integer', '', ''],
  ['integer', ['12'], ['12']],
  ['string', 'a,b', 'a,b'],
] as const)('of type %s: %j is %j', ([type, text, value]) => {
  expect(readQuery({ one: text }, { one: { type, description: '' } })).toEqual({ one: value })
})

test('other names stay texts', () => {
  expect(readQuery({ constructor: 'a,b' }, {})).toEqual({ constructor: 'a,b' })
})

test.for([
  ['/mac?a=b+c', { a: 'b c' }, ['plus-in-query']],
  ['/mac?a=b%20c', { a: 'b c' }, []],
  ['/mac?a=b%2Bc', { a: 'b+c' }, []],
  ['/mac?a=b+c', { a: ['b c'] }, []],
  ['/a+b?a=b%20c', { a: 'b c' }, []],
  ['/a+b', {}, []],
  ['/mac?a=b&a=+', { a: ['b', ' '] }, []],
  ['/mac?a+b=c', { 'a b': 'c' }, []],
] as const)('a plus in %s is noted: %j, %j', ([url, query, codes]) => {
  expect(notePlusSigns(url, query).map(({ code }) => code)).toEqual(codes)
})

test('a plus is warned of in a sentence', () => {
  expect(notePlusSigns('/mac?a=b+c', { a: 'b c' })).toEqual([
    {
      level: 'warning',
      code: 'plus-in-query',
      message: 'a "+" in a query is read as a space; write %2B for a plus',
    },
  ])
})

test('lists are described as one value, divided by commas, and other values without a style', () => {
  const described = OPERATIONS.flatMap(({ input }) =>
    queryParameters(input).map(({ style, explode }, at) => [
      Object.values(input.properties)[at]?.type,
      style,
      explode,
    ]),
  )
  expect(described).toContainEqual(['array', 'form', false])
  expect(
    described.filter(
      ([type, style, explode]) => (type === 'array') !== (style === 'form' && explode === false),
    ),
  ).toEqual([])
  expect(
    described.filter(
      ([type, style, explode]) => type !== 'array' && (style !== undefined || explode !== undefined),
    ),
  ).toEqual([])
})

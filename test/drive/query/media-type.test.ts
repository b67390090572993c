import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  acceptsGzip,
  isMimeType,
  parseMediaType,
} from '../../../src/drive/protocol/bodies/multipart-upload.ts'

describe('parseMediaType', () => {
  test.for([
    ['application/json', 'application/json', {}],
    ['application/json; charset=UTF-8', 'application/json', { charset: 'UTF-8' }],
    ['multipart/related; boundary=abc', 'multipart/related', { boundary: 'abc' }],
    ['Multipart/Related;Boundary="a b"; type="x/y"', 'multipart/related', { boundary: 'a b', type: 'x/y' }],
    [
      'multipart/related; boundary="===============7330845974216740156=="',
      'multipart/related',
      { boundary: '===============7330845974216740156==' },
    ],
    [
      'multipart/related; boundary====7330845974216740156==',
      'multipart/related',
      { boundary: '===7330845974216740156==' },
    ],
    ['multipart/mixed; boundary="a\\"b\\\\c"', 'multipart/mixed', { boundary: 'a"b\\c' }],
    ['multipart/mixed;; boundary = x ;', 'multipart/mixed', { boundary: 'x' }],
    ['multipart/mixed; boundary=x; boundary=y', 'multipart/mixed', { boundary: 'x' }],
    ['multipart/mixed; boundary=x; Boundary=y', 'multipart/mixed', { boundary: 'x' }],
    ['multipart/mixed; boundary=""', 'multipart/mixed', { boundary: '' }],
    ['multipart/mixed; boundary="open', 'multipart/mixed', {}],
    [' text/plain ', 'text/plain', {}],
    ['  text/plain  ; a=b', 'text/plain', { a: 'b' }],
    ['text/plain'.padEnd(1000), 'text/plain', {}],
    ['application/vnd.google-apps.folder', 'application/vnd.google-apps.folder', {}],
  ] as const)('%s is a %s with %j', ([header, type, parameters]) => {
    const found = parseMediaType(header)
    expect(found?.type).toBe(type)
    expect(Object.fromEntries(found?.parameters ?? [])).toEqual(parameters)
  })

  test.for([
    [undefined],
    [''],
    ['text'],
    ['text/'],
    ['text/plain text/html'],
    ['text/plain'.padEnd(1001)],
  ] as const)('%s is none', ([header]) => {
    expect(parseMediaType(header)).toBeUndefined()
  })

  test('any text is one or none', () => {
    const piece = fc.constantFrom('a/b', ';', '=', '"', '\\', ' ', 'boundary', 'x')
    const text = fc.oneof(
      fc.string(),
      fc.array(piece).map((all) => `a/b;${all.join('')}`),
    )
    fc.assert(
      fc.property(text, (header) => ['undefined', 'string'].includes(typeof parseMediaType(header)?.type)),
    )
    for (const part of [' ', ';', '=', '"', 'a=', '; a="\\'])
      expect(parseMediaType(`a/b;${part.repeat(200)}`)?.type).not.toBe('')
  })
})

describe('isMimeType', () => {
  test.for([
    ['text/csv', true],
    ['application/vnd.x+json; charset="UTF-8"', true],
    ['text', false],
    ['/csv', false],
    ['text/', false],
    ['€ text/csv', false],
    ['text/plain; charset=€', false],
    ['text/plain; a=ü', false],
    ['text/plain\r\n;x: y', false],
    ['text/plain;\u0000', false],
    [`text/${'x'.repeat(250)}`, true],
    [`text/${'x'.repeat(251)}`, false],
  ] as const)('%j: %s', ([text, expected]) => {
    expect(isMimeType(text)).toBe(expected)
  })
})

describe('acceptsGzip', () => {
  test.for([
    ['gzip', true],
    ['gzip, deflate', true],
    ['gzip,deflate', true],
    ['deflate, GZIP;q=0.5', true],
    ['*', true],
    ['x-gzip', true],
    ['identity', false],
    ['gzip;q=0', false],
    ['gzip; q=0.0, *', false],
    ['br', false],
    ['gzip;q=x', false],
    ['gzip; x=1; q=0', false],
    ['gzip; x=0', true],
    ['', false],
    [undefined, false],
    [`${' '.repeat(996)}gzip`, true],
    [`${' '.repeat(1000)}gzip`, false],
    [','.repeat(1_000_000), false],
  ] as const)('%s: %s', ([header, expected]) => {
    expect(acceptsGzip(header)).toBe(expected)
  })
})

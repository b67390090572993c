import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findMethod } from '../../../src/drive/contract/methods.ts'
import {
  type PageScope,
  readChangeToken,
  readPageToken,
  writePageToken,
} from '../../../src/drive/protocol/page-token.ts'
import { readParameters } from '../../../src/drive/protocol/parameters.ts'
import { atTheLimit } from '../../support/at-the-limit.ts'

const KEY = randomBytes(32)

function scope(query: Record<string, string> = {}, others: Partial<PageScope> = {}): PageScope {
  const method = others.method ?? findMethod('files.list')
  return { method, user: '1', path: [], values: readParameters(method, query), ...others }
}

const REFUSAL = expect.objectContaining({
  status: 400,
  reason: 'invalid',
  message: 'Invalid page token',
  details: { location: 'pageToken', locationType: 'parameter' },
})

describe('page tokens', () => {
  test('give back the position', () => {
    const position = fc.array(fc.oneof(fc.string({ unit: 'grapheme' }), fc.integer(), fc.constant(null)), {
      maxLength: 4,
    })
    fc.assert(
      fc.property(position, (keys) => {
        const token = writePageToken(KEY, scope({ q: 'starred' }), keys)
        expect(token).toMatch(/^[\w-]+$/)
        expect(readPageToken(KEY, scope({ q: 'starred' }), token)).toEqual(keys)
      }),
    )
  })

  const token = writePageToken(KEY, scope({ q: 'starred', maxResults: '2', fields: 'items/id' }), ['a', 1])

  test('have 32,768 characters at most', () => {
    const [most, more] = atTheLimit((bytes) => writePageToken(KEY, scope(), ['x'.repeat(bytes - 20)]), 24_576)
    expect([most.length, readPageToken(KEY, scope(), most)]).toEqual([32_768, ['x'.repeat(24_556)]])
    expect(() => readPageToken(KEY, scope(), more)).toThrow(REFUSAL)
  })

  test('serve pages of other lengths, other fields and other forms', () => {
    const others = {
      q: 'starred',
      maxResults: '900',
      pageToken: token,
      fields: '*',
      prettyPrint: 'true',
      quotaUser: 'x',
      supportsAllDrives: '0',
    }
    expect(readPageToken(KEY, scope(others), token)).toEqual(['a', 1])
  })

  test('serve the same parameters in another order', () => {
    const [one, other] = [
      { q: 'starred', orderBy: 'title', spaces: 'drive' },
      { spaces: 'drive', q: 'starred', orderBy: 'title' },
    ].map((query) => ({ ...scope(), values: query }))
    expect(readPageToken(KEY, other!, writePageToken(KEY, one!, ['a']))).toEqual(['a'])
    expect(readPageToken(KEY, one!, writePageToken(KEY, other!, ['b']))).toEqual(['b'])
  })

  test.for([
    [{ q: 'trashed' }, {}],
    [{}, {}],
    [{ q: 'starred', orderBy: 'title' }, {}],
    [{ q: 'starred', spaces: 'drive' }, {}],
    [{ q: 'starred', supportsAllDrives: 'true' }, {}],
    [{ q: 'starred' }, { user: '2' }],
    [{ q: 'starred' }, { path: ['folder'] }],
    [{ q: 'starred' }, { method: findMethod('children.list') }],
  ] as const)('are refused with other parameters: %j %j', ([query, others]) => {
    expect(() => readPageToken(KEY, scope(query, others), token)).toThrow(REFUSAL)
  })

  test('are refused with another key', () => {
    expect(() => readPageToken(randomBytes(32), scope({ q: 'starred' }), token)).toThrow(REFUSAL)
  })

  test('are refused with any character changed, left out or added', () => {
    const pieces = fc.constantFrom('A', 'z', '-', '=', '+', '', '\u0000')
    fc.assert(
      fc.property(fc.nat(token.length), pieces, fc.integer({ min: 0, max: 2 }), (at, piece, cut) => {
        const changed = token.slice(0, at) + piece + token.slice(at + cut)
        return changed === token || isRefused(changed)
      }),
    )
    fc.assert(fc.property(fc.string(), isRefused))
    expect(isRefused('A'.repeat(1_000_000))).toBe(true)
    expect(isRefused(' '.repeat(1_000_000))).toBe(true)
  })
})

function isRefused(token: string): boolean {
  try {
    readPageToken(KEY, scope({ q: 'starred' }), token)
    return false
  } catch (error) {
    expect(error).toEqual(REFUSAL)
    return true
  }
}

describe('readChangeToken', () => {
  test.for([
    ['195', 195],
    ['0', 0],
    ['9007199254740991', 9_007_199_254_740_991],
  ] as const)('%s is %d', ([text, expected]) => {
    expect(readChangeToken(text)).toBe(expected)
  })

  test.for([[''], ['-1'], ['1.5'], ['x'], ['9007199254740992'], [' 5'], ['5 '], ['1e3'], ['٣']] as const)(
    '%j is refused',
    ([text]) => {
      expect(() => readChangeToken(text)).toThrow(REFUSAL)
    },
  )
})

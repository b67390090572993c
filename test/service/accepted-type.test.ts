/** Accept headers of clients, for text and JSON. */
import { describe, expect, test } from 'vitest'
import { isPlainPreferred } from '../../src/service/requests/accepted-type.ts'

describe('text is preferred', () => {
  test.for([
    ['text/plain', true],
    ['TEXT/PLAIN; charset=utf-8', true],
    ['text/*', true],
    ['text/plain, */*;q=0.8', true],
    ['text/plain;q=0.5, application/json;q=0.4', true],
    ['text/html, text/plain', true],
    // curl, fetch, axios, browsers, and clients without the header
    ['*/*', false],
    ['', false],
    ['application/json', false],
    ['application/json, text/plain, */*', false],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', false],
    ['application/*, text/plain;q=0.9', false],
    ['text/plain;q=0', false],
    ['text/plain;q=2', false],
    ['text/plain;q=x', false],
    [`${'a/b,'.repeat(100_000)}text/plain`, false],
  ] as const)('%s: %s', ([accept, isPlain]) => {
    expect(isPlainPreferred(accept)).toBe(isPlain)
  })
})

/** Redirect URIs of programs: validation, and comparison with registered ones. */
import { expect, test } from 'vitest'
import {
  isKnownRedirect,
  readRedirect,
  redirectSource,
  redirectWith,
} from '../../../src/drive/protocol/redirects.ts'

test.for([
  'https://app.example/back',
  'https://app.example/back?lab=1',
  'http://localhost/',
  'http://127.0.0.1:8080/oauth',
  'http://[::1]/',
  'org.example.app:/back',
  'a.b:/back',
  'https://app.example/'.padEnd(2048, 'x'),
])('%s is taken', (text) => expect(readRedirect(text)).toBe(text))

test.for([
  'http://app.example/',
  'https://app.example/#here',
  ...['code', 'state', 'error', 'error_description', 'iss', 'scope'].map(
    (name) => `https://app.example/?a=1&${name}=1`,
  ),
  'ftp://a.example/http://localhost/',
  'http://localhost:123456/',
  'a.:/back',
  '',
  'not an address',
  'https://:secret@app.example/',
  'https://ada@app.example/',
  'https://app.example\\@evil.example/',
  'http://localhost.evil.example/',
  'http://localhost@evil.example/',
  'javascript:alert(1)',
  'app:/back',
  'https://app.example/ back',
  `https://app.example/${'x'.repeat(2029)}`,
])('%s is not', (text) => {
  expect(() => readRedirect(text)).toThrow(
    expect.objectContaining({
      status: 400,
      reason: 'invalid',
      message: `Redirect URI not allowed: ${JSON.stringify(text)}. Use https://…, http://localhost/…, http://127.0.0.1/…, or a scheme with a dot.`,
      details: { location: 'redirect_uri', locationType: 'parameter' },
    }),
  )
})

test('an address is compared as it is written, but for the port of this machine', () => {
  const known = ['http://127.0.0.1/back', 'https://app.example/back']
  expect(['http://127.0.0.1:4711/back', 'https://app.example/back'].map((one) => isKnownRedirect(known, one))).toEqual([true, true]) // prettier-ignore
  // an address of this machine may be registered without the slash behind its port
  expect(isKnownRedirect(['http://localhost'], 'http://localhost:4711/')).toBe(true)
  const others = ['http://127.0.0.1:4711/other', 'http://localhost:4711/back', 'https://app.example:443/back', 'https://app.example/back/', 'https://app.example/Back'] // prettier-ignore
  expect(others.filter((one) => isKnownRedirect(known, one))).toEqual([])
})

test('what is answered is added, and a policy names where people are sent', () => {
  expect(redirectWith('https://a.example/?b=1', { code: 'x y', state: undefined })).toBe(
    'https://a.example/?b=1&code=x+y',
  )
  expect(redirectWith('https://a.example/', { code: 'x', state: 'y' })).toBe(
    'https://a.example/?code=x&state=y',
  )
  expect(redirectSource('https://a.example/back')).toBe('https://a.example')
  expect(redirectSource('http://localhost:8080/back')).toBe('http://localhost:8080')
  expect(redirectSource('org.example.app:/back')).toBe('org.example.app:')
})

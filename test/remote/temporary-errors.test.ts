/** Failures of a connection: which may pass, how they are described, what helps, and the pause before the next attempt. */
import { EventEmitter } from 'node:events'
import type { ConnectionOptions } from 'node:tls'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { ProxyError } from '../../src/io/dispatcher.ts'
import {
  attemptsFor,
  connectionHint,
  describeFailure,
  isFailure,
  isTemporary,
  isUnreachable,
  pauseBefore,
} from '../../src/remote/temporary-errors.ts'

/** Connections with TLS; each does this as soon as it is listened to. */
const tls = vi.hoisted(() => ({ does: '', opened: [] as object[], closed: 0 }))
vi.mock('node:tls', () => ({
  connect: (options: ConnectionOptions) => {
    const socket = new EventEmitter()
    const setTimeout = (ms: number, late: () => void) => tls.does === `${ms}` && setImmediate(late)
    tls.opened.push(options)
    setImmediate(() => socket.emit(tls.does, new Error('no TLS')))
    return Object.assign(socket, { setTimeout, destroy: () => (tls.closed += 1) })
  },
}))

const failed = (code: string) => Object.assign(new Error(`it says ${code}`), { code })
const timeout = Object.assign(new Error('aborted'), { name: 'TimeoutError' })

test.for([
  ['ECONNREFUSED', 'connection refused', true],
  ['ECONNRESET', 'connection lost', true],
  ['EPIPE', 'connection lost', true],
  ['UND_ERR_SOCKET', 'connection lost', true],
  ['ENOTFOUND', 'unknown host', false],
  ['EAI_AGAIN', 'unknown host', false],
  ['EHOSTUNREACH', 'no route to the host', false],
  ['ENETUNREACH', 'no route to the host', false],
  ['ETIMEDOUT', 'connection timed out', false],
  ['UND_ERR_CONNECT_TIMEOUT', 'connection timed out', false],
  ['UND_ERR_HEADERS_TIMEOUT', 'no answer within 30 s', false],
  ['UND_ERR_BODY_TIMEOUT', 'no answer within 30 s', false],
] as const)('%s: %s, which may pass', ([code, text, isAway]) => {
  const refused = failed(code)
  const proxied = new ProxyError('http://user:secret@proxy.example:3128/', refused)
  const several = new AggregateError([refused, failed('CERT_HAS_EXPIRED')])
  for (const error of [refused, proxied, several])
    expect([isTemporary(error), isUnreachable(error)]).toEqual([true, isAway])
  for (const error of [refused, several]) expect(describeFailure(error, 30_000)).toBe(text)
})

test('a proxy is described without its password', () => {
  const error = new ProxyError('http://user:secret@proxy.example:3128/', failed('ECONNREFUSED'))
  expect(describeFailure(error, 30_000)).toBe(
    'the proxy http://proxy.example:3128 does not answer: connection refused',
  )
})

test('a request that took too long may pass, and another error does not', () => {
  expect([isTemporary(timeout), describeFailure(timeout, 1500)]).toEqual([true, 'no answer within 1.5 s'])
  for (const error of [failed('CERT_HAS_EXPIRED'), new Error('no code'), 'ECONNREFUSED', undefined])
    expect([isTemporary(error), isUnreachable(error)]).toEqual([false, false])
  expect(describeFailure(failed('CERT_HAS_EXPIRED'), 30_000)).toBe('it says CERT_HAS_EXPIRED')
})

test('statuses that may pass, an internal error once', () => {
  expect([200, 304, 400, 404, 408, 409, 429, 500, 501, 502, 503, 504, 505].filter(isFailure)).toEqual([
    408, 429, 500, 502, 503, 504,
  ])
  expect([attemptsFor(500, 5), attemptsFor(500, 1), attemptsFor(503, 5)]).toEqual([2, 1, 5])
})

describe('a hint', () => {
  const trust =
    'to trust this certificate or its authority, save it in a PEM file and put NODE_EXTRA_CA_CERTS=FILE before the command'

  test.for([
    [failed('DEPTH_ZERO_SELF_SIGNED_CERT'), 'https://a.example', trust],
    [failed('SELF_SIGNED_CERT_IN_CHAIN'), 'https://a.example', trust],
    [failed('UNABLE_TO_VERIFY_LEAF_SIGNATURE'), 'https://a.example', trust],
    [failed('UNABLE_TO_GET_ISSUER_CERT_LOCALLY'), 'https://a.example', trust],
    [failed('ERR_SSL_WRONG_VERSION_NUMBER'), 'https://a.example/b', 'the service does not use TLS: write http://a.example/b'],
    [failed('ERR_SSL_WRONG_VERSION_NUMBER'), 'http://a.example', undefined],
    [failed('ECONNRESET'), 'https://a.example', undefined],
    [failed('ECONNREFUSED'), 'http://a.example', undefined],
    [
      new ProxyError('http://proxy.example', failed('ECONNREFUSED')),
      'https://a.example:8443/b',
      'to connect without the proxy, put NO_PROXY=a.example before the command',
    ],
  ] as const)('%s at %s', async ([error, url, hint]) => {
    expect(await connectionHint(error, url)).toBe(hint)
  }) // prettier-ignore
})

describe('a service that closes a connection without TLS', () => {
  test.for([
    ['ECONNRESET', 'http://a.example/b', 'a.example', 80, 'https://a.example/b'],
    ['UND_ERR_SOCKET', 'http://[::1]:8080', '::1', 8080, 'https://[::1]:8080'],
  ] as const)(
    '%s of %s: the hint depends on what answers with it',
    async ([code, url, host, port, right]) => {
      tls.opened.length = 0
      tls.closed = 0
      for (const does of ['secureConnect', 'error', 'close', '2000']) {
        tls.does = does
        const hint = does === 'secureConnect' ? `the service uses TLS: write ${right}` : undefined
        expect(await connectionHint(failed(code), url)).toBe(hint)
      }
      expect(tls.closed).toBeGreaterThanOrEqual(4)
      expect(tls.opened).toEqual(Array.from({ length: 4 }, () => ({ host, port, rejectUnauthorized: false })))
    },
  )
})

describe('the pause', () => {
  afterEach(() => vi.restoreAllMocks())

  test.for([
    ['0', 0],
    ['5', 5000],
    ['60', 60_000],
    ['61', 60_000],
    ['Thu, 01 Jan 1970 00:00:00 GMT', 0],
    ['Thu, 01 Jan 2099 00:00:00 GMT', 60_000],
    ['Thu, 01 Jan 2099 00:00:00 +0000', 60_000],
    ['2099-01-01T00:00:00Z', 60_000],
  ] as const)('after Retry-After: %s', ([retryAfter, ms]) => expect(pauseBefore(1, retryAfter)).toBe(ms))

  test.for([undefined, '', 'soon', '5 or so'])('doubles up to 8 s, after %s', (retryAfter) => {
    vi.spyOn(Math, 'random').mockReturnValue(0.5)
    expect([1, 2, 3, 6, 7, 20].map((attempt) => pauseBefore(attempt, retryAfter))).toEqual([
      125, 250, 500, 4000, 4000, 4000,
    ])
  })
})

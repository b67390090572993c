/** Retries of a service: for two minutes once it has answered. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  type AttemptStatus,
  makeAttempts,
  type Attempts,
  type AttemptFailure,
} from '../../src/remote/attempts.ts'
import { RESTART_MS } from '../../src/remote/patience.ts'

const refused = { reason: 'connection refused', cause: undefined }
const answered = { status: 200, retryAfter: undefined, body: {} }

describe('a service that has answered', () => {
  beforeEach(() => vi.useFakeTimers())
  afterEach(() => vi.useRealTimers())
  const lasting = { time: RESTART_MS }
  const limits = { url: 'http://x.example', retries: 4, deadline: 0 }

  /** Attempts, ms and error message of a request that fails in this way. */
  async function count(attempts: Attempts, outcome: AttemptStatus | AttemptFailure) {
    let asked = 0
    const start = Date.now()
    const end = attempts(() => {
      asked += 1
      return Promise.resolve(outcome)
    }).then(
      () => '',
      (error: Error) => error.message,
    )
    await vi.runAllTimersAsync()
    return { message: await end, asked, time: Date.now() - start }
  }

  test('is tried for two minutes at least, and the message says how long', async () => {
    const attempts = makeAttempts({ ...limits, lasting })
    expect(await count(attempts, refused)).toMatchObject({ asked: 5 })
    await count(attempts, answered)
    const { time, message } = await count(attempts, refused)
    expect(time).toBeGreaterThanOrEqual(120_000)
    expect(time).toBeLessThan(130_000)
    expect(message).toMatch(
      /^cannot reach http:\/\/x.example: connection refused \(\d+ attempts in 12\d s\)$/,
    )
  })

  test('may be away for two minutes, counted from the first attempt that failed', async () => {
    const attempts = makeAttempts({ ...limits, lasting })
    await count(attempts, answered)
    const start = Date.now()
    // the first attempt ends after 30 s without an answer
    const once = async () => {
      if (Date.now() === start) await new Promise((late) => setTimeout(late, 30_000))
      return Date.now() - start < 145_000 ? refused : answered
    }
    const reply = attempts(once)
    await vi.runAllTimersAsync()
    expect(await reply).toBe(answered)
  })

  test('is asked a second time only after an internal error, and not again what does not get better', async () => {
    const attempts = makeAttempts({ ...limits, lasting })
    await count(attempts, answered)
    expect(await count(attempts, { status: 500, retryAfter: undefined })).toMatchObject({ asked: 2 })
    expect(await count(attempts, { ...refused, final: true })).toMatchObject({ asked: 1 })
  })

  test('gives each request attempts of its own', async () => {
    const attempts = makeAttempts({ ...limits, retries: 50 })
    await count(attempts, answered)
    const many = await Promise.all(Array.from({ length: 8 }, () => count(attempts, refused)))
    expect(many.map(({ asked }) => asked)).toEqual(Array.from({ length: 8 }, () => 51))
  })

  test('or as many as were asked for', async () => {
    const attempts = makeAttempts({ ...limits, retries: 0, lasting: undefined })
    await count(attempts, answered)
    expect(await count(attempts, refused)).toMatchObject({ asked: 1 })
  })

  test('and before that an address may be mistyped', async () => {
    expect(await count(makeAttempts({ ...limits, retries: 50 }), refused)).toMatchObject({ asked: 20 })
  })

  test.for<[more: object, outcome: AttemptStatus | AttemptFailure, asked: number, message: string]>([
    [{ retries: 0 }, refused, 1, 'cannot reach http://x.example: connection refused (1 attempt)'],
    [{}, { ...refused, final: true }, 1, 'cannot reach http://x.example: connection refused (1 attempt)'],
    [{ retries: 1 }, { status: 503, retryAfter: '2' }, 2, 'http://x.example answers with status 503 (2 attempts in 2 s)'],
    [{ retries: 1 }, { status: 503, retryAfter: '0', said: 'busy' }, 2, 'http://x.example answers with status 503: busy (2 attempts in less than 1 s)'],
    [{}, { status: 500, retryAfter: '0' }, 2, 'http://x.example answers with status 500 (2 attempts in less than 1 s)'],
    [{ deadline: 5000 }, { status: 503, retryAfter: '3' }, 2, 'http://x.example has not answered everything within 5 s'],
    [{ deadline: 5000 }, { status: 503, retryAfter: '5' }, 2, 'http://x.example has not answered everything within 5 s'],
  ])('with %j, %j ends after %d attempts: %s', async ([more, outcome, asked, message]) => {
    expect(await count(makeAttempts({ ...limits, ...more }), outcome)).toMatchObject({ asked, message })
  }) // prettier-ignore

  test.for<[outcome: AttemptStatus | AttemptFailure, more: object, url: string, hint: string | undefined]>([
    [refused, {}, 'http://x.example', undefined],
    [{ reason: 'no TLS', cause: Object.assign(new Error(), { code: 'ERR_SSL_WRONG_VERSION_NUMBER' }) }, {}, 'https://x.example', 'the service does not use TLS: write http://x.example'],
    [{ status: 503, retryAfter: '0' }, {}, 'http://x.example', undefined],
    [{ status: 503, retryAfter: '6' }, { deadline: 5000 }, 'http://x.example', undefined],
  ])('%j ends with an error of the service, and what helps', async ([outcome, more, url, hint]) => {
    const attempts = makeAttempts({ ...limits, retries: 0, ...more, url })
    const error = await attempts(() => Promise.resolve(outcome)).catch((error: unknown) => error)
    expect(error).toMatchObject({ code: 'remote', hint })
    if ('cause' in outcome) expect((error as Error).cause).toBe(outcome.cause)
  }) // prettier-ignore

  test('nothing is asked any more when the time of the run is over', async () => {
    const attempts = makeAttempts({ ...limits, deadline: 5000 })
    vi.advanceTimersByTime(5000)
    expect(await count(attempts, answered)).toMatchObject({ asked: 1, message: '' })
    vi.advanceTimersByTime(1)
    const message = 'http://x.example has not answered everything within 5 s'
    expect(await count(attempts, answered)).toMatchObject({ asked: 0, message })
  })

  test('an outage is told once, whatever is asked', async () => {
    const said: string[] = []
    const attempts = makeAttempts({ ...limits, lasting: { ...lasting, tell: (text) => said.push(text) } })
    const away = { ...refused, isAway: true }
    for (const time of [1, 2]) {
      await count(attempts, answered)
      await Promise.all([count(attempts, away), count(attempts, away)])
      expect(said).toHaveLength(time)
    }
  })
})

describe('a store that is started again', () => {
  const away = { reason: 'connection refused', cause: undefined, isAway: true }
  const said: string[] = []
  const patience = { url: 'http://x.example', retries: 4, lasting: { time: 60_000 }, deadline: 0 }
  const awaiting = { time: 60_000, tell: (text: string) => said.push(text) }
  beforeEach(() => vi.useFakeTimers())
  afterEach(() => {
    vi.useRealTimers()
    said.length = 0
  })

  /** The same for a service that is back after `back` ms. */
  async function asked(
    outcome: typeof away | { status: number; retryAfter: undefined },
    back: number,
    given?: number,
  ) {
    const start = Date.now()
    const once = () => Promise.resolve(Date.now() - start < back ? outcome : answered)
    const end = makeAttempts({ ...patience, awaiting })(once as never, given).then(
      () => true,
      (error: Error) => error.message,
    )
    await vi.runAllTimersAsync()
    return [await end, Date.now() - start] as const
  }

  test('is waited for, and that is said once', async () => {
    expect((await asked(away, 10_000))[0]).toBe(true)
    expect(said).toEqual(['http://x.example cannot be reached: connection refused; retrying for up to 60 s'])
    for (const status of [502, 503, 504])
      expect((await asked({ status, retryAfter: undefined }, 50_000))[0]).toBe(true)
    expect(said.slice(1)).toEqual(
      [502, 503, 504].map(
        (status) => `http://x.example cannot be reached: status ${status}; retrying for up to 60 s`,
      ),
    )
  })

  test('is told of by the first request that waits, not by one with attempts of its own', async () => {
    const attempts = makeAttempts({ ...patience, awaiting })
    const ended = (retries?: number) =>
      attempts(() => Promise.resolve(away) as never, retries).catch((error: Error) => error.message)
    const short = ended(4)
    await vi.runAllTimersAsync()
    expect(await short).toContain('(5 attempts in')
    expect(said).toEqual([])
    const long = ended()
    await vi.runAllTimersAsync()
    expect(await long).toContain('cannot reach')
    expect(said).toHaveLength(1)
  })

  test.for([
    [2, 0],
    [3, 1],
  ] as const)('after %d attempts it was told %d times', async ([failures, times]) => {
    let count = 0
    const once = () => Promise.resolve((count += 1) <= failures ? away : answered)
    const end = makeAttempts({ ...patience, awaiting })(once as never)
    await vi.runAllTimersAsync()
    expect(await end).toBe(answered)
    expect(said).toHaveLength(times)
  })

  test('but not for ever, nor where it never is, nor where once was said', async () => {
    const [end, time] = await asked(away, Infinity)
    expect(end).toContain('cannot reach http://x.example: connection refused')
    expect(time).toBeGreaterThanOrEqual(60_000)
    expect(time).toBeLessThan(70_000)
    const [, soon] = await asked({ ...away, isAway: false }, Infinity)
    expect(soon).toBeLessThan(4000)
    expect((await asked(away, 1, 0))[0]).toContain('(1 attempt)')
    const [, few] = await asked({ status: 500, retryAfter: undefined }, Infinity)
    expect(few).toBeLessThan(1000)
  })
})

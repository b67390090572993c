/** How often a service is asked again: more often once it has answered. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { attempting } from '../../src/client/attempts.ts'

const refused = { reason: 'connection refused', cause: undefined }
const answered = { status: 200, retryAfter: undefined, body: {} }

test('a service that has answered is waited for longer', async () => {
  vi.useFakeTimers()
  try {
    const attempts = attempting({ url: 'http://x.example', retries: 4, laterRetries: 12, deadline: 0 })
    const count = async (once: () => Promise<unknown>) => {
      let asked = 0
      const start = Date.now()
      const end = attempts(() => {
        asked += 1
        return once() as never
      }).catch(() => undefined)
      await vi.runAllTimersAsync()
      await end
      return [asked, Date.now() - start] as const
    }
    const [early] = await count(() => Promise.resolve(refused))
    expect(early).toBe(5)
    await count(() => Promise.resolve(answered))
    vi.spyOn(Math, 'random').mockReturnValue(0.5)
    const [later, time] = await count(() => Promise.resolve(refused))
    expect(later).toBe(13)
    expect(time).toBeGreaterThan(30_000)
  } finally {
    vi.useRealTimers()
    vi.restoreAllMocks()
  }
})

describe('a store that is started again', () => {
  const away = { reason: 'connection refused', cause: undefined, isAway: true }
  const said: string[] = []
  const patience = { url: 'http://x.example', retries: 4, laterRetries: 12, deadline: 0 }
  const awaiting = { time: 60_000, tell: (text: string) => said.push(text) }
  beforeEach(() => vi.useFakeTimers())
  afterEach(() => {
    vi.useRealTimers()
    said.length = 0
  })

  /** Of one that is back after `back` ms. */
  async function asked(
    outcome: typeof away | { status: number; retryAfter: undefined },
    back: number,
    given?: number,
  ) {
    const start = Date.now()
    const once = () => Promise.resolve(Date.now() - start < back ? outcome : answered)
    const end = attempting({ ...patience, awaiting })(once as never, given).then(
      () => true,
      (error: Error) => error.message,
    )
    await vi.runAllTimersAsync()
    return [await end, Date.now() - start] as const
  }

  test('is waited for, and that is said once', async () => {
    expect((await asked(away, 10_000))[0]).toBe(true)
    expect(said).toEqual(['http://x.example is not there: connection refused; waiting for it, 60 s in all'])
    for (const status of [502, 503, 504])
      expect((await asked({ status, retryAfter: undefined }, 50_000))[0]).toBe(true)
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

/** How often a service is asked again: more often once it has answered. */
import { expect, test, vi } from 'vitest'
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

/** When the progress line of a conversion is drawn on a terminal. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { openProgress } from '../../../src/cli/run/table/report/progress.ts'
import { newTally } from '../../../src/table/output/summary.ts'

const drawn: string[] = []
const told: string[] = []
const messages = vi.hoisted(() => ({ isTerminal: true }))

vi.mock('../../../src/io/stdout.ts', async (original) => ({
  ...(await original<object>()),
  isTerminal: () => messages.isTerminal,
  tell: (text: string) => void told.push(text),
  draw: (text: string) => void drawn.push(text),
}))

beforeEach(() => {
  drawn.length = 0
  told.length = 0
  messages.isTerminal = true
  vi.useFakeTimers({ toFake: ['performance'] })
  vi.stubEnv('CI', '')
  vi.stubEnv('TERM', 'xterm')
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllEnvs()
})

describe('on a terminal', () => {
  test.for([
    ['after a second', undefined, [0, 999, 1000, 1099, 1100], ['', '', 'drawn', '', 'drawn']],
    ['at once, where it is asked for', 'always', [0, 99, 100], ['drawn', '', 'drawn']],
    ['never', 'never', [0, 5000], ['', '']],
  ] as const)('it is drawn %s', ([, choice, moments, expected]) => {
    const progress = openProgress(choice, false, { tally: newTally(), bytes: 100, bytesRead: () => 50 })
    const began = performance.now()
    const seen = moments.map((moment) => {
      vi.advanceTimersByTime(began + moment - performance.now())
      const before = drawn.length
      progress.passed()
      return drawn.length > before ? 'drawn' : ''
    })
    expect(seen).toEqual(expected)
  })

  test('it says how much is done, makes room, and goes at the end', () => {
    const tally = newTally()
    const progress = openProgress(undefined, false, { tally, bytes: 100, bytesRead: () => 50 })
    vi.advanceTimersByTime(2000)
    tally.rows = 3000
    progress.passed()
    expect(drawn).toEqual(['\r\u001b[Khla: 3,000 rows, 1,500 rows/s, 50% of the input, 2 s left'])
    progress.clear()
    progress.finish()
    expect(drawn.slice(1)).toEqual(['\r\u001b[K'])
  })
})

test.for([
  [0, '0 s'],
  [59, '59 s'],
  [60, '1 min 0 s'],
  [185, '3 min 5 s'],
  [3599, '59 min 59 s'],
  [3600, '1 h 0 min'],
  [7385, '2 h 3 min'],
] as const)('%i seconds are left: %s', ([seconds, text]) => {
  const run = { tally: newTally(), bytes: 1 + seconds, bytesRead: () => 1 }
  const progress = openProgress('always', false, run)
  vi.advanceTimersByTime(1000)
  progress.passed()
  const share = Math.floor(100 / (1 + seconds))
  expect(drawn).toEqual([`\r\u001b[Khla: 0 rows, 0 rows/s, ${share}% of the input, ${text} left`])
})

test('a file of messages has a line a second, and nothing is erased', () => {
  messages.isTerminal = false
  const progress = openProgress('always', false, { tally: newTally(), bytes: undefined, bytesRead: () => 0 })
  for (const passed of [999, 1, 999, 1]) {
    vi.advanceTimersByTime(passed)
    progress.passed()
  }
  progress.clear()
  progress.finish()
  expect(drawn).toEqual([])
  expect(told.length).toBeGreaterThanOrEqual(2)
  expect(new Set(told)).toEqual(new Set(['hla: 0 rows, 0 rows/s\n']))
})

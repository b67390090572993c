/** What the progress line of a transfer says, and when it is drawn on a terminal. */
import { writeFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { sendFile } from '../../../src/drive/commands/files/send-file.ts'
import { transferProgress } from '../../../src/drive/commands/files/transfer-progress.ts'
import { scriptedStore } from '../../support/scripted-store.ts'
import { tempFolder } from '../../support/temp.ts'

const drawn: string[] = []
const terminal = { is: true }

vi.mock('../../../src/io/stdout.ts', async (original) => ({
  ...(await original<object>()),
  isTerminal: (stream: string) => terminal.is && stream === 'messages',
  draw: (text: string) => void drawn.push(text),
}))

beforeEach(() => {
  drawn.length = 0
  terminal.is = true
  vi.useFakeTimers({ toFake: ['performance'] })
  vi.stubEnv('CI', '')
  vi.stubEnv('TERM', 'xterm')
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllEnvs()
})

const MIB = 1024 ** 2
const ERASE = '\r\u001b[K'

/** Texts drawn by a transfer of which so many bytes are there after so many milliseconds. */
function drawnBy(
  passed: readonly (readonly [number, number])[],
  {
    name = 'a.csv',
    total = 8 * MIB,
    isQuiet = false,
  }: { name?: string; total?: number | undefined; isQuiet?: boolean },
): string[] {
  const progress = transferProgress(name, total < 0 ? undefined : total, isQuiet)
  let now = 0
  for (const [at, bytes] of passed) {
    vi.advanceTimersByTime(at - now)
    now = at
    progress.at(bytes)
  }
  progress.end()
  progress.end()
  return drawn
}

describe('on a terminal', () => {
  test('it is drawn after a second and then five times a second, and goes once at the end', () => {
    const passed = [0, 999, 1000, 1199, 1200, 1201].map((at) => [at, at * 1024] as const)
    expect(drawnBy(passed, {})).toEqual([
      `${ERASE}hla: a.csv: 12%, 1.0 MiB, 1.0 MiB/s`,
      `${ERASE}hla: a.csv: 14%, 1.2 MiB, 1.0 MiB/s`,
      ERASE,
    ])
  })

  test.for([
    [
      'of bytes of this transfer alone',
      [
        [0, 2 * MIB],
        [2000, 6 * MIB],
      ],
      {},
      '75%, 6.0 MiB, 2.0 MiB/s',
    ],
    [
      'without an end',
      [
        [0, 0],
        [1000, MIB],
      ],
      { total: -1 },
      '1.0 MiB, 1.0 MiB/s',
    ],
    [
      'of nothing',
      [
        [0, 0],
        [1000, 0],
      ],
      { total: 0 },
      '0.0 MiB, 0.0 MiB/s',
    ],
  ] as const)('it says the share, the size and the speed %s', ([, passed, given, line]) => {
    expect(drawnBy(passed, given)).toEqual([`${ERASE}hla: a.csv: ${line}`, ERASE])
  })

  test('control characters of the name are visible', () => {
    expect(
      drawnBy(
        [
          [0, 0],
          [1000, MIB],
        ],
        { name: 'a\u001b[2J' },
      )[0],
    ).not.toContain('a\u001b')
  })
})

describe('it is not drawn', () => {
  const passed = [
    [0, 0],
    [5000, MIB],
  ] as const
  test.for<[string, () => void, readonly (readonly [number, number])[], { isQuiet?: boolean }]>([
    [
      'before a second has passed',
      () => undefined,
      [
        [0, 0],
        [999, MIB],
      ],
      {},
    ],
    ['in continuous integration', () => vi.stubEnv('CI', 'true'), passed, {}],
    ['on a terminal that cannot erase', () => vi.stubEnv('TERM', 'dumb'), passed, {}],
    ['with --quiet', () => undefined, passed, { isQuiet: true }],
    ['where messages go to a file', () => void (terminal.is = false), passed, {}],
  ])('%s', ([, arrange, moments, given]) => {
    arrange()
    expect(drawnBy(moments, given)).toEqual([])
  })
})

describe('an upload', () => {
  const temp = tempFolder()
  test.for([
    [200, 'ends'],
    [403, 'fails'],
  ] as const)('with status %i erases its line when it %s', async ([status]) => {
    writeFileSync(temp('a.csv'), Buffer.alloc(MIB / 2, 'x'))
    const { connection } = scriptedStore(async ({ body }) => {
      if (body === undefined) return { headers: { location: 'https://store.example/up' } }
      vi.advanceTimersByTime(1000)
      for await (const _ of body()) vi.advanceTimersByTime(250)
      return { status, body: { id: 'f' } }
    })
    const target = { kind: 'revision', file: 'f', mimeType: 'text/csv' } as const
    const sent = sendFile({ connection, retries: 0 }, target, { file: temp('a.csv'), isQuiet: false })
    expect(await sent.then(({ id }) => id, () => 'refused')).toBe(status === 200 ? 'f' : 'refused') // prettier-ignore
    expect(drawn.length).toBeGreaterThan(1)
    expect(drawn.at(0)).toContain(`: 50%, 0.3 MiB, `)
    expect(drawn.at(-1)).toBe(ERASE)
  })
})

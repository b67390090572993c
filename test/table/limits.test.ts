/** Tables of other users: their resources are limited, and conversions take turns. */
import { afterEach, describe, expect, test, vi } from 'vitest'
import { HlaError } from '../../src/errors.ts'
import { readableSink } from '../../src/io/readable-sink.ts'
import { makeKnowledge, withBudget } from '../../src/operations/knowledge.ts'
import { cellOperationNamed } from '../../src/operations/registry.ts'
import {
  type TableJob,
  type TableLimits,
  localAnswering,
  resolvedOptions,
} from '../../src/table/run/table-job.ts'
import { openJob } from '../../src/table/run/run-table.ts'
import { smallMacs, smallRelease } from '../support/small-release.ts'

const knowledge = makeKnowledge({ release: smallRelease(), mac: smallMacs() })
const operation = cellOperationNamed('redux')
const inputs = [{ reduction_method: 'lgx' }]
const nothing = () => undefined

const ROWS = 200
const TABLE = `id,A_1,A_2\n${'1,A*01:01,A*02:01\n'.repeat(ROWS)}`
/** Distinct typings, each of which needs an answer. */
const DISTINCT = `id,A_1\n${Array.from({ length: ROWS }, (_, at) => `1,A*99:${at}\n`).join('')}`

/** Encodings: converted as bytes, and as rows. */
const WAYS = ['utf8', 'utf16le'] as const
type Way = (typeof WAYS)[number]

interface Allowed {
  readonly bytes?: number
  readonly lines?: number
  readonly planning?: number
  readonly time?: number
  readonly turn?: number
}

function limitsOf({ bytes = 1e6, lines = 1e6, planning = 1e6, time = 0, turn = 1e6 }: Allowed): TableLimits {
  const refusing = (most: number, what: string) => ({
    most,
    refusal: () => new HlaError('bad-request', `too many ${what}`),
  })
  return {
    bytes: refusing(bytes, 'bytes'),
    lines: refusing(lines, 'lines'),
    planning: refusing(planning, 'ms of columns'),
    time: refusing(time, 'ms'),
    turn,
    atOnce: 4,
  }
}

interface Conversion {
  readonly text?: string
  readonly way?: Way
  /** Number of suggestions; undefined: no limit. */
  readonly advice?: number
  readonly failed?: TableJob['reporter']['failed']
}

/** The pieces of the output, as text. */
async function* piecesOf(
  limits: TableLimits,
  { text = TABLE, way = 'utf8', advice, failed = nothing }: Conversion = {},
): AsyncGenerator<string> {
  async function* bytes() {
    yield await Promise.resolve(Buffer.from(way === 'utf8' ? text : `\ufeff${text}`, way))
  }
  const source = { name: 't.csv', title: 't.csv', size: undefined, bytes, identity: nothing as never }
  const sink = readableSink()
  const budget = { left: advice ?? 0, refused: 0 }
  const question = { source, options: {}, operation, inputs, accept: [] }
  const job: TableJob = {
    source,
    question,
    output: '-',
    filePort: {
      source: () => source,
      sink: (_, options) => Promise.resolve(sink.open(options)),
      isRemote: () => false,
      beside: (file) => file,
      removeOwn: nothing,
      close: () => Promise.resolve(),
    },
    answering: localAnswering(advice === undefined ? knowledge : withBudget(knowledge, budget)),
    operation,
    inputs,
    layout: undefined,
    options: resolvedOptions(question),
    limits,
    reporter: {
      planned: nothing,
      progress: () => ({ passed: nothing, clear: nothing, finish: nothing }),
      failed,
      allFailed: nothing,
      finished: nothing,
    },
  }
  const { convert } = await openJob(job)
  for await (const piece of sink.pieces(convert)) yield Buffer.from(piece).toString(way)
}

async function converted(limits: TableLimits, conversion?: Conversion): Promise<string[]> {
  const pieces: string[] = []
  for await (const piece of piecesOf(limits, conversion)) pieces.push(piece)
  return pieces
}

function countLines(text: string): number {
  return text.split('\n').length - 1
}

afterEach(() => void vi.restoreAllMocks())

describe.each(WAYS)('a table with limits, as %s', (way) => {
  test('is converted in turns', async () => {
    const pieces = await converted(limitsOf({ turn: 0 }), { way, text: DISTINCT, advice: 0 })
    const rows = pieces.map(countLines)
    expect(rows.reduce((sum, one) => sum + one, 0)).toBe(ROWS + 1)
    // the header is in the first piece
    expect(Math.max(...rows)).toBeLessThanOrEqual(2)
  })

  test('has its turn between those of another', async () => {
    const order: string[] = []
    const run = async (name: string) => {
      for await (const _ of piecesOf(limitsOf({ turn: 0 }), { way, text: DISTINCT, advice: 0 }))
        order.push(name)
    }
    await Promise.all([run('a'), run('b')])
    // neither waits for more than two pieces of the other
    const runs =
      order
        .join('')
        .slice(0, 2 * ROWS - 10)
        .match(/a+|b+/g) ?? []
    expect(Math.max(...runs.map(({ length }) => length))).toBeLessThanOrEqual(2)
  })

  test.each([
    ['lines', { lines: ROWS }],
    ['bytes', { bytes: (way === 'utf8' ? 1 : 2) * TABLE.length + (way === 'utf8' ? 0 : 2) - 1 }],
  ])('has no more %s than they allow', async (what, most) => {
    await expect(converted(limitsOf(most), { way })).rejects.toThrow(`too many ${what}`)
    const [name, count] = Object.entries(most)[0] ?? ['', 0]
    const text = (await converted(limitsOf({ [name]: count + 1 }), { way })).join('')
    expect(countLines(text)).toBe(ROWS + 1)
  })

  test('takes no longer to recognise than they allow', async () => {
    const text = `${Array.from({ length: 500 }, (_, at) => `p${at}_A_1\tp${at}_A_2`).join('\t')}\n${'01:01\t'.repeat(999)}01:01\n`
    await expect(converted(limitsOf({ planning: 0 }), { way, text })).rejects.toThrow(
      'too many ms of columns',
    )
    await converted(limitsOf({ planning: 60_000 }), { way, text })
  })

  test.each([
    ['a last row without an end', TABLE.slice(0, -1)],
    ['empty lines', `id,A_1\n${'\n'.repeat(ROWS - 1)}1,A*01:01\n`],
    ['line ends in quotes', `id,A_1\n"${'\n'.repeat(ROWS - 1)}",A*01:01\n`],
  ])('counts %s', async (_, text) => {
    await expect(converted(limitsOf({ lines: ROWS }), { way, text })).rejects.toThrow('too many lines')
    await converted(limitsOf({ lines: ROWS + 1 }), { way, text })
  })

  test('is refused after so many lines, whatever stands behind them', async () => {
    const text = TABLE + DISTINCT.repeat(40)
    let count = 0
    const convert = async () => {
      for await (const piece of piecesOf(limitsOf({ lines: ROWS }), { way, text })) count += countLines(piece)
    }
    await expect(convert()).rejects.toThrow('too many lines')
    expect(count).toBeLessThan(20 * ROWS)
  })

  test('takes no more time than they allow', async () => {
    // the mocked clock advances a second at each call
    let clock = 0
    vi.spyOn(performance, 'now').mockImplementation(() => (clock += 1000))
    await expect(converted(limitsOf({ time: 100_000 }), { way, text: DISTINCT, advice: 0 })).rejects.toThrow(
      'too many ms',
    )
    expect(clock).toBeLessThan(200_000)
    await converted(limitsOf({ time: 10_000_000 }), { way, text: DISTINCT, advice: 0 })
    await converted(limitsOf({ time: 0 }), { way, text: DISTINCT, advice: 0 })
  })

  test('is not charged with the time in which nobody takes it', async () => {
    let clock = 0
    vi.spyOn(performance, 'now').mockImplementation(() => clock)
    for await (const _ of piecesOf(limitsOf({ time: 10, turn: 0 }), { way, text: DISTINCT, advice: 0 }))
      clock += 1000
    expect(clock).toBeGreaterThan(10_000)
  })
})

test('rows whose typings are known are converted a piece at a time', async () => {
  const text = TABLE + '1,A*01:01,A*02:01\n'.repeat(40_000)
  const pieces = await converted(limitsOf({}), { text })
  expect(countLines(pieces.join(''))).toBe(ROWS + 1 + 40_000)
  expect(Math.max(...pieces.map(countLines)) * '1,A*01:01,A*02:01\n'.length).toBeLessThan(66 * 1024)
})

test('the time of known typings is counted, too', async () => {
  const text = TABLE + '1,A*01:01,A*02:01\n'.repeat(40_000)
  let clock = 0
  vi.spyOn(performance, 'now').mockImplementation(() => (clock += 1000))
  await expect(converted(limitsOf({ time: 10_000 }), { text })).rejects.toThrow('too many ms')
})

test.each([
  ['GL Strings', 'id,gl\n1,A*99:1+A*99:2\n2,A*01:01+A*99:3\n3,A*99:4+A*99:5\n4,A*99:6+A*99:7\n'],
  ['columns that are apart', 'id,A_1,B_1,A_2,B_2\n1,A*01:01,B*99:1,A*99:2,B*99:3\n2,A*99:4,B*99:5,A*99:6,\n'],
])('advice goes to cells in the same order, whichever way: %s', async (_, text) => {
  for (const advice of [0, 1, 2, 3, 4, 5]) {
    const [bytes, rows] = await Promise.all(
      WAYS.map(async (way) => {
        const told: unknown[] = []
        const failed: TableJob['reporter']['failed'] = ({ line, column, value, error }) =>
          void told.push([line, column, value, error.message, error.hint, error.suggestions])
        await converted(limitsOf({}), { text, way, advice, failed })
        return told
      }),
    )
    expect(bytes).toEqual(rows)
  }
})

test('a row that is longer than a piece is read as it comes, and no longer than a row may be', async () => {
  const open = `${TABLE}"${'x,y\n'.repeat(200_000)}`
  const errors = await Promise.all(
    WAYS.map((way) => converted(limitsOf({ bytes: 1e7 }), { text: open, way }).catch(String)),
  )
  expect(errors[0]).toContain('line 202: a quoted field that starts')
  expect(errors[1]).toBe(errors[0])
  const long = `${TABLE}1,A*01:01,"${'x'.repeat(400_000)}"\n${TABLE.slice(TABLE.indexOf('\n') + 1)}`
  const [bytes, rows] = await Promise.all(
    WAYS.map((way) => converted(limitsOf({ bytes: 1e7 }), { text: long, way })),
  )
  expect(bytes?.join('')).toBe(rows?.join('').replace('\ufeff', ''))
})

test('typings in quotes are converted in turns, too', async () => {
  const text = DISTINCT.replaceAll(/A\*99:\d+/g, '"$&"')
  const pieces = await converted(limitsOf({ turn: 0 }), { text, advice: 0 })
  expect(Math.max(...pieces.map(countLines))).toBeLessThanOrEqual(2)
  expect(countLines(pieces.join(''))).toBe(ROWS + 1)
})

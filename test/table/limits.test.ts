/** A table of somebody else: what it may take is bounded, and others get their turn while it is converted. */
import { describe, expect, test } from 'vitest'
import { HlaError } from '../../src/errors.ts'
import { takenSink } from '../../src/io/taken-sink.ts'
import { makeKnowledge } from '../../src/operations/knowledge.ts'
import { cellOperationNamed } from '../../src/operations/registry.ts'
import { localAnswering } from '../../src/table/run/answering.ts'
import { resolvedOptions, type TableJob, type TableLimits } from '../../src/table/run/table-job.ts'
import { openJob } from '../../src/table/run/run-table.ts'
import { smallMacs, smallRelease } from '../support/small-release.ts'

const knowledge = makeKnowledge({ release: smallRelease(), mac: smallMacs() })
const operation = cellOperationNamed('redux')
const inputs = [{ reduction_method: 'lgx' }]
const nothing = () => undefined

const ROWS = 500
const TABLE = `id,A_1,A_2\n${'1,A*01:01,A*02:01\n'.repeat(ROWS)}`

function limitsOf({ bytes = 1e6, lines = 1e6, turn = 1e6 }): TableLimits {
  const refusing = (most: number, what: string) => ({
    most,
    refusal: () => new HlaError('bad-request', `too many ${what}`),
  })
  return { bytes: refusing(bytes, 'bytes'), lines: refusing(lines, 'lines'), time: refusing(0, 'ms'), turn }
}

/** The pieces in which it comes. */
async function converted(limits: TableLimits): Promise<string[]> {
  async function* bytes() {
    yield await Promise.resolve(Buffer.from(TABLE))
  }
  const source = { name: 't.csv', title: 't.csv', size: undefined, bytes, identity: nothing as never }
  const sink = takenSink()
  const job: TableJob = {
    source,
    output: '-',
    filePort: {
      source: () => source,
      sink: (_, options) => Promise.resolve(sink.open(options)),
      isRemote: () => false,
      beside: (file) => file,
      here: (file) => file,
      removeOwn: nothing,
      close: () => Promise.resolve(),
    },
    answering: localAnswering(knowledge, undefined),
    operation,
    inputs,
    layout: undefined,
    options: resolvedOptions({ source, options: {}, operation, inputs, accept: [] }),
    isUnbroken: true,
    limits,
    reporter: {
      planned: nothing,
      begun: nothing,
      progress: () => ({ passed: nothing, clear: nothing, finish: nothing }),
      failed: nothing,
      allFailed: nothing,
      finished: nothing,
    },
  }
  const { convert } = await openJob(job)
  const pieces: string[] = []
  for await (const piece of sink.pieces(convert)) pieces.push(Buffer.from(piece).toString())
  return pieces
}

describe('a table with limits', () => {
  test('is converted in turns', async () => {
    const pieces = await converted(limitsOf({ turn: 20 }))
    const rows = pieces.map((piece) => piece.split('\n').length - 1)
    expect(rows.reduce((sum, one) => sum + one, 0)).toBe(ROWS + 1)
    expect(Math.max(...rows)).toBe(20)
  })

  test.each([
    ['lines', { lines: ROWS }],
    ['bytes', { bytes: TABLE.length - 1 }],
  ])('has no more %s than they allow', async (what, most) => {
    await expect(converted(limitsOf(most))).rejects.toThrow(`too many ${what}`)
    const [name, count] = Object.entries(most)[0] ?? ['', 0]
    const text = (await converted(limitsOf({ [name]: count + 1 }))).join('')
    expect(text.split('\n')).toHaveLength(ROWS + 2)
  })
})

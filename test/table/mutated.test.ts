/** Damaged tables: for any input the program ends, with a documented status and every row in its place. */
import * as zlib from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { makeAnswers } from '../../src/table/answers/answers.ts'
import { convertRows } from '../../src/table/rows/convert-rows.ts'
import { sniffDialect } from '../../src/table/input/dialect.ts'
import { makeNameFacts } from '../../src/table/cells/name-facts.ts'
import { outputColumns } from '../../src/table/plan/output-columns.ts'
import { makePlan } from '../../src/table/plan/plan.ts'
import { readRows, type TableRow } from '../../src/table/input/read-table.ts'
import { tableWriter } from '../../src/table/output/row-writer.ts'
import type { ReadRequest, WriteRequest } from '../../src/table/plan/table-request.ts'
import { newTally } from '../../src/table/output/summary.ts'
import { isHlaError } from '../../src/errors.ts'
import { localExecutor } from '../../src/operations/executor.ts'
import { makeKnowledge } from '../../src/operations/knowledge.ts'
import { cellOperationNamed } from '../../src/operations/registry.ts'
import { callHla } from '../support/call-hla.ts'
import { smallMacs, smallRelease } from '../support/small-release.ts'
import { tempFolder } from '../support/temp.ts'
import { rounds } from '../support/rounds.ts'

const knowledge = makeKnowledge({ release: smallRelease(), mac: smallMacs() })
const operation = cellOperationNamed('redux')
const facts = makeNameFacts(knowledge.release)

const READ: ReadRequest = {
  dialect: { delimiter: ',' },
  layout: undefined,
  header: true,
  choice: { loci: ['A=2,3'], gl: '4' },
  idColumn: undefined,
  digits: 'auto',
  cellSeparator: 'auto',
  tokens: {},
  accept: [],
  ragged: 'error',
}

const WRITE: WriteRequest = {
  into: 'after',
  name: '{col}_{method}',
  results: ['lgx'],
  width: 1,
  glOut: undefined,
  glsc: false,
  drbx: undefined,
  secondBlank: 'blank',
  dropSource: false,
  locusPrefix: 'full',
  onError: 'report',
  delimiter: undefined,
  eol: 'keep',
  bom: 'keep',
}

interface Converted {
  readonly rows: readonly TableRow[]
  /** Output for each row. */
  readonly written: readonly string[]
}

async function convert(text: string, write: Partial<WriteRequest> = {}): Promise<Converted> {
  const bytes = Buffer.from(text, 'latin1')
  const dialect = sniffDialect('t.csv', bytes, { ...READ.dialect, encoding: 'latin1' })
  const rows: TableRow[] = []
  async function* chunks() {
    yield bytes
  }
  for await (const block of readRows(chunks(), dialect)) rows.push(...block)
  const plan = makePlan({ table: 't.csv', dialect, rows, layout: undefined, request: READ, facts })
  const request = { ...WRITE, ...write }
  const executor = localExecutor(knowledge)
  const written: string[] = []
  convertRows(rows, {
    plan,
    dialect,
    answers: makeAnswers({ executor, operation, inputs: [{}], width: 1, release: '3.58.0' }),
    writer: tableWriter(plan, dialect, request, outputColumns(plan, request)),
    tally: newTally(),
    ragged: 'error',
    stopAtFirst: false,
    maxErrors: undefined,
    write: (line) => void written.push(line),
    failed: () => undefined,
  })
  return { rows, written }
}

const CELLS = [
  'A*01:01',
  '02:01',
  '1',
  'NNNN',
  '',
  '"x"',
  '"a,b"',
  '"a""b"',
  '0.04',
  'A*99:99',
  '"01:01"',
  ' ',
  'A*01:01+A*02:01',
]

describe('convertRows', () => {
  const cell = fc.constantFrom(...CELLS, '"open', 'in"side', '\u0000', '\u00e9', 'x'.repeat(5000))
  const row = fc.tuple(cell, cell, cell, cell, cell).map((cells) => cells.join(','))
  const ragged = fc.oneof(
    { weight: 9, arbitrary: row },
    { weight: 1, arbitrary: fc.constantFrom('', 'a', 'a,b,c,d,e,f') },
  )
  const table = fc
    .tuple(fc.array(ragged, { maxLength: 6 }), fc.constantFrom('\n', '\r\n'), fc.boolean())
    .map(([rows, eol, isEnded]) => ['id,A_1,A_2,gl,note', ...rows].join(eol) + (isEnded ? eol : ''))

  test('fails with a code or gives a row for a row, and what it did not reduce is as it was', async () => {
    await fc.assert(
      fc.asyncProperty(table, async (text) => {
        const out = await convert(text, { into: 'append' }).catch((error: unknown) => error)
        if (out instanceof Error) {
          expect(isHlaError(out) && out.code).toBe('bad-quote')
          return
        }
        const { rows, written } = out as Converted
        expect(written).toHaveLength(rows.length)
        // results are at the end, after the input
        for (const [at, { raws, eol }] of rows.entries()) {
          expect(written[at]?.startsWith(raws.slice(0, 5).join(','))).toBe(true)
          expect(written[at]?.endsWith(eol)).toBe(true)
        }
      }),
      { numRuns: rounds(300) },
    )
  })

  test('converting without a failed cell in place gives what converting again leaves', async () => {
    const sound = fc.array(
      fc.tuple(
        fc.constantFrom('A*01:01', '02:01', 'NNNN', ''),
        fc.constantFrom('A*02:AB', '01:01:01G', 'NA'),
      ),
      { minLength: 1, maxLength: 5 },
    )
    await fc.assert(
      fc.asyncProperty(sound, async (rows) => {
        const text = `id,A_1,A_2,gl\n${rows.map(([a, b]) => `1,${a},${b},A*01:01`).join('\n')}\n`
        const once = await convert(text, { into: 'replace', onError: 'blank' })
        const twice = await convert(once.written.join(''), { into: 'replace', onError: 'blank' })
        expect(twice.written).toEqual(once.written)
      }),
      { numRuns: rounds(50) },
    )
  })
})

const temp = tempFolder()

describe('the program', () => {
  const table = Buffer.from(`id,A_1,A_2\n${'1,01:01,02:01\n'.repeat(500)}`)
  const gzip = zlib.gzipSync(table)

  test.for([
    ['a gzip file cut short', gzip.subarray(0, gzip.length - 20), 4],
    [
      'a gzip file with a wrong byte',
      Buffer.concat([gzip.subarray(0, 30), Buffer.from([255]), gzip.subarray(31)]),
      4,
    ],
    ['bytes that are not text', Buffer.from(Array.from({ length: 4000 }, (_, at) => (at * 7919) % 251)), 2],
    ['a cell of 10 MiB', Buffer.from(`id,A_1\n1,${'9'.repeat(10 * 1024 * 1024)}\n2,01:01\n`), 1],
    ['UTF-16', Buffer.from('\ufeffid,A_1\r\n1,01:01\r\n', 'utf16le'), 0],
    ['what cannot be UTF-16', Buffer.from('\ufeffid,A_1\r\n1,01:01\r\n\ud800x', 'utf16le'), 4],
    ['half a character of UTF-16', Buffer.from('id,A_1\r\n1,01:01\r\n', 'utf16le').subarray(0, -1), 4],
    ['nothing', Buffer.alloc(0), 4],
    [
      'zstd that is none',
      Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, 0]),
      'createZstdDecompress' in zlib ? 4 : 3,
    ],
  ] as const)('%s', async ([, stdin, expected]) => {
    const args = ['redux', '-d', ',', '-r', 'starter', '-q']
    const { status, stdout } = await callHla(args, { cwd: temp('.'), stdin })
    expect(status).toBe(expected)
    if (expected > 1 && expected !== 4) expect(stdout).toBe('')
  })
})

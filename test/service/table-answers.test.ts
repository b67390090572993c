/** Whole answers to tables that were sent, without a network: every part, its headers, and refusals. */
import { gzipSync } from 'node:zlib'
import { afterAll, expect, test } from 'vitest'
import { makeKnowledge } from '../../src/operations/knowledge.ts'
import { openStarter } from '../../src/reference/starter/open-starter.ts'
import { makeServed } from '../../src/service/current.ts'
import { openService } from '../../src/service/service.ts'
import { answerTable, type TableRequest } from '../../src/service/table/table-answer.ts'
import { tableLimits, tooLongText } from '../../src/service/table/table-limits.ts'
import { smallMacs, smallRelease } from '../support/small-release.ts'

const service = openService(makeKnowledge(openStarter()), {})
afterAll(() => service.drain({ delay: 0, patience: 0 }))

const DONORS = `ID,A_1,A_2,B_1,B_2,note
1,01:01,02:01,7:02,08:01,"x, y"
2,01:AB,,99:99,44:02,
3,A*01:01,NNNN,07:02,08:01,z
`

interface Part {
  readonly name: string
  readonly type: string
  readonly file?: string
  readonly text: string
}

/** Parts of a multipart answer, in order. */
function partsOf(contentType: string, body: string): Part[] {
  const [, boundary = ''] = /^multipart\/form-data; boundary=(\S+)$/.exec(contentType) ?? []
  const [before, ...parts] = `\r\n${body}`.split(`\r\n--${boundary}`)
  expect([boundary !== '', before, parts.pop()]).toEqual([true, '', '--\r\n'])
  return parts.map((part) => {
    const [, name = '', file, type = '', text = ''] =
      /^\r\ncontent-disposition: form-data; name="(\w+)"(?:; filename="([^"]*)")?\r\ncontent-type: (.*)\r\n\r\n([^]*)$/.exec(part) ?? [] // prettier-ignore
    return { name, type, ...(file === undefined ? {} : { file }), text }
  })
}

async function send(url: string, payload: string | Buffer, headers: Record<string, string> = {}) {
  const answer = await service.app.inject({ method: 'POST', url, payload, headers })
  expect([answer.statusCode, answer.headers['x-hla-data']]).toEqual([200, '3.58.0+starter'])
  return partsOf(String(answer.headers['content-type']), answer.body)
}

const FAILED = 'B*99:99 is not fully covered by the built-in starter set'
const ASK = 'ask the operator of the service to install the data'
const INPUT = 'donors.csv.gz  comma-separated, header, UTF-8, LF'
const OUTPUT = 'new columns after each source: A_1_lgx A_1_1F A_2_lgx A_2_1F B_1_lgx B_1_1F B_2_lgx B_2_1F'
const A = { read: 'typing', locus: 'A', reading: 'fields, no locus; names with locus', examples: ['01:01 -> A*01:01'] } // prettier-ignore
const B = { read: 'typing', locus: 'B', reading: 'fields, no locus; other', examples: ['7:02 -> B*7:02'] }

test('a table comes back with its plan, its errors and a summary', async () => {
  const parts = await send('/table?name=C:%5Cx%5Cdonors.csv.gz&accept=zero&method=lgx,1F,lgx', DONORS)
  const [plan, table, errors, summary, ...more] = parts
  expect(more).toEqual([])
  expect(plan).toEqual({
    name: 'plan',
    type: 'text/plain; charset=utf-8',
    text: [
      `input      ${INPUT}`,
      'id         ID',
      'A          A_1 A_2          fields, no locus; names with locus  01:01 -> A*01:01',
      'B          B_1 B_2          fields, no locus; other     7:02 -> B*7:02',
      'tokens     NNNN -> absent (A)',
      'method     lgx 1F, release 3.58.0',
      `output     ${OUTPUT}`,
      '',
    ].join('\n'),
  })
  expect(table).toEqual({
    name: 'table',
    type: 'application/octet-stream',
    file: 'donors.lgx-1F.csv',
    text: `ID,A_1,A_1_lgx,A_1_1F,A_2,A_2_lgx,A_2_1F,B_1,B_1_lgx,B_1_1F,B_2,B_2_lgx,B_2_1F,note
1,01:01,A*01:01,A*01,02:01,A*02:01,A*02,7:02,B*07:02,B*07,08:01,B*08:01,B*08,"x, y"
2,01:AB,A*01:01/A*01:02,A*01,,,,99:99,,,44:02,B*44:02,B*44,
3,A*01:01,A*01:01,A*01,NNNN,NNNN,NNNN,07:02,B*07:02,B*07,08:01,B*08:01,B*08,z
`,
  })
  expect(errors).toEqual({
    name: 'errors',
    type: 'text/csv; charset=utf-8',
    file: 'donors.lgx-1F.csv.errors.csv',
    text: `row,line,id,column,locus,value,code,message,suggestion
2,3,2,B_1,B,99:99,starter,${FAILED},${ASK}
`,
  })
  expect({ ...summary, text: JSON.parse(summary?.text ?? '') as unknown }).toEqual({
    name: 'summary',
    type: 'application/json',
    text: {
      name: 'donors.lgx-1F.csv',
      rows: 3,
      typings: 12,
      distinct: 11,
      status: { ok: 9, absent: 1, unknown: 0, untyped: 1, new: 0, error: 1 },
      codes: { starter: 1 },
      notes: { 'accept-zero': 1 },
      text: '3 rows, 12 typings (11 distinct): 9 ok, 1 absent, 1 untyped, 1 failed (1 starter)',
      said: [{ code: 'accept-zero', message: '1 typing: B*7:02 read as B*07:02' }],
      failed: 1,
      reported: 1,
      failures: [
        { row: 2, line: 3, id: '2', column: 'B_1', locus: 'B', value: '99:99', code: 'starter', message: FAILED, suggestion: ASK },
      ],
      values: [
        { value: '99:99', locus: 'B', code: 'starter', message: FAILED, hint: ASK, replacements: [], cells: 1, columns: ['B_1'], lines: [3] },
      ],
      columns: [
        { name: 'ID', read: 'id', locus: '' },
        { name: 'A_1', ...A },
        { name: 'A_2', ...A },
        { name: 'B_1', ...B },
        { name: 'B_2', ...B },
        { name: 'note', read: 'no', locus: '' },
      ],
      plan: [
        { name: 'input', text: INPUT },
        { name: 'tokens', text: 'NNNN -> absent (A)' },
        { name: 'method', text: 'lgx 1F, release 3.58.0' },
        { name: 'output', text: OUTPUT },
      ],
    },
  }) // prettier-ignore
})

test('a table without failures has no errors', async () => {
  const parts = await send('/table?method=1F', 'A1,A2\n01:01,02:01\n')
  expect(parts.map(({ name, file }) => [name, file])).toEqual([
    ['plan', undefined],
    ['table', 'table.1F.csv'],
    ['summary', undefined],
  ])
  expect(parts[1]?.text).toBe('A1,A1_1F,A2,A2_1F\n01:01,A*01,02:01,A*02\n')
})

test.for([
  ['donors.xlsx', '&method=G', 'donors.G.csv'],
  ['donors', '&method=G', 'donors.G'],
  ['a.b.TSV.GZ', '&method=1F', 'a.b.1F.TSV'],
  ['/etc/x.txt', '&method=G,lgx', 'x.G-lgx.txt'],
  ['d.csv', '&method=lgx&output_format=pypop', 'd.lgx.pop'],
] as const)('the result of %s%s is named %s', async ([name, query, expected]) => {
  const parts = await send(`/table?name=${name}${query}`, 'ID,A1,A2\n1,01:01,02:01\n')
  expect(parts.find((part) => part.name === 'table')?.file).toBe(expected)
})

test.for(['gzip', 'x-gzip', 'X-GZIP'])(
  'a table that %s compressed is read as its bytes say',
  async (encoding) => {
    const [plan, table] = await send('/table', gzipSync('A1,A2\n01:01,02:01\n'), {
      'content-encoding': encoding,
    })
    expect(plan?.text).toContain('comma-separated, header, UTF-8, LF, gzip\n')
    expect(table?.text).toBe('A1,A1_lgx,A2,A2_lgx\n01:01,A*01:01,02:01,A*02:01\n')
  },
)

test.for([
  ['/table', { 'content-encoding': 'identity' }, 'A1\n01:01\n', 200, undefined, undefined],
  [
    '/table',
    { 'content-encoding': 'br' },
    DONORS,
    415,
    { code: 'bad-request', message: 'send the table as it is, or compressed by one of gzip, x-gzip, zstd' },
    'gzip, x-gzip, zstd',
  ],
  [
    '/redux',
    { 'content-encoding': 'gzip' },
    '{}',
    415,
    {
      code: 'bad-request',
      message: 'send the body as it is, without Content-Encoding; POST /table takes compressed tables',
    },
    'identity',
  ],
  [
    '/table?methods=lgx',
    {},
    DONORS,
    400,
    {
      code: 'bad-request',
      message: expect.stringMatching(
        /^unknown property "methods"; properties are name, method, antigens, accept, /,
      ),
      suggestions: [],
    },
    undefined,
  ],
  [
    '/table',
    {},
    'nothing here\n',
    400,
    {
      code: 'usage',
      message: 'no typing columns found in table.csv',
      hint: 'Columns: nothing here',
      suggestions: [],
    },
    undefined,
  ],
  [
    '/table?name=x.csv',
    {},
    '',
    400,
    { code: 'io', message: 'x.csv contains no table: it is empty', offending: 'x.csv', suggestions: [] },
    undefined,
  ],
] as [string, Record<string, string>, string, number, unknown, string | undefined][])(
  '%s with %j and %j is %d',
  async ([url, headers, payload, status, body, accepted]) => {
    const answer = await service.app.inject({ method: 'POST', url, payload, headers })
    expect([answer.statusCode, answer.headers['accept-encoding']]).toEqual([status, accepted])
    if (status !== 200) expect(answer.json()).toEqual(body)
  },
)

const SMALL = makeServed(makeKnowledge({ release: smallRelease(), mac: smallMacs() }), 0)

/** The parts of a table that is answered by a small release. */
async function answered(given: Partial<TableRequest>, table: string): Promise<Part[]> {
  const request = { query: {}, most: 1000, time: 0, face: 'program' as const, pieces: [Buffer.from(table)] }
  const { contentType, body } = await answerTable({ ...request, ...given }, SMALL)
  const pieces: Buffer[] = []
  for await (const piece of body) pieces.push(Buffer.from(piece))
  return partsOf(contentType, Buffer.concat(pieces).toString())
}

test.for([
  [{}, 'A9/A24'],
  [{ antigens: 'broad' }, 'A9'],
  [{ antigens: 'split' }, 'A24'],
] as const)('the antigens of a cell by %j are %s', async ([options, expected]) => {
  const [, table] = await answered({ query: { method: ['S'], ...options } }, 'ID,A1\nx,24:02\n')
  expect(table?.text).toBe(`ID,A1,A1_S\nx,24:02,${expected}\n`)
})

test('a table that is too long is refused at its limit, and so is its answer', async () => {
  const row = 'x,01:XX\n'
  const table = `ID,A1\n${row.repeat(100)}`
  const whole = await answered({ most: table.length, query: { method: ['1F'] } }, table)
  expect(whole.at(-1)?.name).toBe('summary')
  const longer = await answered({ most: table.length - 1, query: { method: ['1F'] } }, table).catch(String)
  expect(JSON.stringify(longer)).toContain(
    'the table is longer than 0 MiB; the command line converts tables of any length',
  )
})

test('the limits of a table and what they say', () => {
  const { bytes, lines, planning, time, ...others } = tableLimits(3 * 1024 ** 2, 1500)
  const said = [bytes, lines, planning, time].map(({ most, refusal }) => {
    const { code, message, hint } = refusal()
    return { most, code, message, hint }
  })
  expect(said).toEqual([
    {
      most: 3 * 1024 ** 2,
      code: 'bad-request',
      message: 'the table is longer than 3 MiB; the command line converts tables of any length',
      hint: undefined,
    },
    {
      most: 5_000_000,
      code: 'bad-request',
      message: 'the table has more than 5,000,000 lines; the command line converts tables of any length',
      hint: undefined,
    },
    {
      most: 2000,
      code: 'bad-request',
      message: 'recognising the columns takes more than 2 s',
      hint: 'send fewer columns; the command line takes its time',
    },
    {
      most: 1500,
      code: 'bad-request',
      message: 'the table takes more than 1.5 s of work; the command line takes its time',
      hint: undefined,
    },
  ])
  expect(others).toEqual({ turn: 5, atOnce: 4 })
  expect(tooLongText(0)).toBe('this service converts no tables; the command line does')
})

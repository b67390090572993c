/** Random tables, converted block by block and row by row, with all results. */
import fc from 'fast-check'
import { makeAnswers } from '../../src/table/answers/answers.ts'
import { personChecks } from '../../src/table/answers/person-checks.ts'
import { type Conversion, convertRows } from '../../src/table/rows/convert-rows.ts'
import { sniffDialect } from '../../src/table/input/dialect.ts'
import { type Failure, reportFormat } from '../../src/table/output/failure-report.ts'
import { convertBytes } from '../../src/table/rows/convert-bytes.ts'
import { rowConverter } from '../../src/table/rows/row-converter.ts'
import { makeNameFacts } from '../../src/table/cells/name-facts.ts'
import { outputColumns } from '../../src/table/plan/output-columns.ts'
import { makePlan } from '../../src/table/plan/plan.ts'
import type { TableRow } from '../../src/table/input/read-table.ts'
import { tableWriter } from '../../src/table/output/row-writer.ts'
import { type SummaryRecord, summaryRecord, newTally } from '../../src/table/output/summary.ts'
import type { ReadRequest, WriteRequest } from '../../src/table/plan/table-request.ts'
import { isHlaError } from '../../src/errors.ts'
import { localExecutor } from '../../src/operations/executor.ts'
import { cellColumns } from '../../src/operations/operation.ts'
import { cellOperationNamed } from '../../src/operations/registry.ts'
import type { Knowledge } from '../../src/operations/knowledge.ts'
import { csvParseRows } from './csv-parse-rows.ts'

export interface TableCase {
  readonly head: string
  readonly body: string
  readonly delimiter: string
  /** Offsets at which the stream is cut. */
  readonly cuts: readonly number[]
  readonly reading: Partial<ReadRequest>
  readonly writing: Partial<WriteRequest>
  readonly operation: string
  readonly inputs: readonly Readonly<Record<string, unknown>>[]
  readonly details: boolean
}

export interface Outcome {
  readonly output: string
  readonly report: string
  readonly summary: SummaryRecord
  readonly notes: unknown
  readonly error: string | undefined
}

const READING: ReadRequest = {
  dialect: {},
  layout: undefined,
  header: true,
  choice: {},
  idColumn: undefined,
  digits: 'auto',
  cellSeparator: 'auto',
  tokens: {},
  accept: [],
  ragged: 'error',
}

const WRITING: WriteRequest = {
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
  onError: 'blank',
  delimiter: undefined,
  eol: 'keep',
  bom: 'keep',
}

/** `isFast` converts the body in blocks, otherwise as rows of csv-parse. The plan comes from the head. */
export async function convertTable(
  table: TableCase,
  knowledge: Knowledge,
  isFast: boolean,
  executor = localExecutor(knowledge),
): Promise<Outcome> {
  const reading = { ...READING, ...table.reading }
  const operation = cellOperationNamed(table.operation)
  const names = table.inputs.map((input) => cellColumns(operation.cells, input, table.details))
  const width = names[0]?.length ?? 1
  const writing = { ...WRITING, ...table.writing, results: names.flat(), width }
  const bytes = bytesOf(table.head + table.body)
  const dialect = sniffDialect('t.csv', bytes, {
    ...reading.dialect,
    delimiter: table.delimiter,
    encoding: 'utf8',
  })
  const sample = await rowsOf(table.head)
  const facts = makeNameFacts(knowledge.release)
  const plan = makePlan({ table: 't.csv', dialect, rows: sample, layout: undefined, request: reading, facts })
  const output = outputColumns(plan, writing)
  const tally = newTally(operation.cells.kinds)
  const out: Buffer[] = []
  const format = reportFormat('e.csv')
  let report = ''
  const answers = {
    executor,
    operation,
    inputs: table.inputs,
    width,
    release: knowledge.release.facts.label,
  }
  const counting = {
    plan,
    dialect,
    writer: tableWriter(plan, dialect, writing, output),
    tally,
    ragged: reading.ragged,
    stopAtFirst: writing.onError === 'fail',
    maxErrors: undefined,
    failed: (failure: Failure) => void (report += format.record(failure)),
  }
  const write = (text: string) => void out.push(Buffer.from(text, 'latin1'))
  const converter = rowConverter({ plan, dialect, writing, output, answers }, counting)
  const asked = isFast ? converter.answers : makeAnswers(answers)
  const persons = personChecks(plan, answers)
  const conversion: Conversion = { ...counting, answers: asked, persons, write }
  let error: string | undefined
  try {
    convertRows(sample, conversion)
    const line = table.head.split('\n').length
    const body = bytesOf(table.body)
    if (isFast) {
      const writeBytes = (block: Buffer) => void out.push(Buffer.from(block))
      await convertBytes({ chunks: pieces(body, table.cuts), line, converter, write: writeBytes })
    } else for await (const rows of csvParseRows(body, dialect, line)) convertRows(rows, conversion)
  } catch (failure) {
    if (!isHlaError(failure)) throw failure
    error = `${failure.code} ${failure.message}`
  }
  // how many rows precede an error depends on the blocks
  const written = error === undefined ? Buffer.concat(out).toString('latin1') : ''
  return {
    output: written,
    report,
    summary: summaryRecord(tally, asked.distinct(), plan),
    notes: tally.notes,
    error,
  }

  async function rowsOf(text: string): Promise<TableRow[]> {
    const rows: TableRow[] = []
    for await (const block of csvParseRows(Buffer.from(text), dialect)) rows.push(...block)
    return rows
  }
}

/** Placeholder for a byte that is invalid in UTF-8. */
const NO_UTF8 = '\uf8ff'

function bytesOf(text: string): Buffer {
  const marker = Buffer.from(NO_UTF8, 'utf8').toString('latin1')
  return Buffer.from(Buffer.from(text, 'utf8').toString('latin1').replaceAll(marker, '\u00ff'), 'latin1')
}

async function* pieces(bytes: Buffer, cuts: readonly number[]): AsyncGenerator<Buffer> {
  let start = 0
  for (const cut of [...cuts].sort((a, b) => a - b)) {
    yield await Promise.resolve(bytes.subarray(start, Math.min(cut, bytes.length)))
    start = Math.min(cut, bytes.length)
  }
  yield bytes.subarray(start)
}

const EOLS = ['\n', '\n', '\n', '\r\n']
const STRAY = [
  '"',
  'x"y',
  '"open',
  '"a"b',
  '\r',
  'é',
  '\u0000',
  ' ',
  '""',
  '"q,""\n"',
  '\n',
  '\r\n',
  '#x',
  ',',
  NO_UTF8,
  `A*01:01${NO_UTF8}`,
  '\ufffd',
]

const ODDLY_QUOTED = [
  '"A*01:01,A*02:01"',
  '"A*01:01"x',
  ' "A*01:01"',
  '"A*01:01+"',
  '"="',
  '"NA"',
  '"NN,NN"',
  '="A*01:01"x',
  '="A*01:01,A*02:01"',
  '"=""A*01:01"""',
  '"A*01:01\r"',
  '"A*01:01\n"',
]

/** `typings` fill the cells; some are quoted, padded or replaced by other text. */
export function tableCases(typings: readonly string[]): fc.Arbitrary<TableCase> {
  const typing = fc.constantFrom(...typings)
  const odd = fc.constantFrom(
    '',
    '',
    'NA',
    'NNNN',
    'NEW',
    'A*99:99',
    ' A*01:01',
    'x',
    '1',
    '0101',
    '26-Jan',
    'B7',
    'hla#3.58.0#A*01:01',
    '01:01;02:01',
    '01:01/02:01',
    'A*01:01 A*02:01',
    'A*01:01;A*02:01;B*07:02',
    '="01:01"',
    "'A*01:01",
  )
  const gl = fc
    .array(fc.tuple(fc.constantFrom('+', '^', '+', '^', '|', '~', '/'), typing), { maxLength: 6 })
    .chain((more) => typing.map((first) => more.reduce((text, [sign, next]) => text + sign + next, first)))
  const cellOf = (plain: fc.Arbitrary<string>) =>
    fc.oneof(
      { weight: 20, arbitrary: plain },
      { weight: 3, arbitrary: odd },
      { weight: 6, arbitrary: plain.map((text) => `"${text}"`) },
      { weight: 1, arbitrary: plain.map((text) => `="${text}"`) },
      { weight: 1, arbitrary: fc.constantFrom(...ODDLY_QUOTED) },
      { weight: 1, arbitrary: fc.constantFrom(...STRAY) },
    )
  const cells = fc.tuple(
    fc.oneof({ weight: 9, arbitrary: fc.constantFrom('D1', 'D2', '') }, { weight: 1, arbitrary: fc.constantFrom('"a,b"', '"a\n""b"', ...STRAY) }),
    cellOf(typing), cellOf(typing), cellOf(gl),
    fc.constantFrom('z', '', 'é', '"z"', 'x;y', 'x y', 'x\ty', '"x;y"'),
  ) // prettier-ignore
  const shape = fc.oneof(
    { weight: 12, arbitrary: fc.constant(5) },
    { weight: 1, arbitrary: fc.constantFrom(1, 4, 6) },
  )
  const row = fc.tuple(cells, shape, fc.constantFrom(...EOLS))
  return fc.record({
    rows: fc.array(row, { maxLength: 12 }),
    delimiter: fc.constantFrom(',', ',', ';', '\t', '%'),
    cuts: fc.array(fc.nat(300), { maxLength: 3 }),
    isCut: fc.boolean(),
    ragged: fc.constantFrom('error', 'error', 'pad'),
    comment: fc.constantFrom(undefined, undefined, '#'),
    quote: fc.constantFrom(undefined, undefined, undefined, 'none'),
    lazyQuotes: fc.boolean(),
    accept: fc.constantFrom([], [], [], ['space'], ['excel', 'space']),
    writing: fc.record({
      into: fc.constantFrom('after', 'after', 'append', 'replace'),
      locusPrefix: fc.constantFrom('full', 'full', 'bare'),
      onError: fc.constantFrom('blank', 'keep', 'report', 'fail'),
      eol: fc.constantFrom('keep', 'keep', 'lf', 'crlf'),
      dropSource: fc.constantFrom(false, false, true),
      glOut: fc.constantFrom(undefined, undefined, undefined, 'typing'),
      delimiter: fc.constantFrom(undefined, undefined, undefined, ';', '\t', ',', ' ', '|'),
    }),
    isLong: fc.constantFrom(false, false, true),
    asked: fc.constantFrom(...ASKED),
    details: fc.boolean(),
    limit: fc.constantFrom(undefined, undefined, 3),
    isAlone: fc.constantFrom(false, false, true),
    cellSeparator: fc.constantFrom('auto', 'auto', ';', ' ', '/', 'none'),
  }).map(caseOf) // prettier-ignore
}

interface Drawn {
  readonly rows: readonly (readonly [readonly string[], number, string])[]
  readonly delimiter: string
  readonly cuts: readonly number[]
  readonly isCut: boolean
  readonly ragged: string
  readonly comment: string | undefined
  readonly quote: string | undefined
  readonly lazyQuotes: boolean
  readonly accept: readonly string[]
  readonly writing: Readonly<Record<string, unknown>>
  readonly asked: (typeof ASKED)[number]
  readonly details: boolean
  readonly limit: number | undefined
  /** Whether each row has one typing; GL Strings are not read then. */
  readonly isLong: boolean
  /** Whether the locus has one column. */
  readonly isAlone: boolean
  readonly cellSeparator: string
}

/** Operations, and their inputs for each cell. */
const ASKED: readonly (readonly [string, ...Readonly<Record<string, unknown>>[]])[] = [
  ['redux', { reduction_method: 'lgx' }],
  ['redux', { reduction_method: 'lgx' }],
  ['redux', { reduction_method: 'lgx' }],
  ['redux', { reduction_method: 'G' }, { reduction_method: 'lgx' }],
  ['redux', { reduction_method: 'S' }],
  ['redux', { reduction_method: 'P' }],
  ['validate', {}],
  ['mac', {}],
  ['cwd', {}],
  ['lift', {}],
  ['lift', { from: '3.57.0' }],
]

function caseOf(drawn: Drawn): TableCase {
  const { delimiter, comment, quote, lazyQuotes, limit } = drawn
  const lines = drawn.rows.map(([cells, count, eol]) => {
    const row = count > cells.length ? [...cells, ''] : cells.slice(0, count)
    return row.map((cell) => cell.replaceAll(',', delimiter)).join(delimiter) + eol
  })
  const body = lines.join('')
  const [operation, ...inputs] = drawn.asked
  const { cells } = cellOperationNamed(operation)
  const details = drawn.details && cells.detailColumns !== undefined
  // only a single result that is a typing can replace its source
  const isSingle = inputs.length === 1 && !details && operation !== 'cwd' && cells.areTypings
  const into = drawn.writing['into'] === 'replace' && !isSingle ? 'after' : drawn.writing['into']
  const isReplaced = into === 'replace'
  const hasOptions = limit !== undefined && operation === 'redux'
  return {
    head: `${['id', 'A_1', 'A_2', 'gl', 'note'].join(delimiter)}\n`,
    body: drawn.isCut ? body.replace(/\r?\n$/, '') : body,
    delimiter,
    cuts: drawn.cuts,
    reading: {
      dialect: { comment, quote, lazyQuotes },
      // the other column of the pair is excluded by name, otherwise the table is refused
      choice: {
        ...(drawn.isAlone
          ? { loci: ['A=A_1'], exclude: drawn.isLong ? 'A_2,gl' : 'A_2' }
          : { loci: ['A=A_1,A_2'], ...(drawn.isLong ? { exclude: 'gl' } : {}) }),
        ...(drawn.isLong ? {} : { gl: 'gl' }),
      },
      cellSeparator: drawn.cellSeparator,
      ragged: drawn.ragged as 'error' | 'pad',
      accept: drawn.accept as ReadRequest['accept'],
    },
    // drawn from valid values
    writing: {
      ...drawn.writing,
      ...(drawn.isLong ? { shape: 'long', glOut: undefined } : {}),
      into,
      dropSource: !isReplaced && drawn.writing['dropSource'] === true,
    } as Partial<WriteRequest>,
    operation,
    inputs: hasOptions ? inputs.map((input) => ({ ...input, options: { limit } })) : inputs,
    details,
  }
}

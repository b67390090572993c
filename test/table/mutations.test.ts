/** Ten thousand damaged tables: refused with a code, or converted row by row into valid answers. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { makeAnswers } from '../../src/table/answers/answers.ts'
import { convertRows } from '../../src/table/rows/convert-rows.ts'
import { NO_DELIMITER, outDelimiter } from '../../src/table/input/dialect.ts'
import { readable, toByteText } from '../../src/table/input/encoding.ts'
import { convertBytes } from '../../src/table/rows/convert-bytes.ts'
import { rowConverter } from '../../src/table/rows/row-converter.ts'
import { countBytes } from '../../src/table/input/read-table.ts'
import { readTableInput } from '../../src/table/input/input.ts'
import { layoutFor } from '../../src/table/plan/layouts.ts'
import { makeNameFacts } from '../../src/table/cells/name-facts.ts'
import { type OpenTable, openTable } from '../../src/table/plan/open-table.ts'
import { isOfHeader } from '../../src/table/plan/plan.ts'
import { outputColumns } from '../../src/table/plan/output-columns.ts'
import { tryRead } from '../../src/table/plan/plan.ts'
import type { TableRow } from '../../src/table/input/read-table.ts'
import { tableWriter } from '../../src/table/output/row-writer.ts'
import { splitRow } from '../../src/table/input/split-row.ts'
import { readRequest, writeRequest } from '../../src/table/plan/raw-table-options.ts'
import { newTally } from '../../src/table/output/summary.ts'
import { ERROR_CODES, isHlaError } from '../../src/errors.ts'
import { localExecutor } from '../../src/operations/executor.ts'
import { makeKnowledge } from '../../src/operations/knowledge.ts'
import { cellOperationNamed } from '../../src/operations/registry.ts'
import { type MutatedTable, mutatedTables } from '../support/mutations.ts'
import { compareReadings, hasPython, type ReadTwice } from '../support/second-parser.ts'
import { callHla } from '../support/call-hla.ts'
import { smallMacs, smallRelease } from '../support/small-release.ts'
import { tempFolder } from '../support/temp.ts'
import { rounds } from '../support/rounds.ts'

const RUNS = rounds(10_000)

const temp = tempFolder()

const knowledge = makeKnowledge({ release: smallRelease(), mac: smallMacs() })
const executor = localExecutor(knowledge)
const facts = makeNameFacts(knowledge.release)
const operation = cellOperationNamed('redux')
const asked = { executor, operation, inputs: [{ reduction_method: 'lgx' }], width: 1, release: '3.58.0' }

async function* inPieces(bytes: Buffer) {
  for (let at = 0; at < bytes.length; at += 20_000) yield bytes.subarray(at, at + 20_000)
}

interface Converted {
  readonly table: OpenTable
  /** The table, decompressed. */
  readonly bytes: Buffer
  readonly rows: readonly TableRow[]
  /** Output for each row. */
  readonly written: readonly string[]
}

function requestsOf({ name }: MutatedTable) {
  const layout = layoutFor(undefined, name)
  const rawOptions = { into: 'append', onError: 'report' } as const
  return { layout, reading: readRequest({}, layout, []), writing: writeRequest(rawOptions, ['lgx']) }
}

function conversionOf({ plan, dialect }: OpenTable, writing: ReturnType<typeof requestsOf>['writing']) {
  const output = outputColumns(plan, writing)
  const counting = {
    plan,
    dialect,
    writer: tableWriter(plan, dialect, writing, output),
    tally: newTally(),
    ragged: 'error' as const,
    stopAtFirst: false,
    maxErrors: undefined,
    failed: () => undefined,
  }
  return { output, counting }
}

async function convert(given: MutatedTable): Promise<Converted> {
  const { layout, reading, writing } = requestsOf(given)
  const input = await readTableInput(given.name, inPieces(given.bytes), {
    dialect: reading.dialect,
    isVerbatim: true,
  })
  const pieces: Buffer[] = []
  async function* chunks() {
    for await (const piece of input.chunks()) {
      pieces.push(Buffer.from(piece))
      yield piece
    }
  }
  const table = await openTable({ ...input, chunks }, reading, layout, facts)
  const { counting } = conversionOf(table, writing)
  const rows: TableRow[] = []
  const written: string[] = []
  const answers = makeAnswers(asked)
  for await (const block of table.blocks()) {
    rows.push(...block)
    convertRows(block, { ...counting, answers, write: (line) => void written.push(line) })
  }
  return { table, bytes: Buffer.concat(pieces), rows, written }
}

/** Converts as bytes, except the lines up to the first row of typings, which are always read as text. */
async function convertFast(given: MutatedTable): Promise<string> {
  const { layout, reading, writing } = requestsOf(given)
  const input = await readTableInput(given.name, inPieces(given.bytes), {
    dialect: reading.dialect,
    isVerbatim: true,
  })
  const plain = []
  for await (const chunk of input.chunks()) plain.push(chunk)
  const all = Buffer.concat(plain)
  const table = await openTable({ ...input, chunks: () => inPieces(all) }, reading, layout, facts)
  const { plan, dialect } = table
  const isBefore = (row: TableRow, index: number) => index < dialect.preamble || row === plan.headerRow
  const first = table.first.slice(0, Math.max(1, table.first.findLastIndex(isBefore) + 1))
  const { output, counting } = conversionOf(table, writing)
  const converter = rowConverter({ plan, dialect, writing, output, answers: asked }, counting)
  const out: string[] = []
  const conversion = { ...counting, answers: converter.answers, write: (text: string) => void out.push(text) }
  convertRows(first, conversion)
  const text: Buffer[] = []
  for await (const piece of toByteText(inPieces(all), dialect)) text.push(piece)
  const chunks = inPieces(Buffer.concat(text).subarray(countBytes(first)))
  const line = table.first[first.length]?.line ?? 1
  const write = (bytes: Buffer) => void out.push(bytes.toString('latin1'))
  await convertBytes({ chunks, line, converter, write })
  return out.join('')
}

const valid = new Map<string, boolean>()

function isValid(typing: string): boolean {
  const known = valid.get(typing)
  if (known !== undefined) return known
  // the output schema of validate
  const { valid: is } = executor.execute('validate', { gl_string: typing }) as { valid: boolean }
  valid.set(typing, is)
  return is
}

/** The input's fields are unchanged, and ours are answers, tokens or empty. */
function checkRow(row: TableRow, text: string, { plan, dialect }: OpenTable): void {
  // adding columns gives a single-column table a delimiter
  const delimiter = outDelimiter(dialect)
  const { width } = plan.header
  const kept = [...row.raws, ...Array.from({ length: Math.max(0, width - row.raws.length) }, () => '')]
  // a tab in the only column is quoted, because tabs now separate columns
  const again = (raw: string) =>
    delimiter !== dialect.delimiter && raw.includes(delimiter) && !raw.startsWith('"')
      ? `"${raw.replaceAll('"', '""')}"`
      : raw
  const before = kept.slice(0, width).map((raw) => again(raw) + delimiter).join('') // prettier-ignore
  const behind = row.raws.slice(width).map((raw) => delimiter + again(raw)).join('') // prettier-ignore
  if (!text.startsWith(before) || !text.endsWith(behind + row.eol))
    throw new Error(`not as it was: ${text.slice(0, 200)}`)
  const ours = text.slice(before.length, text.length - behind.length - row.eol.length)
  const cells = plan.groups.flatMap((group) => group.columns.map((column) => ({ group, column })))
  const { raws } = splitRow(ours, cells.length + 2, { ...dialect, delimiter })
  expect(raws).toHaveLength(cells.length + 2)
  for (const [at, { group, column }] of cells.entries()) {
    const [result = '', raw = ''] = [raws[at], row.raws[column]]
    const value = readable(row.values[column] ?? '', dialect.encoding)
    const read = result === '' ? undefined : tryRead(value, group.context)
    const { quote = '"' } = dialect
    const text = result.startsWith(quote) ? result.slice(1, -1).replaceAll(quote + quote, quote) : result
    const isKept = result === raw || text === raw
    if (read === undefined || (isKept && !(read instanceof Error) && read.kind === 'token')) continue
    if (!isValid(readable(text, dialect.encoding)))
      throw new Error(`no answer: ${text.slice(0, 100)} for ${value.slice(0, 100)}`)
  }
}

/** The case for a second parser; undefined if that would infer another dialect than the program was given. */
function readTwice({ table: { plan, dialect }, bytes, rows, written }: Converted): ReadTwice | undefined {
  const { delimiter, encoding, eol, preamble, bom, quote } = dialect
  const input = bytes.subarray(bom).toString('latin1')
  const isOther = eol === '\r' || /\r(?!\n)/.test(input) || delimiter === NO_DELIMITER || quote !== '"'
  if (isOther || (encoding !== 'utf8' && encoding !== 'latin1') || input.length > 20_000) return undefined
  // repeated headers are written like the first
  const heads = rows.filter((row) => isOfHeader(row, plan)).map(({ raws }) => raws.join(delimiter))
  if (plan.upperRow === undefined && new Set(heads).size > 1) return undefined
  const table = rows.slice(preamble)
  const first = table.findIndex(({ isMisquoted }) => isMisquoted)
  const cells = plan.groups.reduce((sum, { columns }) => sum + columns.length, 0)
  return {
    input,
    output: written.join(''),
    delimiter,
    preamble,
    rows: table.slice(0, first < 0 ? undefined : first).map(({ values }) => values),
    isWhole: first < 0,
    width: plan.header.width,
    added: cells + 2,
  }
}

describe('a damaged table', () => {
  test('is refused, or keeps its rows and gets answers', async () => {
    let converted = 0
    const twice: ReadTwice[] = []
    await fc.assert(
      fc.asyncProperty(mutatedTables(), async (given) => {
        const outcome = await convert(given).catch((error: unknown) => error)
        if (outcome instanceof Error) {
          if (!isHlaError(outcome)) throw outcome
          expect(ERROR_CODES).toContain(outcome.code)
          return
        }
        // the outcome is not an error
        const { table, rows, written } = outcome as Converted
        const again = readTwice(outcome as Converted)
        if (again !== undefined) twice.push(again)
        converted += 1
        const { headerRow, upperRow } = table.plan
        expect(written).toHaveLength(rows.length)
        const heads = rows.flatMap((row, at) =>
          row === headerRow || row === upperRow ? [(written[at] ?? '').trimEnd()] : [],
        )
        for (const [at, row] of rows.entries()) {
          if (row === headerRow) continue
          // a repeated header, as in concatenated tables
          if (isOfHeader(row, table.plan)) expect(heads).toContain((written[at] ?? '').trimEnd())
          else if (row.kind === 'row') checkRow(row, written[at] ?? '', table)
          else expect(written[at]).toBe(row.raws.join(table.dialect.delimiter) + row.eol)
        }
        const fast = await convertFast(given)
        if (fast !== written.join('')) throw new Error('the fast way differs')
      }),
      { numRuns: RUNS },
    )
    expect(converted).toBeGreaterThan(RUNS / 3)
    if (!hasPython) return
    const { tables, cells, differences } = compareReadings(twice, temp('.'))
    expect(differences).toEqual([])
    // checks that the comparison detects differences
    const [table] = twice.filter(({ rows, preamble }) => rows.length > 1 && preamble === 0)
    const lost = { ...table, output: '' } as ReadTwice
    const changed = { ...table, output: `x${table?.output}` } as ReadTwice
    expect(compareReadings([lost, changed], temp('.')).differences).toHaveLength(2)
    expect(tables).toBeGreaterThan(RUNS / 5)
    expect(cells).toBeGreaterThan(RUNS)
  })
})

const WHOLE = 32

describe('the program', () => {
  const drawn = fc.sample(mutatedTables(), { numRuns: WHOLE, seed: 20_241_009 })

  test.concurrent.for(drawn.map((given) => [given.damage.join(', '), given] as const))(
    'ends by itself after %s',
    async ([, { name, bytes }], { expect }) => {
      const args = ['redux', '--layout', layoutName(name), '-r', 'starter', '-q', '-o', '-']
      const { status, stderr } = await callHla(args, { cwd: temp('.'), stdin: bytes })
      expect([0, 1, 2, 3, 4]).toContain(status)
      expect(stderr).not.toMatch(/internal error|^ +at /m)
    },
  )
})

function layoutName(name: string): string {
  if (name.endsWith('.pop')) return 'pypop'
  return name.endsWith('.txt') ? 'wmda' : 'pairs'
}

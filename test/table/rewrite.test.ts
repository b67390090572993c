/** Tables in another format, cell by cell: text cells stay the same text. */
import { describe, expect, test } from 'vitest'
import { isHlaError } from '../../src/errors.ts'
import { openWorkbook } from '../../src/table/input/workbook/workbook.ts'
import {
  CELL_FORMATS,
  type CellFormat,
  checkCells,
  rewriteTable,
} from '../../src/table/rewrite/rewrite-table.ts'
import { makeWorkbook } from '../support/workbook.ts'

const source = (bytes: string | Uint8Array, name = 'donors.csv') => ({
  name,
  bytes: one(Buffer.from(bytes)),
  pace: () => Promise.resolve(),
})

async function* one(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at === 0 || at < bytes.length; at += 65_536)
    yield await Promise.resolve(bytes.subarray(at, at + 65_536))
}

async function written(bytes: string | Uint8Array, format: CellFormat, name?: string): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  for await (const piece of rewriteTable(source(bytes, name), format)) pieces.push(piece)
  return Buffer.concat(pieces)
}

const text = async (bytes: string | Uint8Array, format: CellFormat, name?: string) =>
  (await written(bytes, format, name)).toString()

async function refusal(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => new Error('it was not refused'),
    (reason: unknown) => reason,
  )
  if (!isHlaError(error)) throw error
  return `${error.code}: ${error.message}`
}

/** Texts that a spreadsheet would turn into dates, times, numbers or formulas. */
const TRICKY = [
  ['id', 'A', 'note'],
  ['0012', '01:01', 'a, "b"'],
  ['1e5', '02:01:01', '=1+1'],
  ['', 'A*01:01', ' two\nlines '],
  ['3-4', '-', '_x0041_ <&> Zoë \u{1f9ec}'],
]
const asCsv = (rows: readonly (readonly string[])[]) =>
  rows
    .map((row) =>
      row.map((cell) => (/[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(','),
    )
    .join('\n')
    .concat('\n')

describe('what is in the cells stays', () => {
  const csv = asCsv(TRICKY)

  test('over a workbook and back', async () => {
    const workbook = await written(csv, 'xlsx')
    expect(await text(workbook, 'csv', 'donors.xlsx')).toBe(csv)
    // written again, from our own workbook
    expect(await written(workbook, 'xlsx', 'donors.xlsx')).toEqual(workbook)
  })

  test('over TSV and back', async () => {
    const tsv = await text(csv, 'tsv')
    expect(tsv).toContain('0012\t01:01\t')
    expect(await text(tsv, 'csv', 'donors.tsv')).toBe(csv)
  })

  test('in JSON Lines', async () => {
    const [names = [], ...rows] = TRICKY
    const lines = (await text(csv, 'jsonl')).trimEnd().split('\n')
    expect(lines.map((line): unknown => JSON.parse(line))).toEqual(
      rows.map((row) => Object.fromEntries(names.map((name, at) => [name, row[at]]))),
    )
  })

  test.for([
    ['comma and UTF-8', 'id,A\r\n1,"x"\r\n', 'csv'],
    ['with a mark', '\ufeffid,A\n1,é\n', 'csv'],
  ] as const)('%s: the bytes of the same format', async ([, bytes, format]) => {
    expect(await text(bytes, format)).toBe(bytes)
  })

  test.for([
    ['semicolons', 'id;A\n1;"x,y"\n', 'id,A\n1,"x,y"\n'],
    ['Latin-1', Buffer.from('id,name\n1,Zo\u00eb\n', 'latin1'), 'id,name\n1,Zoë\n'],
    ['UTF-16', Buffer.from('\ufeffid,name\n1,Zo\u00eb\n', 'utf16le'), 'id,name\n1,Zoë\n'],
    ['sep=', 'sep=;\nid;A\n1;2\n', 'id,A\n1,2\n'],
    ['one column', 'id\n1\n"a,b"\n', 'id\n1\n"a,b"\n'],
    ['an empty line', 'id;A\n\n1;2\n', 'id,A\n\n1,2\n'],
  ] as const)('%s becomes commas in UTF-8', async ([, bytes, expected]) => {
    expect(await text(bytes, 'csv')).toBe(expected)
  })

  test('cells of a workbook are text, empty ones and columns too', async () => {
    const workbook = await written(asCsv(TRICKY), 'xlsx')
    const { lines } = await openWorkbook(workbook, { name: 'x', sheet: undefined })
    let shown = ''
    for await (const line of lines()) shown += line.toString()
    expect(shown).toBe(asCsv(TRICKY))
    expect(workbook.includes('sheet1.xml')).toBe(true)
  })

  test('characters that XML does not hold are kept by their numbers', async () => {
    const table = 'id,note\n1,a\u000bb\u000cc_x0009_\ufffe\uffff\n'
    const workbook = await written(table, 'xlsx')
    const { lines } = await openWorkbook(workbook, { name: 'x', sheet: undefined })
    let shown = ''
    for await (const line of lines()) shown += line.toString()
    expect(shown).toBe(table)
  })

  test('the same rows are the same bytes', async () => {
    const [first, again] = [await written(csv, 'xlsx'), await written(csv, 'xlsx')]
    expect(first.equals(again)).toBe(true)
  })
})

describe('what is not one table of text is refused', () => {
  const sheets = (...names: readonly string[]) =>
    makeWorkbook({
      sheets: names.map((name) => ({
        name,
        rows: '<row r="1"><c r="A1" t="inlineStr"><is><t>x</t></is></c></row>',
      })),
    })
  test.for([
    ['nothing', '', 'io: donors.csv is not one table: it is empty'],
    ['empty lines', '\n\n', 'io: donors.csv is not one table: it is empty'],
    ['the first character that is no text', 'id\n\0', 'io: line 2: it has characters that are not text'],
    ['one before tabulators', 'id\na\b', 'io: line 2: it has characters that are not text'],
    ['one behind line ends', 'id\na\u000e', 'io: line 2: it has characters that are not text'],
    ['one before spaces', 'id\na\u001f', 'io: line 2: it has characters that are not text'],
    ['a quote that is not closed', 'id,A\n1,"x\n', 'bad-quote: line 2: a quoted field'],
    ['text behind a quote', 'id,A\n1,"x"y\n', 'bad-quote: line 2: a quote is inside'],
    ['bytes', Buffer.from('\u0089PNG\r\n\u001a\n\0\0\0\r', 'latin1'), 'io: donors.csv is a PNG picture'],
    [
      'two encodings',
      Buffer.concat([Buffer.alloc(70_000, 'id,é\n'), Buffer.from([0x31, 0x2c, 0xe9, 0x0a])]),
      'bad-encoding: line',
    ],
    ['JSON', '{"a":1}', 'io: donors.csv is JSON, not a table'],
    ['gzip', Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0]), 'io: donors.csv is not one table: it is compressed'], // prettier-ignore
    ['two sheets', sheets('Donors', 'Notes'), 'io: donors.csv is not one table: it has several sheets with something in them: "Donors", "Notes"'], // prettier-ignore
  ] as const)('%s', async ([, bytes, reason]) => {
    expect(await refusal(checkCells(source(bytes)))).toContain(reason)
  })

  test('one sheet is one table', async () => {
    await expect(checkCells(source(sheets('Donors')))).resolves.toBeUndefined()
  })

  test.for([
    ['a column without a name', 'id,\n1,2\n', 'line 1: column 2 has no name'],
    ['two of a name', 'A,A\n1,2\n', 'line 1: two columns are named "A"'],
    ['a cell beyond', 'id,A\n1,2,3\n', 'line 2 has a cell in column 3, which has no name'],
  ])('as JSON Lines: %s', async ([, bytes = '', reason = '']) => {
    expect(await refusal(written(bytes, 'jsonl'))).toContain(reason)
    // when rewritten by rows it is a table
    expect(await text(bytes, 'tsv')).toBe(bytes.replaceAll(',', '\t'))
  })

  test('a row that a sheet does not hold, by its number there, whatever line ends are in the cells above', async () => {
    const long = `id,A\n1,"two\nlines"\n2,${'x'.repeat(32_768)}\n`
    expect(await refusal(written(long, 'xlsx'))).toContain('characters in row 3')
  })

  test('what a sheet does not hold', async () => {
    const long = `id,A\n1,${'x'.repeat(32_768)}\n`
    expect(await refusal(written(long, 'xlsx'))).toContain('a cell of more than 32,767 characters in row 2')
    const wide = `${','.repeat(16_384)}\n`
    expect(await refusal(written(wide, 'xlsx'))).toContain('more than 16,384 columns in row 1')
  })

  test('whoever sets the pace ends it', async () => {
    const slow = {
      ...source('id,A\n1,2\n'),
      pace: () => Promise.reject(new Error('too long')),
    }
    await expect(checkCells(slow)).rejects.toThrow('too long')
  })
})

test('formats are named by their endings', () => {
  expect(CELL_FORMATS).toEqual(['csv', 'tsv', 'xlsx', 'jsonl'])
})

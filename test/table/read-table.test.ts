/** Splits a table into rows, and keeps the raw text of their fields. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type DialectHints, sniffDialect } from '../../src/table/input/dialect.ts'
import { readRows, type TableRow } from '../../src/table/input/read-table.ts'
import { splitRow, unquoteField } from '../../src/table/input/split-row.ts'
import { csvParseRows } from '../support/csv-parse-rows.ts'
import { rounds } from '../support/rounds.ts'

/** `isCsvParse`: reads with csv-parse only. */
async function read(
  text: string,
  hints: DialectHints = {},
  cuts: readonly number[] = [],
  isCsvParse = false,
): Promise<TableRow[]> {
  const bytes = Buffer.from(text, 'latin1')
  async function* chunks() {
    let start = 0
    for (const cut of [...cuts].sort((a, b) => a - b)) {
      yield bytes.subarray(start, Math.min(cut, bytes.length))
      start = Math.min(cut, bytes.length)
    }
    yield bytes.subarray(start)
  }
  const rows: TableRow[] = []
  const dialect = sniffDialect('t.csv', bytes, hints)
  const blocks = isCsvParse ? csvParseRows(bytes, dialect) : readRows(chunks(), dialect)
  for await (const block of blocks) rows.push(...block)
  return rows
}

function joined(rows: readonly TableRow[], delimiter = ','): string {
  return rows.map(({ raws, eol }) => raws.join(delimiter) + eol).join('')
}

describe('readRows', () => {
  test.for([
    ['plain', 'a,b\n1,2\n', [['a', 'b'], ['1', '2']], [1, 2]],
    ['CRLF', 'a,b\r\n1,2\r\n', [['a', 'b'], ['1', '2']], [1, 2]],
    ['mixed line ends', 'a,b\r\n1,2\n3,4', [['a', 'b'], ['1', '2'], ['3', '4']], [1, 2, 3]],
    ['no final newline, a carriage return at the end', 'a,b\r\n1,2\r', [['a', 'b'], ['1', '2\r']], [1, 2]],
    ['old Macintosh', 'a,b\r1,2\r', [['a', 'b'], ['1', '2']], [1, 2]],
    ['quotes', '"a","b ""x"", y"\n"1\n2",\n3,4\n', [['a', 'b "x", y'], ['1\n2', ''], ['3', '4']], [1, 2, 4]],
    ['a quote inside a field', 'a,b\n5" x,y\n', [['a', 'b'], ['5" x', 'y']], [1, 2]],
  ] as const)('%s', async ([, text, values, lines]) => {
    const rows = await read(text)
    expect(rows.map((row) => row.values)).toEqual(values)
    expect(rows.map(({ line }) => line)).toEqual(lines)
    expect(joined(rows)).toBe(text)
  }) // prettier-ignore

  test('passes preamble, comments and empty lines through', async () => {
    const text = '# "quoted\nlab,"x\nid,A_1\n\n1,A*01:01\n#2,x\n'
    const rows = await read(text, { preamble: 2, comment: '#' })
    expect(rows.map(({ kind }) => kind)).toEqual(['other', 'other', 'row', 'other', 'row', 'other'])
    expect(joined(rows)).toBe(text)
    expect(rows.map(({ line }) => line)).toEqual([1, 2, 3, 4, 5, 6])
  })

  test.for([
    ['a,b\n1,"2"x\n', true],
    ['a,b\n1,2"x\n', true],
    ['a,b\n1,"2""x"\n', false],
  ] as const)('%j is misquoted: %s', async ([text, isMisquoted]) => {
    expect((await read(text))[1]?.isMisquoted).toBe(isMisquoted)
    expect((await read(text, { lazyQuotes: true }))[1]?.isMisquoted).toBe(false)
  })

  test('a quote that is never closed is an error with its line', async () => {
    await expect(read('a,b\n1,2\n"3,4\n5,6\n')).rejects.toMatchObject({
      code: 'bad-quote',
      message: expect.stringContaining('line 3'),
    })
    expect(await read('a,b\n1,2\n"3,4\n5,6\n', { quote: 'none' })).toHaveLength(4)
  })

  test('cuts whatever it is given as csv-parse does, quotes or not', async () => {
    const [plain, any] = [
      ['a', '1', ',', '\t', ';', '|', '\n', '\r\n', '\r', '#', ' ', '\u00e9', '\u0000'],
      ['"', '""', 'x"y', ',"q,""\n"', "'", "'b'"],
    ]
    const text = (units: readonly string[]) => fc.string({ unit: fc.constantFrom(...units), maxLength: 60 })
    const hints = fc.record({
      delimiter: fc.constantFrom(',', '\t', ';', '|'),
      encoding: fc.constantFrom('latin1' as const, 'utf8' as const),
      quote: fc.constantFrom(undefined, 'none', '"', "'"),
      comment: fc.constantFrom(undefined, '#'),
      preamble: fc.constantFrom(undefined, 1),
    })
    const texts = fc.oneof(
      text(plain),
      fc.tuple(text(plain), text([...plain, ...any])).map((two) => two.join('')),
    )
    await fc.assert(
      fc.asyncProperty(texts, hints, fc.array(fc.nat(80), { maxLength: 5 }), async (table, given, cuts) => {
        const [ours, theirs] = await Promise.all(
          [false, true].map((isCsvParse) =>
            read(table, given as DialectHints, cuts, isCsvParse).catch((error: unknown) => String(error)),
          ),
        )
        expect(ours).toEqual(theirs)
      }),
      { numRuns: rounds(5000) },
    )
  })

  test('loses no byte, whatever the text and wherever it is cut', async () => {
    const texts = fc.string({
      unit: fc.constantFrom('a', '1', ',', '\n', '\r\n', '\r', ' ', '\u00e9', 'x"y', ',"q,""\n"', '\u0000'),
      maxLength: 40,
    })
    await fc.assert(
      fc.asyncProperty(texts, fc.array(fc.nat(60), { maxLength: 4 }), async (text, cuts) => {
        const rows = await read(text, { delimiter: ',', encoding: 'latin1' }, cuts).catch(
          (error: unknown) => error,
        )
        if (rows instanceof Error) expect(rows).toMatchObject({ code: 'bad-quote' })
        else expect(joined(rows as TableRow[])).toBe(text)
      }),
      { numRuns: rounds(1000) },
    )
  })
})

describe('fieldOf', () => {
  test('is read back as it was', () => {
    const dialect = { delimiter: ',', quote: '"' }
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', ',', '"', '\n', '\r') }), (value) => {
        const field = unquoteField(value, dialect) ?? ''
        expect(splitRow(field, 1, dialect)).toEqual({ raws: [field], isMisquoted: false })
      }),
    )
  })

  test('cannot write everything without quotes', () => {
    expect(unquoteField('a,b', { delimiter: ',', quote: undefined })).toBeUndefined()
  })
})

describe('sniffDialect', () => {
  test.for([
    ['x.csv', 'a,b\n1,2\n', ','],
    ['x.csv', 'a;b\n1;2\n', ';'],
    ['x.psv', 'a|b\n1|2\n', '|'],
    ['x.TSV.gz', 'a\tb,c\n1\t2,3\n', '\t'],
    ['x.tsv', 'a\tb,c\n1\t2,3\n', '\t'],
    ['x', 'D1%A*01:01+A*02:01\nD2%A*01:01+A*03:01\n', '%'],
    ['x', 'id A A\n1 01:01 02:01\n', ' '],
    ['x.txt', 'A*01:01+A*02:01\nB*07:02\n', '\u001f'],
    ['x.csv', '"a;b;c",d\n"1;2",3\n', ','],
    ['x.csv', 'a;b;c\n1;2\n1;2;3;4\n', ';'],
    ['x.csv', '"a;b;c"\n1;2\n1;2;3;4\n', ','],
    ['x.csv', 'typing\nA*01:01;A*02:01\n', ','],
  ] as const)('%s with %j is separated by %j', ([name, text, delimiter]) => {
    expect(sniffDialect(name, Buffer.from(text), {}).delimiter).toBe(delimiter)
  })

  test('empty lines above the table are lines', () => {
    const above = Buffer.from('a\n\n\n\nid,A_1,A_2\r\n1,01:01,02:01\r\n')
    expect(sniffDialect('x', above, { preamble: 4 }).delimiter).toBe(',')
  })

  test('a byte order mark is none of the text in whatever encoding was asked for', () => {
    const marked = Buffer.from('\ufeffid,A_1\n', 'utf8')
    expect(sniffDialect('x.csv', marked, { encoding: 'latin1' })).toMatchObject({
      encoding: 'latin1',
      bom: 3,
    })
  })

  test.for([
    [Buffer.from('\ufeffid,A_1\r\n', 'utf8'), { encoding: 'utf8', bom: 3, eol: '\r\n' }],
    [Buffer.from('\ufeffid,A_1\n', 'utf16le'), { encoding: 'utf16le', bom: 2, eol: '\n' }],
    [Buffer.from('\ufeffid,A_1\n', 'utf16le').swap16(), { encoding: 'utf16be', bom: 2, eol: '\n' }],
    [Buffer.from('id,A_1\n', 'utf16le'), { encoding: 'utf16le', bom: 0, eol: '\n' }],
    [Buffer.from('id,A_1,\u0100ge\n1,01:01,31\n', 'utf16le'), { encoding: 'utf16le', bom: 0, eol: '\n' }],
    // UTF-16 is recognized within the first KiB
    [Buffer.from(`id,A_1\n${'1'.repeat(600)}\u0100`, 'utf16le'), { encoding: 'utf16le', bom: 0, eol: '\n' }],
    [Buffer.from('id,\u00e9\n', 'latin1'), { encoding: 'latin1', bom: 0, eol: '\n' }],
    [Buffer.from('id,\u00e9\n', 'utf8'), { encoding: 'utf8', bom: 0, eol: '\n' }],
  ] as const)('%o is %o', ([bytes, expected]) => {
    expect(sniffDialect('x.csv', bytes, {})).toMatchObject({ ...expected, delimiter: ',' })
  })
})

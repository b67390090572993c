/** Rows of a sheet from its XML: places of cells, what is left out, and sheets that no program writes. */
import { describe, expect, test } from 'vitest'
import { readSheet, type SheetRow } from '../../../src/table/input/workbook/sheet-rows.ts'
import { TextReader, unescapeText } from '../../../src/table/input/workbook/shared-strings.ts'
import { errorOf } from '../../support/errors.ts'

/** Rows as `3: A=x C=y`; the XML comes in pieces. */
async function rowsOf(rows: string, piece = 1 << 16): Promise<string[]> {
  const xml = `<worksheet><sheetData>${rows}</sheetData></worksheet>`
  async function* pieces() {
    for (let at = 0; at < xml.length; at += piece) yield await Promise.resolve(xml.slice(at, at + piece))
  }
  const texts = { name: 'w.xlsx', sharedStrings: ['shared'], formats: [], isFrom1904: false }
  const all: SheetRow[] = []
  for await (const block of readSheet(pieces(), texts)) all.push(...block)
  return all.map(({ number, cells }) => `${number}: ${cells.map(({ column, text }) => `${column}=${text}`).join(' ')}`) // prettier-ignore
}

const inline = (text: string) => `t="inlineStr"><is><t>${text}</t></is></c>`

describe('rows of a sheet', () => {
  test.for([
    ['cells at their places', '<row r="2"><c r="B2"><v>1</v></c><c r="AB2"><v>2</v></c></row>', ['2: 2=1 28=2']],
    ['cells without a place follow the one before', '<row r="1"><c><v>1</v></c><c r="C1"><v>2</v></c><c><v>3</v></c></row>', ['1: 1=1 3=2 4=3']],
    ['rows without a number follow the one before', '<row><c><v>1</v></c></row><row r="5"><c><v>2</v></c></row><row><c><v>3</v></c></row>', ['1: 1=1', '5: 1=2', '6: 1=3']],
    ['empty cells and rows are left out', '<row r="1"><c r="A1"/><c r="B1"><v></v></c></row><row r="2"/><row r="3"><c r="A3"/><c r="B3"><v>1</v></c></row>', ['3: 2=1']],
    ['the last column', '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>', ['1048576: 16384=1']],
    ['a formula and its value', '<row><c t="str"><f>A1&amp;B1</f><v>x</v></c><c><f>C1</f></c><c><f/></c></row>', ['1: 1=x 2==C1 3==']],
    ['a value does not go on in the next cell', '<row><c><f>A1</f><v>1</v></c><c><v>2</v></c><c><f>B1</f></c></row>', ['1: 1=1 2=2 3==B1']],
    ['texts of all kinds', `<row><c t="s"><v>0</v></c><c ${inline('A*01:01')}<c t="inlineStr"><is><r><t>a</t></r><r><t>b</t></r><rPh><t>no</t></rPh></is></c></row>`, ['1: 1=shared 2=A*01:01 3=ab']],
    ['text outside of cells is none', '<row>x<c><v>1</v></c>y</row>z<v>2</v><t>3</t>', ['1: 1=1']],
    ['text of a cell outside of its value is none', '<row><c>x<v>1</v>y</c></row>', ['1: 1=1']],
  ] as const)('%s', async ([, xml, rows]) => {
    for (const piece of [1, 7, 1 << 16]) expect(await rowsOf(xml, piece)).toEqual(rows)
  }) // prettier-ignore

  test.for([
    ['<row r="2"/><row r="2"/>', 'row 2 comes after row 2'],
    ['<row r="3"/><row r="2"/>', 'row 2 comes after row 3'],
    ['<row r="0"/>', 'row 0 comes after row 0'],
    ['<row r="1.5"/>', 'row 1.5 comes after row 0'],
    ['<row r="x"/>', 'row x comes after row 0'],
    ['<row r="1048577"/>', 'row 1048577 comes after row 0'],
    ['<row r="4"><c r="B4"/><c r="B4"/></row>', 'a cell of row 4 has an invalid position'],
    ['<row r="4"><c r="B4"/><c r="A4"/></row>', 'a cell of row 4 has an invalid position'],
    ['<row r="4"><c r="4"/></row>', 'a cell of row 4 has an invalid position'],
    ['<row r="4"><c r="a4"/></row>', 'a cell of row 4 has an invalid position'],
    ['<row r="4"><c r="XFE4"/></row>', 'a cell of row 4 has an invalid position'],
    [`<row r="4"><c r="${'Z'.repeat(400)}4"/></row>`, 'a cell of row 4 has an invalid position'],
    ['<row><c t="s"><v>1</v></c></row>', 'a cell names text 1 of 1'],
    [`<row r="9"><c><v>${'1'.repeat(1024 ** 2 + 1)}</v></c></row>`, 'a cell of row 9 is longer than a cell may be'],
    [`<row r="9"><c><f>${'1'.repeat(1024 ** 2)}</f></c></row>`, 'a cell of row 9 is longer than a cell may be'],
    [`<row r="9"><c t="inlineStr"><is><t>${'1'.repeat(1024 ** 2 + 1)}</t></is></c></row>`, 'a text in it is longer than a cell may be'],
  ] as const)('%#: a sheet is refused', async ([xml, why]) => {
    await expect(rowsOf(xml)).rejects.toMatchObject({
      code: 'io',
      message: `w.xlsx cannot be read as a workbook: ${why}`,
      offending: 'w.xlsx',
      hint: 'save it again with a spreadsheet program, or export the sheet as CSV with the typing columns formatted as text',
    })
  }) // prettier-ignore

  test('the longest cells are read', async () => {
    const most = 1024 ** 2
    const [number = ''] = await rowsOf(`<row><c t="str"><v>${'x'.repeat(most)}</v></c></row>`)
    const [text = ''] = await rowsOf(`<row><c ${inline('x'.repeat(most))}</row>`)
    expect([number.length, text.length]).toEqual([most + 5, most + 5])
  })
})

describe('a text', () => {
  test('of runs is read without how it is pronounced, and each anew', () => {
    const reader = new TextReader('w.xlsx')
    const read = (...parts: readonly string[]) => {
      reader.begin()
      for (const part of parts) {
        if (part.startsWith('</')) reader.close(part.slice(2))
        else if (part.startsWith('<')) reader.open(part.slice(1))
        else reader.text(part)
      }
      return reader.end()
    }
    expect(read('<t', 'A*', '</t', 'x', '<t', '01:01', '</t')).toBe('A*01:01')
    expect(read('<t', 'a', '</t', '<rPh', '<t', 'b', '</t', '</rPh', '<t', 'c', '</t')).toBe('ac')
    // what a cut text leaves open does not matter to the next
    expect(read('<rPh', '<t', 'b')).toBe('')
    expect(read('x', '<t', 'a')).toBe('a')
    expect(read('b')).toBe('')
    expect(errorOf(() => read('<t', 'x'.repeat(1024 ** 2), 'x'))).toMatchObject({ code: 'io' })
  })

  test.for([
    ['a_x0041_b_x000D_', 'aAb\r'],
    ['_x00e9_', 'é'],
    ['_x041_', '_x041_'],
    ['_x0041', '_x0041'],
    ['x0041_', 'x0041_'],
  ] as const)('%j is %j', ([text, shown]) => {
    expect(unescapeText(text)).toBe(shown)
  })
})

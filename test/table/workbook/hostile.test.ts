/** Damaged and malicious workbooks: each is read correctly, or refused with a reason, in bounded time and memory. */
import { describe, expect, test } from 'vitest'
import { isHlaError } from '../../../src/errors.ts'
import { readTableInput } from '../../../src/table/input/input.ts'
import { randomNumbers } from '../../support/random-numbers.ts'
import { packed, textRows, workbookParts } from '../../support/workbook.ts'
import { zipOf } from '../../support/zip.ts'

const ROUNDS = process.env['HLA_LONG'] ? 5000 : 150
const rows = textRows([
  ['id', 'A_1', 'A_2'],
  ...Array.from({ length: 50 }, (_, at) => [`p${at}`, '01:01', '02:01']),
])
const PARTS = workbookParts({ sheets: [{ name: 'S', rows }], sharedStrings: ['a'], formats: ['0000'] })
const SHEET = 'xl/worksheets/sheet1.xml'

async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  yield await Promise.resolve(bytes)
}

/** The table, or the reason for its refusal. @throws errors that the input does not explain */
async function read(bytes: Buffer): Promise<string> {
  try {
    const input = await readTableInput('made.xlsx', once(bytes))
    let text = ''
    for await (const chunk of input.chunks()) text += chunk.toString()
    return text
  } catch (error) {
    if (isHlaError(error) && error.code === 'io') return `! ${error.message}`
    throw error
  }
}

const withPart = (name: string, text: string) => packed(new Map([...PARTS, [name, text]]))
const withRows = (xml: string) => withPart(SHEET, `<worksheet><sheetData>${xml}</sheetData></worksheet>`)
const withText = (text: string) =>
  withRows(`<row r="1"><c r="A1" t="inlineStr"><is><t>${text}</t></is></c></row>`)

describe('a workbook that is made to do harm', () => {
  test.for<[string, () => Buffer, string]>([
    [
      'has entities',
      () => withPart(SHEET, `<!DOCTYPE a [<!ENTITY e "${'e'.repeat(99)}">]><worksheet>&e;</worksheet>`),
      'document type',
    ],
    ['names an unknown entity', () => withText('&nbsp;'), 'entity'],
    ['is deep', () => withPart(SHEET, '<a>'.repeat(1_000_000)), 'nested elements'],
    [
      'has a name without an end',
      () => withPart(SHEET, `<worksheet><${'a'.repeat(5_000_000)}`),
      'cannot be read',
    ],
    [
      'has an attribute without an end',
      () => withPart(SHEET, `<worksheet a="${'a'.repeat(5_000_000)}`),
      'cannot be read',
    ],
    ['has an endless text', () => withText('a'.repeat(3_000_000)), 'longer than a cell may be'],
    [
      'has an endless number',
      () => withRows(`<row r="1"><c r="A1"><v>${'1'.repeat(3_000_000)}</v></c></row>`),
      'longer than a cell',
    ],
    [
      'has texts that fill the memory',
      () =>
        withPart(
          'xl/sharedStrings.xml',
          `<sst>${`<si><t>${'b'.repeat(60_000)}</t></si>`.repeat(1200)}</sst>`,
        ),
      'its texts take more than',
    ],
    ['has a row beyond the last one', () => withRows('<row r="1048577"/>'), 'row 1048577'],
    ['has rows out of order', () => withRows('<row r="2"/><row r="1"/>'), 'row 1 comes after row 2'],
    ['has a row twice', () => withRows('<row r="2"/><row r="2"/>'), 'row 2 comes after row 2'],
    ['has a row that is no number', () => withRows('<row r="x"/>'), 'row x'],
    [
      'has a cell beyond the last column',
      () => withRows('<row r="1"><c r="XFE1"/></row>'),
      'has an invalid position',
    ],
    ['has a cell without letters', () => withRows('<row r="1"><c r="11"/></row>'), 'has an invalid position'],
    [
      'has cells out of order',
      () => withRows('<row r="1"><c r="B1"/><c r="A1"/></row>'),
      'has an invalid position',
    ],
    [
      'names a text that is not there',
      () => withRows('<row r="1"><c r="A1" t="s"><v>7</v></c></row>'),
      'names text 7 of 1',
    ],
    ['is cut short in XML', () => withPart(SHEET, '<worksheet><sheetData><row r="1">'), 'cannot be read'],
    ['is not UTF-8', () => zipOf(new Map([...[...PARTS].map(([name, text]) => [name, Buffer.from(text)] as const), [SHEET, Buffer.from('<?xml version="1.0"?><worksheet/>', 'utf16le')]]), true), 'cannot be read'], // prettier-ignore
    ['has a part twice', () => zipOf([...[...PARTS].map(([name, text]) => [name, Buffer.from(text)] as const), [SHEET.toUpperCase(), Buffer.from('<worksheet/>')]], true), 'two parts'], // prettier-ignore
    [
      'has no sheet',
      () => packed(new Map([...PARTS].filter(([name]) => name !== 'xl/_rels/workbook.xml.rels'))),
      'no sheet of cells',
    ],
    ['has empty sheets', () => withPart(SHEET, '<worksheet/>'), 'its sheets are empty'],
    ['is another zip file', () => packed(new Map([['a.csv', 'id,A_1\n']])), 'a zip file, and no workbook'],
    ['is an OpenDocument sheet', () => packed(new Map([['mimetype', 'application/vnd.oasis.opendocument.spreadsheet'], ['content.xml', '<a/>']])), 'an OpenDocument file'], // prettier-ignore
    [
      'is of the old kind',
      () => Buffer.from('d0cf11e0a1b11ae1', 'hex'),
      'the old kind (.xls), or one with a password',
    ],
  ])('because it %s', async ([, make, why]) => {
    const started = process.memoryUsage.rss()
    const answer = await read(make())
    expect(answer.slice(0, 200)).toContain('! ')
    expect(answer).toContain(why)
    expect(process.memoryUsage.rss() - started).toBeLessThan(400 * 1024 ** 2)
  })

  test('is told of a part with a password, and of more parts than a workbook has', async () => {
    const whole = packed(PARTS)
    const encrypted = Buffer.from(whole)
    const entry = encrypted.indexOf('PK\u0001\u0002', 'latin1')
    encrypted.writeUInt16LE(encrypted.readUInt16LE(entry + 8) | 1, entry + 8)
    expect(await read(encrypted)).toBe('! made.xlsx cannot be read as a workbook: it is encrypted')
    const many = Buffer.from(whole)
    many.writeUInt16LE(10_001, many.lastIndexOf('PK\u0005\u0006', undefined, 'latin1') + 10)
    expect(await read(many)).toBe('! made.xlsx cannot be read as a workbook: it has 10001 parts')
  })

  test('has its sheet wherever the path leads', async () => {
    const own = PARTS.get('xl/_rels/workbook.xml.rels') ?? ''
    const path = (target: string) =>
      withPart('xl/_rels/workbook.xml.rels', own.replace('"worksheets/sheet1.xml"', `"${target}"`))
    const right = await read(packed(PARTS))
    for (const target of ['./worksheets/sheet1.xml', '../xl/worksheets/sheet1.xml', 'a/../worksheets/sheet1.xml'])
      expect(await read(path(target))).toBe(right)
    expect(await read(path('../worksheets/sheet1.xml'))).toMatch(/^! /)
  }) // prettier-ignore

  test('is refused at the size of its parts, before they are unpacked', async () => {
    const answer = await read(
      withPart('xl/styles.xml', `<styleSheet>${' '.repeat(17 * 1024 ** 2)}</styleSheet>`),
    )
    expect(answer).toContain('xl/styles.xml in it is larger than')
  })
})

test('a workbook that is damaged anywhere is refused, or reads as it was', async () => {
  const whole = packed(PARTS)
  const right = await read(whole)
  expect(right.split('\n')).toHaveLength(52)
  const random = randomNumbers(18)
  for (let round = 0; round < ROUNDS; round += 1) {
    const damaged = Buffer.from(whole)
    // without the four bytes that begin a zip file it is a text without typings
    const at = 4 + Math.floor(random() * (whole.length - 4))
    damaged[at] = (damaged[at] ?? 0) ^ (1 << Math.floor(random() * 8))
    const answer = await read(random() < 0.3 ? whole.subarray(0, at) : damaged)
    if (!answer.startsWith('! ') && answer !== right) expect({ at, answer }).toEqual({ at, answer: right })
  }
})

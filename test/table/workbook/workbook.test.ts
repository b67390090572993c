/** Sheets of workbooks: each cell as its displayed text, each row on its line, each failure with its address. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { openWorkbook } from '../../../src/table/input/workbook/workbook.ts'
import { callHla } from '../../support/call-hla.ts'
import { tempFolder } from '../../support/temp.ts'
import { type MadeWorkbook, inlineCell, makeWorkbook, textRows } from '../../support/workbook.ts'

const temp = tempFolder()
const cwd = temp('here')
beforeAll(() => {
  mkdirSync(cwd)
})

async function lines(made: MadeWorkbook, sheet?: string): Promise<string> {
  const workbook = await openWorkbook(makeWorkbook(made), { name: 'made.xlsx', sheet })
  let text = ''
  for await (const chunk of workbook.lines()) text += chunk.toString()
  return text
}

const one = (rows: string, more: Partial<MadeWorkbook> = {}) =>
  lines({ sheets: [{ name: 'S', rows }], ...more })

describe('a cell', () => {
  test.for([
    ['a shared string', '<c r="A1" t="s"><v>0</v></c>', 'A*01:01'],
    ['rich text, not how it is pronounced', '<c r="A1" t="s"><v>1</v></c>', 'A*01:02'],
    [
      'an inline string',
      '<c r="A1" t="inlineStr"><is><r><t>A*</t></r><r><t>24:02</t></r></is></c>',
      'A*24:02',
    ],
    ['a text that was calculated', '<c r="A1" t="str"><f>B1&amp;C1</f><v>A*03:01</v></c>', 'A*03:01'],
    ['a number that was calculated', '<c r="A1"><f>200+1</f><v>201</v></c>', '201'],
    ['what was never calculated', '<c r="A1"><f>B1&amp;":01"</f></c>', '"=B1&"":01"""'],
    ['a number with zeros before it', '<c r="A1" s="1"><v>201</v></c>', '0201'],
    ['a time', '<c r="A1" s="2"><v>4.2361111111111113E-2</v></c>', '01:01:00'],
    ['a time with seconds', '<c r="A1" s="2"><v>4.2372685185185187E-2</v></c>', '01:01:01.0'],
    ['a date', '<c r="A1" s="3"><v>45356</v></c>', '2024-03-05'],
    ['a number', '<c r="A1"><v>0.30000000000000004</v></c>', '0.3'],
    ['true', '<c r="A1" t="b"><v>1</v></c>', 'TRUE'],
    ['false', '<c r="A1" t="b"><v>0</v></c>', 'FALSE'],
    [
      'a text that was calculated, and is empty',
      '<c r="A1"><v>7</v></c><c r="B1" t="str"><f>C1</f><v></v></c><c r="C1"><v>8</v></c>',
      '7,,8',
    ],
    ['an error', '<c r="A1" t="e"><v>#N/A</v></c>', '#N/A'],
    ['a date as text', '<c r="A1" t="d"><v>2024-03-05</v></c>', '2024-03-05'],
    ['characters that XML does not hold', '<c r="A1" t="inlineStr"><is><t>a_x0041_b</t></is></c>', 'aAb'],
    ['text in CDATA', '<c r="A1" t="inlineStr"><is><t><![CDATA[a<b]]></t></is></c>', 'a<b'],
    ['a prefix of the namespace', '<x:c r="A1" t="inlineStr"><x:is><x:t>A2</x:t></x:is></x:c>', 'A2'],
  ])('with %s', async ([, xml = '', text = '']) => {
    const sharedStrings = ['A*01:01', '<r><t>A*</t></r><r><t>01:02</t></r><rPh><t>x</t></rPh>']
    const formats = ['0000', 'h:mm', 'yyyy\\-mm\\-dd']
    expect(await one(`<row r="1">${xml}</row>`, { sharedStrings, formats })).toBe(`${text}\n`)
  })
})

describe('rows', () => {
  test('that are left out have empty lines, and are as wide as the table', async () => {
    const rows = textRows([['id', 'A_1', 'A_2']]) + textRows([['1', undefined, '02:01'], ['2']], 4)
    expect(await one(rows)).toBe('id,A_1,A_2\n\n\n1,,02:01\n2,,\n')
  })

  test('without numbers and places stand one behind the other', async () => {
    const row = (...texts: string[]) =>
      `<row>${texts.map((text) => `<c t="inlineStr"><is><t>${text}</t></is></c>`).join('')}</row>`
    expect(await one(row('id', 'A_1') + row('1', '01:01'))).toBe('id,A_1\n1,01:01\n')
  })

  test('begin where the table does', async () => {
    const rows = textRows(
      [
        [undefined, 'id', 'A_1'],
        [undefined, '1', '01:01'],
      ],
      3,
    )
    expect(await one(rows)).toBe('\n\nid,A_1\n1,01:01\n')
    const later = textRows([...Array<undefined>(1200)].map(() => [undefined, 'x']))
    await expect(one(later + textRows([['y']], 1201))).rejects.toThrow(
      'row 1201 has a cell left of the column',
    )
  })

  test('of formats alone are none', async () => {
    expect(await one(`${textRows([['id']])}<row r="2"><c r="A2" s="1"/></row><row r="900"/>`)).toBe('id\n')
  })
})

describe('a workbook', () => {
  const typings = textRows([
    ['id', 'A_1', 'A_2'],
    ['1', '01:01', '02:01'],
  ])
  const notes = textRows([['a note']])

  test('is read from the first sheet that is shown and has something in it', async () => {
    const sheets = [
      { name: 'Old', rows: notes, state: 'hidden' },
      { name: 'Empty', rows: '<row r="1"><c r="A1" s="1"/></row>' },
      { name: 'Typings', rows: typings },
      { name: 'Notes', rows: notes },
    ]
    const workbook = await openWorkbook(makeWorkbook({ sheets }), { name: 'made.xlsx', sheet: undefined })
    expect([workbook.sheet, workbook.others]).toEqual(['Typings', ['Old', 'Notes']])
    expect(await lines({ sheets }, 'Old')).toBe('a note\n')
  })

  test.for([
    ['a cover sheet', [['made by the laboratory'], ['version', '2024'], ['date', '2024-05-01']], 'Typings'],
    ['a cover sheet in prose', [['Typings of A1 and B8 are on the next sheet']], 'Typings'],
    [
      'a legend',
      [
        ['-', 'not typed'],
        ['NA', 'no sample'],
      ],
      'Typings',
    ],
    [
      'typings of another kind',
      [
        ['id', 'A1', 'A2'],
        ['1', 'A1', 'A2'],
      ],
      'First',
    ],
    ['typings far down', [...Array.from({ length: 60 }, () => ['.']), ['1', '01:01']], 'First'],
  ] as const)('behind %s is found, where that has no typings', async ([, rows, chosen]) => {
    const sheets = [
      { name: 'First', rows: textRows(rows) },
      { name: 'Typings', rows: typings },
    ]
    const workbook = await openWorkbook(makeWorkbook({ sheets }), { name: 'made.xlsx', sheet: undefined })
    expect(workbook.sheet).toBe(chosen)
    const hidden = sheets.map((one) => (one.name === 'First' ? one : { ...one, state: 'hidden' }))
    const shown = await openWorkbook(makeWorkbook({ sheets: hidden }), { name: 'h.xlsx', sheet: undefined })
    expect(shown.sheet).toBe('First')
  })

  test('whose cells have line ends still has the right addresses', async () => {
    const rows = textRows([
      ['id', 'note', 'A_1'],
      ['1', 'two\nlines', '01:01'],
      ['2', 'three\n\nlines', '9'],
    ])
    const made = makeWorkbook({ sheets: [{ name: 'My sheet', rows: rows + textRows([['3', '', '9']], 6) }] })
    const workbook = await openWorkbook(made, { name: 'made.xlsx', sheet: undefined })
    for await (const _ of workbook.lines()) continue
    expect([1, 2, 4, 7, 9].map((line) => workbook.rowAt(line))).toEqual([1, 2, 3, 4, 6])
    expect([workbook.address(6, 2), workbook.address(6, undefined)]).toEqual([
      "'My sheet'!C6",
      "'My sheet'!6:6",
    ])
  })

  test('is converted as the same table in CSV, from standard input too, by one job and by two', async () => {
    const header = ['id', 'A_1', 'A_2', 'note']
    const rows = Array.from({ length: 3000 }, (_, at) => [
      String(at),
      '01:01',
      at % 7 ? '02:01' : '',
      at % 5 ? 'x' : 'a "b", c',
    ])
    const csv = [header, ...rows]
      .map((cells) =>
        cells.map((cell) => (/[",]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(','),
      )
      .map((line) => `${line}\n`)
      .join('')
    const made = makeWorkbook({ sheets: [{ name: 'S', rows: textRows([header, ...rows]) }] })
    writeFileSync(join(cwd, 'same.csv'), csv)
    writeFileSync(join(cwd, 'same.xlsx'), made)
    writeFileSync(join(cwd, 'same.bin'), made)
    const redux = (args: readonly string[], stdin?: Buffer) =>
      callHla(['redux', '-q', '-r', 'starter', ...args], { cwd, ...(stdin && { stdin }) })
    const { stdout } = await redux(['-i', 'same.csv'])
    expect(stdout.split('\n')).toHaveLength(3002)
    expect((await redux(['-i', 'same.xlsx'])).stdout).toBe(stdout)
    expect((await redux(['-i', 'same.bin'])).stdout).toBe(stdout)
    expect((await redux([], made)).stdout).toBe(stdout)
  })

  test('names sheet and cell of what it spoilt, in messages and in the report', async () => {
    const cell = (place: string, style: number, value: string) =>
      `<c r="${place}" s="${style}"><v>${value}</v></c>`
    const row = (number: number, ...cells: string[]) => `<row r="${number}">${cells.join('')}</row>`
    const rows = [
      textRows([['id', 'A_1', 'A_2', 'day']]),
      row(
        2,
        inlineCell('A2', 'p1'),
        cell('B2', 2, '4.2361111111111113E-2'),
        cell('C2', 1, '201'),
        cell('D2', 3, '45356'),
      ),
      row(5, inlineCell('A5', 'p2'), inlineCell('B5', '01:01'), cell('C5', 3, '45325')),
    ].join('')
    const formats = ['0000', 'h:mm', 'd-mmm']
    const sheets = [
      { name: 'Typings', rows },
      { name: 'Notes', rows: notes },
    ]
    writeFileSync(join(cwd, 'spoilt.xlsx'), makeWorkbook({ sheets, formats }))
    const ran = await callHla(['redux', '-r', 'starter', '-i', 'spoilt.xlsx', '-o', 'out.csv', '--errors', 'errors.csv'], { cwd }) // prettier-ignore
    expect(ran.status).toBe(1)
    expect(ran.stderr).toContain(
      'sheet Typings is read; there are also cells in Notes: --sheet reads one of them [sheets]',
    )
    expect(ran.stderr).toContain('spoilt.xlsx:2:A_1: Typings!B2: 01:01:00 is 01:01 written as a time of day')
    expect(ran.stderr).toContain(
      'spoilt.xlsx:5:A_2: Typings!C5: a spreadsheet turned this typing into the date 2024-02-03',
    )
    const { stdout } = await callHla(
      ['redux', '-q', '-r', 'starter', '-i', 'spoilt.xlsx', '--on-error', 'report'],
      { cwd },
    )
    expect(stdout.split('\n').slice(0, 3)).toEqual([
      'id,A_1,A_1_lgx,A_2,A_2_lgx,day,hla_status,hla_errors',
      'p1,01:01:00,,0201,A*02:01,2024-03-05,error,A_1 excel-artifact',
      '',
    ])
    const plan = await callHla(['redux', '-r', 'starter', '-i', 'spoilt.xlsx', '--plan'], { cwd })
    expect(plan.stdout).toContain('spoilt.xlsx  sheet Typings, header')
    expect(plan.stdout).toContain('not read   sheets Notes (--sheet reads one)')
    const stopped = await callHla(
      ['redux', '-q', '-r', 'starter', '-i', 'spoilt.xlsx', '--on-error', 'fail'],
      { cwd },
    )
    expect(stopped.stderr).toContain('Typings!B2: 01:01:00')
    const other = await callHla(['redux', '-q', '-r', 'starter', '-i', 'spoilt.xlsx', '--sheet', 'Nots'], {
      cwd,
    })
    expect([other.status, other.stderr]).toEqual([2, expect.stringContaining('Sheets: Typings, Notes')])
  })
})

/** Records in every format. */
import { describe, expect, test } from 'vitest'
import {
  type AnswerRecord,
  FORMATS,
  type Format,
  chooseFormatter,
} from '../../src/operations/answers/records.ts'
import { HlaError } from '../../src/errors.ts'

const OK: AnswerRecord = { input: 'A1', method: 'S', text: 'A1', json: { ard: 'A1' }, error: undefined }
const BAD: AnswerRecord = {
  input: 'x,"y"\t\n',
  method: 'S',
  text: '',
  json: { ard: null, position: [1, 22] },
  error: new HlaError('bad-syntax', 'wrong, "very"'),
}
const NO: AnswerRecord = { ...OK, text: 'invalid\tbecause', json: { code: 'no-match' }, isNegative: true }

async function formatted(
  format: Format,
  records: readonly (readonly AnswerRecord[])[],
  options: { withInput?: boolean; isList?: boolean; columns?: readonly string[] } = {},
): Promise<string> {
  const { head, record, tail } = await chooseFormatter({
    format,
    withInput: false,
    withMethod: true,
    isList: true,
    ...options,
  })
  return head + records.map(record).join('') + tail()
}

describe('formatterOf', () => {
  test.for([
    ['plain', 'A1\n\n'],
    ['jsonl', '{"ard":"A1"}\n{"ard":null,"position":[1,22]}\n'],
    ['json', '[\n  {\n    "ard": "A1"\n  },\n  {\n    "ard": null,\n    "position": [1, 22]\n  }\n]\n'],
    [
      'csv',
      'input,method,result,status,code,message\nA1,S,A1,ok,,\n"x,""y""\t\n",S,,error,bad-syntax,"wrong, ""very"""\n',
    ],
    [
      'tsv',
      'input\tmethod\tresult\tstatus\tcode\tmessage\nA1\tS\tA1\tok\t\t\nx,"y"  \tS\t\terror\tbad-syntax\twrong, "very"\n',
    ],
  ] as const)('writes %s', async ([format, expected]) =>
    expect(await formatted(format, [[OK], [BAD]])).toBe(expected),
  )

  test('keeps each pair of places on one line', async () => {
    const json = { position: [1, 22], places: [[3, 4], [5, 6]], names: ['1', '2'] } // prettier-ignore
    const text = await formatted('json', [[{ ...OK, json }]])
    expect(JSON.parse(text)).toEqual([json])
    const lines = text.split('\n').map((line) => line.trim())
    expect(lines).toEqual(expect.arrayContaining(['"position": [1, 22],', '[3, 4],', '[5, 6]', '"1",']))
  })

  test('aligns a table, without spaces at the ends of lines', async () => {
    expect(await formatted('table', [[OK], [{ ...BAD, input: 'nonsense' }]])).toBe(
      `input     method  result  status  code        message
A1        S       A1      ok
nonsense  S               error   bad-syntax  wrong, "very"
`,
    )
  })

  test('aligns no column of a table to a very long cell', async () => {
    const long = 'A*01:01/'.repeat(10_000)
    const table = await formatted('table', [
      [{ ...OK, text: long }],
      ...Array.from({ length: 200_000 }, () => [OK]),
    ])
    expect(table.length).toBeLessThan(long.length + 200_001 * 100)
    expect(table.split('\n')[2]).toBe(`A1     S       A1${' '.repeat(60)}ok`)
  })

  test('writes nothing but what a list without records needs', async () => {
    const empty = await Promise.all(
      FORMATS.map(async (format) => [format, await formatted(format, [])] as const),
    )
    const head = 'input,method,result,status,code,message\n'
    expect(Object.fromEntries(empty)).toEqual({
      plain: '',
      json: '[]\n',
      jsonl: '',
      csv: head,
      tsv: head.replaceAll(',', '\t'),
      table: head.replaceAll(',', '  '),
    })
  })

  test('writes methods side by side, or one below the other', async () => {
    expect(await formatted('plain', [[OK, OK]], { withInput: true })).toBe('A1\tA1\tA1\n')
    expect(await formatted('tsv', [[OK, { ...OK, method: 'G' }]])).toMatch(
      /\nA1\tS\tA1\tok\t\t\nA1\tG\tA1\tok\t\t\n$/,
    )
  })

  test('writes one object where one thing was asked', async () => {
    expect(await formatted('json', [[OK]], { isList: false })).toBe('{\n  "ard": "A1"\n}\n')
  })

  test('gives the reason of a no its own column', async () => {
    expect(await formatted('csv', [[NO]])).toMatch(/\nA1,S,invalid,error,no-match,because\n$/)
    expect(await formatted('plain', [[NO]])).toBe('invalid\tbecause\n')
  })

  test("writes an operation's own columns, and in them what fits of a failure", async () => {
    const columns = ['input', 'from', 'status']
    const rows = [[{ ...OK, cells: ['A1', '3.0.0', 'same'] }], [{ ...BAD, input: 'x' }]]
    expect(await formatted('csv', rows, { columns })).toBe('input,from,status\nA1,3.0.0,same\nx,,error\n')
  })
})

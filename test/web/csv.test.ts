/** Rows of a table that the page displays. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { splitRows, guessSeparator } from '../../src/web/page/csv.ts'

describe('rowsOf', () => {
  test.for([
    ['', []],
    ['a,b', [['a', 'b']]],
    ['a,b\n', [['a', 'b']]],
    ['a,b\r\nc,\r\n', [['a', 'b'], ['c', '']]],
    ['a,b\nc,', [['a', 'b'], ['c', '']]],
    ['\n\na', [[''], [''], ['a']]],
    ['"x, ""y""",z', [['x, "y"', 'z']]],
    ['"two\nlines",z\n', [['two\nlines', 'z']]],
    ['a "quoted" word,b', [['a "quoted" word', 'b']]],
    ['"open,\nto the end', [['open,\nto the end']]],
  ] as const)('%j is %j', ([text, rows]) => expect(splitRows(text, ',', 100, true)).toEqual(rows)) // prettier-ignore

  test('leaves out the last row of a text that goes on, and what is too much', () => {
    expect(splitRows('a,b\nc,d', ',', 100, false)).toEqual([['a', 'b']])
    expect(splitRows('a,b\n"c', ',', 100, false)).toEqual([['a', 'b']])
    expect(splitRows('a\nb\nc\n', ',', 2, true)).toEqual([['a'], ['b']])
  })

  const cell = fc.string({ unit: fc.constantFrom('a', '"', ',', ';', '\t', '\n', '\r', ' ', 'é') })
  const rows = fc.array(fc.array(cell, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 8 })
  test.for([',', ';', '\t'])('has back what was quoted, with %j between', (separator) => {
    fc.assert(
      fc.property(rows, (given) => {
        const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`
        const text = given.map((row) => `${row.map(quoted).join(separator)}\n`).join('')
        expect(splitRows(text, separator, 100, true)).toEqual(given)
      }),
    )
  })

  test('takes any text to an end', () => {
    fc.assert(
      fc.property(cell, fc.boolean(), (text, isWhole) => splitRows(text, ',', 50, isWhole).length <= 50),
    )
  })
})

test.for([
  ['a,b;c,d', ','],
  ['a;b;c,d', ';'],
  ['a\tb\n1,2,3\n', '\t'],
  ['a', ','],
] as const)('the separator of %j is %j', ([text, separator]) => expect(guessSeparator(text)).toBe(separator))

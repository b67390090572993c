/** Cells of several typings: the separator, decided from the sample; an ambiguous one needs an option. */
import { describe, expect, test } from 'vitest'
import { readCell } from '../../src/table/cells/cells.ts'
import { decideJoined, findSeparator, type JoinedColumn } from '../../src/table/cells/joined/decide-joined.ts'
import { type Joined, parseCellSeparator } from '../../src/table/cells/joined/joined.ts'
import { splitPhenotype } from '../../src/table/words/phenotype.ts'
import { makeNameFacts } from '../../src/table/cells/name-facts.ts'
import { makeTokens } from '../../src/table/cells/tokens.ts'
import { recognizeShape } from '../../src/table/words/typing-shape.ts'
import { isHlaError } from '../../src/errors.ts'
import { planText } from '../support/convention-tables.ts'
import { convertRecords } from '../support/record-tables.ts'
import { hasShared } from '../support/shared.ts'
import { realRelease } from '../support/releases.ts'
import { smallRelease } from '../support/small-release.ts'

const facts = makeNameFacts(hasShared ? realRelease('3580') : smallRelease())

function column(locus: string | undefined, values: readonly string[], isAlone = true): JoinedColumn {
  return { locus, isAlone, values }
}

function decide(columns: readonly JoinedColumn[], separator = 'auto'): string[] {
  return decideJoined(columns, { separator, facts }).map(describeJoined)
}

function describeJoined(joined: Joined | undefined): string {
  if (joined === undefined) return 'one'
  if (joined.kind === 'phenotype')
    return `phenotype ${[...joined.digits].map((pair) => pair.join('=')).join(' ')}`.trim()
  if (joined.kind === 'split') return `split ${joined.separator}${joined.slash === 'open' ? '' : ', / list'}`
  return `asked, / ${joined.slash}`
}

function read(text: string, locus: string | undefined, joined: Joined | undefined): string {
  try {
    const context = { locus, digits: 'antigen' as const, tokens: makeTokens({}), accept: [], facts, joined }
    const reading = readCell(text, context)
    return reading.kind === 'token' ? `(${reading.status})` : reading.glString
  } catch (error) {
    if (isHlaError(error)) return `! ${error.code}`
    throw error
  }
}

test.for([
  ['auto', ['01:01,02:01', '03:01,24:02'], ','],
  ['auto', ['01:01', '03:01'], undefined],
  ['none', ['01:01,02:01', '03:01,24:02'], undefined],
  [';', ['01:01,02:01', '03:01,24:02'], ';'],
] as const)('the separator %s of the cells %j is %s', ([asked, values, separator]) => {
  expect(findSeparator([column('A', values)], asked)).toBe(separator)
})

describe('what stands between typings of one locus', () => {
  test.for([
    // lists of possible alleles do not mix first fields
    [['01:01,24:02'], 'split ,'],
    [['A*01:01;A*02:01', 'A*01:01;A*01:02'], 'split ;'],
    [['A*01:01 A*02:01'], 'split  '],
    [['01:01, 24:02'], 'split ,'],
    [['30,33'], 'split ,'],
    [['3002,3303'], 'split ,'],
    // a repeated name, or a `/` list as one of the parts
    [['02:01,02:01', '01:01,01:02'], 'split ,'],
    [['01:01/01:02,01:03'], 'split ,, / list'],
    // could be two typings, or possible alleles of one
    [['01:01,01:02'], 'asked, / open'],
    [['01:01,01:02', '01:01,01:03', '01:01,24:02'], 'asked, / open'],
    // a list of three
    [['01:01,24:02,26:01'], 'asked, / open'],
    [['01:01,24:02', '02:01,02:05,02:06'], 'asked, / open'],
    [['01:01', 'A1', '24'], 'asked, / open'],
    [['x,y', '1,2,3', 'see note'], 'asked, / open'],
    [[], 'asked, / open'],
    // the meaning of `/` is never guessed
    [['04:01/07:01'], 'asked, / asked'],
    [['*04:01/*07:01', '04:01/04:03'], 'asked, / asked'],
    [['02:01/02:01'], 'asked, / asked'],
    [['04:01/04:03'], 'asked, / open'],
    [['04:01/07:01/12:02', '04:01/07:01'], 'asked, / list'],
    [['04:01/07:01', '04:01+07:01'], 'asked, / list'],
    [['04:01/07:01,12:02'], 'split ,, / list'],
    [['04:01,07:01', '04:01/07:01'], 'split ,'],
  ] as const)('%j: %s', ([values, expected]) => expect(decide([column('A', values)])).toEqual([expected]))

  test('is one thing in all columns of a person', () => {
    expect(decide([column('A', ['01:01,24:02']), column('B', ['07:02,07:05'])])).toEqual([
      'split ,',
      'split ,',
    ])
    expect(decide([column('C', ['04:01/07:01']), column('B', ['07:02/08:01'], false)])).toEqual([
      'asked, / list',
      'one',
    ])
    // a list within one first field does not decide the meaning of a cell with two
    expect(decide([column('C', ['04:01/07:01']), column('B', ['07:02/07:05'], false)])).toEqual([
      'asked, / asked',
      'one',
    ])
  })

  test('first fields of DPB1 tell nothing: possible alleles differ in them', () => {
    expect(decide([column('DPB1', ['04:01,126:01'])])).toEqual(['asked, / open'])
    expect(decide([column('DPB1', ['04:01,04:01'])])).toEqual(['split ,'])
  })

  test('is never sought where the other typing has a column', () => {
    expect(decide([column('A', ['01:01,24:02'], false)])).toEqual(['one'])
  })

  test('is asked, or split, where the second column is empty', async () => {
    const plan = async (cell: string) => {
      const rows = Array.from({ length: 5 }, (_, row) => `D${row};${cell};`)
      const made = await planText(`id;A_1;A_2\n${rows.join('\n')}`, { delimiter: ';' })
      if (made instanceof Error) throw made
      return made.groups.map(({ context }) => describeJoined(context.joined))
    }
    expect(await plan('01:01,24:02')).toEqual(['split ,'])
    expect(await plan('04:01/07:01')).toEqual(['asked, / asked'])
    expect(await plan('01:01/01:02')).toEqual(['asked, / open'])
  })

  test.for(['-', '_', '\\', '&', '%', '#', '!', '='])(
    'a column of typings with %j between them is one of the locus',
    async (sign) => {
      const made = await planText(`id;A;B\nD1;01:01${sign}24:02;B*07:02 ${sign} B*08:01\n`, {
        delimiter: ';',
      })
      if (made instanceof Error) throw made
      expect(made.groups.map(({ locus }) => locus)).toEqual(['A', 'B'])
    },
  )

  test('is what was asked for', () => {
    const columns = [
      column('A', ['01:01,01:02']),
      column('B', ['07:02'], false),
      column(undefined, ['A1;B8']),
    ]
    expect(decide(columns, ',')).toEqual(['split ,, / list', 'one', 'phenotype'])
    expect(decide(columns, 'none')).toEqual(['one', 'one', 'one'])
  })

  test.for([
    ['comma', ','],
    ['space', ' '],
    ['/', '/'],
    ['auto', 'auto'],
    ['none', 'none'],
  ] as const)('--cell-separator %s is %j', ([text, expected]) =>
    expect(parseCellSeparator(text)).toBe(expected),
  )

  test.for(['', ':', '*', '+', '~', '^', 'A', '1', ',,', '"'])('--cell-separator %j is refused', (text) =>
    expect(() => parseCellSeparator(text)).toThrow(/--cell-separator is/),
  )
})

describe('cells of a locus', () => {
  test.for([
    [',', '01:01,24:02', 'A*01:01+A*24:02'],
    [',', ' 01:01 , 24:02 ', 'A*01:01+A*24:02'],
    [' ', 'A*01:01  A*24:02', 'A*01:01+A*24:02'],
    ['/', '*01:01/*24:02', 'A*01:01+A*24:02'],
    [',', '01:01/01:02,24:02', 'A*01:01/A*01:02+A*24:02'],
    [',', '1,24', 'A1+A24'],
    [',', '1,A*24:02', 'A1+A*24:02'],
    [',', '01:01', 'A*01:01'],
    // the second typing is missing
    [',', '01:01,', 'A*01:01'],
    [',', '01:01,-', 'A*01:01'],
    [',', '-,-', '(untyped)'],
    // as in a genotype
    [',', '01:01,NNNN', '(absent)'],
    [',', '01:01,04:NEW', '(new)'],
    [',', '01:01,24:02,26:01', '! bad-syntax'],
    [',', '01:01+24:02,26:01', '! bad-syntax'],
    [',', '01:01,B*07:02', '! locus-mismatch'],
    [',', '01:01,0.0430555555555556', '! excel-artifact'],
    [',', '01:01 24:02,26:01', '! bad-character'],
    [',', '01:01-24:02', '! ambiguous-separator'],
    ['-', 'HLA-A*01:01-HLA-A*24:02', 'HLA-A*01:01+HLA-A*24:02'],
    ['-', '01:01 - 24:02N', 'A*01:01+A*24:02N'],
    ['&', 'A*01:01 & A*24:02', 'A*01:01+A*24:02'],
  ] as const)('split at %j, %j is %s', ([separator, text, expected]) =>
    expect(read(text, 'A', { kind: 'split', separator, slash: 'list' })).toBe(expected),
  )

  test.for([
    ['open', '01:01/24:02', '! ambiguous-separator'],
    ['open', '01:01/01:02', 'A*01:01/A*01:02'],
    ['open', '01:01/24:02,26:01', 'A*01:01/A*24:02+A*26:01'],
    ['list', '01:01/24:02', 'A*01:01/A*24:02'],
  ] as const)('split at a comma, with %s lists, %s is %s', ([slash, text, expected]) =>
    expect(read(text, 'A', { kind: 'split', separator: ',', slash })).toBe(expected),
  )

  test.for([
    ['open', '01:01,24:02', '! ambiguous-separator'],
    ['open', '01:01;01:02', '! ambiguous-separator'],
    ['open', '01:01 01:02', '! ambiguous-separator'],
    ['open', '01:01/24:02', '! ambiguous-separator'],
    ['open', '01:01/01:01', '! ambiguous-separator'],
    ['open', '01:01/01:02', 'A*01:01/A*01:02'],
    ['asked', '01:01/01:02', '! ambiguous-separator'],
    ['list', '01:01/24:02', 'A*01:01/A*24:02'],
    ['list', '01:01,24:02', '! ambiguous-separator'],
    ['open', '01:01/24:02/26:01', 'A*01:01/A*24:02/A*26:01'],
    ['open', '01:01/24:02+26:01', 'A*01:01/A*24:02+A*26:01'],
    ['open', '01:01|24:02', '! ambiguous-separator'],
    ['list', '01:01|01:02', 'A*01:01|A*01:02'],
    ['open', '01:01+02:01|24:02+02:01', 'A*01:01+A*02:01|A*24:02+A*02:01'],
    ['open', 'N/A', '(untyped)'],
    ['open', '01:01,x', 'A*01:01,x'],
    // these characters never separate typings
    ['open', '01:01-24:02', '! ambiguous-separator'],
    ['list', 'HLA-A*01:01-HLA-A*01:02:01', '! ambiguous-separator'],
    ['open', 'A*01:01 & A*24:02', '! ambiguous-separator'],
    ['open', String.raw`01:01\24:02N`, '! ambiguous-separator'],
    ['open', '01:01_24:02', '! ambiguous-separator'],
    // a spreadsheet changed the fields
    ['open', '01-01-01', '! excel-artifact'],
  ] as const)('with %s lists, %j is %s', ([slash, text, expected]) =>
    expect(read(text, 'A', { kind: 'asked', slash })).toBe(expected),
  )
})

describe('a genotype in one of two columns', () => {
  const convert = async (rows: string, secondBlank: 'blank' | 'homozygous') =>
    convertRecords({ 't.csv': `id,A_1,A_2\n${rows}` }, { glOut: 'gl', into: 'replace', secondBlank })

  test('has no third typing beside it', async () => {
    const { output, failures } = await convert('P1,A*01:01+A*24:02,A*03:01\nP2,A*01:01,A*03:01\n', 'blank')
    expect(output).toBe('id,A_1,A_2,gl\nP1,A*01:01+A*24:02,,\nP2,A*01:01,A*03:01,A*01:01+A*03:01\n')
    expect(failures).toEqual([
      expect.stringContaining(
        't.csv:2:A_2: A*03:01: A is in another column too, and a person has one genotype of it',
      ),
    ])
  })

  test.for(['A*01:01,A*24:02', 'A*01:01+A*24:02^B*07:02,A*01:01'])(
    'and columns that name one locus each are no GL String: %s',
    async (cells) => {
      const { output, failures } = await convertRecords(
        { 't.csv': `id,x,y\nP1,${cells}\nP2,A*01:01,B*07:02\n` },
        { glOut: 'gl', into: 'replace' },
      )
      expect(output).toMatch(/^id,x,y,gl\nP1,[^,]+,,\nP2,A\*01:01,B\*07:02,A\*01:01\^B\*07:02\n$/)
      expect(failures).toEqual([expect.stringContaining('[surplus-typing]')])
    },
  )

  test('is not doubled where the other is blank', async () => {
    const { output } = await convert('P1,A*01:01+A*24:02,\nP2,A*01:01,\n', 'homozygous')
    expect(output).toBe('id,A_1,A_2,gl\nP1,A*01:01+A*24:02,,A*01:01+A*24:02\nP2,A*01:01,,A*01:01+A*01:01\n')
  })
})

describe('a whole phenotype in a cell', () => {
  test.for([
    ['A1, 24; B 8 44', 'A:A1 A:A24 B:8 B:44'],
    ['A1,24 B8,44 Cw7 DR4,15 DQ2', 'A:A1 A:A24 B:B8 B:B44 C:Cw7 DRB1:DR4 DRB1:DR15 DQB1:DQ2'],
    ['A*01:01,24:02;DRB1*15:01', 'A:*01:01 A:24:02 DRB1:*15:01'],
    ['A: 0101 2402', 'A:0101 A:2402'],
    ['A01 02', 'A:01 A:02'],
    ['HLA-A 1 HLA-B 7', 'A:1 B:7'],
    ['DR4 DR53 DR52 DR51', 'DRB1:DR4 DRB4:DR53 DRB3:DR52 DRB5:DR51'],
    ['DRB11501', 'DRB1:1501'],
    ['A1 -; B8 x', 'A:A1 B:B8'],
    ['A1 A- B8 BX Cw7 DR4 DR-', 'A:A1 B:B8 C:Cw7 DRB1:DR4'],
    ['A12', 'A:A12'],
  ] as const)('%s', ([text, expected]) =>
    expect(
      splitPhenotype(text)
        ?.map((part) => `${part.locus}:${part.text}`)
        .join(' '),
    ).toBe(expected),
  )

  // public antigens are not typings of B
  test.for(['24 A1', 'A1 B8 Bw6', 'A one', 'Smith', 'A1 B8 (NGS)'])('%s is none', (text) =>
    expect(splitPhenotype(text)).toBeUndefined(),
  )

  test.for([
    ['A1, 24; B 8 44', 'phenotype'],
    ['A2 B7,8 DR15', 'phenotype'],
    ['01:01,24:02', 'pair'],
    ['01:01,-', 'pair'],
    ['30,33', 'pair'],
    ['A1 24', 'pair'],
    ['1,5,100', 'other'],
    ['-,-', 'other'],
    ['Road 5, Town', 'other'],
    ['A', 'other'],
  ] as const)('%s looks like a %s', ([text, shape]) => expect(recognizeShape(text)).toBe(shape))

  test.runIf(hasShared).for([
    [['A1, 24; B 8 44'], 'phenotype B=antigen'],
    [['A1 24; C 12 7'], 'phenotype C=first-field'],
    [['A 01 24; B 08 44'], 'phenotype A=first-field B=first-field'],
    [['A*01:01;A*02:01'], 'phenotype'],
    [['A*01:01;A*01:02'], 'asked, / list'],
    [['A*01:01,B*07:02'], 'phenotype'],
    [['A1 A24 A26'], 'asked, / list'],
    [['A*01:01+A*02:01^B*07:02'], 'one'],
  ] as const)('%j: %s', ([values, expected]) =>
    expect(decide([column(undefined, values)])).toEqual([expected]),
  )

  test.for([
    ['A1, 24; B 8 44', 'A1+A24^B8+B44'],
    ['A1; B8; A24', 'A1+A24^B8'],
    ['DR4 DR53', 'DR4^DR53'],
    ['A*01:01 -', 'A*01:01'],
    ['A NNNN', '! bad-syntax'],
    ['A1 A2 A3', '! bad-syntax'],
    ['A1 B8 Bw6', '! bad-syntax'],
    ['A*01:01+A*02:01', 'A*01:01+A*02:01'],
    ['A1 B*01:AB+', '! bad-syntax'],
  ] as const)('%s is %s', ([text, expected]) => {
    const digits = new Map([['B', 'antigen' as const]])
    expect(read(text, undefined, { kind: 'phenotype', digits })).toBe(expected)
  })
})

test('a cell of a column of two holds two typings only where the other column has none', async () => {
  const reading = async (second: string) => {
    const plan = await planText(`id;A_1;A_2\n1;01:01,24:02;${second}\n2;03:01,24:02;${second}\n`)
    return plan instanceof Error
      ? plan.message
      : plan.groups.map(({ context }) => describeJoined(context.joined))
  }
  expect(await reading('')).toEqual(['split ,'])
  expect(await reading('11:01')).toEqual(['one'])
})

/** Choosing columns: by options, otherwise by header and content. */
import { describe, expect, test } from 'vitest'
import { chooseColumns, type ColumnChoice } from '../../src/table/plan/columns.ts'
import { linesBeforeLoci } from '../../src/table/input/preamble.ts'
import { hasHeader } from '../../src/table/plan/find-header.ts'
import { makeHeader, selectColumns } from '../../src/table/plan/header.ts'
import { sniffDialect } from '../../src/table/input/dialect.ts'

const LOCI = ['A', 'B', 'C', 'DRB1', 'DRB3', 'DQB1', 'DPB1', 'Y']

function choose(names: string, choice: ColumnChoice = {}, values: Record<string, string[]> = {}): string[] {
  const header = makeHeader('t.csv', names.split(','), names.split(',').length)
  const sampled = (column: number) => values[header.labels[column] ?? ''] ?? ['01:01', '02:01']
  return chooseColumns(choice, header, sampled, { loci: LOCI }).groups.map(
    ({ subject, locus, columns }) =>
      `${subject === '' ? '' : `${subject} `}${locus ?? 'GL'}=${columns.map((at) => header.labels[at]).join(',')}`,
  )
}

const NO_LOCUS = 'typings, but the name has no locus'

const HOSTILE = `${'*a'.repeat(12)}*b`

test('two persons of one name each get a pair of their own in the advice', () => {
  const found = () => choose('id,A_1,A_2,A_1,A_2')
  expect(found).toThrow(
    expect.objectContaining({
      hint: expect.arrayContaining([
        { option: 'locus', value: 'person1:A=A_1#1,A_2#1' },
        { option: 'locus', value: 'person2:A=A_1#2,A_2#2' },
      ]),
    }),
  )
})

test('columns whose names differ in case are hardly two persons', () => {
  const hint: unknown = expect.arrayContaining([
    { option: 'locus', value: 'A=a1,a2' },
    { option: 'locus', value: 'A=A1,A2' },
  ])
  expect(() => choose('id,a1,A1,a2,A2')).toThrow(expect.objectContaining({ hint }))
})

describe('a column is that of a locus only if its cells do not name others', () => {
  const MIXED = ['HLA-A*02:01', 'HLA-B*07:02', 'HLA-DRA*01:01']
  test.for([
    ['mhc.a,mhc.b', { 'mhc.a': MIXED, 'mhc.b': ['HLA-DRB1*15:01'] }, ['GL=mhc.a', 'GL=mhc.b']],
    ['id,a1,a2', { a1: ['A*01:01', 'B*07:02'], a2: ['A*02:01', 'B*08:01'] }, ['GL=a1', 'GL=a2']],
    [
      'id,C1_C2,allele',
      { C1_C2: ['C1', 'C2', 'C2'], allele: ['C*07:02', 'C*06:02', 'C*04:01'] },
      ['GL=allele'],
    ],
    // one cell among many, which fails, and as many as the others have
    ['id,a1,a2', { a1: ['01:01', '02:01', '24:02', 'B*07:02'], a2: ['01:01'] }, ['A=a1,a2']],
    ['id,A', { A: ['A*01:01', 'A*02:01', 'B*07:02'] }, ['A=A']],
    ['id,E,A', { E: ['1,2', '3,24'], A: ['01:01'] }, ['A=A']],
    // more than half, or a name that is surely of a locus
    ['id,A_1,A_2', { A_1: ['A*01:01'], A_2: ['B*07:02'] }, ['A=A_1,A_2']],
    ['id,A_1,A_2', { A_1: ['A*01:01', 'A*02:01'], A_2: ['A*24:02', 'B*07:02'] }, ['A=A_1,A_2']],
    ['id,HLA-A_1,HLA-A_2', { 'HLA-A_1': ['B*07:02'], 'HLA-A_2': ['B*08:01'] }, ['A=HLA-A_1,HLA-A_2']],
  ] as const)('%s: %j', ([names, values, expected]) => {
    const ids = { id: ['S1', 'S2'] }
    expect(choose(names, {}, { ...ids, ...values } as unknown as Record<string, string[]>)).toEqual(expected)
  })
})

test('words before a locus are persons when the user says so', () => {
  expect(choose('id,eerste_A,tweede_A', { subjects: ['eerste=eerste_', 'tweede=tweede_'] })).toEqual([
    'eerste A=eerste_A',
    'tweede A=tweede_A',
  ])
  expect(choose('id,eerste_A,tweede_A', { loci: ['A=eerste_A,tweede_A'] })).toEqual(['A=eerste_A,tweede_A'])
})

describe('columns found by their names', () => {
  test.for([
    ['ID,A1,A2,B1,B2,DRB11,DRB12', ['A=A1,A2', 'B=B1,B2', 'DRB1=DRB11,DRB12']],
    ['id,A_1,A_2,DRB1_1,DRB1_2', ['A=A_1,A_2', 'DRB1=DRB1_1,DRB1_2']],
    ['id,a1,a2,drb1_1,drb1_2', ['A=a1,a2', 'DRB1=drb1_1,drb1_2']],
    ['id,HLA-A 1,HLA-A 2,HLA_B_1,HLA_B_2', ['A=HLA-A 1,HLA-A 2', 'B=HLA_B_1,HLA_B_2']],
    ['id,A,A,B,B', ['A=A#1,A#2', 'B=B#1,B#2']],
    ['r_a_typ1,r_a_typ2,d_a_typ1,d_a_typ2', ['r A=r_a_typ1,r_a_typ2', 'd A=d_a_typ1,d_a_typ2']],
    ['DR1,DR2,DQ1,DQ2,Cw1,Cw2', ['DRB1=DR1,DR2', 'DQB1=DQ1,DQ2', 'C=Cw1,Cw2']],
    ['A1,A2,A11,A12', ['A=A1,A2']],
    ['A_1,DRB3_1', ['A=A_1', 'DRB3=DRB3_1']],
    ['id,A,DRB1', ['A=A', 'DRB1=DRB1']],
    ['id,A,B,old_A', ['A=A', 'B=B', 'old A=old_A']],
    ['id,donor_A,recipient_A', ['donor A=donor_A', 'recipient A=recipient_A']],
    ['id,x_A,y_A,z_A', ['x A=x_A', 'y A=y_A', 'z A=z_A']],
  ] as const)('%s', ([names, expected]) => expect(choose(names)).toEqual(expected))

  test('names are not believed where values are not typings', () => {
    const values = { E1: ['0.31', '12.7'], E2: ['x', 'y'], C: ['yes', 'no'] }
    expect(choose('id,A_1,A_2,E1,E2,C', {}, values)).toEqual(['A=A_1,A_2'])
  })

  test('what a spreadsheet made of typings is believed: each cell says what is wrong with it', () => {
    const values = { A_1: ['0.0430555555555556', '2.0'], A_2: ['0.04236', '24.0'] }
    expect(choose('id,A_1,A_2', {}, values)).toEqual(['A=A_1,A_2'])
  })

  test('under merged cells of the header, words alone are the second typing, or said with what is read beside them', () => {
    const words = ['low dna', 'failed']
    expect(choose('id,A,,B,', {}, { '3': words })).toEqual(['A=A,3', 'B=B,5'])
    const header = makeHeader('t.csv', ['id', 'A', '', ''], 4)
    const sampled = (column: number) => [['1', '2'], ['01:01', '02:01'], words, words][column] ?? []
    const { groups, unread } = chooseColumns({}, header, sampled, { loci: LOCI })
    expect(groups.map(({ columns }) => columns)).toEqual([[1]])
    expect(unread).toEqual([
      {
        columns: [2],
        code: 'no-typings',
        why: 'has no name, stands beside A, and holds no typings',
        option: { option: 'locus', value: 'A=A,3' },
      },
    ])
  })

  test('half of a pair is never taken without the other', () => {
    const values = { id: ['1'], A_1: ['44562', 'x'], A_2: ['02-Jan', 'y'] }
    const message = 'no typing columns found in t.csv: the content of A_1 A_2 does not look like typings'
    expect(() => choose('id,A_1,A_2', {}, values)).toThrow(
      expect.objectContaining({ code: 'usage', message }),
    )
  })

  test.for([
    ['A1,A2,A_1,A_2', 'ambiguous columns for A: A1, A2, A_1, A_2'],
    ['A_1,A_1,A_2', 'ambiguous columns for A: A_1#1, A_1#2, A_2'],
    ['id,name', 'no typing columns found in t.csv'],
  ] as const)('%s is refused', ([names, message]) => {
    const none = { id: ['1'], name: ['x'] }
    expect(() => choose(names, {}, none)).toThrow(expect.objectContaining({ code: 'usage', message }))
  })

  test('GL Strings are found by content', () => {
    const values = { id: ['D1'], sex: ['F'], gl: ['A*01:01+A*02:01^B*07:02+B*08:01'] }
    expect(choose('id,sex,gl', {}, values)).toEqual(['GL=gl'])
  })
})

describe('columns that a conversion wrote', () => {
  const METHODS = ['G', 'P', 'lg', 'lgx', 'W', 'exon', 'U2', 'S', '1F', 'hats']
  const OTHERS = [
    'verdict',
    'code',
    'message',
    'suggestion',
    'mac',
    'cwd',
    'cwd_mac',
    'lifted',
    'lift_status',
    'accession',
  ]

  test.for([...METHODS, ...OTHERS])(
    'a result %s is none of the typings, whatever stands before or between',
    (result) => {
      for (const naming of ['{col}_{method}', '{col}.{method}', '{col} {method}', '{col}-{method}']) {
        const named = (column: string) => naming.replace('{col}', column).replace('{method}', result)
        for (const prefix of ['', 'r_', 'd.']) {
          const [one, two] = [`${prefix}A_1`, `${prefix}A_2`]
          const expected = [`${prefix === '' ? '' : `${prefix.slice(0, 1)} `}A=${one},${two}`]
          expect(choose(`id,${one},${named(one)},${two},${named(two)}`)).toEqual(expected)
          expect(choose(`id,${one},${two},${named(one)},${named(two)}`)).toEqual(expected)
        }
        const twice = `id,A,${named('A#1')},A,${named('A#2')}`
        expect(choose(twice)).toEqual(['A=A#1,A#2'])
        const values = { id: ['D1'], gl: ['A*01:01+A*02:01'], [named('gl')]: ['A*01:01+A*02:01'] }
        expect(choose(`id,gl,${named('gl')}`, {}, values)).toEqual(['GL=gl'])
      }
    },
  )

  test.for([
    ['a result of a result', 'A_1,A_1_G,A_1_G_lgx,A_2,A_2_G,A_2_G_lgx', {}],
    ['of a name of its own', 'A_1,A_1_c,A_2,A_2_c', {}],
    ['in front, as py-ard names them', 'A_1,reduced_A_1,A_2,reduced_A_2', {}],
    ['in front, behind all', 'A_1,A_2,reduced_A_1,reduced_A_2', {}],
    ['in front, by a method', 'A_1,A_2,lgx_A_1,lgx_A_2', {}],
    ['in front, by another name of py-ard', 'A_1,r_A_1,A_2,r_A_2', {}],
    ['in front, behind other results', 'A_1,A_1_G,r_A_1,A_2,A_2_G,r_A_2', {}],
    ['as this run names them', 'A_1,A_2,new A_1,new A_2', { naming: 'new {col}' }],
    ['by letters that are methods', 'A_1,A_2,G_A_1,G_A_2', { naming: '{method}_{col}' }],
  ] as const)('%s', ([, names, choice]) => expect(choose(`id,${names}`, choice)).toEqual(['A=A_1,A_2']))

  test.for([
    ['A_1,r_A_1,A_2,r_A_2', { subjects: ['r=r_'] }, ['A=A_1,A_2', 'r A=r_A_1,r_A_2']],
    ['A_1,A_2,d_A_1,d_A_2', {}, ['A=A_1,A_2', 'd A=d_A_1,d_A_2']],
    ['A_1,A_2,P_A_1,P_A_2', {}, ['A=A_1,A_2', 'P A=P_A_1,P_A_2']],
    ['mac_A_1,mac_A_2', {}, ['mac A=mac_A_1,mac_A_2']],
  ] as const)('people are people: %s', ([names, choice, expected]) =>
    expect(choose(`id,${names}`, choice)).toEqual(expected),
  )

  test('are read as what they are results of when they are asked for', () => {
    expect(choose('id,A_1,A_1_G,A_2,A_2_G', { columns: 'A_1_G,A_2_G' })).toEqual(['A=A_1_G,A_2_G'])
    expect(choose('id,A_1_G,A_2_G', { columns: 'A_1_G' })).toEqual(['A=A_1_G'])
  })

  test('alone are refused, with what they are', () => {
    const message =
      'no typing columns found in t.csv: A_1_G A_2_G (typings, or results of a conversion whose source the table lacks)'
    expect(() => choose('id,A_1_G,A_2_G', {}, { id: ['1'] })).toThrow(
      expect.objectContaining({ code: 'usage', message }),
    )
  })

  test('a column of the locus G is one', () => {
    const header = makeHeader('t.csv', ['donor', 'donor_A', 'donor_G'], 3)
    const sampled = (column: number) => (column === 0 ? ['D1'] : [`${column === 1 ? 'A' : 'G'}*01:01`])
    const { groups, aside } = chooseColumns({}, header, sampled, { loci: LOCI })
    expect([groups.map(({ locus }) => locus), aside]).toEqual([['A', 'G'], []])
  })
})

describe('columns that are said', () => {
  test.for([
    [{ columns: 'A_1..B_1' }, ['A=A_1,A_2', 'B=B_1']],
    [{ columns: '2,3' }, ['A=A_1,A_2']],
    [{ columns: '=7' }, ['GL=7']],
    [{ columns: 'x' }, ['GL=x']],
    [{ loci: ['Y=x', 'A=A_1,A_2'] }, ['A=A_1,A_2', 'B=B_1,B_2', 'Y=x']],
    [{ loci: ['Y=x', 'A=A_1,A_2'], isExact: true }, ['A=A_1,A_2', 'Y=x']],
    [{ gl: 'x' }, ['A=A_1,A_2', 'B=B_1,B_2', 'GL=x']],
    [{ gl: 'x', isExact: true }, ['GL=x']],
    [{ loci: ['A=A_1'], exclude: 'A_2' }, ['A=A_1', 'B=B_1,B_2']],
    [{ loci: ['donor:A=A_1', 'pat:A=A_2'] }, ['donor A=A_1', 'pat A=A_2', 'B=B_1,B_2']],
    [{ exclude: 'A_?' }, ['B=B_1,B_2']],
    [{ columns: 'A_*', exclude: 'A_2' }, ['A=A_1']],
    [{ loci: ['donor:A=A_1', 'pat:B=B_1'], subjects: ['x=A'], isExact: true }, ['donor A=A_1', 'pat B=B_1']],
    [{ subjects: ['donor=A', 'patient=B'], loci: ['A=A_1', 'B=B_1'] }, ['donor A=A_1', 'patient B=B_1']],
  ] as const)('%j', ([choice, expected]) => {
    const values = { id: ['1'], x: ['n'], '7': ['n'] }
    expect(choose('id,A_1,A_2,B_1,B_2,x,7', choice, values)).toEqual(expected)
  })

  test.for([
    [{ loci: ['A=B_1,B_2'] }, 'A_1,A_2', 'A is read from B_1 B_2', { option: 'exclude', value: 'A_1,A_2' }],
    [{ loci: ['D:A=B_1,B_2'] }, undefined, undefined, undefined],
  ] as const)(
    'columns of a locus for which others are named are reported: %j',
    ([choice, columns, why, option]) => {
      const header = makeHeader('t.csv', ['id', 'A_1', 'A_2', 'B_1', 'B_2'], 5)
      const sampled = (column: number) => (column === 0 ? ['1'] : ['01:01', '02:01'])
      const [one] = chooseColumns(choice, header, sampled, { loci: LOCI }).unread
      const labels = one?.columns.map((at) => header.labels[at]).join(',')
      expect([labels, one?.why, one?.option]).toEqual([columns, why, option])
    },
  )

  test('columns of one more person of a locus are advised with a name', () => {
    const header = makeHeader('t.csv', ['id', 'A1', 'A2', 'DA1', 'DA2'], 5)
    const sampled = (column: number) => (column === 0 ? ['P'] : ['1', '2', '24'])
    const [one] = chooseColumns({}, header, sampled, { loci: LOCI }).unread
    expect(one?.option).toEqual({ option: 'locus', value: 'D:A=DA1,DA2' })
  })

  test.for<[names: string[], cells: string[], why: string, option: object]>([
    [['DA1', 'DA2'], ['01:01', '24:02'], NO_LOCUS, { option: 'locus', value: 'A=DA1,DA2' }],
    [['call 1', 'call 2'], ['01:01', '15:01'], NO_LOCUS, { option: 'locus' }],
    [['A HR 1', 'A HR 2'], ['01:01', '24:02'], NO_LOCUS, { option: 'locus', value: 'A=A HR 1,A HR 2' }],
    [['DRB345_mother'], ['01:01', '02:02'], 'typings that do not name DRB3, DRB4, DRB5', { option: 'locus' }],
    [
      ['DRB345_mother'],
      ['0101', '0202'],
      'numbers that are perhaps not typings of DRB3/4/5',
      { option: 'locus' },
    ],
  ])('%j, whose names are guessed, with cells %j: %s', ([names, cells, why, option]) => {
    const header = makeHeader('t.csv', ['id', 'B_1', 'B_2', ...names], 3 + names.length)
    const sampled = (column: number) => (column === 0 ? ['P'] : column < 3 ? ['07:02'] : cells)
    const [one] = chooseColumns({}, header, sampled, { loci: LOCI }).unread
    expect([one?.why, one?.option]).toEqual([why, option])
  })

  test('a prefix that cuts a locus off does not hide its columns from the error', () => {
    const header = makeHeader('t.csv', ['id', 'DPB1_1', 'DPB1_2'], 3)
    const choosing = () => chooseColumns({ subjects: ['donor=D'] }, header, () => ['yes'], { loci: LOCI })
    expect(choosing).toThrow('the content of DPB1_1 DPB1_2 does not look like typings')
  })

  test.for<[names: string, cell: string, read: string[], told: string[]]>([
    ['DRa DRb', '15:01', [], ['DRB1=DRa,DRb']],
    ['d_DRa d_DRb', '15:01', [], ['d:DRB1=d_DRa,d_DRb']],
    ['DRa DRb DQa DQb', '05:01', [], ['DRB1=DRa,DRb', 'DQB1=DQa,DQb']],
    ['Ba Bb DQa DQb', '05:01', [], ['DQB1=DQa,DQb']],
    // genes: alone, in capitals, without the other, or with two typings in a cell
    ['DQa DQb', '05:01', ['DQA1', 'DQB1'], []],
    ['DRA DRB', '01:01', ['DRA', 'DRB1'], []],
    ['DRa DQb', '01:01', ['DRA', 'DQB1'], []],
    ['DRa DRb', '01:01,01:02', ['DRA', 'DRB1'], []],
  ])('%s with %s: %j are read, and %j told', ([text, cell, read, told]) => {
    const names = ['id', 'C_1', 'C_2', ...text.split(' ')]
    const sampled = (column: number) => (column === 0 ? ['P', 'Q'] : [column < 3 ? '07:02' : cell])
    const { groups, unread } = chooseColumns({}, makeHeader('t.csv', names, names.length), sampled, {
      loci: LOCI,
    })
    expect(groups.slice(1).map(({ locus }) => locus)).toEqual(read)
    const ambiguous = unread.filter(({ code }) => code === 'ambiguous')
    expect(ambiguous.map(({ option }) => option.value)).toEqual(told)
  })

  test.for([{ columns: HOSTILE }, { exclude: HOSTILE }, { gl: HOSTILE }, { loci: [`A=${HOSTILE}`] }])(
    'a pattern of many stars is not tried for ever: %j',
    (choice) => {
      expect(() => choose('a'.repeat(150), choice)).toThrow(`no column "${HOSTILE}" in t.csv`)
    },
  )

  test.for([
    [{ columns: 'A3' }, 'no column "A3" in t.csv. Did you mean A1, A2, A1x?'],
    [{ columns: '9' }, 'no column "9" in t.csv'],
    [{ columns: 'z*' }, 'no column "z*" in t.csv'],
    [{ loci: ['Q=A1'] }, 'unknown locus "Q" in --locus'],
    [{ loci: ['A=A1,A2,A1x'] }, 'a locus has one or two columns; --locus A=A1,A2,A1x has 3'],
    [{ loci: ['A'] }, '--locus takes LOCUS=columns, such as A=A1,A2 or patient:A=A1,A2; it is "A"'],
    [{ loci: ['A=A1'], gl: 'A1' }, 'column A1 is chosen twice'],
    [{ loci: ['A=A1'] }, 'A1 and A2 are a pair of one locus, but only A1 is named'],
    [{ subjects: ['x=r_'] }, '--subject x=r_: no column of t.csv begins with "r_"'],
    [{ subjects: ['donor'] }, '--subject is NAME=PREFIX, such as donor=d_, not "donor"'],
  ] as const)('%j is refused', ([choice, message]) => {
    expect(() => choose('A1,A2,A1x', choice)).toThrow(expect.objectContaining({ code: 'usage', message }))
  })
})

describe('selectColumns', () => {
  const header = makeHeader('t', ['A', 'A', '3', 'a.b', ''], 5)
  test.for([
    ['A', [0, 1]],
    ['A#2', [1]],
    ['3', [2]],
    ['=3', [2]],
    ['a.?', [3]],
    ['4..2', [3, 2, 1]],
    ['last,5', [4]],
  ] as const)('%s', ([list, expected]) => expect(selectColumns(list, header)).toEqual(expected))
})

describe('headers', () => {
  test.for([
    [['id', 'A1', 'A2'], ['1', '2', '3'], true],
    [['1', 'A1', 'A2'], ['2', 'A24', 'A25'], true],
    [['A1', 'A3'], ['A2', 'A24'], false],
    [['id', 'A1', 'A2'], ['7', 'A2', 'A1'], true],
    [['D1', 'A*01:01+A*02:01'], ['D2', 'A*01:01'], false],
    [['id', 'gl'], ['D2', 'A*01:01'], true],
    [['1', '0101'], ['2', '0201'], false],
    [['患者', '座位'], ['1', '01:01'], true],
  ] as const)('%j above %j: %s', ([first, second, expected]) =>
    expect(hasHeader(first, second)).toBe(expected),
  )

  test('are found below rows about the data', () => {
    const dialect = sniffDialect('x.pop', Buffer.from('a\tb\n'), { delimiter: '\t' })
    expect(linesBeforeLoci(['lab\tcode', '', 'id\tA_1\tA_2', '1\t01:01\t02:01'], dialect.delimiter)).toBe(2)
  })
})

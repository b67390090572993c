/** One typing from several callers: what most of them say, beside a second implementation that lists all genotypes. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { convertRecords } from '../support/record-tables.ts'
import { realRelease } from '../support/releases.ts'
import { rounds } from '../support/rounds.ts'
import { hasShared } from '../support/shared.ts'

const release = () => realRelease('3580')

/** Tables of callers, one row per sample -> rows of the consensus, by column. */
async function consensus(
  files: Readonly<Record<string, string>>,
  rule: 'majority' | 'all' = 'majority',
  method = 'lgx',
) {
  const { output, failures, record } = await convertRecords(files, { release: release(), methods: [method], consensus: rule, outDelimiter: 'tab' }) // prettier-ignore
  const [head = '', ...rows] = output.replace(/\n$/, '').split('\n')
  const names = head.split('\t')
  const read = rows.map((row) =>
    Object.fromEntries(row.split('\t').map((cell, at) => [names[at] ?? '', cell])),
  )
  return { names, rows: read, failures, record }
}

/** One sample; each caller's two cells of a locus. */
async function ofLocus(locus: string, cells: readonly string[], rule?: 'majority' | 'all', method?: string) {
  const files = Object.fromEntries(
    cells.map((cell, at) => [`c${at + 1}.csv`, `sample,${locus}_1,${locus}_2,note\nS,${cell},x\n`]),
  )
  const { rows } = await consensus(files, rule, method)
  const [row = {}] = rows
  return ['1', '2', 'votes', 'callers'].map((name) => row[`${locus}_${name}`] ?? '').join('|')
}

describe.skipIf(!hasShared)('what callers say of a locus', () => {
  test.for([
    ['the same at the level asked', ['A*01:01:01,A*02:01', 'A*01:01,A*02:01:01:01'], 'A*01:01|A*02:01|2/2|A*01:01+A*02:01 (c1.csv, c2.csv)'],
    ['the same in another order', ['A*02:01,A*01:01', 'A*01:01,A*02:01'], 'A*02:01|A*01:01|2/2|A*01:01+A*02:01 (c1.csv, c2.csv)'],
    ['a tie of two', ['A*01:01,A*02:01', 'A*01:01,A*03:01'], '||1/2|A*01:01+A*02:01 (c1.csv); A*01:01+A*03:01 (c2.csv)'],
    ['two of three', ['A*01:01,A*02:01', 'A*01:01,A*03:01', 'A*03:01,A*01:01'], 'A*01:01|A*03:01|2/3|A*01:01+A*02:01 (c1.csv); A*01:01+A*03:01 (c2.csv, c3.csv)'],
    ['two and two of four', ['A*01:01,A*02:01', 'A*01:01,A*02:01', 'A*01:01,A*03:01', 'A*01:01,A*03:01'], '||2/4|A*01:01+A*02:01 (c1.csv, c2.csv); A*01:01+A*03:01 (c3.csv, c4.csv)'],
    ['most, but not more than half', ['A*01:01,A*02:01', 'A*01:01,A*02:01', 'A*01:01,A*03:01', 'A*01:01,A*11:01', 'A*01:01,A*24:02'], '||2/5|A*01:01+A*02:01 (c1.csv, c2.csv); A*01:01+A*03:01 (c3.csv); A*01:01+A*11:01 (c4.csv); A*01:01+A*24:02 (c5.csv)'],
    ['a locus that one did not type', ['A*01:01,A*02:01', 'NT,NT'], 'A*01:01|A*02:01|1/1|A*01:01+A*02:01 (c1.csv)'],
    ['a locus that none typed', [',', 'NT,'], '|||'],
    ['a cell that cannot be read', ['A*01:01,A*02:01', 'A*01:01,A*99:99', 'A*01:01,A*02:01'], 'A*01:01|A*02:01|2/2|A*01:01+A*02:01 (c1.csv, c3.csv); failed: unknown-allele (c2.csv)'],
    ['a homozygous typing written once, and twice', ['A*01:01,', 'A*01:01,A*01:01'], 'A*01:01|A*01:01|2/2|A*01:01 (c1.csv); A*01:01+A*01:01 (c2.csv)'],
    ['homozygous and heterozygous', ['A*01:01,', 'A*01:01,A*02:01'], '||1/2|A*01:01 (c1.csv); A*01:01+A*02:01 (c2.csv)'],
    ['a null allele and the expressed one of its group', ['A*01:04N,A*02:01', 'A*01:01,A*02:01'], '||1/2|A*01:04:01:01N/A*01:04:01:02N+A*02:01 (c1.csv); A*01:01+A*02:01 (c2.csv)'],
    ['a null allele in both', ['A*01:04N,A*02:01', 'A*02:01,A*01:04N'], 'A*01:01|A*02:01|2/2|A*01:04:01:01N/A*01:04:01:02N+A*02:01 (c1.csv, c2.csv)'],
    ['a list and one of its members', ['A*02:01/A*02:02,A*01:01', 'A*02:02,A*01:01'], 'A*02:02|A*01:01|2/2|A*01:01+A*02:01/A*02:02 (c1.csv); A*01:01+A*02:02 (c2.csv)'],
    ['a list and two of its members', ['A*02:01/A*02:02,A*01:01', 'A*02:02,A*01:01', 'A*02:01,A*01:01'], '||2/3|A*01:01+A*02:01/A*02:02 (c1.csv); A*01:01+A*02:02 (c2.csv); A*01:01+A*02:01 (c3.csv)'],
    ['lists that overlap', ['A*02:01/A*02:02,A*01:01', 'A*02:02/A*02:03,A*01:01'], '||1/2|A*01:01+A*02:01/A*02:02 (c1.csv); A*01:01+A*02:02/A*02:03 (c2.csv)'],
    ['a list of both copies, and a copy of each', ['A*01:01+A*02:01/A*02:02,', 'A*01:01,A*02:02'], 'A*01:01|A*02:02|2/2|A*01:01+A*02:01/A*02:02 (c1.csv); A*01:01+A*02:02 (c2.csv)'],
    ['genotypes, of which another has one', ['A*01:01+A*02:01|A*01:01+A*03:01,', 'A*01:01,A*03:01'], 'A*01:01|A*03:01|2/2|A*01:01+A*02:01|A*01:01+A*03:01 (c1.csv); A*01:01+A*03:01 (c2.csv)'],
    ['genotypes, of which another has none', ['A*01:01+A*02:01|A*01:01+A*03:01,', 'A*01:01,A*11:01'], '||1/2|A*01:01+A*02:01|A*01:01+A*03:01 (c1.csv); A*01:01+A*11:01 (c2.csv)'],
    ['a null allele alone, and the expressed one of its group', ['A*01:04N,', 'A*01:01,'], '||1/2|A*01:04:01:01N/A*01:04:01:02N (c1.csv); A*01:01 (c2.csv)'],
    ['a null allele twice, and once', ['A*01:04N,A*01:04N', 'A*01:04N,'], 'A*01:01|A*01:01|2/2|A*01:04:01:01N/A*01:04:01:02N+A*01:04:01:01N/A*01:04:01:02N (c1.csv); A*01:04:01:01N/A*01:04:01:02N (c2.csv)'],
    ['one copy that cannot be read, and no other', ['A*99:99,', 'A*01:01,'], 'A*01:01||1/1|failed: unknown-allele (c1.csv); A*01:01 (c2.csv)'],
    ['a copy that is not known, and one that is', ['A*01:01,NT', 'A*01:01,A*01:01'], 'A*01:01|A*01:01|2/2|A*01:01 (c1.csv); A*01:01+A*01:01 (c2.csv)'],
    ['the same list', ['A*02:01/A*02:02,A*01:01', 'A*01:01,A*02:02/A*02:01'], 'A*02:01/A*02:02|A*01:01|2/2|A*01:01+A*02:01/A*02:02 (c1.csv, c2.csv)'],
  ] as const)('%s', async ([, cells, expected]) => {
    expect(await ofLocus('A', cells)).toBe(expected)
  }) // prettier-ignore

  test.for([
    ['a gene that one has once, the other twice', 'DRB4', ['DRB4*01:03,', 'DRB4*01:03,DRB4*01:03'], '||1/2|DRB4*01:01 (c1.csv); DRB4*01:01+DRB4*01:01 (c2.csv)'],
    ['an absent gene', 'DRB4', ['absent,absent', 'absent,absent'], 'absent||2/2|absent (c1.csv, c2.csv)'],
    ['a typed gene and an absent one', 'DRB4', ['DRB4*01:03,', 'absent,absent'], '||1/2|DRB4*01:01 (c1.csv); absent (c2.csv)'],
    ['absent and typed', 'DRB4', ['absent,DRB4*01:03', 'DRB4*01:03,absent'], 'DRB4*01:01||2/2|DRB4*01:01 (c1.csv, c2.csv)'],
    ['a copy of which one is absent, and one copy', 'DRB4', ['DRB4*01:03,absent', 'DRB4*01:03,'], 'DRB4*01:01||2/2|DRB4*01:01 (c1.csv, c2.csv)'],
    ['a typing of a gene twice in both', 'DRB4', ['DRB4*01:03,DRB4*01:03', 'DRB4*01:03,DRB4*01:03'], 'DRB4*01:01|DRB4*01:01|2/2|DRB4*01:01+DRB4*01:01 (c1.csv, c2.csv)'],
    ['an absent gene and a typed one', 'DRB4', ['absent,absent', 'DRB4*01:03,', 'DRB4*01:03,'], 'DRB4*01:01||2/3|absent (c1.csv); DRB4*01:01 (c2.csv, c3.csv)'],
  ] as const)('%s', async ([, locus, cells, expected]) => {
    expect(await ofLocus(locus, cells)).toBe(expected)
  }) // prettier-ignore

  test('with "all", a majority is not enough', async () => {
    const cells = ['A*01:01,A*02:01', 'A*01:01,A*02:01', 'A*01:01,A*03:01']
    expect(await ofLocus('A', cells, 'all')).toMatch(/^\|\|2\/3\|/)
    expect(await ofLocus('A', cells.slice(0, 2), 'all')).toMatch(/^A\*01:01\|A\*02:01\|2\/2\|/)
  })

  test('the level decides', async () => {
    const cells = ['A*02:01:01:01,A*01:01', 'A*02:01:02,A*01:01']
    expect(await ofLocus('A', cells, 'majority', 'lgx')).toMatch(/^A\*02:01\|A\*01:01\|2\/2/)
    expect(await ofLocus('A', cells, 'majority', 'G')).toMatch(/^\|\|1\/2/)
    expect(await ofLocus('A', ['A*02:01,A*01:01', 'A*02:06,A*01:01'], 'majority', 'S')).toMatch(
      /^A2\|A1\|2\/2/,
    )
  })
})

describe.skipIf(!hasShared)('the table of a consensus', () => {
  const files = {
    'c1.csv': 'sample,A_1,A_2\r\nS,A*01:01,A*02:01\r\n',
    'c2.csv': 'sample,A_1,A_2\r\nS,A*02:01,A*01:01\r\n',
  }
  const written = async (options: Parameters<typeof convertRecords>[1]) =>
    (await convertRecords(files, { release: release(), consensus: 'majority', ...options })).output

  test.for([
    [{}, 'sample,source,A_1,A_2,A_votes,A_callers\nS,c1.csv (table); c2.csv (table),A*01:01,A*02:01,2/2,"A*01:01+A*02:01 (c1.csv, c2.csv)"\n'],
    [{ eol: 'crlf' }, 'sample,source,A_1,A_2,A_votes,A_callers\r\nS,c1.csv (table); c2.csv (table),A*01:01,A*02:01,2/2,"A*01:01+A*02:01 (c1.csv, c2.csv)"\r\n'],
    [{ locusPrefix: 'bare' }, 'sample,source,A_1,A_2,A_votes,A_callers\nS,c1.csv (table); c2.csv (table),01:01,02:01,2/2,"A*01:01+A*02:01 (c1.csv, c2.csv)"\n'],
    [{ outDelimiter: 'tab' }, 'sample\tsource\tA_1\tA_2\tA_votes\tA_callers\nS\tc1.csv (table); c2.csv (table)\tA*01:01\tA*02:01\t2/2\tA*01:01+A*02:01 (c1.csv, c2.csv)\n'],
  ] as const)('%j', async ([options, expected]) => {
    expect(await written(options)).toBe(expected)
  }) // prettier-ignore

  test('is of one method', async () => {
    await expect(written({ methods: ['G', 'lgx'] })).rejects.toMatchObject({ code: 'usage', message: '--consensus compares by one method, and several are given' }) // prettier-ignore
  })
})

const OPTITYPE = (a2: string) =>
  `\tA1\tA2\tB1\tB2\tC1\tC2\tReads\tObjective\n0\tA*01:01\t${a2}\tB*07:02\tB*08:01\tC*07:01\tC*07:02\t1\t2\n`

describe.skipIf(!hasShared)('files of programs', () => {
  const files = {
    'optitype/S1.tsv': OPTITYPE('A*02:01'),
    'optitype/S2.tsv': OPTITYPE('A*03:01'),
    'arcashla/S1.json': '{"A": ["A*02:01:01", "A*01:01:01"], "DRB1": ["DRB1*15:01:01"]}',
    'arcashla/S2.json': '{"A": ["A*02:01:01", "A*01:01:01"]}',
    'lab.csv': 'sample,A_1,A_2,centre\nS1,A*01:01,A*02:01,5\nS3,A*11:01,A*99:99,6\n',
  }

  test('are callers by their names, with a row per sample', async () => {
    const { names, rows, failures, record } = await consensus(files)
    // counts of a program are about its own typings
    expect(names.slice(0, 4)).toEqual(['sample', 'source', 'centre', 'A_1'])
    expect(rows.map(({ sample, centre, A_1, A_2, A_votes, A_callers, DRB1_votes }) => [sample, centre, A_1, A_2, A_votes, A_callers, DRB1_votes])).toEqual([
      ['S1', '5', 'A*01:01', 'A*02:01', '3/3', 'A*01:01+A*02:01 (OptiType, arcasHLA, lab.csv)', '1/1'],
      ['S2', '', '', '', '1/2', 'A*01:01+A*03:01 (OptiType); A*01:01+A*02:01 (arcasHLA)', ''],
      ['S3', '6', '', '', '', 'failed: unknown-allele (lab.csv)', ''],
    ]) // prettier-ignore
    expect(failures).toEqual([expect.stringContaining('lab.csv:3:')])
    expect(record?.consensus?.['A']).toEqual({
      persons: 2,
      all: 1,
      most: 0,
      none: 1,
      single: 0,
      callers: {
        OptiType: { compared: 2, agree: 1, failed: 0 },
        arcasHLA: { compared: 2, agree: 1, failed: 0 },
        'lab.csv': { compared: 1, agree: 1, failed: 1 },
      },
    })
  })

  test('of which one cannot be read leave the others', async () => {
    const { rows, failures } = await consensus({ ...files, 'lab.csv': 'sample,x\nS1,y\n' })
    expect(rows.map(({ sample, A_votes }) => [sample, A_votes])).toEqual([
      ['S1', '2/2'],
      ['S2', '1/2'],
    ])
    expect(failures).toEqual([expect.stringContaining('lab.csv')])
  })

  test('of which two are of one program and differ have no vote of it', async () => {
    const one = (a2: string) => `{"S1": {"A": ["A*01:01", "${a2}"]}}`
    const lab = 'sample,A_1,A_2\nS1,A*01:01,A*02:01\n'
    const twice = { 'x.json': one('A*02:01'), 'y.json': one('A*03:01'), 'lab.csv': lab }
    const { rows, failures } = await consensus(twice)
    expect(rows.map(({ A_1, A_2, A_votes, A_callers }) => [A_1, A_2, A_votes, A_callers])).toEqual([
      ['A*01:01', 'A*02:01', '1/1', 'failed: surplus-typing (arcasHLA); A*01:01+A*02:01 (lab.csv)'],
    ])
    expect(failures).toEqual([expect.stringContaining('2 files type arcasHLA:A of one person differently')])
    const alike = await consensus({ ...twice, 'y.json': one('A*02:01') })
    expect(alike.rows.map(({ A_votes }) => A_votes)).toEqual(['2/2'])
  })
})

/** Cells, and what a copy may be; undefined: no typing. */
const CELLS: readonly (readonly [cell: string, alleles: readonly string[] | 'failed' | undefined])[] = [
  ['A*01:01', ['01:01']],
  ['A*01:01:01:01', ['01:01']],
  ['A*02:01', ['02:01']],
  ['02:02', ['02:02']],
  ['A*02:01/A*02:02', ['02:01', '02:02']],
  ['A*02:02/A*02:03', ['02:02', '02:03']],
  ['A*01:04N', ['01:04N']],
  ['A*99:99', 'failed'],
  ['NT', undefined],
  ['', undefined],
]

type Cell = (typeof CELLS)[number]

/** Possible genotypes of two cells. */
function genotypesOf([[, one], [, other]]: readonly [Cell, Cell]):
  | ReadonlySet<string>
  | 'failed'
  | undefined {
  if (one === 'failed' || other === 'failed') return 'failed'
  const [first = other, second = one] = [one, other]
  if (first === undefined || second === undefined) return undefined
  const isOnce = one === undefined || other === undefined
  const pairs = first.flatMap((a) => second.map((b) => [a, b].toSorted().join(' ')))
  // a typing written once is both copies, and a list of it both of either
  return new Set(isOnce ? first.flatMap((a) => first.map((b) => [a, b].toSorted().join(' '))) : pairs)
}

describe.skipIf(!hasShared)('random callers', () => {
  test('vote as a second implementation counts them', { timeout: 600_000 }, async () => {
    const cell = fc.constantFrom(...CELLS)
    const caller = fc.array(fc.tuple(cell, cell), { minLength: 4, maxLength: 4 })
    const rules = fc.constantFrom('majority' as const, 'all' as const)
    await fc.assert(
      fc.asyncProperty(fc.array(caller, { minLength: 2, maxLength: 5 }), rules, async (callers, rule) => {
        const files = Object.fromEntries(
          callers.map((rows, at) => [`c${at}.csv`, `sample,A_1,A_2,B_1\n${rows.map(([[one], [other]], row) => `S${row},${one},${other},B*07:02\n`).join('')}`]),
        ) // prettier-ignore
        const { rows } = await consensus(files, rule)
        const found = rows.map(({ A_votes = '', A_1 = '', A_2 = '' }) => [A_votes, A_1 !== '' || A_2 !== ''])
        const expected = [0, 1, 2, 3].map((row) => {
          const said = callers.map((one) => {
            const pair = one[row]
            return pair === undefined ? undefined : genotypesOf(pair)
          })
          const voters = said.filter((one) => typeof one === 'object')
          const sides = voters.map((one) => voters.map((other) => [...one].every((pair) => other.has(pair))))
          const counts = sides.map((side) => side.filter(Boolean).length)
          const most = Math.max(0, ...counts)
          const best = new Set(sides.filter((_, at) => counts[at] === most).map(String))
          const isEnough = rule === 'all' ? most === voters.length : most > voters.length / 2
          return [voters.length === 0 ? '' : `${most}/${voters.length}`, best.size === 1 && isEnough]
        })
        expect(found).toEqual(expected)
      }),
      { numRuns: rounds(1000) },
    )
  })
})

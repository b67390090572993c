/**
 * A folder of files from different programs becomes one table: a row a person, with its file and program, and one
 * report.
 */
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { lines } from '../../support/program-files.ts'
import { callHla } from '../../support/call-hla.ts'
import { hasShared, sharedPath } from '../../support/shared.ts'
import { tempFolder } from '../../support/temp.ts'
import { makeWorkbook, textRows } from '../../support/workbook.ts'

const cwd = tempFolder()('')
const run = (...args: readonly string[]) => callHla(['redux', '-r', 'starter', ...args], { cwd })
const read = (name: string) => readFileSync(join(cwd, name), 'utf8')

const HML =
  '<hml version="1.0.1"><sample id="H1"><typing><allele-assignment><glstring>HLA-A*02:01+HLA-A*24:02</glstring></allele-assignment></typing></sample></hml>'
const FILES: Readonly<Record<string, string | Buffer>> = {
  'S1/hlahd.txt': lines('A\tHLA-A*24:02:01\tHLA-A*02:01:01', 'B\tHLA-B*07:02:01\t-'),
  'S2/genotype.json': '{"A": ["A*02:01:01", "A*24:02:01"]}',
  'S3/optitype.tsv':
    '\tA1\tA2\tB1\tB2\tC1\tC2\tReads\tObjective\n0\tA*01:01\tA*02:01\tB*07:02\tB*08:01\tC*07:01\tC*07:02\t9\t8.5\n',
  'h.xml': HML,
  'gl.csv': 'ID,gl\nG1,A*01:01+A*02:01^B*07:02+B*08:01\n',
  'lab.csv': 'id,site,A_1,A_2\nD1,Köln,01:01,02:01\nD2,Ulm,24:02\nD3,Ulm,24:02,\n',
  'notes.txt': 'nothing but words\n',
  'run.log': 'done\n',
  '.hidden.csv': 'id,A_1,A_2\nX,01:01,02:01\n',
  'sheet.xlsx': makeWorkbook({
    sheets: [
      { name: 'About', rows: textRows([['made by the laboratory']]) },
      { name: 'Donors', rows: textRows([['id', 'site', 'A_1', 'A_2'], ['W1', 'Bonn', '03:01', '11:01'], ['W2', 'Bonn', '99:99', '11:01']]) },
    ],
  }), // prettier-ignore
  'latin.csv': Buffer.from('id;site;A_1;A_2\nL1;K\u00f6ln;01:01;02:01\n', 'latin1'),
}

beforeAll(() => {
  for (const [name, content] of Object.entries(FILES)) {
    mkdirSync(join(cwd, 'cohort', name, '..'), { recursive: true })
    writeFileSync(join(cwd, 'cohort', name), content)
  }
})

const ROWS = [
  ['S1/hlahd.txt', 'HLA-HD', 'hlahd', 'A*24:02', 'A*02:01'],
  ['S2/genotype.json', 'arcasHLA', 'genotype', 'A*02:01', 'A*24:02'],
  ['S3/optitype.tsv', 'OptiType', 'optitype', 'A*01:01', 'A*02:01'],
  ['gl.csv', 'GL Strings', 'G1', 'A*01:01', 'A*02:01'],
  ['h.xml', 'HML', 'H1', 'A*02:01', 'A*24:02'],
  ['lab.csv', 'table', 'D1', 'A*01:01', 'A*02:01'],
  ['lab.csv', 'table', 'D3', 'A*24:02', ''],
  ['latin.csv', 'table', 'L1', 'A*01:01', 'A*02:01'],
  ['sheet.xlsx', 'workbook', 'W1', 'A*03:01', 'A*11:01'],
] as const

function tableOf(text: string): Record<string, string>[] {
  const [header = '', ...rows] = text.trimEnd().split('\n')
  const names = header.split(',')
  return rows.map((row) => Object.fromEntries(row.split(',').map((value, at) => [names[at] ?? '', value])))
}

describe('hla redux -i cohort/ -o cohort.csv', () => {
  test('a row a person, with the file and its program', async () => {
    const { status, stderr } = await run('-i', 'cohort/', '-o', 'cohort.csv', '--into', 'replace')
    expect(status).toBe(1)
    const found = tableOf(read('cohort.csv')).filter(({ source }) => source !== undefined)
    for (const [file, program, sample, first, second] of ROWS)
      expect(found).toContainEqual(expect.objectContaining({ sample, source: `cohort/${file} (${program})`, A_1: first, A_2: second })) // prettier-ignore
    // two further rows: an unreadable record has only its place, and a failed typing leaves its cell empty
    expect(found).toHaveLength(ROWS.length + 2)
    expect(found.find(({ sample }) => sample === 'W2')).toMatchObject({ A_1: '', A_2: 'A*11:01' })
    expect(found.find(({ sample }) => sample === 'D2')?.['source']).toBe('cohort/lab.csv (table)')
    expect(found.map(({ sample }) => sample)).not.toContain('X')
    expect(read('cohort.csv')).toContain('Köln')
    expect(found.find(({ sample }) => sample === 'L1')?.['site']).toBe('Köln')
    expect(stderr).toMatch(/hla: \d+ rows, \d+ typings/)
  })

  test('one report of what failed and what was left out, and why', async () => {
    const { stderr } = await run('-i', 'cohort/', '-o', 'cohort.csv')
    const report = read('cohort.csv.errors.csv')
    expect(report).toMatch(/^0,1,.*no typing columns found in cohort\/notes\.txt.*,cohort\/notes\.txt/m)
    expect(report).toMatch(/^\d+,3,D2,.*3 fields instead of 4.*,cohort\/lab\.csv/m)
    expect(stderr).toContain('not read: cohort/run.log: files with this ending hold no typings')
    expect(stderr).toContain('cohort/sheet.xlsx: sheet Donors is read; there are also cells in About')
    expect(report).not.toContain('.hidden')
  })

  test('an earlier output in the folder is not read again, and the run gives the same', async () => {
    await run('-i', 'cohort/', '-o', 'cohort/all.csv')
    const first = read('cohort/all.csv')
    const { stderr } = await run('-i', 'cohort/', '-o', 'cohort/all.csv')
    expect(read('cohort/all.csv')).toBe(first)
    expect(stderr).toContain('cohort/all.csv: it is written by this command')
    rmSync(join(cwd, 'cohort/all.csv'))
    rmSync(join(cwd, 'cohort/all.csv.errors.csv'))
  })

  test('patterns, and several files', async () => {
    const glob = await run('-q', '-i', 'cohort/S?/*', '--into', 'replace')
    expect(tableOf(glob.stdout).map(({ sample }) => sample)).toEqual(['hlahd', 'genotype', 'optitype'])
    const two = await run('-q', '-i', 'cohort/S1/hlahd.txt', '-i', 'cohort/h.xml', '--into', 'replace')
    expect(tableOf(two.stdout).map(({ sample }) => sample)).toEqual(['hlahd', 'H1'])
    const guess = await run('-q', 'cohort/S1/hlahd.txt', 'cohort/h.xml', '--into', 'replace')
    expect(guess.stdout).toBe(two.stdout)
  })

  test('--sample-from folder, and two files of one person', async () => {
    mkdirSync(join(cwd, 'two/S1'), { recursive: true })
    writeFileSync(join(cwd, 'two/S1/a.txt'), lines('A\tHLA-A*24:02:01\tHLA-A*02:01:01'))
    writeFileSync(join(cwd, 'two/S1/b.json'), '{"B": ["B*07:02:01", "B*08:01:01"]}')
    const apart = await run('-i', 'two/', '--sample-from', 'folder', '--into', 'replace')
    expect(tableOf(apart.stdout).map(({ sample }) => sample)).toEqual(['S1', 'S1'])
    expect(apart.stderr).toContain(
      'samples in several files, with a row from each file: S1; --merge makes one row',
    )
    const merged = await run('-q', '-i', 'two/', '--sample-from', 'folder', '--merge', '--into', 'replace')
    expect(tableOf(merged.stdout)).toEqual([
      { sample: 'S1', source: 'two/S1/a.txt (HLA-HD); two/S1/b.json (arcasHLA)', A_1: 'A*24:02', A_2: 'A*02:01', B_1: 'B*07:02', B_2: 'B*08:01' },
    ]) // prettier-ignore
  })

  test('a pedigree has no header, by its name', async () => {
    const row = (name: string) => `F\t${name}\t0\t0\t1\t-9\t01:01\t02:01${'\t0'.repeat(14)}\n`
    mkdirSync(join(cwd, 'pedigrees'), { recursive: true })
    for (const at of [1, 2])
      writeFileSync(join(cwd, `pedigrees/p${at}.hped`), row(`I${at}`) + row(`J${at}`) + row(`K${at}`))
    const { status, stdout } = await run('-q', '-i', 'pedigrees/', '--into', 'replace')
    const found = tableOf(stdout)
    expect([status, found.map(({ sample }) => sample)]).toEqual([0, ['I1', 'J1', 'K1', 'I2', 'J2', 'K2']])
    expect(found.every((one) => one['A_1'] === 'A*01:01' && one['A_2'] === 'A*02:01')).toBe(true)
  })

  test('the first failure ends the run where it is to', async () => {
    const { status } = await run('-i', 'cohort/', '-o', 'failed.csv', '--on-error', 'fail')
    expect([status === 0, existsSync(join(cwd, 'failed.csv'))]).toEqual([false, false])
  })

  test('a folder without typings, and one that is empty, are refused', async () => {
    mkdirSync(join(cwd, 'empty'), { recursive: true })
    mkdirSync(join(cwd, 'words'), { recursive: true })
    writeFileSync(join(cwd, 'words/a.txt'), 'just words\n')
    const empty = await run('-i', 'empty')
    expect([empty.status, empty.stdout]).toEqual([4, ''])
    expect(empty.stderr).toContain('there is no file with typings in empty')
    const words = await run('-i', 'words')
    expect([words.status === 0, words.stdout]).toEqual([false, ''])
    expect(words.stderr).toContain('words/a.txt')
  })

  test.skipIf(!hasShared)('outputs of real programs are read side by side', async () => {
    cpSync(sharedPath('formats/callers'), join(cwd, 'real'), { recursive: true })
    const { stderr } = await run('-i', 'real', '-o', 'real.csv', '--into', 'none', '--gl-out', 'gl')
    const programs = new Set(
      tableOf(read('real.csv')).map(({ source = '' }) => /\(([^)]*)\)$/.exec(source)?.[1]),
    )
    for (const program of ['OptiType', 'HLA*LA', 'arcasHLA', 'PHLAT', 'xHLA']) expect(programs).toContain(program) // prettier-ignore
    expect(stderr).toMatch(/hla: \d+ rows/)
    // genes other than HLA are not typings, as in the file alone
    expect(read('real.csv.errors.csv')).toMatch(
      /holds no typings of HLA genes: its loci are KIR2DL1.*T1K_genotype\.tsv/,
    )
  })
})

describe('tables of a cohort that differ', () => {
  beforeAll(() => {
    mkdirSync(join(cwd, 'differ'))
    writeFileSync(join(cwd, 'differ/a.csv'), 'id,A_1,A_2,B_1,B_2\nP1,01:01,02:01,07:02,08:01\n')
    writeFileSync(join(cwd, 'differ/b.csv'), 'id,A_1,A_2\nP2,03:01,02:01\n')
  })

  test('--exclude applies where the column is', async () => {
    const { stdout, status } = await run('-q', '-i', 'differ/', '-x', 'B_*', '--into', 'replace')
    expect(status).toBe(0)
    expect(tableOf(stdout)).toEqual([
      {
        sample: 'P1',
        source: 'differ/a.csv (table)',
        A_1: 'A*01:01',
        A_2: 'A*02:01',
        B_1: '07:02',
        B_2: '08:01',
      },
      { sample: 'P2', source: 'differ/b.csv (table)', A_1: 'A*03:01', A_2: 'A*02:01', B_1: '', B_2: '' },
    ])
  })

  test('--exclude of a column that none has is refused', async () => {
    const { stdout, status, stderr } = await run('-i', 'differ/', '-x', 'B_1,B_2,DQB1_1')
    expect([status, stdout]).toEqual([2, ''])
    expect(stderr).toContain('no table among the files has a column "DQB1_1" to leave out')
  })

  test('how a table is read that is opened late is said at the end', async () => {
    mkdirSync(join(cwd, 'late'))
    const row =
      ',A*01:01,A*02:01,B*07:02,B*08:01,C*07:01,C*07:02,DRB1*03:01,DRB1*15:01,DQB1*02:01,DQB1*06:02\n'
    const head = 'id,A_1,A_2,B_1,B_2,C_1,C_2,DRB1_1,DRB1_2,DQB1_1,DQB1_2\n'
    const rows = Array.from({ length: 40_001 }, (_, at) => `P${at}${row}`)
    writeFileSync(join(cwd, 'late/a.csv'), head + rows.join(''))
    writeFileSync(join(cwd, 'late/b.csv'), 'id,A_1,A_2\nX1,0101,0201\n')
    const { stderr, status } = await run('-i', 'late/', '-o', 'late.csv')
    expect(status).toBe(0)
    expect(stderr).toMatch(/late\/b\.csv: A_1 A_2: digits without ":" read as v2 names/)
  })
})

/** hla diff on two files: accepted inputs, output and lists, exit statuses. Whole programs. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { readComparedFiles } from '../../../src/cli/run/table/concordance/compared-files.ts'
import { errorOf } from '../../support/errors.ts'
import { callHla } from '../../support/call-hla.ts'
import { tempFolder } from '../../support/temp.ts'
import { makeWorkbook, textRows } from '../../support/workbook.ts'

const temp = tempFolder()

describe('two files', () => {
  const cwd = temp('.')
  const run = (...args: string[]) => callHla(['diff', ...args, '-r', 'starter'], { cwd })
  const files: Record<string, string> = {
    'left.csv': 'ID,A_1,A_2,B_1,B_2\n1,01:01,24:02,07:02,-\n2,01:01,03:01,07:02,08:01\n3,02:01,,,\n',
    'same.tsv': 'sample\tgl\n2\tA*03:01+A*01:01^B*08:01+B*07:02\n1\tHLA-A*24:02+HLA-A*01:01^B*07:02\n3\tA*02:01\n', // prettier-ignore
    'other.csv':
      'ID,A_1,A_2,B_1,B_2\n1,01:01,24:02,07:02,08:01\n2,01:01/01:02,03:01,07:02,08:01\n4,02:01,,,\n',
    'long.csv': 'sample,locus,allele\n1,A,A*01:01\n1,A,A*24:02\n1,B,B*07:02\n2,A,A*01:01\n2,A,A*03:01\n2,B,B*07:02\n2,B,B*08:01\n3,A,A*02:01\n', // prettier-ignore
    'donors.json': JSON.stringify({
      donors: [
        { recordId: '1', hla: { a: { dna: { field1: '01:01', field2: '24:02' } }, b: { dna: { field1: '07:02' } } } },
        { recordId: '2', hla: { a: { dna: { field1: '03:01', field2: '01:01' } }, b: { dna: { field1: '08:01', field2: '07:02' } } } },
        { recordId: '3', hla: { a: { dna: { field1: '02:01' } } } },
      ], // prettier-ignore
    }),
    'message.xml': `<?xml version="1.0"?>\n<hml xmlns="http://schemas.nmdp.org/spec/hml/1.0.1" version="1.0.1">\n${['1 A*01:01+A*24:02^B*07:02+B*07:02', '2 A*03:01+A*01:01^B*07:02+B*08:01', '3 A*02:01+A*02:01'].map((one) => one.split(' ')).map(([id, gl]) => `<sample id="${id}">\n<typing><allele-assignment><glstring>HLA-${gl}</glstring></allele-assignment></typing>\n</sample>`).join('\n')}\n</hml>\n`, // prettier-ignore
    'broken.csv': 'ID,A_1,A_2,B_1,B_2\n1,01:01,24:02,07:02,-\n2,01:01,03:01\n3,02:01,99:99,,\n',
    'nobody.csv': 'A_1,A_2\n01:01,24:02\n',
  }

  beforeAll(() => {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text)
    writeFileSync(join(cwd, 'same.tsv.gz'), gzipSync(files['same.tsv'] ?? ''))
  })

  test.for(['same.tsv', 'same.tsv.gz', 'long.csv', 'donors.json', 'message.xml'])(
    'left.csv and %s say the same',
    async (right) => {
      const { status, stdout } = await run('left.csv', right, '-f', 'csv')
      expect(stdout).toBe(
        'locus,method,compared,identical,compatible,null,one_allele,no_allele,concordance,allele_concordance,missing_left,missing_right,unreadable,copies\n' +
          'A,lgx,3,3,0,0,0,0,1,1,0,0,0,0\nB,lgx,2,2,0,0,0,0,1,1,0,0,0,0\nall,lgx,5,5,0,0,0,0,1,1,0,0,0,0\n',
      )
      expect(status).toBe(0)
    },
  )

  /** Left and right file -> rows of the answer behind its header, and messages. */
  const compared = async (left: string, right: string) => {
    writeFileSync(join(cwd, 'l.csv'), left)
    writeFileSync(join(cwd, 'r.csv'), right)
    const { status, stdout, stderr } = await run('l.csv', 'r.csv', '-f', 'csv', '-g', 'gl', '-q')
    return [status, stdout.split('\n').slice(1, -1), stderr]
  }
  const GENES = 'id,gl\n1,A*01:01+A*02:01^B*07:02+B*08:01\n'

  test.for([
    [
      'a word',
      'foo',
      ['?,lgx,0,0,0,0,0,0,,,0,0,1,0', 'A,lgx,0,0,0,0,0,0,,,0,0,1,0', 'B,lgx,0,0,0,0,0,0,,,0,0,1,0', 'all,lgx,0,0,0,0,0,0,,,0,0,3,0'],
      ['"foo" is not an allele, group, MAC, XX code or antigen [bad-syntax]'],
    ],
    [
      'words beside a typing',
      'A*01:01+A*02:01^foo^02:01',
      ['?,lgx,0,0,0,0,0,0,,,0,0,1,0', 'A,lgx,1,1,0,0,0,0,1,1,0,0,0,0', 'B,lgx,0,0,0,0,0,0,,,0,0,1,0', 'all,lgx,1,1,0,0,0,0,1,1,0,0,2,0'],
      [
        '"foo" is not an allele, group, MAC, XX code or antigen [bad-syntax]',
        'locus missing in "02:01"; every allele needs its locus [bad-syntax]',
      ],
    ],
    [
      'a genotype of two loci',
      'A*01:01+B*07:02|A*02:01+B*08:01',
      ['?,lgx,0,0,0,0,0,0,,,0,0,1,0', 'A,lgx,0,0,0,0,0,0,,,0,0,1,0', 'B,lgx,0,0,0,0,0,0,,,0,0,1,0', 'all,lgx,0,0,0,0,0,0,,,0,0,3,0'],
      ['A*01:01+B*07:02|A*02:01+B*08:01 has names of different loci [mixed-loci]'],
    ],
    [
      'a list of haplotypes',
      'HLA-A*01:01~B*07:02|A*02:01~B*08:01',
      ['A,lgx,0,0,0,0,0,0,,,0,0,1,0', 'B,lgx,0,0,0,0,0,0,,,1,0,0,0', 'all,lgx,0,0,0,0,0,0,,,1,0,1,0'],
      ['HLA-A*01:01~B*07:02|A*02:01~B*08:01: lists of genotypes with haplotypes cannot be compared [bad-syntax]'],
    ],
    [
      'three copies',
      'A*01:01+A*02:01+A*03:01^B*07:02+B*08:01',
      ['A,lgx,0,0,0,0,0,0,,,0,0,1,0', 'B,lgx,1,1,0,0,0,0,1,1,0,0,0,0', 'all,lgx,1,1,0,0,0,0,1,1,0,0,1,0'],
      ['A*01:01+A*02:01+A*03:01: more typings than a person has at a locus [surplus-typing]'],
    ],
  ] as const)('what cannot be compared is told once, on either side: %s', async ([, typing, rows, said]) => {
    const told = (name: string) => said.map((one) => `hla: ${name}.csv:2:gl: ${one}\n`).join('')
    expect(await compared(`id,gl\n1,${typing}\n`, GENES)).toEqual([1, rows, told('l')])
    const turned = rows.map((row) => row.replace(',,,1,0,', ',,,0,1,'))
    expect(await compared(GENES, `id,gl\n1,${typing}\n`)).toEqual([1, turned, told('r')])
  }) // prettier-ignore

  test('loci of one file alone are named, and rows that cannot be read are counted', async () => {
    writeFileSync(join(cwd, 'few.csv'), 'id,A_1,A_2\n1,01:01,02:01\n2,01:01,02:01\n3,01:01\n4,01:01\n')
    writeFileSync(
      join(cwd, 'more.csv'),
      'id,A_1,A_2,C_1,B_1\n1,01:01,02:01,,07:02\n2,01:01,02:01,04:01,08:01\n',
    )
    const { stderr } = await run('few.csv', 'more.csv')
    expect(stderr).toContain('hla: note: only more.csv has B C [loci]\n')
    expect(stderr).toContain(
      'hla: 2 persons are in both files, 0 in few.csv alone, 0 in more.csv alone, 2 rows of few.csv could not be read\n',
    )
    expect((await run('more.csv', 'few.csv')).stderr).toContain('hla: note: only more.csv has B C [loci]\n')
  })

  test('persons of one row are compared by themselves', async () => {
    writeFileSync(join(cwd, 'l.csv'), 'id,x_A_1,x_A_2,y_A_1,y_A_2\n1,01:01,02:01,03:01,03:01\n')
    writeFileSync(join(cwd, 'r.csv'), 'id,x_A_1,x_A_2,y_A_1,y_A_2\n1,01:01,02:01,03:01,02:01\n')
    const { stdout } = await run('l.csv', 'r.csv', '-f', 'csv', '--rows', 'rows.csv')
    expect(stdout.split('\n')[1]).toBe('A,lgx,2,1,0,0,1,0,0.5,0.75,0,0,0,0')
    expect(readFileSync(join(cwd, 'rows.csv'), 'utf8').split('\n')[1]).toBe(
      '1 y,A,lgx,one-allele,A*03:01+A*03:01,A*03:01+A*02:01,A*03:01+A*03:01,A*03:01+A*02:01,2,2,',
    )
  })

  test('a sheet of a workbook, whose cells are named', async () => {
    const rows = textRows([
      ['ID', 'A_1', 'A_2'],
      ['2', 'A*03:01', 'A*01:01'],
      ['1', 'A*01:01', 'A*99:99'],
    ])
    writeFileSync(join(cwd, 's.xlsx'), makeWorkbook({ sheets: [{ name: 'S', rows }] }))
    const { status, stderr } = await run('left.csv', 's.xlsx', '--rows', 'x.csv.gz', '--loci', 'A')
    expect([status, stderr]).toEqual([1, expect.stringMatching(/s\.xlsx:3:A_1 A_2: A\*99:99/) as string])
    const listed = gunzipSync(readFileSync(join(cwd, 'x.csv.gz')))
      .toString()
      .split('\n')
    expect(listed[1]).toMatch(/^1,A,lgx,unreadable-right,A\*01:01\+A\*24:02,A\*01:01\+A\*99:99,.*,2,3,/)
  })

  test('lines of the list are those of a file whose rows are typings', async () => {
    writeFileSync(join(cwd, 'l2.csv'), 'sample,locus,allele\n3,A,A*02:01\n1,A,A*01:01\n1,A,A*03:01\n')
    await run('left.csv', 'l2.csv', '--rows', 'x.tsv', '--loci', 'A')
    const listed = readFileSync(join(cwd, 'x.tsv'), 'utf8').split('\n')
    expect(listed[1]?.split('\t').slice(8, 10)).toEqual(['2', '3'])
  })

  test('nothing is left of a run that is refused on the way', async () => {
    writeFileSync(join(cwd, 'twice.csv'), 'ID,A_1,A_2,B_1,B_2\n1,01:01,,07:02,\n1,01:01,,08:01,\n')
    const { status, stdout, stderr } = await run('left.csv', 'twice.csv', '--id-column', 'ID', '--rows', 'no.csv', '-o', 'no.txt', '--errors', 'no.tsv') // prettier-ignore
    expect([status, stdout]).toEqual([2, ''])
    expect(stderr).toContain('twice.csv: "1" occurs twice (line 3)')
    expect(readdirSync(cwd).filter((name) => name.startsWith('no.'))).toEqual([])
  })

  test('what is other is listed, with its places, and the exit status says so', async () => {
    const { status, stdout, stderr } = await run('left.csv', 'other.csv', '--rows', 'rows.csv', '-f', 'jsonl')
    expect(status).toBe(1)
    expect(stdout.trim().split('\n').map((line) => JSON.parse(line) as unknown)).toEqual([
      expect.objectContaining({ locus: 'A', compared: 2, identical: 1, compatible: 1, concordance: 1 }),
      expect.objectContaining({ locus: 'B', compared: 2, identical: 1, one_allele: 1, concordance: 0.5, allele_concordance: 0.75 }),
      expect.objectContaining({ locus: 'all', compared: 4 }),
    ]) // prettier-ignore
    expect(readFileSync(join(cwd, 'rows.csv'), 'utf8')).toBe(
      'person,locus,method,verdict,left,right,left_reduced,right_reduced,left_line,right_line,reason\n' +
        '1,B,lgx,one-allele,B*07:02,B*07:02+B*08:01,B*07:02,B*07:02+B*08:01,2,2,\n' +
        '2,A,lgx,compatible,A*01:01+A*03:01,A*01:01/A*01:02+A*03:01,A*01:01+A*03:01,A*01:01/A*01:02+A*03:01,3,3,\n' +
        '4,,,only-right,,,,,,4,\n3,,,only-left,,,,,4,,\n',
    )
    expect(stderr).toContain('hla: 2 persons are in both files, 1 in left.csv alone, 1 in other.csv alone\n')
    expect(stderr).toContain('hla: lgx: 1 of 2 agree at every locus that both files have\n')
    expect((await run('left.csv', 'other.csv', '--exit-zero')).status).toBe(0)
  })

  test('a null allele against the expressed one of its reduced name is a difference', async () => {
    writeFileSync(join(cwd, 'null.csv'), 'ID,A_1,A_2,B_1,B_2\n1,01:01,24:09N,07:02,07:02\n')
    const { status, stdout, stderr } = await run('left.csv', 'null.csv', '--rows', 'nulls.csv', '-f', 'jsonl') // prettier-ignore
    expect(status).toBe(1)
    expect(JSON.parse(stdout.split('\n')[0] ?? '')).toMatchObject({ locus: 'A', compared: 1, identical: 0, null: 1, one_allele: 0, concordance: 0, allele_concordance: 0.5 }) // prettier-ignore
    expect(stderr).toContain('lgx: 0 of 1 agree')
    expect(readFileSync(join(cwd, 'nulls.csv'), 'utf8')).toContain(
      '1,A,lgx,null,A*01:01+A*24:02,A*01:01+A*24:09N,A*01:01+A*24:02,A*01:01+A*24:02,2,2,',
    )
  })

  test('rows and typings that cannot be read are told with their file', async () => {
    const { status, stderr, stdout } = await run('-i', 'left.csv', '-i', 'broken.csv', '--errors', 'e.tsv', '-f', 'json') // prettier-ignore
    expect(status).toBe(1)
    expect(stderr).toMatch(/hla: broken\.csv:3: 3 fields instead of 5/)
    expect(stderr).toContain('2 persons are in both files, 1 in left.csv alone, 0 in broken.csv alone, 1 row of broken.csv could not be read') // prettier-ignore
    const json = JSON.parse(stdout) as Record<string, unknown>
    expect(json['right']).toEqual({ file: 'broken.csv', persons: 2, only: 0, broken: 1 })
    const report = readFileSync(join(cwd, 'e.tsv'), 'utf8').trim().split('\n').map((line) => line.split('\t')) // prettier-ignore
    expect(report.map((cells) => [cells[1], cells[2], cells[3], cells[6], cells[9]])).toEqual([
      ['line', 'id', 'column', 'code', 'file'],
      ['3', '2', '', 'ragged-row', 'broken.csv'],
      ['4', '3', 'A_1 A_2', 'starter', 'broken.csv'],
    ])
  })

  test.for([
    [['left.csv', 'nobody.csv'], /nobody\.csv has no column that names persons/],
    [['left.csv', 'same.tsv', '--loci', 'A,Q'], /there is no locus Q/],
    [['-', '-'], /standard input cannot be both/],
    [['left.csv', 'same.tsv', '--rows', 'same.tsv'], /--rows same\.tsv is the file that -i reads/],
    [['left.csv', 'same.tsv', '-m', 'X'], /method/],
  ] as const)('%j is refused', async ([args, message]) => {
    const { status, stderr, stdout } = await run(...args)
    expect([status, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(message)
  })

  test('nobody in common is said, and a column of each file can be named', async () => {
    writeFileSync(join(cwd, 'x.csv'), 'nr,donor,A_1\na,1,01:01\n')
    writeFileSync(join(cwd, 'y.csv'), 'nr,who,A_1\nb,1,01:01\n')
    const { status, stderr } = await run('x.csv', 'y.csv')
    expect([status, stderr]).toEqual([1, expect.stringContaining('no person is in both files') as string])
    expect((await run('x.csv', 'y.csv', '--id-column', 'donor,who')).status).toBe(0)
  })

  test('a pattern is all files of a side', async () => {
    for (const [id, gl] of [['1', 'A*01:01\tA*24:02'], ['2', 'A*01:01\tA*03:01']] as const) writeFileSync(join(cwd, `${id}.hd.txt`), `A\t${gl.replaceAll('A*', 'HLA-A*')}\n`) // prettier-ignore
    const { status, stdout } = await run('-i', '*.hd.txt', '-i', '*.hd.txt', '--sample-from', 'name', '--input-format', 'hla-hd', '--summary') // prettier-ignore
    expect([status, stdout.split('\n')[1]]).toEqual([
      0,
      'lgx: 2 of 2 agree at every locus that both files have',
    ])
  })
})

describe('readComparedFiles', () => {
  test.for([
    [['3.29.0', '3.58.0'], ['A*01:01'], undefined, undefined],
    [['3.29', 'active'], [], ['a.csv'], undefined],
    [['a.csv', 'b.csv'], [], undefined, ['a.csv', 'b.csv']],
    [['./3580', './3290'], [], undefined, ['./3580', './3290']],
    [[undefined, undefined], [], ['a', 'b'], ['a', 'b']],
    [['a.csv', '3.58.0'], [], undefined, undefined],
  ] as const)('%j %j %j', ([leading, typings, input, files]) => {
    expect(readComparedFiles(leading, typings, input)?.files).toEqual(files)
  })

  test.for([
    [[undefined, undefined], [], undefined, "missing required argument 'from_release'"],
    [['3.29.0', undefined], [], undefined, "missing required argument 'to_release'"],
    [[undefined, undefined], [], ['a'], 'hla diff compares two files; 1 given'],
    [[undefined, undefined], [], ['a', 'b', 'c'], 'hla diff compares two files; 3 given'],
    [
      ['a', 'b'],
      ['A*01:01'],
      undefined,
      'a and b are not releases; to compare two files, give only the files',
    ],
  ] as const)('%j %j %j is refused', ([leading, typings, input, message]) => {
    expect(errorOf(() => readComparedFiles(leading, typings, input))).toMatchObject({
      code: 'usage',
      message,
    })
  })
})

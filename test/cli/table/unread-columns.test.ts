/** Unread columns that look like typings: reported everywhere, with an exit status on request. Whole programs. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { callHla } from '../../support/call-hla.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()

const SAID =
  'hla: warning: not read: x1 x2 (typings, but the name has no locus; -l names it) [unread-columns]\n'
const RECORD = {
  columns: ['x1', 'x2'],
  code: 'no-locus',
  why: 'typings, but the name has no locus',
  option: '-l names it',
}

describe('a table with two columns that nobody can name', () => {
  const cwd = temp('.')
  const run = (...args: string[]) => callHla([...args, '-r', 'starter'], { cwd })
  const table = 'id,A_1,A_2,x1,x2\n1,01:01,24:02,01:01,24:02\n'

  beforeAll(() => {
    writeFileSync(join(cwd, 't.csv'), table)
    writeFileSync(join(cwd, 't.txt'), table)
    const rows = Array.from({ length: 1000 }, (_, at) =>
      at < 600 ? `${at},ND,NT,*,X` : `${at},01:01,24:02,15:01,03:01`,
    )
    writeFileSync(join(cwd, 'words.csv'), `id,A_1,A_2,DRB1,DRB1.1\n${rows.join('\n')}\n`)
  })

  test.for([
    [['redux'], 0],
    [['redux', '--strict-columns'], 1],
    [['redux', '--strict-columns', '--exit-zero'], 1],
    [['redux', '--strict-columns', '--plan'], 1],
    [['redux', '--strict-columns', '-x', 'x1,x2'], 0],
    [['redux', '--strict-columns', '-x', 'x1', '-x', 'x2'], 0],
    [['redux', '--strict-columns', '-c', 'A_1,A_2'], 0],
    [['redux', '--strict-columns', '-l', 'A=A_1,A_2', '--only-named'], 0],
    [['validate'], 1],
    [['validate', '--exit-zero'], 0],
    [['validate', '-x', 'x*'], 0],
  ] as const)('%j ends with %i', async ([args, expected]) => {
    const { status, stderr, stdout } = await run(...args, '-i', 't.csv')
    expect(status).toBe(expected)
    const isSaid = !args.some((arg) => ['-x', '-c', '-l'].includes(arg))
    expect(stdout.includes('unread     x1 x2')).toBe(args.some((arg) => arg === '--plan'))
    expect(stderr.includes(SAID)).toBe(isSaid && !args.some((arg) => arg === '--plan'))
  })

  const LISTS = 'id,g1,g2,d\n1,A*01:01+A*24:02^B*07:02+B*08:01,C*07:01+C*07:02,x\n2,A*01:01+A*24:02,ZZ,YY\n'

  test.for([
    [
      ['-c', 'g1', '-c', 'g2'],
      ['-c', 'g1,g2'],
    ],
    [
      ['-g', 'g1', '-g', 'g2'],
      ['-g', 'g1,g2'],
    ],
    [
      ['-g', 'g1,g2', '-x', 'd', '-x', 'id'],
      ['-g', 'g1,g2', '-x', 'd,id'],
    ],
    [
      ['-g', 'g1,g2', '--missing', 'ZZ', '--missing', 'YY'],
      ['-g', 'g1,g2', '--missing', 'ZZ,YY'],
    ],
    [
      ['-g', 'g1,g2', '--keep', 'xx', '--keep', 'mac'],
      ['-g', 'g1,g2', '--keep', 'xx,mac'],
    ],
    [
      ['-g', 'g1,g2', '--accept', 'case', '--accept', 'space'],
      ['-g', 'g1,g2', '--accept', 'case,space'],
    ],
  ])('%j is %j', async ([parts, whole]) => {
    writeFileSync(join(cwd, 'lists.csv'), LISTS)
    const [one, other] = await Promise.all(
      [parts, whole].map((args) => run('redux', '-i', 'lists.csv', ...(args ?? []))),
    )
    expect(one).toEqual(other)
    expect(one?.stdout).toContain('g2_lgx')
  })

  test.for([
    [
      'id,A1_mother,A2_mother,A1_father,A2_father',
      '-l mother:A=A1_mother,A2_mother -l father:A=A1_father,A2_father',
    ],
    ['id,A1.x,A2.x,A1.y,A2.y', '-l x:A=A1.x,A2.x -l y:A=A1.y,A2.y'],
    ['id,A.1st.typing,A.2nd.typing,B HR 1,B HR 2', "-l 'B=B HR 1,B HR 2'"],
  ] as const)('%s: the advice says the locus, and whose it is', async ([header, advice]) => {
    writeFileSync(
      join(cwd, 'advice.csv'),
      `${header}\n1,01:01,24:02,01:01,24:02\n2,24:02,24:02,01:01,24:02\n`,
    )
    const { stderr } = await run('redux', '-i', 'advice.csv')
    expect(stderr).toContain(advice)
  })

  test.for([
    ['"07:02,08:01"', 'typings, but the name has no locus; -l names it'],
    ['07:02 -', 'typings, but the name has no locus; -l names it'],
    ['A24;A2', 'typings, but the name has no locus; -l names it'],
    ['A1 24 B8 44', 'names with their locus; -g extra'],
    ['A*01:01 B*07:02', 'names with their locus; -g extra'],
    ['"7, 8"', undefined],
    ['"Main St 5, 2nd floor"', undefined],
  ] as const)('of which one has several typings per cell: %s', async ([cell, said]) => {
    writeFileSync(join(cwd, 'cells.csv'), `id,A_1,A_2,extra\n1,01:01,24:02,${cell}\n2,24:02,24:02,${cell}\n`)
    const { stderr, status } = await run('redux', '--strict-columns', '-i', 'cells.csv')
    expect([stderr.includes('not read'), status]).toEqual([said !== undefined, said === undefined ? 0 : 1])
    if (said !== undefined) expect(stderr).toContain(`not read: extra (${said})`)
  })

  test.for([
    ['A_1,A_2,C_1_lgx,C_2_lgx', ['-l', 'C=C_1_lgx,C_2_lgx']],
    ['A_1,A_2,C_1_G,C_1_lgx,C_2_G,C_2_lgx', ['-l', 'C=C_1_G,C_2_G', '-x', 'C_1_lgx,C_2_lgx']],
    ['B_1,B_2,A_P,A_M', ['-l', 'A=A_P,A_M']],
    ['B_1,B_2,A_mother_G,A_father_G', ['-l', 'mother:A=A_mother_G', '-l', 'father:A=A_father_G']],
  ] as const)(
    '%s: results without a source fail --strict-columns until the advice is followed',
    async ([header, advice]) => {
      const cells = header.split(',').map((_, at) => (at % 2 === 0 ? '01:01' : '03:01'))
      writeFileSync(join(cwd, 'lost.csv'), `id,${header}\n1,${cells.join(',')}\n`)
      const args = ['redux', '--strict-columns', '-i', 'lost.csv', '--plan']
      const [silent, told] = [await run(...args), await run(...args, ...advice)]
      expect([silent.status, told.status, told.stdout.includes('unread')]).toEqual([1, 0, false])
      for (let at = 0; at < advice.length; at += 2)
        expect(silent.stdout).toContain(`${advice[at]} ${advice[at + 1]}`)
    },
  )

  test('is told of by the summary and the provenance', async () => {
    const { stderr } = await run('redux', '-i', 't.csv', '-o', 'o.csv', '--provenance', 'p.json', '--summary', 'json') // prettier-ignore
    const summary = stderr.split('\n').find((line) => line.startsWith('{')) ?? ''
    expect(JSON.parse(summary)).toMatchObject({ unread: [RECORD] })
    const provenance: unknown = JSON.parse(readFileSync(join(cwd, 'p.json'), 'utf8'))
    expect(provenance).toMatchObject({ plan: { unread: [RECORD] }, summary: { unread: [RECORD] } })
    const text = await run('redux', '-i', 't.csv')
    expect(text.stderr).toContain('2 typings: 2 ok; not read: 2 columns that may hold typings\n')
  })

  test('loci of a long table that the release has not are told of alike', async () => {
    writeFileSync(
      join(cwd, 'long.csv'),
      'ID,locus,allele\n1,A,A*01:01\n1,KIR2DL1,KIR2DL1*003\n1,MOG,MOG*01\n',
    )
    const files = ['-i', 'long.csv', '-o', 'lo.csv', '--provenance', 'lp.json']
    const { stderr, status } = await run('redux', ...files, '--summary', 'json')
    const option = (locus: string) => `-x ${locus}_1,${locus}_2`
    const told = (locus: string) =>
      `${locus}_1 ${locus}_2 (${locus} is not a locus of this release; ${option(locus)})`
    expect(stderr).toContain(`hla: warning: not read: ${told('KIR2DL1')}; ${told('MOG')} [unread-columns]\n`)
    const unread = ['KIR2DL1', 'MOG'].map((locus) => ({
      columns: [`${locus}_1`, `${locus}_2`],
      code: 'unknown-locus',
      why: `${locus} is not a locus of this release`,
      option: option(locus),
    }))
    const summary = stderr.split('\n').find((line) => line.startsWith('{')) ?? ''
    expect([status, JSON.parse(summary)]).toMatchObject([0, { unread }])
    const provenance: unknown = JSON.parse(readFileSync(join(cwd, 'lp.json'), 'utf8'))
    expect(provenance).toMatchObject({ plan: { unread }, summary: { unread } })
    const exits = []
    for (const args of [
      ['--strict-columns'],
      ['--strict-columns', '--plan'],
      ['--strict-columns', '-x', 'KIR*,MOG*'],
    ])
      exits.push((await run('redux', ...args, '-i', 'long.csv')).status)
    expect([...exits, (await run('validate', '-i', 'long.csv')).status]).toEqual([1, 1, 0, 1])
  })

  test('what a program ranks lower is named when it is left', async () => {
    const report = [
      'HISAT-genotype',
      '1 ranked A*02:01 (abundance: 51.00%)',
      '2 ranked A*01:01 (abundance: 48.00%)',
      '3 ranked A*24:02 (abundance: 1.00%)',
    ]
    writeFileSync(join(cwd, 's.report'), `${report.join('\n')}\n`)
    const { stderr } = await run('redux', '-i', 's.report', '--input-format', 'hisat-genotype')
    expect(stderr).toContain(
      'read as HISAT-genotype (the alleles of rank 1 and 2 of each gene); not read: alleles of rank 3 and below, counts of reads [records]\n',
    )
  })

  test('following the advice loses nothing', async () => {
    const { stdout, status } = await run('redux', '-i', 't.csv', '-l', 'A=x1,x2', '-l', 'p:A=A_1,A_2', '--into', 'replace') // prettier-ignore
    expect([stdout, status]).toEqual(['id,A_1,A_2,x1,x2\n1,A*01:01,A*24:02,A*01:01,A*24:02\n', 0])
  })

  test('half of a pair is refused, with both', async () => {
    const { stderr, status } = await run('redux', '-i', 't.csv', '-l', 'A=A_1')
    expect(status).toBe(2)
    expect(stderr).toBe(
      'hla: error: A_1 and A_2 are a pair of one locus, but only A_1 is named\n  -l A=A_1,A_2 reads both columns; -x A_2 leaves the other one out\n',
    )
  })

  test('600 of 1,000 rows without a typing lose no locus', async () => {
    const { stdout, stderr, status } = await run('redux', '-i', 'words.csv', '--into', 'replace')
    expect(stdout.split('\n').at(-2)).toBe('999,A*01:01,A*24:02,DRB1*15:01,DRB1*03:01')
    expect(stdout.split('\n').at(1)).toBe('0,ND,NT,*,X')
    expect(stderr).toContain('1,000 rows, 4,000 typings (8 distinct): 1,600 ok, 2,400 untyped\n')
    expect(status).toBe(0)
  })

  test.for([
    [['--missing', 'pending,low dna'], 0],
    [[], 1],
  ] as const)('words that nobody knows fail unless they are said: %j', async ([more, expected]) => {
    const stdin = Buffer.from('id,A_1,A_2\n1,pending,01:01\n2,low dna,NA\n3,pending,24:02\n')
    const { stderr, status } = await callHla(['redux', '-d', ',', '-r', 'starter', ...more], { cwd, stdin })
    expect(status).toBe(expected)
    const said =
      '"pending" 2x, "low dna" 1x; --missing \'pending,low dna\' treats them as untyped [unknown-words]'
    expect(stderr.includes(said)).toBe(expected === 1)
  })

  test('the plan and the conversion are one decision, whatever the file is called', async () => {
    const plans: string[] = []
    const outputs: string[] = []
    for (const [args, stdin] of [
      [['-i', 't.csv'], ''],
      [['-i', 't.txt', '-d', 'auto'], ''],
      [['-d', 'auto'], table],
    ] as const) {
      const options = { cwd, stdin: Buffer.from(stdin) }
      const plan = await callHla(['redux', '-r', 'starter', ...args, '--plan'], options)
      const converted = await callHla(['redux', '-r', 'starter', ...args], options)
      plans.push(plan.stdout.replace(/^input +\S+/, ''))
      outputs.push(converted.stdout + converted.stderr)
    }
    expect(new Set(plans).size).toBe(1)
    expect(new Set(outputs).size).toBe(1)
  })

  test('a header of two lines stays above its columns', async () => {
    const stdin = Buffer.from(',A,,"DRB1",\r\nid,1,2,1,2\r\n1,01:01,24:02,15:01,03:01\r\n')
    const { stdout } = await callHla(['redux', '-d', ',', '-r', 'starter'], { cwd, stdin })
    expect(stdout).toBe(
      ',A,,,,"DRB1",,,\r\nid,1,A 1_lgx,2,A 2_lgx,1,DRB1 1_lgx,2,DRB1 2_lgx\r\n1,01:01,A*01:01,24:02,A*24:02,15:01,DRB1*15:01,03:01,DRB1*03:01\r\n',
    )
  })

  test('DRB3, DRB4 and DRB5 in one pair of columns are loci of their own in a GL String', async () => {
    const stdin = Buffer.from(
      'id,DRB345_1,DRB345_2\n1,DRB3*01:01,DRB4*01:03\n2,DRB3*01:01,DRB3*02:02\n3,DRB5*01:01,\n4,DRB3*01:01,UUUU\n',
    )
    const args = ['redux', '-d', ',', '-q', '-r', 'starter', '--into', 'none', '--gl-out', 'gl', '--drbx', 'X'] // prettier-ignore
    const { stdout } = await callHla(args, { cwd, stdin })
    expect(stdout.split('\n').map((line) => line.split(',').slice(3).join(','))).toEqual([
      'gl,X_1,X_2',
      'DRB3*01:01^DRB4*01:01,DRB3*01:01,DRB4*01:01',
      'DRB3*01:01+DRB3*02:02,DRB3*01:01,DRB3*02:02',
      'DRB5*01:01,DRB5*01:01,DRBX*NNNN',
      ',,',
      '',
    ])
  })

  test('a father of whose columns only one holds few typings is said whole', async () => {
    const rows = [
      'pending,2402,pending,pending,pending,failed,ND,0301',
      'pending,low dna,pending,2601,pending,failed,failed,low dna',
      'pending,0201,2402,failed,pending,0201,pending,2601',
      '0201,failed,ND,low dna,low dna,failed,failed,2601',
      'pending,pending,2601,ND,0301,low dna,2402,pending',
      'low dna,ND,failed,2601,ND,0101,0301,0301',
      '2601,ND,2601,2601,ND,failed,2402,low dna',
    ]
    const header = 'DRB1_A1,DRB1_A2,B_A1,B_A2,F_A1,F_A2,M_A1,M_A2'
    writeFileSync(
      join(cwd, 'family.csv'),
      `id,${header}\n${rows.map((row, at) => `${at},${row}\n`).join('')}`,
    )
    const { stdout } = await run('redux', '--plan', '-i', 'family.csv')
    expect(stdout).toMatch(/F_A2 .*-l '?F:A=F_A2/)
  })
})

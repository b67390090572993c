/** hla match on small tables: whole answers about what cells say together, and what is refused. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { callHla } from '../../support/call-hla.ts'
import { tempFolder } from '../../support/temp.ts'

const cwd = tempFolder()('')
const match = (...args: readonly string[]) => callHla(['match', '-r', 'starter', '-q', ...args], { cwd })

/** Rows of the answer, and messages. */
async function matched(patients: string, donors: string, ...more: readonly string[]) {
  writeFileSync(join(cwd, 'p.csv'), patients)
  writeFileSync(join(cwd, 'd.csv'), donors)
  const { stdout, stderr } = await match('--patients', 'p.csv', '--donors', 'd.csv', ...more)
  return [...stdout.trimEnd().split('\n'), ...stderr.trimEnd().split('\n')].filter((line) => line !== '')
}

const DONOR = 'id,A_1,A_2\nd,01:01,02:01\n'
const OF_A = 'patient,donor,matched,gvh,hvg,A_verdict,A_gvh,A_hvg,of,untyped,unread'

describe('cells of a locus', () => {
  test.for([
    ['01:01,Absent', '1,0,1,mismatch,0,1,2,,'],
    ['Absent,Absent', '0,0,2,mismatch,0,2,2,,'],
    [',Absent', '0,0,2,mismatch,0,2,2,,'],
    ['01:01,', '1-2,0-1,0-1,potential,0-1,0-1,2,,'],
    [',', '0,0,0,untyped,,,0,A,'],
  ] as const)('%s', async ([cells, said]) => {
    expect(await matched(`id,A_1,A_2\n1,${cells}\n`, DONOR)).toEqual([OF_A, `1,d,${said}`])
  })

  test.for([
    ['01:01,NA', 'potential,0-1,0-1'],
    ['01:01,', 'mismatch,0,1'],
    ['01:01,Absent', 'mismatch,0,1'],
    ['Absent,Absent', 'mismatch,0,2'],
    ['01:01,01:03', 'match,0,0'],
  ] as const)('of DRB3 and DRB4: %s', async ([cells, said]) => {
    expect(await matched(`id,DRB3_1,DRB4_1\n1,${cells}\n`, 'id,DRB3_1,DRB4_1\nd,01:01,01:03\n')).toEqual([
      'patient,donor,matched,gvh,hvg,DRB345_verdict,DRB345_gvh,DRB345_hvg,of,untyped,unread',
      `1,d,0,0,0,${said},0,,`,
    ])
  })

  test('a list of genotypes beside another typing is more than a person has', async () => {
    const list = 'A*01:01+A*02:01|A*01:01+A*03:01'
    expect(await matched(`id,A_1,A_2\n1,${list},A*01:01\n2,${list},\n`, DONOR)).toEqual([
      OF_A,
      '1,d,0,0,0,unread,,,0,,A',
      '2,d,1-2,0-1,0-1,potential,0-1,0-1,2,,',
      `hla: p.csv:2:A_1: ${list}+A*01:01: more typings than a person has at a locus [surplus-typing]`,
    ])
  })
})

test('what names no locus leaves unread whatever the person has no typing of', async () => {
  const patients = [
    'id,gl',
    '1,foo',
    '2,A*01:01+A*02:01',
    '3,A*01:01+A*02:01^nonsense',
    '4,B*07:02+B*08:01|A*01:01+A*02:01',
    '5,',
    '6,A*01:01+02:01',
    '',
  ].join('\n')
  const donors = 'id,gl\nd,A*01:01+A*02:01^B*07:02+B*08:01\n'
  expect(await matched(patients, donors, '-g', 'gl')).toEqual([
    'patient,donor,matched,gvh,hvg,A_verdict,A_gvh,A_hvg,B_verdict,B_gvh,B_hvg,of,untyped,unread',
    '1,d,0,0,0,unread,,,unread,,,0,,A B',
    '2,d,2,0,0,match,0,0,untyped,,,2,B,',
    '3,d,2,0,0,match,0,0,unread,,,2,,B',
    '4,d,0,0,0,unread,,,unread,,,0,,A B',
    '5,d,0,0,0,untyped,,,untyped,,,0,A B,',
    '6,d,1,0,1,mismatch,0,1,unread,,,2,,B',
    'hla: p.csv:2:gl: "foo" is not an allele, group, MAC, XX code or antigen [bad-syntax]',
    'hla: p.csv:4:gl: "nonsense" is not an allele, group, MAC, XX code or antigen [bad-syntax]',
    'hla: p.csv:5:gl: B*07:02+B*08:01|A*01:01+A*02:01 has names of different loci [mixed-loci]',
    'hla: p.csv:7:gl: locus missing in "02:01"; every allele needs its locus [bad-syntax]',
  ])
})

describe('rows', () => {
  test('persons of one row have their own ids, and a short row is told', async () => {
    const patients =
      'id,x_A_1,x_A_2,y_A_1,y_A_2\nr,01:01,02:01,01:01,03:01\ns,01:01\nt,03:01,03:01,02:01,02:01\n'
    expect(await matched(patients, DONOR)).toEqual([
      OF_A,
      'r x,d,2,0,0,match,0,0,2,,',
      'r y,d,1,1,1,mismatch,1,1,2,,',
      't x,d,0,2,2,mismatch,2,2,2,,',
      't y,d,1,0,1,mismatch,0,1,2,,',
      'hla: p.csv:3: 2 fields instead of 5; --ragged pad fills short rows with empty fields [ragged-row]',
    ])
  })

  test.for([
    ['id,patient_A_1,patient_A_2,donor_A_1,donor_A_2\nr,01:01,02:01,01:01,03:01\n,01:01\n', ['r,r', '2,2']],
    ['patient_A_1,patient_A_2,donor_A_1,donor_A_2\n01:01,02:01,01:01,03:01\n01:01\n', ['1,1', '2,2']],
    ['patient,donor,patient_A_1,patient_A_2,donor_A_1,donor_A_2\nr,s,01:01,02:01,01:01,03:01\nt\n', ['r,s', 't,2']],
  ] as const)('a pair that cannot be read is unread at each locus: %j', async ([pairs, [first, second]]) => {
    writeFileSync(join(cwd, 'pairs.csv'), pairs)
    const { status, stdout, stderr } = await match('-i', 'pairs.csv')
    expect(stdout).toBe(`${OF_A}\n${first},1,1,1,mismatch,1,1,2,,\n${second},0,0,0,unread,,,0,,A\n`)
    expect(stderr).toMatch(
      /^hla: pairs\.csv:3: \d fields? instead of \d; --ragged pad fills short rows with empty fields \[ragged-row\]\n$/,
    )
    expect(status).toBe(1)
  }) // prettier-ignore

  test('donors of one rank are in the order of their ids', async () => {
    const donors = 'id,A_1,A_2\nb,01:01,02:01\nc,01:01,03:01\na,01:01,02:01\nC,01:01,03:01\nB,01:01,02:01\n'
    const [, ...rows] = await matched('id,A_1,A_2\n1,01:01,02:01\n', donors)
    expect(rows.map((row) => row.split(',')[1])).toEqual(['B', 'a', 'b', 'C', 'c'])
  })
})

describe('what is refused', () => {
  const PREFIXES =
    '  --patient and --donor name the prefixes of their columns, such as patient_ and donor_; --patients and --donors name two tables\n'

  test('a person twice', async () => {
    writeFileSync(join(cwd, 'd.csv'), DONOR)
    writeFileSync(join(cwd, 'p.csv'), 'id,A_1,A_2\n1,01:01,02:01\n1,01:01,02:01\n')
    expect(await match('--patients', 'p.csv', '--donors', 'd.csv')).toEqual({
      status: 2,
      stdout: '',
      stderr: 'hla: error: p.csv: "1" occurs twice (line 3)\n  keep one row per person\n',
    })
  })

  test.for([
    ['id,A_1,A_2\nd,01:01,02:01\n', 'columns of one person'],
    ['id,x_A_1,x_A_2,y_A_1,y_A_2\nd,01:01,02:01,01:01,02:01\n', 'columns of x, y'],
    ['id,patient_A_1,recipient_A_1,donor_A_1\nd,01:01,02:01,01:01\n', 'columns of patient, recipient, donor'],
  ] as const)('pairs without a patient and a donor: %j', async ([pairs, has]) => {
    writeFileSync(join(cwd, 'pairs.csv'), pairs)
    expect(await match('-i', 'pairs.csv')).toEqual({
      status: 2,
      stdout: '',
      stderr: `hla: error: pairs.csv has ${has}, not of a patient and a donor\n${PREFIXES}`,
    })
  })
})

describe('an error is shown in the text of the person that it is about', () => {
  const UNREAD_B = ['2 of 2 match, GvH 0, HvG 0 (10/10 by P; not typed: C, DRB1, DQB1; unread: B)', 'A\tmatch\tGvH 0\tHvG 0', 'B\tunread'] // prettier-ignore
  const FULL = '  hla data install 3.58.0 installs the full release'
  const notAName = (text: string) => `hla: error: "${text}" is not an allele, group, MAC, XX code or antigen [bad-syntax]` // prettier-ignore
  test.for([
    // a part without a locus may be of any, so nothing is compared
    [['foo', 'A*01:01'], [''], [notAName('foo'), '  foo', '  ^^^']],
    [['A*01:01', 'A*01:01/foo+A*02:01'], [''], [notAName('foo'), '  A*01:01/foo+A*02:01', '          ^^^']],
    [
      ['A*01:01+^B*07:02', 'A*02:01'],
      [''],
      ['hla: error: a part of the GL String is empty [empty-part]', '  A*01:01+^B*07:02', '          ^'],
    ],
    [
      ['A*01:01', 'A*01:01++'],
      [''],
      [
        'hla: error: a part of the GL String is empty [empty-part]',
        '  A*01:01++',
        '          ^',
        "  did you mean hla match -r starter -q 'A*01:01' 'A*01:01'?",
      ],
    ],
    [
      ['A*01:01+HLA-*02:01', 'A*01:01'],
      [''],
      [
        'hla: error: locus missing in "*02:01" [bad-syntax]',
        '  A*01:01+HLA-*02:01',
        '              ^^^^^^',
        '  every allele needs its locus',
      ],
    ],
    // a locus that cannot be read leaves the others
    [
      ['A*01:01^B*07:foo', 'A*01:01^B*07:02'],
      UNREAD_B,
      [
        'hla: error: B*07:foo is not fully covered by the built-in starter set [starter]',
        '  A*01:01^B*07:foo',
        '          ^^^^^^^^',
        FULL,
      ],
    ],
    [
      ['A*01:01^B*07:02', 'A*01:01^B*07:foo'],
      UNREAD_B,
      [
        'hla: error: B*07:foo is not fully covered by the built-in starter set [starter]',
        '  A*01:01^B*07:foo',
        '          ^^^^^^^^',
        FULL,
      ],
    ],
  ] as const)('%j', async ([args, answer, said]) => {
    expect(await match(...args)).toMatchObject({
      stdout: `${answer.join('\n')}\n`,
      stderr: `${said.join('\n')}\n`,
      status: 1,
    })
  })

  test('of donors in a file, with the line', async () => {
    writeFileSync(join(cwd, 'donors.txt'), 'A*01:01\nfoo\n')
    const { stdout, stderr, status } = await match('A*01:foo', '-i', 'donors.txt')
    const unread =
      '0 of 0 match, GvH 0, HvG 0 (10/10 by P; not typed: B, C, DRB1, DQB1; unread: A)\nA\tunread'
    expect({ stdout, status }).toEqual({ stdout: `${unread}\n\n`, status: 1 })
    const own =
      'hla: error: A*01:foo is not fully covered by the built-in starter set [starter]\n  A*01:foo\n  ^^^^^^^^'
    expect(stderr).toBe(`${own}\n${FULL}\n${notAName('foo')}\n  donors.txt:2: foo\n                ^^^\n`)
  })

  test('and its record says whose it is', async () => {
    const { stdout } = await match('-f', 'jsonl', 'A*01:foo', 'A*01:01', 'foo')
    const [unread, refused] = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(unread?.['problems']).toMatchObject([{ code: 'starter', person: 'patient', position: [0, 8] }])
    expect(refused).toMatchObject({ donor: 'foo', total: null, status: 'error', person: 'donor' })
  })
})

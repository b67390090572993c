/** Every operation run locally and by a service: the same stdout, messages and exit status. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { OPERATIONS } from '../../src/operations/registry.ts'
import { installedData } from '../support/installed-data.ts'
import { callHla } from '../support/call-hla.ts'
import { type Ran, RUN_FOLDER } from '../support/run-hla.ts'
import { hasShared, sharedPath } from '../support/shared.ts'

interface Served {
  readonly url: string
  readonly child: ChildProcess
  /** Its stderr, except for its address. */
  said: string
}

const PROGRAM = join(import.meta.dirname, '../../bin/hla.cjs')

function serve(cwd: string, env: Readonly<Record<string, string>>): Promise<Served> {
  const args = [PROGRAM, 'serve', '--port', '0', '--access-log', 'off']
  const child = spawn(process.execPath, args, {
    cwd,
    env: { HOME: cwd, HLA_SYSTEM_DATA_DIR: join(cwd, 'no'), ...env },
  })
  return new Promise((resolve, reject) => {
    let served: Served | undefined
    let said = ''
    child.stderr.on('data', (bytes: Buffer) => {
      said += bytes.toString()
      const url = /on (http:\S+)\n/.exec(said)?.[1]
      if (served !== undefined) served.said = said
      else if (url !== undefined) resolve((served = { url, child, said }))
    })
    child.on('exit', () => reject(new Error(said)))
  })
}

function end({ child }: Served, signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
  return new Promise((resolve) => {
    child.on('exit', (status) => resolve(status))
    child.kill(signal)
  })
}

type Case = readonly [command: readonly string[], stdin?: string]

/** Arguments of `hla`, for every data set. */
const CASES: readonly Case[] = [
  [['redux', 'A*01:AB']],
  [['redux', '-m', 'all', '-f', 'tsv', 'A*01:01:01:01', 'A*24:329']],
  [['redux', '-f', 'json', 'HLA-A*01:01+HLA-A*02:01^HLA-B*07:02+HLA-B*08:01']],
  [['redux', '-f', 'json', 'A*01:01', 'A*99:99', 'A*01:01+', '']],
  [['redux', '-m', 'S', '-f', 'csv', 'A*01:01', 'B*07:02']],
  [['redux', '--with-input', '-m', 'G', '-m', 'lgx'], 'A*01:AB\nA*24:329\n\nDQB1*02:02\nA*01:AB\n'],
  [['redux', '-f', 'jsonl'], 'A*01:01\r\nb*07:02\r\nA*01:01\u0000\n"A*02:01"\nA*01:01;\u00fc\n'],
  [['redux', '--accept', 'case,space', ' a*01:01 ', 'A*01:01']],
  [['redux', '--from', '3.29.0', 'A*30:100']],
  [['redux', '--from', '9.99.0', 'A*30:100']],
  [['redux', '--lift', 'A*24:329', 'A*01:01']],
  [['redux', '--limit', '2', '-m', 'W', 'A*01:01/A*01:02/A*01:03']],
  [['redux', '--no-strict', '-m', 'lgx', 'A*01:99:99']],
  [['redux', '-m', 'hats', 'A*01:01']],
  [['ard', '-f', 'json', 'DPA1*02:07:01', 'A*01:01+A*02:01', 'A*01:AB']],
  [['cwd', 'B*15:01:01/B*15:04', 'A*01:01+A*02:01']],
  [['validate', 'A*01:01+A*02:01', 'A*01:01+A*99:99', 'A*01:01+A*02:01^B*07:02/07:06+B*08:01^']],
  [['validate', '-f', 'json', 'A*01:01+A*99:99']],
  [['validate', 'A*01:01+A*02:01|B*07:02+B*08:01']],
  [['mac', 'HLA-A*01:BC', 'A*01:02/A*01:01/A*01:03', 'B*15:XX', 'A*04:AB']],
  [['mac', '--xx', 'A*43:XX']],
  [['mac', '--accept', 'lenient', 'a*01:ab', 'A*1:1/1:2', 'x']],
  [['cwd', '--accept', 'case,space', '-f', 'json', ' a*01:01/A*01:02', 'a*99:99']],
  [['validate', '--accept', 'lenient', 'a*01:01+02:01', 'a*01:01+02:999^', 'b*07:02/07:06+b*99:99']],
  [['validate', '--from', '3.29.0', 'A*30:100+A*30:900', 'A*01:01']],
  [['mac', '--from', '3.29.0', 'A*01:02/A*01:01', 'A*30:100/A*01:01']],
  [['lift', '--accept', 'case', 'a*24:329']],
  [['mac', '--raw', '-f', 'jsonl', 'A*04:AB']],
  [['splits', 'A25', 'B14', 'A99']],
  [['splits', '--associated', 'A203', 'A25']],
  [['mac', '--xx', 'B62', 'A99', 'A*43:XX']],
  [['lift', 'A*0201', 'A*01:01+A*24329', 'A*9999']],
  [['similar', 'A*01:01:01:0', 'A*99', 'A']],
  [['similar', '--count', 'A*01:01:0']],
  [['similar', '--limit', '2', '-f', 'json', 'HLA-DPB1*10']],
  [['blend', 'DRB1*03:01+DRB1*04:01', '--drb3', 'DRB3*01:01', '--drb4', 'DRB4*01:03']],
  [['blend', '-f', 'json', 'DRB1*03:01+DRB1*04:01', '--drb3', 'DRB3*01:01+DRB3*02:02']],
  [['blend', 'DRB1*03:01']],
  [['explain', '-m', 'lgx', 'DRB4*01:03:19']],
  [
    [
      'match',
      'A*01:01+A*02:AB^DPB1*04:01+DPB1*02:01',
      'A*01:01+A*24:09N',
      'A*11:01+DPB1*03:01',
      '-f',
      'json',
    ],
  ],
  [['match', '--level', 'G', 'A*01:01+A*02:01', 'A*02:01:01:01+A*99:99']],
  [['count', '-d', ',', '--by', 'POP', '--share'], 'id,POP,A_1,A_2\n1,X,02:01,24:09N\n2,Y,02:AB,99:99\n'],
  [['count', '-d', ',', '--of', 'categories', '-f', 'json'], 'id,A_1,A_2\n1,02:01,24:02\n'],
  [['lift', '--from', '3.29.0', 'A*30:100', 'A*01:04N', 'A*01:01:01:01', '-f', 'tsv']],
  [['diff', '3.29.0', '3.58.0', '--summary', 'A*01:01', 'A*43:01']],
  [['version']],
  [['version', '-f', 'json']],
  [
    ['pipe'],
    '{"op":"redux","gl_string":"A*01:AB"}\nno\n{"op":"ard","allele":"A*01:01"}\n{"op":"none"}\n{"op":"redux","gl_string":["A*01:AB","A*99:99"]}\n',
  ],
]

const JOINED = `id,A,B,C
1,"01:01,02:01","07:02,08:01",04:01/07:01
2,"01:01,01:01","07:02,-",="07:01"
3,"01:01,02:01,03:01","07:02,99:99",'07:01
`

const MESSY = `id,A_1,A_2,DRB1_1,DRB3_1,gl
R1,01:01,02:AB,0301,NNNN,A*01:01+A*02:01^B*07:02
R2,A*24:329,0.0430555555555556,04:NEW,,hla#3.58.0#A*01:01
R3, 24:02 ,b*08:01,DRB1*15:01,UUUU,
R4,01:01,02:01
`

/** The second cannot be written as a document, the third lacks a locus that donors need. */
const PERSONS = `id,changeType,A_1,A_2,B_1,B_2,DRB1_1,DRB1_2
D1,N,01:01,02:AB,07:02,08:01,15:01,03:01
D1,N,01:01,02:01,07:02,08:01,15:01,03:01
D3,U,A*24:09N,99:99,07:02,,,
`

/** Files of several callers. */
const CALLERS = {
  'one.csv': 'sample,A_1,A_2,B_1\nS1,01:01,02:AB,07:02\nS2,A*24:09N,A*01:01,\nS3,01:01,99:99,08:01\n',
  'two.csv': 'sample,A_1,A_2,B_1\nS1,02:01,01:01,07:02\nS2,A*24:02,A*01:01,\nS3,01:01,02:01,07:02\n',
  'three.json': '{"S1": {"A": ["A*01:01:01", "A*02:01:01"], "B": ["B*07:02:01"]}, "S3": {"B": ["B*07:02"]}}',
}

/** Tables on stdin: output, messages and summary. */
const TABLES: readonly Case[] = [
  [['redux', '-d', ',', '--on-error', 'report', '--summary', 'json'], MESSY],
  [['redux', '-d', ',', '-m', 'G', '-m', 'lgx', '--gl-out', 'all', '--accept', 'lenient'], MESSY],
  [['redux', '-d', ',', '--plan'], MESSY],
  [['redux', '-d', ',', '--bare-digits', 'antigen', '-H', '-l', 'C=1'], '1\n12\n99\n07\n'],
  [['redux', '-d', ',', '--bare-digits', 'first-field', '-H', '-l', 'A=1'], '01\n09\n99\n'],
  [['redux', '-d', ',', '--bare-digits', 'mixed', '-H', '-l', 'A=1'], '01\n0201\n27051\n101\n'],
  [['redux', '-d', ',', '--gl-out', 'gl'], JOINED],
  [['redux', '-d', ',', '--plan'], JOINED],
  [['validate', '-d', ',', '--cell-separator', '/'], JOINED],
  [['redux', '-d', ',', '--accept', 'shorthand'], 'id,A_1\n1,01:01/02\n2,02:01*\n'],
  [['redux', '-d', ',', '-l', 'X9=id'], MESSY],
  [['redux', '-d', ',', '--on-error', 'fail'], MESSY],
  [['redux', '-d', ',', '--max-errors', '1'], MESSY],
  [['validate', '-d', ',', '--details'], MESSY],
  [['mac', '-d', ',', '--on-error', 'keep'], MESSY],
  [['cwd', '-d', ',', '--into', 'append'], MESSY],
  [['lift', '-d', ',', '--from', '3.29.0', '--details'], MESSY],
  [['redux', '-d', ',', '--from', '9.99.0'], MESSY],
  [['redux', '-d', ',', '--output-format', 'hml', '--set', 'date=2026-11-29'], PERSONS],
  [['redux', '-d', ',', '--output-format', 'donors', '--set', 'updateMode=full,donorType=D'], PERSONS],
  [['redux', '--consensus', 'majority', '-i', 'callers', '--summary', 'json']],
]

/** For the full release only: the starter set is not a release. */
const FULL: readonly Case[] = [
  [['redux', '-r', '3.58.0', 'A*01:AB']],
  [['redux', '-r', '3580', 'A*01:AB']],
  [['diff', '3.29.0', '3.58.0', '-d', ',', '-f', 'tsv'], MESSY],
  [['diff', '3.29.0', '9.99.0', '-d', ','], MESSY],
  ...[
    [
      'redux',
      '-i',
      'registry/simk/simK_hla_37993_northern_portugal.tsv',
      '--bare-digits',
      'antigen',
      '--keep',
      'serology,xx',
    ],
    [
      'diff',
      '3.29.0',
      '3.58.0',
      '-i',
      'registry/simk/simK_hla_37993_northern_portugal.tsv',
      '--bare-digits',
      'antigen',
      '--summary',
    ],
    ['redux', '-i', 'registry/simk/simK_hla_37993_northern_portugal.tsv', '--plan'],
    ['redux', '-i', 'registry/wmda/pat.gl.txt.gz', '--input-format', 'wmda-lines', '-m', 'G'],
    ['validate', '-i', 'registry/haplomat/a.glc', '--details'],
    ['lift', '-i', 'registry/haplomat/populationData_a.dat', '-d', 'tab', '--from', '3.29.0'],
    ['redux', '-i', 'registry/pypop/BIGDAWG_SynthControl_Data_with_metadata.pop', '--summary', 'json'],
    ['redux', '-i', 'registry/hped/wtccc_filtered_58C_NBS_RA_T1D.hped', '--into', 'replace'],
  ].map((args): Case => [args.map((arg) => (arg.startsWith('registry/') ? sharedPath(arg) : arg))]),
]

const KNOWN = CASES.filter(
  ([[name]]) => name === 'pipe' || OPERATIONS.some((operation) => operation.name === name),
)

function sameFor(
  title: string,
  isThere: boolean,
  cases: readonly Case[],
  dataOf: () => Promise<string>,
): void {
  describe.skipIf(!isThere)(`on ${title}`, () => {
    const folder = join(RUN_FOLDER, `client-${title.replaceAll(' ', '-')}`)
    let served: Served
    let env: Record<string, string>

    beforeAll(async () => {
      mkdirSync(join(folder, 'callers'), { recursive: true })
      for (const [name, text] of Object.entries(CALLERS)) writeFileSync(join(folder, 'callers', name), text)
      env = { HLA_DATA_DIR: await dataOf() }
      served = await serve(folder, env)
    })
    afterAll(() => end(served))

    const both = (args: readonly string[], stdin = ''): Promise<[Ran, Ran]> =>
      Promise.all([
        callHla(args, { cwd: folder, env, stdin }),
        callHla([...args, '--remote', served.url], { cwd: folder, env: { HLA_DATA_DIR: folder }, stdin }),
      ])

    test.concurrent.for(cases.map((one) => [one[0].join(' '), one] as const))(
      '%s',
      async ([, [args, stdin]], { expect }) => {
        const [here, there] = await both(args, stdin)
        // an advised line names the same service
        expect({ ...there, stderr: there.stderr.replaceAll(` --remote ${served.url}`, '') }).toEqual(here)
      },
    )

    test('thousands of typings from a file', async () => {
      const names = [
        'A*01:01',
        'A*02:AB',
        'B*07:02:01',
        'nothing',
        'C*07:01',
        'DRB1*15:01',
        'A*24:02+A*03:01',
      ]
      const lines = Array.from({ length: 5000 }, (_, at) => names[at % names.length] ?? '')
      const [here, there] = await both(['redux', '-q', '--with-input'], `${lines.join('\n')}\n`)
      expect(there).toEqual(here)
    })

    test('nothing went wrong at the service', () => {
      expect(served.said.split('\n').filter((line) => line.startsWith('{'))).toEqual([])
    })
  })
}

// cases where the starter set answers differently from a release
sameFor(
  'the starter set',
  true,
  [...KNOWN.slice(0, 4), ...KNOWN.slice(8, 11), ...KNOWN.slice(-4), ...TABLES],
  async () => join(RUN_FOLDER, 'no-data'),
)
sameFor('3.58.0', hasShared, [...KNOWN, ...TABLES, ...FULL], installedData)

describe('every operation', () => {
  test('is among the cases', () => {
    const names = new Set(KNOWN.map(([[name]]) => name))
    expect(OPERATIONS.map(({ name }) => name).filter((name) => !names.has(name))).toEqual([])
  })
})

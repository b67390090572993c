/**
 * Configurations of py-ard's batch tool: the equivalent options, the refusals, and that running either gives the same.
 */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { pyardArguments } from '../../../src/cli/run/table/pyard/pyard-config.ts'
import { installedData } from '../../support/installed-data.ts'
import { callHla } from '../../support/call-hla.ts'
import { runShell } from '../../support/run-hla.ts'
import { hasShared, sharedPath } from '../../support/shared.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()

/** As in py-ard's own example. */
const BASE = {
  in_csv_filename: 'in.csv',
  out_csv_filename: 'out.csv',
  columns_from_csv: ['id', 'r_A1', 'r_A2'],
  locus_column_mapping: { recipient: { a: ['r_A1', 'r_A2'] } },
  redux_type: 'lgx',
  redux_cache_size: 1000,
  reduce_serology: true,
  reduce_v2: true,
  convert_v2_to_v3: false,
  reduce_2field: true,
  reduce_3field: true,
  reduce_P: true,
  reduce_XX: true,
  reduce_MAC: true,
  locus_in_allele_name: true,
  keep_locus_in_allele_name: true,
  output_file_format: 'csv',
  apply_compression: null,
  verbose_log: false,
}

const BOTH = {
  locus_column_mapping: {
    recipient: { A: ['r_A1', 'r_A2'], B: ['r_B'] },
    donor: { A: ['d_A1', 'd_A2'] },
  },
}
const DRB345 = { DRB3: ['a', 'b'], drb4: ['c', 'd'], DRB5: ['e', '1'] }

function configured(settings: object, name = 'conf.json'): string {
  writeFileSync(temp(name), JSON.stringify(settings))
  return temp(name)
}

const FIRST = '-i in.csv -o out.csv -d , --header-row 1 --accept space'

describe('pyardWords', () => {
  test.for([
    [{}, `${FIRST} -l A=r_A1,r_A2 --only-named -m lgx --into replace`],
    [{ apply_compression: 'gzip', verbose_log: true }, `-i in.csv -o out.csv.gz -d , --header-row 1 --accept space -l A=r_A1,r_A2 --only-named -m lgx --into replace -v`],
    [{ reduce_serology: false, reduce_3field: false, reduce_XX: false, reduce_shortnull: false }, `${FIRST} -l A=r_A1,r_A2 --only-named -m lgx --keep serology,3field,4field,G,xx,null --into replace`],
    [{ reduce_v2: false, reduce_2field: false, reduce_P: false, reduce_MAC: false }, `${FIRST} -l A=r_A1,r_A2 --only-named -m lgx --keep v2,2field,P,mac --into replace`],
    [{ new_column_for_redux: true }, `${FIRST} -l A=r_A1,r_A2 --only-named -m lgx --into after --name reduced_{col}`],
    [{ new_column_for_redux: true, reduced_column_prefix: 'x ', keep_locus_in_allele_name: false }, `${FIRST} -l A=r_A1,r_A2 --only-named -m lgx --into after --name x {col} --locus-prefix bare`],
    [{ generate_glstring: true, homozygosify_glstring: true }, `${FIRST} -l A=r_A1,r_A2 --only-named --gl-out recipient_gl --second-blank homozygous -m lgx --into replace`],
    [{ generate_glstring: true, suppress_reduced_locus_column: true }, `${FIRST} -l A=r_A1,r_A2 --only-named --gl-out recipient_gl -m lgx --into none --drop-source`],
    [{ generate_glstring: true, suppress_reduced_locus_column: true, new_column_for_redux: true }, `${FIRST} -l A=r_A1,r_A2 --only-named --gl-out recipient_gl -m lgx --into none`],
    [{ ...BOTH, generate_glstring: true }, `${FIRST} -l recipient:A=r_A1,r_A2 -l recipient:B=r_B -l donor:A=d_A1,d_A2 --only-named --gl-out gl -m lgx --into replace`],
    [{ locus_column_mapping: { d: DRB345 }, map_drb345_to_drbx: true }, `${FIRST} -l DRB3=a,b -l DRB4=c,d -l DRB5=e,=1 --only-named --drbx d_DRBX -m lgx --into replace`],
    [{ map_drb345_to_drbx: true }, `${FIRST} -l A=r_A1,r_A2 --only-named -m lgx --into replace`],
    [{ locus_column_mapping: undefined, glstring_columns: ['gl', 'more'] }, `${FIRST} -g gl,more --only-named -m lgx --into replace`],
    [{ strict: false, ping: false, ARS_as_lg: true, ignore_allele_with_suffixes: 'NNNN, UUUU' }, `${FIRST} -l A=r_A1,r_A2 --only-named -m lgx --no-strict --no-ping --ars --ignore-suffix NNNN,UUUU --into replace`],
  ] as const)('%j', async ([settings, expected]) => {
    expect((await pyardArguments(configured({ ...BASE, ...settings }))).join(' ')).toBe(expected)
  }) // prettier-ignore

  test.for([
    [{ reduce_4field: true }, 'unknown setting "reduce_4field"'],
    [{ reduce_v2: 'yes' }, 'reduce_v2 is true or false'],
    [{ columns_from_csv: 'id' }, 'columns_from_csv is a list of column names'],
    [{ locus_column_mapping: { A: ['A1'] } }, 'locus_column_mapping is {"subject": {"LOCUS": ["column", "column"]}}'],
    [{ redux_cache_size: '1000' }, 'redux_cache_size is a number'],
    [{ output_file_format: 'xlsx' }, 'output_file_format "xlsx" is not supported'],
    [{ apply_compression: 'zip' }, 'apply_compression "zip" is not supported'],
    [{ glstring_columns: ['gl'], map_drb345_to_drbx: true }, 'map_drb345_to_drbx is not supported for glstring_columns'],
    [{ glstring_columns: ['a,b'] }, 'a column named "a,b" cannot be chosen by name'],
  ] as const)('%j is refused', async ([settings, message]) => {
    await expect(pyardArguments(configured({ ...BASE, ...settings }))).rejects.toThrow(message)
  }) // prettier-ignore

  test.for([
    ['[]', 'is not one JSON object'],
    ['{', 'is not JSON'],
  ] as const)('%s is refused', async ([text, message]) => {
    writeFileSync(temp('bad.json'), text)
    await expect(pyardArguments(temp('bad.json'))).rejects.toThrow(message)
    await expect(pyardArguments(temp('none.json'))).rejects.toThrow(`cannot read ${temp('none.json')}`)
  })
})

interface Result {
  readonly status: number
  readonly stderr: string
  readonly files: Readonly<Record<string, string>>
}

/** Results of running a configuration, and of running the command that its plan prints. */
async function bothWays(cwd: string, config: string, env: Record<string, string>): Promise<[Result, Result]> {
  const outputs = () => readdirSync(cwd).filter((name) => name.includes('out.csv'))
  const resultOf = ({ status, stderr }: { status: number; stderr: string }): Result => {
    const files = Object.fromEntries(outputs().map((name) => [name, readFileSync(join(cwd, name), 'latin1')]))
    for (const name of outputs()) rmSync(join(cwd, name))
    return { status, stderr, files }
  }
  const plan = await callHla(['redux', '--pyard-config', config, '--plan'], { cwd, env })
  const [, command = ''] = /^command {4}(.*)$/m.exec(plan.stdout) ?? []
  expect(command).not.toMatch(/pyard|--plan/)
  return [
    resultOf(await callHla(['redux', `--pyard-config=${config}`], { cwd, env })),
    resultOf(await runShell(command, { cwd, env })),
  ]
}

const TABLE = [
  'id,r_A1,r_A2,r_B,d_A1,d_A2,note',
  '1,A*01:01:01:01,A*02:01,B*07:02:01,A*01:AB,,"a, b"',
  '2,01:01, 24:02:01 ,B*08:01,A*99:99,A*03:01,x',
  '3,A*02:01,,,A*02:01,NNNN,',
]

describe('running', () => {
  const cwd = temp('small')
  mkdirSync(cwd)
  writeFileSync(join(cwd, 'in.csv'), TABLE.map((line) => `${line}\n`).join(''))

  test.for([
    {},
    { new_column_for_redux: true, reduced_column_prefix: "it's " },
    { ...BOTH, generate_glstring: true, homozygosify_glstring: true, apply_compression: 'gzip' },
    { ...BOTH, generate_glstring: true, suppress_reduced_locus_column: true },
  ])('%j is running the command that its plan prints', async (settings) => {
    writeFileSync(join(cwd, 'c.json'), JSON.stringify({ ...BASE, ...settings }))
    const [configuredRun, commandRun] = await bothWays(cwd, 'c.json', {})
    expect(Object.keys(configuredRun.files)).not.toEqual([])
    expect(commandRun).toEqual(configuredRun)
  })

  test('options beside it count too', async () => {
    writeFileSync(join(cwd, 'c.json'), JSON.stringify({ ...BASE, ...BOTH }))
    const args = ['redux', '--pyard-config', 'c.json', '-o', '-', '-q', '--into', 'append', '-m', 'U2']
    const { stdout, status } = await callHla(args, { cwd })
    expect(stdout.split('\n')[0]).toBe(
      'id,r_A1,r_A2,r_B,d_A1,d_A2,note,r_A1_lgx,r_A1_U2,r_A2_lgx,r_A2_U2,r_B_lgx,r_B_U2,d_A1_lgx,d_A1_U2,d_A2_lgx,d_A2_U2',
    )
    expect(status).toBe(1)
  })
})

describe.skipIf(!hasShared)("the peer's own configurations", () => {
  const folder = () => sharedPath('conformance/peer-batch')
  const cwd = temp('peer')
  const configs = hasShared ? readdirSync(folder()).filter((name) => name.endsWith('.json')) : []

  test('run as the commands that their plans print, and reduce what the peer reduces to the same', async () => {
    cpSync(folder(), cwd, { recursive: true, filter: (source) => !source.endsWith('.out.csv') })
    const env = { HLA_DATA_DIR: await installedData() }
    let compared = 0
    for (const config of configs.filter((name) => name !== 'g2-gl-drbx.json')) {
      const [configuredRun, commandRun] = await bothWays(cwd, config, env)
      expect({ config, ...commandRun }).toEqual({ config, ...configuredRun })
      const output = config.replace('.json', '.out.csv')
      if (!existsSync(join(folder(), output))) continue
      const peer = cellsOf(readFileSync(join(folder(), output), 'utf8'))
      const ours = cellsOf(configuredRun.files[output] ?? '')
      const given = cellsOf(readFileSync(join(folder(), 'in.csv'), 'utf8'))
      const cells = [...peer].filter(([place, cell]) => isReduction(place, cell, given))
      compared += cells.length
      const differing = cells
        .filter(([place, cell]) => !isSame(cell, ours.get(place)))
        .map(([place, cell]) => [config, place, cell, ours.get(place)])
      expect(differing).toEqual([])
    }
    expect(compared).toBeGreaterThan(250)
  })
})

/** `row:column` -> cell; these cells contain no comma. */
function cellsOf(csv: string): Map<string, string> {
  const [head = [], ...rows] = csv.trimEnd().split('\n').map((line) => line.split(',')) // prettier-ignore
  return new Map(rows.flatMap((row) => head.map((name, at) => [`${row[0]}:${name}`, row[at] ?? ''] as const)))
}

function givenAt(place: string, given: ReadonlyMap<string, string>): string {
  return given.get(place.replace(/:(reduced|r)_/, ':'))?.trim() ?? ''
}

/** Whether py-ard reduced the cell, apart from the rows of docs/divergences.md. */
function isReduction(place: string, cell: string, given: ReadonlyMap<string, string>): boolean {
  const text = givenAt(place, given)
  const isDigits = /^\d+$/.test(text) // batch-digits
  const isOther = /_gl$|DRBX/.test(place) || cell === 'Failed' || cell.startsWith('A1/A*') // batch-gl, batch-drbx, batch-failures, batch-lists
  const isForeign = /^(?:MICA|H)\*/.test(text) // batch-foreign-loci
  const isLetters = /^[A-Z]+\d?\*[\d:]+N$/.test(text) || /B\*07:02:01|^HLA-A\*01:01:01\+/.test(text) // batch-letters, short-name-antigens
  return cell !== '' && cell !== text && !isDigits && !isOther && !isForeign && !isLetters
}

/** py-ard keeps duplicate names, and removes the locus if the input had none. */
function isSame(peers: string, ours = ''): boolean {
  const once = [...new Set(peers.split('/'))].join('/')
  return ours === once || (/^\d/.test(once) && ours.replace(/^\w+\*/, '') === once)
}

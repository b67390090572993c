/**
 * Configurations of py-ard's batch tool: running one gives the same as the command that its plan prints.
 */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { installedData } from '../../support/installed-data.ts'
import { callHla } from '../../support/call-hla.ts'
import { runShell } from '../../support/run-hla.ts'
import { hasShared, sharedPath } from '../../support/shared.ts'
import { tempFolder } from '../../support/temp.ts'
import { BASE, BOTH } from '../../support/pyard-settings.ts'

const temp = tempFolder()

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

/** hla count over the published typings of 1000 Genomes, beside a plain tally of its cells; faces and refusals. Whole programs. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { installedData } from '../../support/installed-data.ts'
import { runHla } from '../../support/run-hla.ts'
import { hasShared, sharedPath } from '../../support/shared.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()
const TABLE = 'id,POP,A_1,A_2\n1,X,02:01,24:02\n2,X,02:01,-\n3,Y,02:01/02:06,24:09N\n4,Y,01:01,99:99\n'

describe.skipIf(!hasShared)('hla count', () => {
  const cwd = temp('.')
  let env: Record<string, string>
  const run = (args: readonly string[], stdin?: string) =>
    runHla(args, { cwd, env, ...(stdin !== undefined && { stdin }) })
  beforeAll(async () => {
    env = { HLA_DATA_DIR: await installedData() }
    writeFileSync(join(cwd, 't.csv'), TABLE)
  }, 300_000)

  test('has the counts of a plain tally of 1000 Genomes, by region', async () => {
    const file = sharedPath('formats/tables/bench-2018_1129_HLA_types_full_1000_Genomes_Project_panel.txt')
    const args = ['count', '-m', 'U2', '-i', file, '--by', 'Region', '-o', 'c.csv', '--errors', 'e.csv', '-q']
    expect((await run(args)).status).toBe(1)
    const [, header = '', ...rows] = readFileSync(file, 'utf8').trimEnd().split('\n')
    const loci = header.split('\t').map((label) => /^HLA-(\w+) [12]$/.exec(label.trim())?.[1])
    const tally = new Map<string, number>()
    for (const row of rows) {
      const cells = row.split('\t').map((cell) => cell.trim())
      for (const [at, cell] of cells.entries())
        if (loci[at] !== undefined && /^\d+:\d+N?$/.test(cell)) {
          const key = `${cells[0]},${loci[at]}*${cell}`
          tally.set(key, (tally.get(key) ?? 0) + 1)
        }
    }
    const unread = new Set(
      readFileSync(join(cwd, 'e.csv'), 'utf8').match(/(?<=,)[A-Z0-9]+\*\d+:\d+(?= is not)/g),
    )
    const counted = readFileSync(join(cwd, 'c.csv'), 'utf8').trimEnd().split('\n').map((line) => line.split(',')) // prettier-ignore
    const ours = new Map(counted.filter(([, , kind]) => kind === 'name' || kind === 'null').map(([region, , , name, typings]) => [`${region},${name}`, Number(typings)])) // prettier-ignore
    const missing = [...tally].filter(
      ([key, number]) => ours.get(key) !== number && !unread.has(key.split(',')[1] ?? ''),
    )
    // an allele whose name has got a letter since
    expect(missing.filter(([key, number]) => ours.get(`${key}N`) !== number)).toEqual([])
    expect(ours.size).toBeGreaterThan(500)
  })

  test('a list or code that may be a null allele is never sure to be the expressed one', async () => {
    const table = 'id,A_1,A_2\n1,24:02/24:09N,02:01\n2,24:02,02:01\n'
    const { stdout } = await run(['count', '-d', ',', '-q'], table)
    expect(stdout.split('\n').slice(1, -1)).toEqual([
      'A,name,A*02:01,2,2',
      'A,name,A*24:02,1,1',
      'A,ambiguous,,1,1',
    ])
    const { stdout: shares } = await run(['count', '-d', ',', '-q', '--share'], table)
    expect(shares).toContain('A,name,A*24:02,1,1,1.5\nA,null,A*24:09N,0,0,0.5\n')
  })

  test('tells each kind apart, by population', async () => {
    const { stdout, status } = await run(['count', '-i', 't.csv', '--by', 'pop', '-q'])
    expect(status).toBe(1)
    expect(stdout).toBe(
      [
        'population,locus,kind,name,typings,persons',
        'X,A,name,A*02:01,3,2',
        'X,A,name,A*24:02,1,1',
        'Y,A,name,A*01:01,1,1',
        'Y,A,null,A*24:09N,1,1',
        'Y,A,ambiguous,,1,1',
        'Y,A,unread,,1,1',
        '',
      ].join('\n'),
    )
  })

  test('counts categories and shares', async () => {
    const categories = await run(['count', '-i', 't.csv', '--of', 'categories', '-q', '-f', 'tsv'])
    expect(categories.stdout).toContain('A\tname\tCWD\t')
    const { stdout } = await run(['count', '-i', 't.csv', '--share', '-q'])
    expect(stdout).toContain('A,name,A*02:01,3,2,3.5\nA,name,A*02:06,0,0,0.5\n')
  })

  test('pipe has the same counts', async () => {
    const gl_strings = ['A*02:01+A*24:02', 'A*02:01', 'A*02:01/A*02:06+A*24:09N']
    const { stdout } = await run(['pipe'], `${JSON.stringify({ op: 'count', gl_strings })}\n`)
    const kinds = JSON.parse(stdout).counts.map((one: Record<string, unknown>) => [
      one['kind'],
      one['name'],
      one['typings'],
    ])
    expect(kinds).toEqual([['name', 'A*02:01', 3], ['name', 'A*24:02', 1], ['null', 'A*24:09N', 1], ['ambiguous', '', 1]]) // prettier-ignore
  })

  test.for([
    [['--by', 'region'], 't.csv has no column "region"'],
    [['--of', 'genotypes', '--share'], 'genotypes have no shares'],
    [['--catalogue', 'cwd2'], '--catalogue requires --of categories'],
    [['-m', 'G,lgx'], 'counts have names of one method'],
  ] as const)('%j is refused', async ([args, message]) => {
    const { status, stdout, stderr } = await run(['count', '-i', 't.csv', ...args])
    expect([status, stdout]).toEqual([2, ''])
    expect(stderr).toContain(message)
  })
})

/** hla count over the published typings of 1000 Genomes, beside a count of its cells by awk; faces and refusals. Whole programs. */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { hasProgram } from '../../support/programs.ts'
import { installedData } from '../../support/installed-data.ts'
import { runHla } from '../../support/run-hla.ts'
import { hasShared, sharedPath } from '../../support/shared.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()
const TABLE = 'id,POP,A_1,A_2\n1,X,02:01,24:02\n2,X,02:01,-\n3,Y,02:01/02:06,24:09N\n4,Y,01:01,99:99\n'

const hasAwk = hasProgram('awk', 'awk', 'BEGIN { exit 0 }')
const AWK = join(import.meta.dirname, '../../support/independent/count-1000-genomes.awk')

function linesOf(csv: string): string[][] {
  return csv.trimEnd().split('\n').map((line) => line.split(',')) // prettier-ignore
}

function add(counts: Map<string, number>, key: string, count: number): void {
  counts.set(key, (counts.get(key) ?? 0) + count)
}

describe.skipIf(!hasShared)('hla count', () => {
  const cwd = temp('.')
  let env: Record<string, string>
  const run = (args: readonly string[], stdin?: string) =>
    runHla(args, { cwd, env, ...(stdin !== undefined && { stdin }) })
  beforeAll(async () => {
    env = { HLA_DATA_DIR: await installedData() }
    writeFileSync(join(cwd, 't.csv'), TABLE)
  }, 300_000)

  test('counts the table that is its argument, that of -i and that of standard input', async () => {
    const counted = await run(['count', 't.csv'])
    expect(counted.stdout).toContain('A,name,A*02:01,3,2')
    expect(await run(['count', '-i', 't.csv'])).toEqual(counted)
    expect((await run(['count'], TABLE)).stdout).toBe(counted.stdout)
    const two = await run(['count', 't.csv', 't.csv'])
    expect([two.status, two.stdout, two.stderr]).toEqual([2, '', expect.stringContaining('name a folder, or a pattern in quotes')]) // prettier-ignore
  })

  test.skipIf(!hasAwk)('has the counts of awk over 1000 Genomes, by region', async () => {
    const file = sharedPath('formats/tables/bench-2018_1129_HLA_types_full_1000_Genomes_Project_panel.txt')
    const args = ['count', '-m', 'U2', '-i', file, '--by', 'Region', '-o', 'c.csv', '--errors', 'e.csv', '-q']
    expect((await run(args)).status).toBe(1)
    const [, ...counted] = linesOf(readFileSync(join(cwd, 'c.csv'), 'utf8'))
    const ofAwk = linesOf(execFileSync('awk', ['-f', AWK, file], { encoding: 'utf8' }))
    const names = ofAwk.flatMap(([kind, region, , name, count]) => kind === 'name' ? [[region, name, count].join(' ')] : []) // prettier-ignore
    const own = counted.flatMap(([region, , kind, name, count]) => kind === 'name' || kind === 'null' ? [[region, name, count].join(' ')] : []) // prettier-ignore
    // deleted before 3.58.0
    const unlisted = ['EAS A*24:01 1']
    expect(own.toSorted()).toEqual(names.filter((one) => !unlisted.includes(one)).toSorted())
    expect([names.length, names.filter((one) => unlisted.includes(one))]).toEqual([966, unlisted])
    const persons = new Map(ofAwk.flatMap(([kind, region = '', , , count]) => kind === 'persons' ? [[region, Number(count)]] : [])) // prettier-ignore
    expect([...persons.values()].reduce((sum, one) => sum + one, 0)).toBe(2693)
    // no cell is lost, and none is counted twice
    const copies = new Map<string, number>()
    const others = new Map<string, number>()
    for (const [region, locus, kind = '', , count] of counted) {
      add(copies, `${region} ${locus}`, Number(count))
      if (!['name', 'null'].includes(kind)) add(others, `${region} ${locus}`, Number(count))
    }
    for (const [key, sum] of copies)
      expect([key, sum]).toEqual([key, 2 * (persons.get(key.split(' ')[0] ?? '') ?? 0)])
    const expected = new Map(ofAwk.flatMap(([kind, region, locus, , count]) => kind === 'other' ? [[`${region} ${locus}`, Number(count)]] : [])) // prettier-ignore
    add(expected, 'EAS A', 1)
    expect(others).toEqual(expected)
  })

  test('provenance names the table and the options, and a rerun gives the same bytes', async () => {
    const verify = async (...more: string[]) => {
      const { stdout, status } = await run(['provenance', 'verify', 'p.csv.hla.json', ...more])
      return [
        status,
        ...stdout
          .trimEnd()
          .split('\n')
          .map((line) => line.split('\t').slice(0, 2).join(' ')),
      ]
    }
    const asked = ['count', '-i', 't.csv', '--by', 'POP', '--share', '-o', 'p.csv', '--errors', 'bad.csv', '--provenance', '-q'] // prettier-ignore
    expect((await run(asked)).status).toBe(1)
    const record = JSON.parse(readFileSync(join(cwd, 'p.csv.hla.json'), 'utf8'))
    expect(record).toMatchObject({ exit: 1, summary: { persons: 4, written: 8, failed: 1 } })
    const same = ['output ok', 'report ok', 'record ok', 'data ok', 'hla ok', 'options ok']
    expect(await verify('--rerun')).toEqual([0, 'input ok', ...same, 'rerun ok'])
    writeFileSync(join(cwd, 't.csv'), `${TABLE}5,Y,01:01,01:01\n`)
    expect(await verify()).toEqual([1, 'input differs', ...same])
    writeFileSync(join(cwd, 't.csv'), TABLE)
    const { status, stderr } = await run(['count', '-i', 't.csv', '--provenance'])
    expect([status, stderr]).toEqual([2, expect.stringContaining('--provenance needs an output file')])
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
    // A*99:99 is in no catalogue because no release has it: unread, as where names are counted
    expect(categories.stdout).toBe(
      'locus\tkind\tname\ttypings\tpersons\nA\tname\tCWD\t7\t4\nA\tunread\t\t1\t1\n',
    )
    expect(categories).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('[unknown-allele]') as string,
    })
    // the starter set cannot know whether there is an allele that it lacks
    const starter = await run(['count', '-r', 'starter', '-i', 't.csv', '--of', 'categories', '-q'])
    expect(starter.stdout).toContain('A,unread,,1,1\n')
    expect(starter.stderr).toContain('A*99:99 is not in the built-in starter set [starter]')
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

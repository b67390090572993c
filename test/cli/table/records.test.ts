/** Long tables on the command line: failures of a file and of several. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { callHla } from '../../support/call-hla.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()
const ALLELES = ['A*01:01', 'A*02:01', 'A*24:02', 'A*99:99', 'A*03:01']

function longTable(persons: number): string {
  const rows = Array.from({ length: persons }, (_, at) => {
    const allele = (step: number) => ALLELES[(at * step) % (at % 49 === 0 ? 5 : 3)]
    return `D${at},A,${allele(3)},${at % 7}\nD${at},A,${allele(5)},${at % 7}\nD${at},B,B*07:02,${at % 7}\n`
  })
  return `ID,locus,allele,centre\n${rows.join('')}`
}

describe('long tables on the command line', () => {
  const cwd = temp('.')
  mkdirSync(cwd, { recursive: true })
  const run = (args: readonly string[], more = {}) =>
    callHla(['redux', '-r', 'starter', '-q', ...args], { cwd, ...more })
  const read = (name: string) => readFileSync(join(cwd, name), 'utf8')
  writeFileSync(join(cwd, 'long.csv'), longTable(60_000))

  test('a failure names its line and its sample', async () => {
    expect(await run(['-i', 'long.csv', '-o', 'one.csv'])).toMatchObject({ status: 1 })
    const failures = read('one.csv.errors.csv').trimEnd().split('\n').slice(1).map((line) => line.split(',')) // prettier-ignore
    const lines = longTable(60_000).split('\n')
    expect(failures.length).toBeGreaterThan(100)
    for (const [, line = '', id = '', , , value = ''] of failures)
      expect(lines[Number(line) - 1]?.startsWith(`${id},A,${value},`)).toBe(true)
  })

  test('the report of several files says which', async () => {
    writeFileSync(join(cwd, 'P1.tsv'), 'locus\tallele\nA\tA*01:01\n')
    writeFileSync(join(cwd, 'P2.tsv'), 'locus\tallele\nA\tA*99:99\n')
    const { status } = await run(['-i', 'P?.tsv', '--sample-from', 'name', '-o', 'joined.out'])
    expect(status).toBe(1)
    const [head, row] = read('joined.out.errors.csv').split('\n')
    expect(head?.endsWith(',file')).toBe(true)
    expect(row).toMatch(/^2,2,P2,A_1,A,A\*99:99,.*,P2\.tsv$/)
    // the next run has no failures, and removes the report
    writeFileSync(join(cwd, 'P2.tsv'), 'locus\tallele\nA\tA*02:01\n')
    await run(['-i', 'P?.tsv', '--sample-from', 'name', '-o', 'joined.out'])
    expect(() => read('joined.out.errors.csv')).toThrow('ENOENT')
  })
})

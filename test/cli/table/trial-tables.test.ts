/** Tables that were read wrongly once, each with what it must give now. */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { convertRecords } from '../../support/record-tables.ts'
import { realRelease } from '../../support/releases.ts'
import { runHla } from '../../support/run-hla.ts'
import { hasShared, sharedPath } from '../../support/shared.ts'
import { tempFolder } from '../../support/temp.ts'

const cwd = tempFolder()('')

async function redux(...args: readonly string[]) {
  const { status, stdout, stderr } = await runHla(['redux', '-m', 'U2', ...args], { cwd })
  const [head = '', ...rows] = stdout.trimEnd().split(/\r?\n/)
  return { status, head, rows, stderr }
}

describe.skipIf(!hasShared)('a trial table', () => {
  const table = (name: string) => sharedPath(`trials/tables/${name}`)

  test('advice-displaces: further columns of A are of another person', async () => {
    const { rows } = await redux('-r', 'starter', '-i', table('advice-displaces/in.csv'), '--plan')
    expect(rows.join('\n')).toContain('-> -l D:A=DA1,DA2')
  })

  test('displaced-by-l: columns of a locus that -l gives to others are reported', async () => {
    const args = ['-r', 'starter', '-i', table('displaced-by-l/in.csv'), '-l', 'A=DA1,DA2']
    const read = await redux(...args)
    expect(read.stderr).toContain('not read: A1 A2 (A is read from DA1 DA2; -x A1,A2)')
    expect(read.head).toBe('id,A1,A2,DA1,DA1_U2,DA2,DA2_U2')
    expect(await redux(...args, '--strict-columns')).toMatchObject({ status: 1 })
  })

  test('phenotype-blank: A-, B- and DR- are no second antigen', async () => {
    const text = readFileSync(table('phenotype-blank/in.csv'), 'utf8')
    const { output } = await convertRecords(
      { 'in.csv': text },
      { release: realRelease('3580'), methods: ['S'] },
    )
    expect(output.trimEnd().split('\n').at(-1)).toBe('2,A1 A- B8 B- Cw7 DR4 DR- DQ8(3),A1^DQ3/DQ8^DR4^Cw7^B8')
  })

  test('sample-loop, yes-no-is-locus: rows are read as they stand', async () => {
    const loop = await redux('-r', 'starter', '-i', table('sample-loop/in.csv'))
    expect([loop.status, loop.head, loop.rows[0]]).toEqual([0, 'Allele,Allele_U2,UNOS_ag,Discrepant', 'A*01:01,A*01:01,A1,N']) // prettier-ignore
    const answers = await redux('-r', 'starter', '-i', table('yes-no-is-locus/in.csv'))
    expect([answers.status, answers.head, answers.rows]).toEqual([
      0,
      'id,allele,allele_U2,confirmed',
      ['S1,A*01:01,A*01:01,Y', 'S2,A*02:01,A*02:01,N', 'S3,B*07:02,B*07:02,Y'],
    ])
  })

  test('vdjdb: names with their locus, whatever the columns are called', async () => {
    const text = readFileSync(table('vdjdb/in.tsv'), 'utf8')
    const { output, failures } = await convertRecords({ 'in.tsv': text }, { release: realRelease('3580') })
    expect(failures).toEqual([])
    expect(output).toContain('HLA-DRA*01:01\tHLA-DRA*01:01\tHLA-DRB1*15:01\tHLA-DRB1*15:01')
    expect(output).toContain('HLA-B*07:02\tHLA-B*07:02\tB2M\tB2M')
  })

  test('kourami-folder: a person a file, with two alleles of each locus', async () => {
    const files = ['S1', 'S2'].map((name) => table(`kourami-folder/${name}.result`))
    const { status, head, rows } = await redux(
      '-r',
      'starter',
      '-q',
      ...files.flatMap((file) => ['-i', file]),
    )
    const columns = head.split(',')
    const cells = rows.map((row) => ['sample', 'A_1', 'A_2', 'B_1', 'B_2'].map((name) => row.split(',')[columns.indexOf(name)])) // prettier-ignore
    expect([status, cells]).toEqual([
      0,
      [
        ['S1', 'A*01:01:01G', 'A*29:02:01G', 'B*44:03:01G', 'B*08:01:01G'],
        ['S2', 'A*03:01:01G', 'A*24:02:01G', 'B*07:02:01G', 'B*15:01:01G'],
      ],
    ])
  })

  test('long-in-folder: a table beside another is read as alone', async () => {
    const files = ['a.txt', 'b.csv'].map((name) => table(`long-in-folder/${name}`))
    const { status, rows } = await redux('-r', 'starter', '-q', ...files.flatMap((file) => ['-i', file]))
    expect(status).toBe(0)
    expect(rows[0]).toContain('A*02:01:01,A*02:01,A*02:01:01,A*02:01')
    expect(rows[1]).toContain('03:01,A*03:01,11:01,A*11:01')
  })

  test('two-persons-one-name: a file of two persons names both', async () => {
    const files = ['one', 'two'].map((name) => table(`two-persons-one-name/${name}.csv`))
    const { rows, stderr } = await redux('-r', 'starter', ...files.flatMap((file) => ['-i', file]), '--sample-from', 'name') // prettier-ignore
    expect(rows.map((row) => row.split(',')[0])).toEqual(['one:S3', 'one:S4', 'two:S3', 'two:S4'])
    expect(stderr).toContain('[several-persons]')
  })

  test.for(['json', 'jsonl', 'parquet', 'xml', 'html'])('-o x.%s is refused', async (ending) => {
    const { status, stderr } = await redux('-r', 'starter', '-q', '-i', table('displaced-by-l/in.csv'), '-o', `x.${ending}`) // prettier-ignore
    expect(status).toBe(2)
    expect(stderr).toContain(`x.${ending}: hla writes text here, not`)
  })
})

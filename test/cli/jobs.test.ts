/** Conversions with several workers: the same bytes, reports and messages as without. */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { installedData } from '../support/installed-data.ts'
import { peakMemory } from '../support/peak-memory.ts'
import { runHla } from '../support/run-hla.ts'
import { hasShared, sharedPath } from '../support/shared.ts'
import { tempFolder } from '../support/temp.ts'

const folder = tempFolder()

async function converted(table: string, jobs: string, more: readonly string[] = []) {
  const env = hasShared ? { HLA_DATA_DIR: await installedData() } : {}
  const output = folder('out.csv')
  const ran = await runHla(['redux', '-i', table, '-o', output, '-j', jobs, ...more], {
    cwd: folder('.'),
    env,
  })
  const [written, report] = [output, `${output}.errors.csv`].map((file) =>
    existsSync(file) ? readFileSync(file, 'latin1') : undefined,
  )
  for (const file of [output, `${output}.errors.csv`]) rmSync(file, { force: true })
  return { ...ran, written, report }
}

/** Peak memory of a conversion, in MB. */
async function peakOf(table: string, jobs: number, more: readonly string[]): Promise<number> {
  const args = ['redux', '-i', table, '-o', '/dev/null', '-q', '-j', String(jobs), ...more]
  const { status, megabytes } = await peakMemory(folder('.'), args)
  // 1: some cells are refused
  expect([0, 1]).toContain(status)
  return megabytes
}

/** Blocks of a megabyte end inside a quoted field, in a failing row, and before a row without a line end. */
function awkwardTable(): string {
  const rows = Array.from({ length: 70_000 }, (_, at) => {
    const note = at % 7 === 0 ? `"${'line\n'.repeat(at % 19)}"` : 'x'
    const typing = at % 101 === 0 ? 'A*99:99' : at % 3 === 0 ? 'A*02:01' : 'A*01:01:01:01'
    return at % 1009 === 0 ? `D${at},short` : `D${at},${note},${typing},A*01:01`
  })
  return `id,note,A_1,A_2\n${rows.join('\n')}`
}

describe('--jobs', () => {
  test('changes nothing that is written', async () => {
    const table = folder('awkward.csv')
    writeFileSync(table, awkwardTable())
    const alone = await converted(table, '1')
    expect(alone).toMatchObject({ status: 1, written: expect.stringContaining('D69999') })
    expect(alone.report?.split('\n').length).toBeGreaterThan(700)
    for (const jobs of ['2', '4']) expect(await converted(table, jobs)).toEqual(alone)
  })

  test('finds the header again, and that of another table, at its line', async () => {
    const table = folder('pages.csv')
    const rows = (count: number) => Array.from({ length: count }, (_, at) => `D${at},A*01:01,A*02:01`)
    const file = (count: number, header = 'id,A1,A2') => [header, ...rows(count)].join('\n')
    writeFileSync(table, `${file(70_000)}\n\ufeff${file(1500)}\n${file(9)}\nid,A1,A2`)
    const alone = await converted(table, '1')
    const lines = 'lines 70002, 71503, 71513 repeat the header'
    expect(alone).toMatchObject({ status: 0, stderr: expect.stringContaining(lines), report: undefined })
    expect(alone.stderr).toContain('71,509 rows, 143,018 typings')
    const written = alone.written?.split('\n') ?? []
    const header = 'id,A1,A1_lgx,A2,A2_lgx'
    expect(written.flatMap((line, at) => (line === header ? [at + 1] : []))).toEqual([
      1, 70_002, 71_503, 71_513,
    ])
    expect(await converted(table, '2')).toEqual(alone)

    writeFileSync(table, `${file(70_000)}\n${file(1500, 'id,C1,C2')}`)
    const refused = await converted(table, '1')
    const message = `line 70002 of ${table} looks like the header of another table (id, C1, C2)`
    expect(refused).toMatchObject({ status: 2, stderr: expect.stringContaining(message), written: undefined })
    expect(await converted(table, '2')).toEqual(refused)
  })

  const LARGEST = { 1: 250, 2: 300 }
  test.skipIf(!hasShared).for([1, 2] as const)(
    'memory of %s is bounded by bytes, whatever typings become',
    async (jobs) => {
      // rows of 60 bytes that stay so, then rows whose output is 100 kB each
      const table = folder('growing.csv')
      const plain = Array.from(
        { length: 60_000 },
        (_, at) => `D${at},F,some centre,A*01:01,A*02:01,B*07:02,B*08:01`,
      )
      const codes = Array.from({ length: 2500 }, (_, at) => `E${at},M,other,A*02:XX,A*24:XX,B*35:XX,B*15:XX`)
      writeFileSync(table, `id,sex,centre,A_1,A_2,B_1,B_2\n${[...plain, ...codes].join('\n')}\n`)
      expect(await peakOf(table, jobs, ['-m', 'W'])).toBeLessThan(LARGEST[jobs])
    },
  )

  /** Rows with codes, XX codes and antigens, each a GL String of its own. */
  function registryTable(rows: number): string {
    const table = folder('registry.csv')
    const { status, stderr } = spawnSync(process.execPath, [
      sharedPath('bench/gen_registry.mjs'),
      ...'--seed 77 --layout gl --quoted 0 --version 3580 --mix 34,14,8,18,0,23,3'.split(' '),
      ...['--rows', String(rows), '--release', sharedPath('upstream/IMGTHLA')].concat('--out', table),
    ])
    expect([status, stderr.toString()]).toEqual([0, ''])
    return table
  }

  test.skipIf(!hasShared)('memory of two is bounded where every GL String is another one, too', async () => {
    // without separate genes every row is built as text: 360 MB before heaps were limited
    const more = ['-m', 'lgx', '--locus-prefix', 'bare']
    expect(await peakOf(registryTable(20_000), 2, more)).toBeLessThan(LARGEST[2])
  })

  test.skipIf(!hasShared).for([1, 2] as const)(
    'memory of %s is bounded with every method, too',
    async (jobs) => {
      // 320 and 420 MB when each method kept its own copy of every name
      expect(await peakOf(registryTable(6000), jobs, ['-m', 'all'])).toBeLessThan(LARGEST[jobs])
    },
  )

  test.skipIf(!hasShared)('rows that grow come back in order', async () => {
    const table = folder('codes.csv')
    const rows = Array.from({ length: 6000 }, (_, at) => {
      const typing = at % 3 === 0 ? 'A*02:XX' : at % 1001 === 0 ? 'A*99:99' : 'A*01:01'
      return `D${at},${at % 2500 === 7 ? '"a\n""b"",\n"' : 'x'},${typing},A*24:XX`
    })
    writeFileSync(table, `id,note,A_1,A_2\n${rows.join('\n')}`)
    const alone = await converted(table, '1', ['-m', 'W'])
    expect(alone).toMatchObject({ status: 1, written: expect.stringContaining('D5999') })
    expect(alone.written?.match(/^[DE]\d+,/gm)).toHaveLength(6000)
    for (const jobs of ['2', '4']) expect(await converted(table, jobs, ['-m', 'W'])).toEqual(alone)
  })

  test('stops at the first failure all the same', async () => {
    const table = folder('failing.csv')
    writeFileSync(table, awkwardTable())
    const stop = ['--max-errors', '3']
    const alone = await converted(table, '1', stop)
    expect(alone).toMatchObject({ written: undefined })
    expect(await converted(table, '2', stop)).toEqual(alone)
  })

  test.for(['many', '-1', '1000'])('%s is not a number of workers', async (jobs) => {
    const { status, stderr } = await runHla(['redux', '-d', ',', '-i', '-', '--jobs', jobs], {
      cwd: folder('.'),
    })
    expect(status).toBe(2)
    expect(stderr).toContain('--jobs is a number')
  })

  test
    .skipIf(!hasShared)
    .for([
      'simk/simK_hla_37993_northern_portugal.tsv',
      'hped/wtccc_filtered_58C_NBS_RA_T1D.hped',
      'pypop/BIGDAWG_SynthControl_Data_with_metadata.pop',
      'haplomat/a.glc',
      'haplomat/deprecatedData_glsc.glsc',
      'haplomat/populationData_a.dat',
      'wmda/don.gl.txt.gz',
      'wmda/pat.gl.txt.gz',
      'glstring/contrivedExamples.txt',
      'glstring/shorthandExamples.txt',
    ])('%s is converted alike', async (file) => {
    // with the other methods first-field codes become very long lists: 600 MB
    const method = ['-m', 'S', '--bare-digits', file.startsWith('simk/') ? 'antigen' : 'auto']
    const alone = await converted(sharedPath('registry', file), '1', method)
    expect(await converted(sharedPath('registry', file), '2', method)).toEqual(alone)
  })
})

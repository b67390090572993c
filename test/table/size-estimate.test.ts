/**
 * The estimated size of an output, printed before it is written: close to the actual size, with the option that keeps
 * it small.
 */
import { mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { installedData } from '../support/installed-data.ts'
import { randomNumbers } from '../support/random-numbers.ts'
import { runHla } from '../support/run-hla.ts'
import { hasShared } from '../support/shared.ts'
import { tempFolder } from '../support/temp.ts'

const temp = tempFolder()
const cwd = temp('here')

function table(rows: number, typings: readonly string[]): string {
  const random = randomNumbers(3)
  const one = () => typings[Math.floor(random() * typings.length)] ?? ''
  return `id,A_1,A_2\n${Array.from({ length: rows }, (_, at) => `${at},${one()},${one()}\n`).join('')}`
}

beforeAll(() => {
  mkdirSync(cwd)
  writeFileSync(join(cwd, 'antigens.csv'), table(2500, ['A2', 'A24', '01:01', 'A1', '02:01', '11:XX', 'A3']))
  writeFileSync(join(cwd, 'antigens.csv.gz'), gzipSync(table(2500, ['A2', 'A24', '01:01'])))
  writeFileSync(join(cwd, 'few.csv'), table(5, ['A2', '01:01']))
  writeFileSync(join(cwd, 'names.csv'), table(2500, ['01:01', '02:01', '03:01']))
})

const hla = async (...words: string[]) =>
  runHla(['redux', ...words], { cwd, env: { HLA_DATA_DIR: await installedData() } })

describe.skipIf(!hasShared)('the size of an output', () => {
  test.for([['lgx'], ['G'], ['P'], ['W'], ['lgx', 'G']] as const)(
    'by %j is within a fifth of what was said',
    async (methods) => {
      const asked = methods.flatMap((method) => ['-m', method])
      const { stdout } = await hla(...asked, '-i', 'antigens.csv', '--plan')
      const [, size = '', unit = '', times = ''] = /^size +about ([\d.]+) (kB|MB), (\d+) times the input: antigens and XX codes become long lists; --keep serology,xx leaves them as they are$/m.exec(stdout) ?? [] // prettier-ignore
      const { stderr } = await hla(...asked, '-i', 'antigens.csv', '-o', 'out.csv')
      expect(stderr).toContain(`the output will be about ${size} ${unit}, ${times} times the input: antigens`)
      const written = statSync(join(cwd, 'out.csv')).size
      const said = Number(size) * (unit === 'MB' ? 1e6 : 1e3)
      expect(Math.abs(said / written - 1)).toBeLessThan(0.2)
    },
  )

  test('stays what it was with the option that is named', async () => {
    const { stderr } = await hla('-i', 'antigens.csv', '-o', 'out.csv', '--keep', 'serology,xx')
    expect(stderr).not.toContain('the output will be')
    expect(statSync(join(cwd, 'out.csv')).size).toBeLessThan(3 * statSync(join(cwd, 'antigens.csv')).size)
    const { stdout } = await hla('-q', '-i', 'antigens.csv', '--keep', 'serology,xx')
    expect(
      new Set(
        stdout
          .split('\n')
          .slice(1)
          .map((line) => line.split(',')[2]),
      ),
    ).toContain('A24')
  })

  test('that is packed is told by how often the input is in it', async () => {
    const { stdout } = await hla('-i', 'antigens.csv.gz', '--plan')
    expect(stdout).toMatch(/^size +about \d+ times the input: antigens become long lists; --keep serology/m)
  })

  test('that is small, or does not grow, is no matter', async () => {
    expect((await hla('-i', 'few.csv', '-o', 'out.csv')).stderr).not.toContain('large-output')
    expect((await hla('-i', 'few.csv', '--plan')).stdout).toMatch(/^size +about \d+ kB/m)
    expect((await hla('-i', 'names.csv', '--plan')).stdout).not.toMatch(/^size/m)
    expect((await hla('-m', 'S', '-i', 'antigens.csv', '-o', 'out.csv')).stderr).not.toContain('large-output')
  })
})

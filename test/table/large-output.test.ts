/** An output that outgrows its input says so once, with the option that keeps typings as they are. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { largeOutput } from '../../src/table/run/large-output.ts'
import { installedData } from '../support/installed-data.ts'
import { runHla } from '../support/run-hla.ts'
import { hasShared } from '../support/shared.ts'
import { tempFolder } from '../support/temp.ts'

const temp = tempFolder()
const cwd = temp('here')

function table(rows: number, typings: readonly string[]): string {
  const pick = (at: number) => typings[at % typings.length] ?? ''
  return `id,A_1,A_2\n${Array.from({ length: rows }, (_, at) => `${at},${pick(at)},${pick(at + 1)}\n`).join('')}`
}

beforeAll(() => {
  mkdirSync(cwd)
  writeFileSync(join(cwd, 'antigens.csv'), table(2500, ['A2', 'A24', '01:01', 'A1', '02:01', '11:XX', 'A3']))
  writeFileSync(join(cwd, 'few.csv'), table(5, ['A2', '01:01']))
  writeFileSync(join(cwd, 'names.csv'), table(2500, ['01:01', '02:01', '03:01']))
})

const notes = async (...words: string[]) => {
  const run = await runHla(['redux', ...words, '-o', 'out.csv'], {
    cwd,
    env: { HLA_DATA_DIR: await installedData() },
  })
  return run.stderr.split('\n').filter((line) => line.includes('[large-output]'))
}

const NOTE =
  'hla: note: the output is more than 10 times as large as the input: antigens and XX codes become long lists; --keep serology,xx leaves them as they are [large-output]'

describe.skipIf(!hasShared)('the size of an output', () => {
  test.for([[], ['-m', 'lgx', '-m', 'G'], ['--on-error', 'report']])('is noted once: %j', async (words) => {
    expect(await notes('-i', 'antigens.csv', ...words)).toEqual([NOTE])
  })

  test.for([
    ['with the option that is named', ['-i', 'antigens.csv', '--keep', 'serology,xx']],
    ['of answers that are short', ['-m', 'S', '-i', 'antigens.csv']],
    ['of a small table', ['-i', 'few.csv']],
    ['of names', ['-i', 'names.csv']],
  ] as const)('%s is not', async ([, words]) => {
    expect(await notes(...words)).toEqual([])
  })
})

describe('what becomes long', () => {
  type Asked = Parameters<typeof largeOutput>
  const said = (values: readonly string[], more: object = {}, properties: object = { options: {} }) => {
    const group = { values, hasDigits: false, context: { digits: 'error' }, ...more }
    const plan = { groups: [group] } as unknown as Asked[0]
    return largeOutput(plan, { operation: { input: { properties } } } as unknown as Asked[1]).message
  }
  const LARGE = 'the output is more than 10 times as large as the input'

  test.for([
    [['A*01:01', '01:01'], ''],
    [['A2'], ': antigens become long lists; --keep serology leaves them as they are'],
    [['HLA-A2'], ': antigens become long lists; --keep serology leaves them as they are'],
    [['01:01', '11:XX'], ': XX codes become long lists; --keep xx leaves them as they are'],
    [['02:AB'], ': multiple allele codes become long lists; --keep mac leaves them as they are'],
    [['02:XXAB'], ': multiple allele codes become long lists; --keep mac leaves them as they are'],
    [['A2', '11:XX', '02:AB'], ': antigens and XX codes and multiple allele codes become long lists; --keep serology,xx,mac leaves them as they are'],
  ] as const)('%j%s', ([values, cause]) => {
    expect(said(values)).toBe(LARGE + cause)
  }) // prettier-ignore

  test('digits are antigens where they are read as such, and not every operation can keep them', () => {
    const kept = `${LARGE}: antigens become long lists; --keep serology leaves them as they are`
    expect(said(['2'], { hasDigits: true, context: { digits: 'antigen' } })).toBe(kept)
    expect(said(['2'], { hasDigits: false, context: { digits: 'antigen' } })).toBe(LARGE)
    expect(said(['2'], { hasDigits: true, context: { digits: 'v2' } })).toBe(LARGE)
    expect(said(['A2'], {}, {})).toBe(`${LARGE}: antigens become long lists`)
  })
})

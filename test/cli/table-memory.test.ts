/** Peak memory of a table whose typings become long lists, and of one with every method. */
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { peakMemory } from '../support/peak-memory.ts'
import { hasShared, sharedPath } from '../support/shared.ts'
import { tempFolder } from '../support/temp.ts'

const folder = tempFolder()

/** Peak memory of a conversion, in MB. */
async function peakOf(table: string, more: readonly string[]): Promise<number> {
  const args = ['redux', '-i', table, '-o', '/dev/null', '-q', ...more]
  const { status, megabytes } = await peakMemory(folder('.'), args)
  // 1: some cells are refused
  expect([0, 1]).toContain(status)
  return megabytes
}

describe.skipIf(!hasShared)('memory', () => {
  const LARGEST = 250

  test('is bounded by bytes, whatever typings become', async () => {
    // rows of 60 bytes that stay so, then rows whose output is 100 kB each
    const table = folder('growing.csv')
    const plain = Array.from(
      { length: 60_000 },
      (_, at) => `D${at},F,some centre,A*01:01,A*02:01,B*07:02,B*08:01`,
    )
    const codes = Array.from({ length: 2500 }, (_, at) => `E${at},M,other,A*02:XX,A*24:XX,B*35:XX,B*15:XX`)
    writeFileSync(table, `id,sex,centre,A_1,A_2,B_1,B_2\n${[...plain, ...codes].join('\n')}\n`)
    expect(await peakOf(table, ['-m', 'W'])).toBeLessThan(LARGEST)
  })

  test('is bounded with every method', async () => {
    // codes, XX codes and antigens, each row a GL String of its own
    const table = folder('registry.csv')
    const { status, stderr } = spawnSync(process.execPath, [
      sharedPath('bench/gen_registry.mjs'),
      ...'--seed 77 --layout gl --quoted 0 --version 3580 --mix 34,14,8,18,0,23,3 --rows 6000'.split(' '),
      '--release',
      sharedPath('upstream/IMGTHLA'),
      '--out',
      table,
    ])
    expect([status, stderr.toString()]).toEqual([0, ''])
    // 244 to 289 MB on a quiet machine; 320 when each method kept its own copy of every name
    expect(await peakOf(table, ['-m', 'all'])).toBeLessThan(300)
  })
})

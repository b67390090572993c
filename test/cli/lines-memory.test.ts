/**
 * Endless lines of input: the cache of typings is bounded, and garbage is collected before the heap is several times
 * that.
 */
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { peakMemory } from '../support/peak-memory.ts'
import { hasShared, sharedPath } from '../support/shared.ts'
import { tempFolder } from '../support/temp.ts'

const folder = tempFolder()

/** MB; it was 425 with V8's default heap growth, for any number of lines. 300, or 350 where V8's threads wait for a processor. */
const MOST = 380

test.skipIf(!hasShared)('many typings by all methods', async () => {
  const { status, stdout } = spawnSync(
    process.execPath,
    [
      sharedPath('bench/gen_registry.mjs'),
      ...'--rows 16000 --seed 78 --layout gl --quoted 0 --version 3580 --mix 34,14,8,18,0,23,3'.split(' '),
      '--release',
      sharedPath('upstream/IMGTHLA'),
    ],
    { maxBuffer: 1 << 28 },
  )
  expect(status).toBe(0)
  const rows = stdout.toString().trimEnd().split('\n').slice(1)
  const typings = new Set(rows.flatMap((row) => row.slice(row.lastIndexOf(',') + 1).split('^')))
  expect(typings.size).toBeGreaterThan(20_000)
  const lines = folder('typings.txt')
  writeFileSync(lines, `${[...typings].join('\n')}\n`)
  const args = ['redux', '-q', '-m', 'all', '--format', 'jsonl', '-i', lines, '-o', '/dev/null']
  const peak = await peakMemory(folder('.'), args)
  // 1: some typings have no antigen
  expect([0, 1]).toContain(peak.status)
  expect(peak.megabytes).toBeLessThan(MOST)
})

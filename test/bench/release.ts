/** Measures compiling a release, its size, and look-ups in it.  [disk, clock] */
import { compileRelease } from '../../src/reference/compile/compile.ts'
import { readFixedTables } from '../../src/reference/compile/fixed-tables.ts'
import { encodeRelease } from '../../src/reference/compile/encode.ts'
import { type Release, readRelease } from '../../src/reference/release.ts'
import { readTexts } from '../support/releases.ts'
import { atMost, type BenchRow, reported } from './bench-row.ts'
import { median, medianOf } from './statistics.ts'

const ROUNDS = 5

export function benchRelease(): BenchRow[] {
  const took: number[] = []
  let bytes: Uint8Array = new Uint8Array()
  for (let round = 0; round < ROUNDS; round += 1) {
    const started = performance.now()
    bytes = compile()
    took.push(performance.now() - started)
  }
  const release = readRelease(bytes)
  const names = shuffledNames(release)
  return [
    reported('compile a release, in a new process', [(took[0] ?? NaN) / 1000, 's']),
    reported('compile a release again', [median(took.slice(1)) / 1000, 's']),
    atMost('compiled release', [bytes.length / 1e6, 'MB'], 4),
    reported('open the release in memory', [medianOf(11, () => time(() => readRelease(bytes))), 'ms']),
    reported('name to number', [
      (medianOf(11, () => time(() => countKnown(release, names))) * 1e6) / names.length,
      'ns',
    ]),
  ]
}

function compile(): Uint8Array {
  const tables = compileRelease(
    readTexts('3580'),
    { label: '3.58.0', compact: '3580', date: '2024-10-09', sources: [] },
    readFixedTables(),
  )
  return encodeRelease(tables)
}

/** All names, 7,919 apart: neighbouring names would share cache lines. */
function shuffledNames(release: Release): string[] {
  return Array.from({ length: release.size }, (_, at) => release.nameOf((at * 7_919) % release.size))
}

function countKnown(release: Release, names: readonly string[]): void {
  const known = names.filter((name) => release.idOf(name) >= 0).length
  if (known !== names.length) throw new Error(`only ${known} of ${names.length} names were found`)
}

/** Milliseconds. */
function time(work: () => unknown): number {
  const started = performance.now()
  work()
  return performance.now() - started
}

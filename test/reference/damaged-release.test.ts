/**
 * Published files that were truncated, emptied, zeroed or swapped in transit, without a list of checksums: none is
 * installed.
 */
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { describe, expect, test } from 'vitest'
import { checkFiles } from '../../src/reference/checks.ts'
import type { FetchedFile } from '../../src/reference/published/fetched-file.ts'
import { WMDA_FILES } from '../../src/reference/published/fetched-file.ts'
import { parseReleaseNumber } from '../../src/reference/release-number.ts'
import { randomNumbers } from '../support/random-numbers.ts'
import { hasShared, sharedPath } from '../support/shared.ts'

const ROUNDS = process.env['HLA_LONG'] ? 40 : 4
const R329 = parseReleaseNumber('3.29.0')
const REFUSED = /contradict each other|is not complete|unknown nomenclature format|does not state|is of IPD/
const GROUPS = ['hla_nom_g.txt', 'hla_nom_p.txt'] as const

describe.skipIf(!hasShared)('a release', () => {
  const files = hasShared ? publishedFiles() : []
  const text = (name: string) => files.find((file) => basename(file.name) === name)?.bytes ?? Buffer.of()
  const withFile = (name: string, bytes: Buffer) =>
    files.map((file) => (basename(file.name) === name ? { ...file, bytes } : file))

  test('is installed as it was published', () => {
    expect(checkFiles(files, R329).warnings).toEqual([])
  })

  test.for(GROUPS)('with %s emptied, swapped or without its last line is refused', (name) => {
    const [other = ''] = GROUPS.filter((one) => one !== name)
    const lines = text(name).toString('latin1').trimEnd().split('\n')
    for (const bytes of [
      Buffer.of(),
      Buffer.from(lines.filter((line) => line.startsWith('#')).join('\n')),
      Buffer.alloc(text(name).length),
      text(other),
      Buffer.from(lines.slice(0, -1).join('\n')),
    ])
      expect(() => checkFiles(withFile(name, bytes), R329)).toThrow(REFUSED)
  })

  test.for(GROUPS)('with %s cut at a line, or zeroed or lost in a page, is refused', (name) => {
    const random = randomNumbers(name.length)
    const bytes = text(name)
    const rows = bytes.indexOf('\nA*')
    for (let round = 0; round < ROUNDS; round += 1) {
      const at = rows + 1 + Math.floor(random() * (bytes.length - rows - 4096))
      const line = bytes.indexOf('\n', at)
      const zeroed = Buffer.from(bytes).fill(0, at, at + 1 + Math.floor(random() * 4096))
      const lost = Buffer.concat([bytes.subarray(0, line), bytes.subarray(bytes.indexOf('\n', line + 1000))])
      for (const [how, damaged] of Object.entries({ cut: bytes.subarray(0, line), zeroed, lost }))
        expect(() => checkFiles(withFile(name, damaged), R329), `${how} at ${at}`).toThrow(REFUSED)
    }
  })

  // without checksums a changed date or version in the header goes unnoticed
  test.for(GROUPS)('with a wrong bit in a name of %s is refused', (name) => {
    const random = randomNumbers(7)
    const bytes = text(name)
    const rows = bytes.indexOf('\nA*')
    for (let round = 0; round < ROUNDS; round += 1) {
      const at = rows + 1 + Math.floor(random() * (bytes.length - rows - 2))
      const damaged = Buffer.from(bytes)
      damaged[at] = (damaged[at] ?? 0) ^ (1 << Math.floor(random() * 8))
      expect(() => checkFiles(withFile(name, damaged), R329), `bit of byte ${at}`).toThrow(REFUSED)
    }
  })
})

function publishedFiles(): FetchedFile[] {
  const list = 'Latest/allelelist/Allelelist.3290.txt'
  return [...WMDA_FILES.map((name) => `3290/wmda/${name}`), list].map((path) => ({
    name: path.slice(path.indexOf('/') + 1),
    bytes: readFileSync(sharedPath('upstream/IMGTHLA', path)),
    origin: path,
  }))
}

/** Tables of synthetic donors from the published generator, and programs that only copy them.  [disk, process] */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { packagePath } from '../../src/package-root.ts'
import { readFirstMember } from '../../src/reference/published/zip-files.ts'
import { sharedPath } from '../support/shared.ts'

export const KINDS = ['wmda', 'reg'] as const
export const LAYOUTS = ['gl', 'wide'] as const
export type Kind = (typeof KINDS)[number]
export type Layout = (typeof LAYOUTS)[number]

/**
 * `wmda`: genotypes of the published donors, each locus independent. `reg`: names of all lengths, G groups, lists and
 * codes.
 */
export async function prepareTables(folder: string): Promise<(kind: Kind, layout: Layout) => string[]> {
  const [donors, codes] = [join(folder, 'don.gl.txt'), join(folder, 'numer.v3.txt')]
  writeFileSync(donors, gunzipSync(readFileSync(sharedPath('registry/wmda/don.gl.txt.gz'))))
  const zip = sharedPath('upstream/mac/numer.v3.zip')
  writeFileSync(codes, await readFirstMember(zip, readFileSync(zip)))
  const release = ['--release', sharedPath('upstream/IMGTHLA'), '--version', '3580']
  const choice = {
    wmda: ['--source', donors, '--shuffle', 'locus'],
    reg: [...release, '--mac', codes, '--mix', '38,16,9,20,17,0,0'],
  }
  return (kind, layout) => ['--seed', '1', '--layout', layout, ...choice[kind]]
}

/** The same arguments give the same bytes. */
export function generateTable(file: string, rows: number, choice: readonly string[]): void {
  const args = [sharedPath('bench/gen_registry.mjs'), '--rows', `${rows}`, ...choice, '--out', file]
  execFileSync(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] })
}

/** csv-parse piped into csv-stringify and nothing else. */
export const COPY_HERE = `import { createReadStream, createWriteStream } from 'node:fs'
import { createRequire } from 'node:module'
import { pipeline } from 'node:stream/promises'
const require = createRequire(${JSON.stringify(packagePath('package.json'))})
const { parse } = require('csv-parse')
const { stringify } = require('csv-stringify')
const [from, to] = process.argv.slice(-2)
await pipeline(createReadStream(from, { highWaterMark: 262144 }), parse(), stringify(), createWriteStream(to))`

/** Python's csv reader piped into its writer. */
export const COPY_PYTHON = `import csv, sys
with open(sys.argv[1], newline='') as rows, open(sys.argv[2], 'w', newline='') as out:
    csv.writer(out, lineterminator='\\n').writerows(csv.reader(rows))`

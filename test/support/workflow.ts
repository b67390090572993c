/** The scripts of docs/workflows, and tables to run them on.  [disk] */
import { closeSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { runShell } from './run-hla.ts'

export const WORKFLOWS = join(import.meta.dirname, '../../docs/workflows')
export const SPLIT = `node '${join(WORKFLOWS, 'split-table.mjs')}'`
export const JOIN = `node '${join(WORKFLOWS, 'join-tables.mjs')}'`

/** Rows of full conversions: a million with HLA_LONG, fewer during development. */
export const MANY_ROWS = process.env['HLA_LONG'] ? 1_000_000 : 40_000

/** Typings that the starter set can reduce, old names, and cells that fail or are not typings. */
const CELLS = [
  '01:01', '02:01:01', '03:01', '24:02:01', 'A*01:01:01:01', '02:AB', '0301', 'NNNN', '', '01:01/01:02', 'A*01:01G', '99:99x',
] // prettier-ignore

/** Writes a registry of `rows` donors; some fields are quoted, some cells fail. The bytes depend only on `rows`. */
export function writeDonors(file: string, rows: number): void {
  const handle = openSync(file, 'w')
  let block = 'id,center,A_1,A_2\n'
  for (let row = 1, state = 1; row <= rows; row += 1) {
    // a 32-bit generator, whose low bits repeat soon
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    const [first, second] = [state >>> 28, (state >>> 20) % 128]
    // one cell in 128 fails
    const cells = [CELLS[first % 11] ?? '', CELLS[second === 127 ? 11 : second % 11] ?? '']
    const center = row % 97 === 0 ? `"Centre ""${row % 9}"", north"` : `C${row % 12}`
    block += `D${row},${center},${cells.join(',')}\n`
    if (block.length < 1 << 20 && row < rows) continue
    writeSync(handle, block)
    block = ''
  }
  closeSync(handle)
}

/** Checks that the joined table, its report and its counts equal those of a single run. */
export async function expectAsOneRun(
  folder: string,
  table: string,
  joined: string,
  options = '',
): Promise<void> {
  const one = `one-${joined}`
  const { status, stderr } = await runShell(
    `hla redux -q ${options} --exit-zero -i '${table}' -o '${one}' --summary json=one.json 2> /dev/null &&
     cmp '${one}' '${joined}' &&
     if [ -e '${one}.errors.csv' ]; then cmp '${one}.errors.csv' '${joined}.errors.csv'; else [ ! -e '${joined}.errors.csv' ]; fi &&
     node -e '
       const [one, { summary }] = process.argv.slice(1).map((name) => JSON.parse(fs.readFileSync(name)))
       for (const name of ["rows", "typings", "status", "codes", "notes"])
         assert.deepEqual(summary[name], one[name], name)
     ' one.json '${joined}.joined.json'`,
    { cwd: folder },
  )
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
}

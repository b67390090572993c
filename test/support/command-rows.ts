/** Rows of tests of the command line: each is a command with its whole answer. Commands are called in the process.  [disk] */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { callHla } from './call-hla.ts'
import type { RunOptions } from './run-hla.ts'

/** Words behind `hla`, those with blanks in single quotes; lines of standard output, of standard error, and of files. */
export type CommandRow = readonly [
  line: string,
  status: number,
  printed: readonly string[],
  told: readonly string[],
  files?: Readonly<Record<string, readonly string[]>>,
]

/** A test of each row, in their order. `options`: when the test runs. */
export function testCommands(
  rows: readonly CommandRow[],
  options: () => Pick<RunOptions, 'cwd' | 'env' | 'stdin'>,
): void {
  test.for(rows)('hla %s', async ([line, status, printed, told, files = {}]: CommandRow) => {
    const words = [...line.matchAll(/(?:'[^']*'|[^ '])+/g)].map(([word]) => word.replaceAll("'", ''))
    const { cwd, ...more } = options()
    const ran = await callHla(words, { cwd, ...more })
    expect({ ...ran, stdout: ran.stdout.split('\n'), stderr: ran.stderr.split('\n') }).toEqual({
      status,
      stdout: [...printed, ''],
      stderr: [...told, ''],
    })
    for (const [name, lines] of Object.entries(files))
      expect([name, readFileSync(join(cwd, name), 'utf8').split('\n')]).toEqual([name, [...lines, '']])
  })
}

/**
 * A single answer loads no built-in module that takes as long to load as the answer (docs/adr/start.md#bundles); a
 * plain table loads no reader of other formats.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { packagePath } from '../../src/package-root.ts'
import { programWithout } from '../support/program-without.ts'

/** Built-in modules loaded at the end of the program, with an hla command line or with an empty script. */
function partsOf(words: readonly string[] | undefined): Set<string> {
  const program = JSON.stringify(packagePath('bin/hla.cjs'))
  const list = join(temporaryFolder(), 'parts.txt')
  const script = `process.on('exit', () => require('fs').writeFileSync(${JSON.stringify(list)}, process.moduleLoadList.join('\\n')))
${words === undefined ? '' : `process.argv.splice(1, 0, ${program}); require(${program})`}`
  const args = ['-e', script, ...(words === undefined ? [] : ['--', ...words])]
  execFileSync('bash', ['-c', '"$0" "$@" >/dev/null 2>/dev/null', process.execPath, ...args])
  const text = readFileSync(list, 'utf8')
  return new Set([...text.matchAll(/^NativeModule (.*)$/gm)].map(([, name = '']) => name))
}

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'hla-parts-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

function addedParts(words: readonly string[]): string[] {
  const before = partsOf(undefined)
  const loaded = [...partsOf(words)].filter((name) => !before.has(name))
  return loaded.filter((name) => !['vm', 'process'].includes(name))
}

test('hla redux', () => {
  expect(addedParts(['redux', '-m', 'G', 'A*01:01+A*02:01'])).toEqual([])
})

test.for([
  ['a short table', ''],
  ['a short table whose last row has no end', 'R100,A*01:01,A*02:01'],
])('%s', ([, last]) => {
  const folder = temporaryFolder()
  const rows = Array.from(
    { length: 99 },
    (_, at) => `R${at},A*01:01,A*02:${String(at + 1).padStart(2, '0')}\n`,
  )
  writeFileSync(join(folder, 'in.csv'), `id,A_1,A_2\n${rows.join('')}${last}`)
  const files = ['-i', join(folder, 'in.csv'), '-o', join(folder, 'out.csv')]
  // files, digests, streams, checksums and heaps of Node took 15 ms
  expect(addedParts(['redux', '-m', 'G', '--exit-zero', ...files])).toEqual([])
  expect(readFileSync(join(folder, 'out.csv'), 'utf8').trimEnd().split('\n').length).toBe(
    last === '' ? 100 : 101,
  )
})

test('the first bundle asks Node once for each part, and has no copies of what is in it', () => {
  const text = readFileSync(packagePath('dist/hla.script'), 'utf8')
  // 36 requires, and 8 lists of the members of node:crypto, took 0.5 ms of each start
  const asked = (part: string) => text.split(`require("${part}")`).length - 1
  // commander has its own requires
  expect(['node:fs', 'node:path', 'node:crypto', 'node:os'].map(asked)).toEqual([2, 2, 1, 1])
  expect(text).not.toMatch(/import_node_\w+=/)
})

function convertWithout(part: RegExp, table: string): string {
  const { folder, program } = programWithout(part)
  const file = join(folder, 'in.csv')
  writeFileSync(file, table)
  const words = [program, 'redux', '-m', 'G', '-i', file]
  return execFileSync(process.execPath, words, { encoding: 'utf8', stdio: 'pipe' })
}

test.for([
  ['a row a person', 'id,A_1,A_2\nR1,A*01:01,A*02:01\n', true],
  ['GL Strings of several loci', 'id,gl\nR1,A*01:01+A*02:01^B*07:02+B*08:01\n', true],
  ['a row a typing', 'sample,locus,allele\nR1,A,A*01:01\nR1,A,A*02:01\n', false],
] as const)('%s', ([, table, isRead]) => {
  const convert = () => convertWithout(/^sources\.script$/, table)
  if (isRead) expect(convert()).toContain('A*02:01:01G')
  else expect(convert).toThrow('sources.script')
})

test.for([
  ['no quotes', 'id,A_1,A_2\nR1,A*01:01,A*02:01\nR2,A*01:01,A*02:01', true],
  ['quotes', 'id,A_1,A_2\n"R1",A*01:01,"A*02:01"\n', false],
] as const)('a table with %s is read by csv-parse or not', ([, table, isRead]) => {
  const convert = () => convertWithout(/^node_modules$/, table)
  if (isRead) expect(convert()).toContain('A*02:01:01G')
  else expect(convert).toThrow('csv-parse')
})

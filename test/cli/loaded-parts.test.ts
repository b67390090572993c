/** A single answer loads no part of Node that takes as long to load as to answer (docs/adr/0003); a plain table no reader of other files. */
import { execFileSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { packagePath } from '../../src/package-root.ts'

/** What the program has of Node at its end, with the command line of hla or with nothing. */
function partsOf(words: readonly string[] | undefined): Set<string> {
  const program = JSON.stringify(packagePath('bin/hla.cjs'))
  const script = `process.on('exit', () => require('fs').writeSync(2, process.moduleLoadList.join('\\n')))
${words === undefined ? '' : `process.argv.splice(1, 0, ${program}); require(${program})`}`
  const args = ['-e', script, ...(words === undefined ? [] : ['--', ...words])]
  const text = execFileSync('bash', ['-c', '"$0" "$@" 2>&1 >/dev/null', process.execPath, ...args], {
    encoding: 'utf8',
  })
  return new Set([...text.matchAll(/^NativeModule (.*)$/gm)].map(([, name = '']) => name))
}

test('hla redux', () => {
  const before = partsOf(undefined)
  const loaded = [...partsOf(['redux', '-m', 'G', 'A*01:01+A*02:01'])].filter((name) => !before.has(name))
  expect(loaded.filter((name) => !['vm', 'process', 'os'].includes(name))).toEqual([])
})

test('of a part of Node, the first bundle defines what it uses', () => {
  const text = readFileSync(packagePath('dist/hla.script'), 'utf8')
  const lists = [...text.matchAll(/require\("(node:[a-z_]+)"\);for\(let name of(\[[^\]]*\])/g)]
  const crypto = lists
    .filter(([, part]) => part === 'node:crypto')
    .map(([, , names = '']) => JSON.parse(names))
  // a hundred, eight times, took a millisecond of each start
  expect(crypto.map((names) => (names as string[]).toSorted())).toEqual([['createHash', 'randomBytes']])
})

/** The program without one of its bundles. */
function programWithout(bundle: string): { readonly folder: string; readonly program: string } {
  const folder = mkdtempSync(join(tmpdir(), 'hla-bundles-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const name of ['bin', 'dist']) mkdirSync(join(folder, name))
  for (const name of ['package.json', 'data', 'node_modules'])
    symlinkSync(packagePath(name), join(folder, name))
  cpSync(packagePath('bin/hla.cjs'), join(folder, 'bin/hla.cjs'))
  for (const name of readdirSync(packagePath('dist')))
    if (name !== bundle) symlinkSync(packagePath(`dist/${name}`), join(folder, 'dist', name))
  return { folder, program: join(folder, 'bin/hla.cjs') }
}

test.for([
  ['a row a person', 'id,A_1,A_2\nR1,A*01:01,A*02:01\n', true],
  ['GL Strings of several loci', 'id,gl\nR1,A*01:01+A*02:01^B*07:02+B*08:01\n', true],
  ['a row a typing', 'sample,locus,allele\nR1,A,A*01:01\nR1,A,A*02:01\n', false],
] as const)('%s', ([, table, isRead]) => {
  const { folder, program } = programWithout('records.script')
  const file = join(folder, 'in.csv')
  writeFileSync(file, table)
  const convert = () =>
    execFileSync(process.execPath, [program, 'redux', '-m', 'G', '-i', file], {
      encoding: 'utf8',
      stdio: 'pipe',
    })
  if (isRead) expect(convert()).toContain('A*02:01:01G')
  else expect(convert).toThrow('records.script')
})

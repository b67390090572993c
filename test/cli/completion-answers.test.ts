/** Whole answers to the completion scripts of shells: the kind, and each candidate with its description. */
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { loadPrograms } from '../../src/cli/commands/programs.ts'
import { answerShell } from '../../src/cli/run/completion/answer.ts'
import { asRun, STREAMS } from '../../src/io/run.ts'
import { tempFolder } from '../support/temp.ts'

const cwd = tempFolder()('')
const PROGRAMS = await loadPrograms()

beforeAll(() => {
  writeFileSync(join(cwd, 't.csv'), 'id,A_1,A_2,DRB1_1\n1,01:01,02:01,15:01\n')
  writeFileSync(join(cwd, 'bare.csv'), '1,01:01,02:01\n2,03:01,02:01\n')
  writeFileSync(join(cwd, 'semi.txt'), 'id;B_1;B_2\n1;07:02;08:01\n')
  writeFileSync(join(cwd, 'l.csv'), 'sample,locus,allele\n1,A,A*01:01\n')
  mkdirSync(join(cwd, 'data/releases/3.58.0'), { recursive: true })
  writeFileSync(join(cwd, 'data/releases/3.58.0/manifest.json'), '{}')
})

/** What is printed in the folder of the test. */
async function printedFor(words: readonly string[]): Promise<string> {
  const file = join(cwd, 'printed')
  const output = openSync(file, 'w')
  const before = { cwd: process.cwd(), env: process.env }
  process.chdir(cwd)
  process.env = { ...before.env, HLA_DATA_DIR: 'data', HLA_SYSTEM_DATA_DIR: 'none' }
  try {
    await asRun(words, { ...STREAMS, output }, () => answerShell(words, PROGRAMS))
    return readFileSync(file, 'utf8')
  } finally {
    process.chdir(before.cwd)
    process.env = before.env
    closeSync(output)
  }
}

test.for([
  [['zsh', 'red'], 'words', ['redux\tReduce typings (GL Strings, alleles, MACs, XX codes, antigens)']],
  [['zsh', 'redux', '--fo'], 'words', ['--format\toutput format']],
  [['zsh', 'redux', '--format', 'js'], 'words', ['json', 'jsonl']],
  [['zsh', 'redux', '--format=js'], 'words', ['--format=json', '--format=jsonl']],
  [
    ['zsh', 'redux', '-m', 'l'],
    'parts',
    ['lg\ttwo fields of the G group, with a trailing g', 'lgx\ttwo fields of the G group'],
  ],
  [['zsh', 'redux', '--accept', 'c'], 'parts', ['case']],
  [['zsh', 'redux', '--accept', 'case,z'], 'parts', ['case,zero']],
  [['zsh', 'redux', '--keep', 'xx,m'], 'parts', ['xx,mac']],
  [
    ['zsh', 'data', 'in'],
    'words',
    [
      'install\tinstall a published release, and make it active if no other is',
      'info\tfiles, checksums, source and citation of a release',
    ],
  ],
  [['zsh', 'data', 'install', '--from', ''], 'files', []],
  [['zsh', 'data', 'path', '--data-dir', ''], 'folders', []],
  [['zsh', 'help', 'tab'], 'words', ['tables\ttables of typings: layouts, columns, cells, results']],
  [['zsh', 'help', 'config', 'g'], 'words', ['get\tprint a setting']],
  [['zsh', 'help', 'config', 'get', 'x'], 'words', []],
  [['zsh', 'hel'], 'words', ['help\tShow all options and examples of a command, or a topic of the manual']],
  [['zsh', 'config', 'get', 'redux.metho'], 'words', ['redux.method']],
  [['zsh', 'data', 'catalogue', ''], 'words', ['ciwd3\tCIWD 3.0.0', 'eurcwd\tEURCWD']],
  [['zsh', 'nope', 'x'], 'words', []],
  [['zsh', 'redux', '-o', ''], 'files', []],
  [['zsh', 'diff', 'a'], 'words', ['active\tthe default release']],
  [['zsh', 'diff', 'x'], 'files', []],
  [['zsh', 'diff', 't.csv', ''], 'files', []],
  [['zsh', 'diff', 'active', ''], 'words', ['3.58.0\tinstalled', 'active\tthe default release']],
  [['zsh', 'redux', '-r', 's'], 'words', ['starter\tthe built-in starter set']],
  [['zsh', 'data', 'use', ''], 'words', ['3.58.0\tinstalled', 'active\tthe default release']],
  [['zsh', '-q', 'redu'], 'words', ['redux\tReduce typings (GL Strings, alleles, MACs, XX codes, antigens)']],
  [['zsh', 'redux', '--limit', ''], 'words', []],
  [
    ['zsh', 'redux', '-r', ''],
    'words',
    ['3.58.0\tinstalled', 'active\tthe default release', 'starter\tthe built-in starter set'],
  ],
  [['fish', 'diff', ''], 'words', ['3.58.0\tinstalled', 'active\tthe default release']],
  [
    ['zsh', 'redux', '--fro'],
    'words',
    ['--from\tthe names in the input come from this release: translate them first'],
  ],
  [['zsh', 'redux', '-i', 't.csv', '-c', 'A'], 'parts', ['A_1', 'A_2']],
  [['zsh', 'redux', '--input=t.csv', '-c', 'A_1,D'], 'parts', ['A_1,DRB1_1']],
  [['zsh', 'redux', '-i', 't.csv', '--id-column', 'i'], 'words', ['id']],
  [['zsh', 'redux', '-i', 't.csv', '-l', 'A'], 'parts', ['A=']],
  [['zsh', 'redux', '-i', 't.csv', '-l', 'A='], 'parts', ['A=id', 'A=A_1', 'A=A_2', 'A=DRB1_1']],
  [['zsh', 'redux', '-i', 't.csv', '-l', 'A=A_1,A'], 'parts', ['A=A_1,A_2']],
  [['zsh', 'redux', '-c', 'A'], 'parts', []],
  [['zsh', 'redux', '-i', '-', '-c', 'A'], 'parts', []],
  [['zsh', 'redux', '-i', 'none.csv', '-c', 'A'], 'words', []],
  [['zsh', 'redux', '-i', 'bare.csv', '-H', '-c', ''], 'parts', ['1', '2', '3']],
  [['zsh', 'redux', '-i', 'semi.txt', '-d', ';', '-c', 'B'], 'parts', ['B_1', 'B_2']],
  [['zsh', 'redux', '-i', 't.csv', '-i', 'semi.txt', '-c', ''], 'parts', ['id', 'B_1', 'B_2']],
  [['zsh', 'redux', '-i', 'l.csv', '-x', ''], 'parts', ['sample', 'locus', 'allele']],
  [['bash', '=:', 'hla redux --format=js'], 'words', ['json', 'jsonl']],
  [['bash', '=:', 'hla redux -i t.csv -l A=A_1,'], 'parts', ['A_1,id', 'A_1,A_2', 'A_1,DRB1_1']],
  [['bash', '=:', 'hla dat'], 'words', ['data\tInstall, list, select and verify nomenclature releases']],
  [
    ['bash', ' ', 'hla data '],
    'words',
    [
      'install\tinstall a published release, and make it active if no other is',
      'mac\tinstall or refresh the MAC list alone',
      'catalogue\tinstall a catalogue of common alleles: ciwd3 or eurcwd',
      'use\tmake an installed release the active one',
      'remove\tremove an installed release',
      'list\tlist installed releases, or those a source offers',
      'verify\tcompare the files with what was installed, or with a source',
      'info\tfiles, checksums, source and citation of a release',
      'path\tprint the folder of a release, or of all data',
    ],
  ],
  [
    ['bash', '=:', 'hla redux -r '],
    'words',
    ['3.58.0\tinstalled', 'active\tthe default release', 'starter\tthe built-in starter set'],
  ],
] as const)('%j: %s', async ([words, kind, candidates]) => {
  const lines = candidates.map((one) => (one.includes('\t') ? one : `${one}\t`))
  expect((await printedFor(words)).split('\n')).toEqual([kind, ...lines, ''])
})

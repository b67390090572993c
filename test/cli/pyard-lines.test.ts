/** Lines of py-ard, without running them. */
import { expect, test } from 'vitest'
import { mayBePyard, pyardLine } from '../../src/cli/guess/pyard.ts'

test.for([
  ['-g A*01:01 -r lgx', 'redux -m lgx A*01:01'],
  ['-g A*01:01', 'redux -m all A*01:01'],
  ['--gl=A*01:01 --redux-type=G', 'redux -m G A*01:01'],
  ['-i 3580 -d here -g A1', 'redux -m all -r 3580 --data-dir here A1'],
  ['--imgt-version v3.58.0 -g A1', 'redux -m all -r v3.58.0 A1'],
  ['-i 3.58 -g A1', 'redux -m all -r 3.58 A1'],
  ['--non-strict --verbose -g A1', 'redux -m all --no-strict -v A1'],
  ['--validate -g A1', 'validate A1'],
  ['--validate --cwd A1', 'validate A1'],
  ['--cwd A1 -i 3580', 'cwd -r 3580 A1'],
  ['--splits A1', 'splits A1'],
  ['--similar A*01', 'similar A*01'],
  ['--expand-mac A*01:AB', 'mac A*01:AB'],
  ['--lookup-mac A*01:01/A*01:02', 'mac A*01:01/A*01:02'],
  ['--expand-xx A*01:XX', 'mac --xx A*01:XX'],
  ['--expand A*01:XX', 'mac --xx A*01:XX'],
  ['--expand-mac-hats A*01:AB', 'mac --hats A*01:AB'],
  ['-v', 'version'],
  ['--version -g A1', 'version'],
  // no lines of py-ard
  ['-i x3580 -g A1', undefined],
  ['-i 35800 -g A1', undefined],
  ['g A1', undefined],
  ['-g', undefined],
  ['-r lgx', undefined],
  ['--foo A1', undefined],
  ['A1', undefined],
  ['', undefined],
] as const)('pyard %s: hla %s', ([words, line]) => expect(pyardLine(words.split(' '))?.join(' ')).toBe(line))

test.for([
  ['-g A*01:01', true],
  ['--gl=A*01:01+A*02:01 -r lgx', true],
  ['-r lgx --cwd A1', true],
  ['--expand-mac=A*01:AB', true],
  ['-g A_1,A_2', false],
  ['-g A*', false],
  ['-g', false],
  ['-r lgx', false],
  ['cwd A1', false],
  ['x--cwd A1', false],
] as const)('without its program %s may be one: %s', ([words, expected]) => {
  expect(mayBePyard(words.split(' '))).toBe(expected)
})

/** `--pyard-config .pyardrc`: its keys become options. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { pyardrcArguments } from '../../../src/cli/run/table/pyard/pyardrc.ts'
import { isHlaError } from '../../../src/errors.ts'
import { errorOf } from '../../support/errors.ts'
import { callHla } from '../../support/call-hla.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()

const WHOLE = `# settings of py-ard
[pyard]
imgt_version = "3580"   # of 2024
data_dir = '/tmp/py#ard'
load_mac = true
cache_size = 1_000_000

[pyard.config]
strict = false
ping = false
ARS_as_lg = true
reduce_serology = true
reduce_P = false
ignore_allele_with_suffixes = [
  "NNNN", # absent
  'UUUU',
]
[other]
strict = true
`

describe('pyardrcArguments', () => {
  test.for([
    ['', []],
    ['[pyard]\nimgt_version = "Latest"', []],
    ['[pyard]\nimgt_version = 3580', ['-r', '3580']],
    ['[pyard]\r\nimgt_version = "3.58.0"\r\n', ['-r', '3.58.0']],
    ['[pyard.config]\nstrict = true\nping = true\nARS_as_lg = false\nverbose_log = true', []],
    ['[pyard.config]\nignore_allele_with_suffixes = []', []],
    ['[pyard]\nconfig = { strict = false }', ['--no-strict']],
    ['pyard.config.strict = false', ['--no-strict']],
    ['[pyard]\nimgt_version = """\n3580"""', ['-r', '3580']],
    [WHOLE, ['-r', '3580', '--no-strict', '--no-ping', '--ars', '--ignore-suffix', 'NNNN,UUUU']], // prettier-ignore
  ] as const)('%j', ([text, words]) => {
    expect(pyardrcArguments(text, '.pyardrc')).toEqual(words)
  })

  test.for([
    ['[pyard]\nimgt = "3580"', 'unknown setting "imgt"'],
    ['[pyard.config]\nstict = false', 'unknown setting "stict"'],
    ['[pyard.config]\nconstructor = false', 'unknown setting "constructor"'],
    ['[pyard.config]\nstrict = "no"', 'strict = "no" has a value of the wrong kind'],
    ['[pyard.config]\nreduce_MAC = false', 'reduce_MAC = false is not supported by hla'],
    ['[pyard]\nimgt_version = true', 'imgt_version = true has a value of the wrong kind'],
    ['pyard = 1', 'pyard = 1 has a value of the wrong kind'],
    ['[pyard]\nconfig = [1]', 'config = [1] has a value of the wrong kind'],
    ['[pyard.config]\nignore_allele_with_suffixes = [1]', 'ignore_allele_with_suffixes = [1] has a value'],
    ['[pyard]\ncache_size = 1\ncache_size = 2', '.pyardrc:3: Invalid TOML document'],
    ['{"pyard": {}}', '.pyardrc:1: Invalid TOML document'],
    ['[pyard.config]\nignore_allele_with_suffixes = ["NNNN"', '.pyardrc:2: Invalid TOML document'],
  ] as const)('%j is refused', ([text, message]) => {
    const error = errorOf(() => pyardrcArguments(text, '.pyardrc'))
    expect(error?.code).toBe('usage')
    expect(error?.message).toContain(message)
  })

  test('gives options or an error, whatever stands there', () => {
    const line = fc.constantFrom(
      '[pyard]',
      '[pyard.config]',
      '[x',
      'strict = false',
      'ping=true',
      'a = "b',
      '= 1',
      '# x',
      "'",
    )
    const text = fc.oneof(
      fc.string(),
      fc.array(fc.oneof(line, fc.string())).map((lines) => lines.join('\n')),
    )
    fc.assert(
      fc.property(text, (given) => {
        try {
          pyardrcArguments(given, 'x')
        } catch (error) {
          expect(isHlaError(error)).toBe(true)
        }
      }),
    )
  })
})

test('applies where it is named, to typings and tables, and the command line goes before it', async () => {
  const cwd = temp('cwd')
  mkdirSync(cwd)
  writeFileSync(join(cwd, '.pyardrc'), '[pyard]\nimgt_version = "9.9.9"\n[pyard.config]\nARS_as_lg = true\n')
  const ask = (words: readonly string[], stdin?: string) =>
    callHla(['redux', '-q', '-m', 'lg', ...words], {
      cwd,
      env: { HOME: cwd },
      ...(stdin === undefined ? {} : { stdin }),
    })
  const named = ['--pyard-config', '.pyardrc', '-r', 'starter']
  expect(await ask(['-r', 'starter', 'A*01:01'])).toMatchObject({ stdout: 'A*01:01g\n' })
  expect(await ask([...named, 'A*01:01'])).toMatchObject({ stdout: 'A*01:01ARS\n' })
  expect(await ask([...named, '-d', ',', '--into', 'replace'], 'id,A_1\n1,01:01\n')).toMatchObject({
    stdout: 'id,A_1\n1,A*01:01ARS\n',
  })
  expect((await ask(['--pyard-config', '.pyardrc', 'A*01:01'])).stderr).toContain('9.9.9')
  expect(await ask(['--pyard-config', 'none/.pyardrc', 'A*01:01'])).toMatchObject({ status: 4, stdout: '' })
})

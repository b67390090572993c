/** The notes of a release, and which versions can be released. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tempFolder } from '../support/temp.ts'

const temp = tempFolder()
mkdirSync(temp('.'), { recursive: true })

const CHANGELOG = `# Changelog

## Unreleased

### Added
- Something not yet released.

## 1.10.0 (2026-11-21)

### Added
- \`hla\`: more.

### Fixed
- Less.

## 1.1.0

- First.

## 1.0.0

Nothing in a list.
`

function notes(version: string, ...tags: readonly string[]) {
  writeFileSync(temp('CHANGELOG.md'), CHANGELOG)
  const script = join(import.meta.dirname, '../../.build/release-notes.mjs')
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [script, temp('CHANGELOG.md'), version, ...tags],
    { encoding: 'utf8' },
  )
  return { status, stdout, stderr }
}

test.for([
  ['1.10.0', ['v1.1.0'], '### Added\n- `hla`: more.\n\n### Fixed\n- Less.\n'],
  ['1.10.0', [], '### Added\n- `hla`: more.\n\n### Fixed\n- Less.\n'],
  ['1.1.0', ['v1.1.0-rc.2', 'v0.9.10', 'other'], '- First.\n'],
] as const)('%s after %j has its section alone', ([version, tags, expected]) => {
  expect(notes(version, ...tags)).toEqual({ status: 0, stdout: expected, stderr: '' })
})

test.for([
  ['1.2.0', [], 'CHANGELOG.md has no section "## 1.2.0"'],
  ['1.1', [], '1.1 is not a version such as'],
  ['01.1.0', [], '01.1.0 is not a version'],
  ['1.0.0', [], 'section "## 1.0.0" of CHANGELOG.md says nothing'],
  ['1.1.0', ['v1.1.0'], '1.1.0 is not later than 1.1.0'],
  ['1.1.0', ['v1.0.0', 'v1.10.0', 'v1.9.0'], '1.1.0 is not later than 1.10.0'],
  ['1.1.0-rc.9', ['v1.1.0-rc.10'], '1.1.0-rc.9 is not later than 1.1.0-rc.10'],
  ['1.1.0-rc.1', ['v1.1.0'], 'is not later than 1.1.0'],
  ['1.1.0-alpha', ['v1.1.0-alpha.1'], 'is not later'],
  ['1.1.0-1', ['v1.1.0-a'], 'is not later'],
] as const)('%s after %j is refused', ([version, tags, said]) => {
  const ran = notes(version, ...tags)
  expect(ran).toMatchObject({ status: 1, stdout: '' })
  expect(ran.stderr).toContain(said)
})

test('entries that no version has are counted', async () => {
  const url = new URL('../../.build/release-notes.mjs', import.meta.url).href
  const { countUnreleased } = (await import(url)) as { countUnreleased: (changelog: string) => number } // its type
  expect(countUnreleased(CHANGELOG)).toBe(1)
  expect(countUnreleased('# Changelog\n\n## Unreleased\n\n- One.\n- Two.\n')).toBe(2)
  expect(countUnreleased(CHANGELOG.replace('- Something not yet released.\n', ''))).toBe(0)
  expect(countUnreleased('# Changelog\n\n## 1.0.0\n\n- One.\n')).toBe(0)
})

test.for<[homepage: string, files: readonly string[], said: string | undefined]>([
  ['https://hla.example.org/', [], 'replace hla.example.org in package.json'],
  ['https://hla.test/', ['SECURITY.md', 'CITATION.cff'], 'in SECURITY.md, CITATION.cff'],
  ['https://hla.test/', [], undefined],
])('%s and %j are a home, or are refused', async ([homepage, files, said]) => {
  const url = new URL('../../.build/release-notes.mjs', import.meta.url).href
  const { checkHome } = (await import(url)) as {
    checkHome: (homepage: string, files: readonly string[]) => void
  } // its type
  const check = () => checkHome(homepage, files)
  if (said === undefined) check()
  else expect(check).toThrow(said)
})

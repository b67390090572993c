/** Everything released together has one version. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')

function versionIn(path: string, pattern: RegExp): string | undefined {
  return pattern.exec(readFileSync(join(ROOT, path), 'utf8'))?.[1]
}

test('the packages for other languages and the citation have the version of the program', () => {
  const version = versionIn('package.json', /"version": "([^"]+)"/)
  expect(version).toMatch(/^\d+\.\d+\.\d+$/)
  expect({
    pyproject: versionIn('clients/python/pyproject.toml', /^version = "([^"]+)"$/m),
    python: versionIn('clients/python/src/hla/__init__.py', /^__version__ = "([^"]+)"$/m),
    r: versionIn('clients/r/DESCRIPTION', /^Version: (.+)$/m),
    citation: versionIn('CITATION.cff', /^version: (.+)$/m),
    codemeta: versionIn('codemeta.json', /"version": "([^"]+)"/),
    nextflow: versionIn(
      'docs/workflows/nextflow/modules/local/hla/redux/environment.yml',
      /bioconda::hla=(.+)$/m,
    ),
  }).toEqual({
    pyproject: version,
    python: version,
    r: version,
    citation: version,
    codemeta: version,
    nextflow: version,
  })
})

/** Every `docs/adr/…` in a comment or a page names an existing record, and a section of it. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { placesOf } from '../support/doc-page.ts'

const ROOT = join(import.meta.dirname, '../..')
const RECORDS = join(ROOT, 'docs/adr')
const REFERENCE = /docs\/adr\/([\w.-]*\w)(?:#([\w-]+))?/g

test('records that are referred to exist', () => {
  const references = sourceFiles().flatMap((path) =>
    [...readFileSync(join(ROOT, path), 'utf8').matchAll(REFERENCE)].map(([, file = '', place]) => ({
      path,
      file,
      place,
    })),
  )
  expect(references.length).toBeGreaterThan(30)
  expect(references.filter(({ file, place }) => !isRecord(file, place))).toEqual([])
})

test('records have at most 10,000 words', () => {
  const words = readdirSync(RECORDS).flatMap((name) => readFileSync(join(RECORDS, name), 'utf8').split(/\s+/))
  expect(words.length).toBeLessThan(10_000)
})

function isRecord(file: string, place: string | undefined): boolean {
  if (!existsSync(join(RECORDS, file))) return false
  return place === undefined || placesOf(readFileSync(join(RECORDS, file), 'utf8')).has(place)
}

function sourceFiles(): string[] {
  const folders = ['src', 'bin', '.build', 'test', 'clients', 'CHANGELOG.md', 'CONTRIBUTING.md']
  const listed = execFileSync('git', ['ls-files', ...folders], { cwd: ROOT, encoding: 'utf8' })
  return listed.split('\n').filter((path) => /\.(?:ts|m?js|cjs|md|py|R)$/.test(path))
}

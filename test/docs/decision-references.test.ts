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

test('records have at most 30,000 words', () => {
  const words = readdirSync(RECORDS).flatMap((name) => readFileSync(join(RECORDS, name), 'utf8').split(/\s+/))
  expect(words.length).toBeLessThan(30_000)
})

/** A number stands for the record whose file name begins with it. */
function isRecord(file: string, place: string | undefined): boolean {
  const name = /^\d{4}$/.test(file) ? readdirSync(RECORDS).find((record) => record.startsWith(file)) : file
  if (name === undefined || !existsSync(join(RECORDS, name))) return false
  return place === undefined || placesOf(readFileSync(join(RECORDS, name), 'utf8')).has(place)
}

function sourceFiles(): string[] {
  const folders = ['src', 'bin', '.build', 'test', 'clients', 'CHANGELOG.md', 'CONTRIBUTING.md']
  const listed = execFileSync('git', ['ls-files', ...folders], { cwd: ROOT, encoding: 'utf8' })
  return listed.split('\n').filter((path) => /\.(?:ts|m?js|cjs|md|py|R)$/.test(path))
}

/** docs/drive/specification.md has each section that comments, tests and pages cite. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
const page = readFileSync(join(ROOT, 'docs/drive/specification.md'), 'utf8')
const sections = new Set([...page.matchAll(/^##+ (\d+(?:\.\d+)?) /gm)].map(([, number]) => number))

function citations(folder: string): [file: string, section: string][] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => {
      const text = readFileSync(join(ROOT, folder, file), 'utf8')
      const cited = [...text.matchAll(/\bspec (\d+(?:\.\d+)?(?:(?:, |–| to )\d+(?:\.\d+)?)*)/g)]
      return cited.flatMap(([, numbers = '']) =>
        numbers.split(/, |–| to /).map((section): [string, string] => [`${folder}/${file}`, section]),
      )
    })
}

test('each section that is cited is there', () => {
  const cited = [...citations('src/drive'), ...citations('test/drive')]
  expect(cited.length).toBeGreaterThan(50)
  expect(cited.filter(([, section]) => !sections.has(section))).toEqual([])
})

test('each section of the choices is there', () => {
  const choices = readFileSync(join(ROOT, 'docs/drive/choices.md'), 'utf8')
  const cited = [...choices.matchAll(/\| ([\d., ]+) \|$/gm)].flatMap(([, numbers = '']) =>
    numbers.split(', '),
  )
  expect(cited.length).toBeGreaterThan(100)
  expect(cited.filter((section) => !sections.has(section))).toEqual([])
})

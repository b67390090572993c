/** Man pages and the migration guide match their definitions; HLA_UPDATE_DOCS rewrites them. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { loadPrograms } from '../../src/cli/commands/programs.ts'
import { manualFacts } from '../../src/cli/run/manual/show.ts'
import { generatedFiles } from '../../src/manual/generated-files.ts'

const ROOT = join(import.meta.dirname, '../..')
const files = generatedFiles(manualFacts(await loadPrograms()))

test('the generated files are fresh: if this fails, run "npm run docs" and commit what it writes', () => {
  if (process.env['HLA_UPDATE_DOCS']) write()
  const stale = [...files].filter(([path, text]) => textOf(path) !== text).map(([path]) => path)
  expect(stale, 'stale: run "npm run docs"').toEqual([])
  expect(manField(), 'package.json names other man pages: run "npm run docs"').toBe(manFieldNow())
  expect(leftOver(), 'of no command any more: run "npm run docs"').toEqual([])
})

const PACKAGE = 'package.json'
const MAN_FIELD = /^ {2}"man": \[[^\]]*\]/m

/** npm links the man pages that package.json lists; it expands a folder only when publishing. */
function manField(): string {
  return MAN_FIELD.exec(textOf(PACKAGE))?.[0] ?? ''
}

function manFieldNow(): string {
  const pages = [...files.keys()].filter((path) => path.startsWith('man/')).toSorted()
  return `  "man": ${JSON.stringify(pages, null, 2).replaceAll('\n', '\n  ')}`
}

function textOf(path: string): string {
  try {
    return readFileSync(join(ROOT, path), 'utf8')
  } catch {
    return ''
  }
}

/** Man pages of removed commands. */
function leftOver(): string[] {
  return readdirSync(join(ROOT, 'man'))
    .map((name) => `man/${name}`)
    .filter((path) => !files.has(path))
}

function write(): void {
  for (const [path, text] of files) {
    mkdirSync(dirname(join(ROOT, path)), { recursive: true })
    writeFileSync(join(ROOT, path), text)
  }
  // unchanged, it stays older than the build
  if (manField() !== manFieldNow())
    writeFileSync(join(ROOT, PACKAGE), textOf(PACKAGE).replace(MAN_FIELD, manFieldNow()))
  for (const path of leftOver()) rmSync(join(ROOT, path))
}

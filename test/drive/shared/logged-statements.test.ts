/** Logged statements are deterministic: none depends on time, chance or the order of rows. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../../../src/drive')
/** Folders with statements for PostgreSQL or for reading only. */
const ELSEWHERE = /persistence\/(?:shared|copy)\//

interface Text {
  readonly where: string
  readonly text: string
}

const COMMENT = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm
const LITERAL = /`(?:[^`\\]|\\[\s\S])*`|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/g

/** String literals of a source file, with placeholders as written. */
function textsOf(file: string): Text[] {
  const source = readFileSync(file, 'utf8').replaceAll(COMMENT, '')
  return [...source.matchAll(LITERAL)].map(([text]) => ({ where: file.slice(ROOT.length + 1), text }))
}

const texts = readdirSync(ROOT, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !ELSEWHERE.test(file))
  .flatMap((file) => textsOf(join(ROOT, file)))
  .filter(({ text }) => /\b(?:SELECT|INSERT|UPDATE|DELETE|CREATE)\b/.test(text))

const CHANCE = /\brandom\s*\(|\brandomblob\b|'now'|\bCURRENT_(?:TIME|DATE|TIMESTAMP)\b|\bunixepoch\(\)/i

/** The statement without brackets, which hold values and subqueries of one value. */
function outside(statement: string): string {
  for (let before = statement; ; before = statement) {
    statement = before.replaceAll(/\([^()]*\)/g, '')
    if (statement === before) return statement
  }
}

/** Whether the statement inserts selected rows without ORDER BY. */
function isUnordered(statement: string): boolean {
  const left = outside(statement)
  return (
    /\b(?:INSERT|REPLACE)\b/.test(left) && /\bSELECT\b|\$\{select\}/.test(left) && !/\bORDER BY\b/.test(left)
  )
}

const isWrong = (text: string) => CHANCE.test(text) || text.split(';').some(isUnordered)

test('no statement depends on time, chance or the order of rows', () => {
  expect(texts.length).toBeGreaterThan(300)
  expect(texts.filter(({ text }) => isWrong(text))).toEqual([])
})

test.each([
  'INSERT INTO a SELECT abs(random()) FROM b ORDER BY 1',
  'UPDATE a SET b = randomblob(4)',
  `UPDATE a SET at = strftime('%s', 'now')`,
  'CREATE TABLE a(at DEFAULT CURRENT_TIMESTAMP)',
  'INSERT INTO a(b) SELECT b FROM c WHERE d IN (SELECT e FROM f ORDER BY e)',
  'INSERT OR IGNORE INTO a VALUES (1); REPLACE INTO a SELECT b FROM c ON CONFLICT DO NOTHING',
])('%s is found', (text) => expect(isWrong(text)).toBe(true))

test.each([
  'INSERT INTO a(b) VALUES ((SELECT max(b) FROM c))',
  'INSERT INTO a(b) SELECT b FROM c ORDER BY b',
  'SELECT b FROM c',
])('%s is not', (text) => expect(isWrong(text)).toBe(false))

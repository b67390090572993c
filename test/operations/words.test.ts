/** Advice is never an option of the command line for those who do not sit before one. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { HlaError } from '../../src/errors.ts'
import { errorInWording, inWording, outputInWording } from '../../src/operations/wording.ts'

test.for([
  ['use A*01:04N, or --accept suffix', 'use A*01:04N, or "accept": ["suffix"]', 'use A*01:04N, or accept=suffix', 'use A*01:04N, or tick "read careless spellings"'], // prettier-ignore
  ['use A*01:04N, or --accept suffix,case', 'use A*01:04N, or "accept": ["suffix", "case"]', 'use A*01:04N, or accept=suffix,case', 'use A*01:04N, or tick "read careless spellings"'], // prettier-ignore
  ['use A*01:01, or --lift to translate old names', 'use A*01:01, or "lift": true to translate old names', 'use A*01:01, or "lift": true to translate old names', 'use A*01:01'], // prettier-ignore
  ['hla data install 3.58.0 for the full release', 'what it needs can be installed where it is answered', 'what it needs can be installed where it is answered', 'what it needs can be installed where it is answered'], // prettier-ignore
  ['change it with --limit; --limit 0 removes it', '"options": {"limit": …} sets it, as far as the service allows', '"options": {"limit": …} sets it, as far as the service allows', ''], // prettier-ignore
  ['hla redux -m U2 takes whole GL Strings', 'redux with method U2 takes whole GL Strings', 'redux with method U2 takes whole GL Strings', 'redux with method U2 takes whole GL Strings'], // prettier-ignore
  ['choose with --bare-digits antigen, first-field or v2', 'choose with "bare_digits": "antigen", first-field or v2', 'choose with bare_digits=antigen, first-field or v2', 'write antigens with their letters (A2), first fields as 02:XX'], // prettier-ignore
  ['say which: --bare-digits antigen or v2; --bare-digits error reports each cell', 'say which: "bare_digits": "antigen" or v2; "bare_digits": "error" reports each cell', 'say which: bare_digits=antigen or v2; bare_digits=error reports each cell', 'write antigens with their letters (A2), first fields as 02:XX'], // prettier-ignore
  ['say which: -l A=x,y   or exclude some with -x', 'say which: locus=A=x,y   or exclude some with exclude=', 'say which: locus=A=x,y   or exclude some with exclude=', 'say which: Columns of a locus: A=x,y   or exclude some with the typing columns'], // prettier-ignore
  ['first named in 3.20.0\n--quote none if quotes have no meaning in this table', 'first named in 3.20.0', 'first named in 3.20.0', 'first named in 3.20.0'], // prettier-ignore
  ['no name starts with A*99', 'no name starts with A*99', 'no name starts with A*99', 'no name starts with A*99'], // prettier-ignore
] as const)('%s', ([text, request, query, page]) => {
  expect(inWording(text, 'command-line')).toBe(text)
  expect(inWording(text, 'request')).toBe(request)
  expect(inWording(text, 'query')).toBe(query)
  expect(inWording(text, 'page')).toBe(page)
})

test('errors and outputs say the same in other words, and nothing else changes', () => {
  const details = { offending: 'x', position: [0, 1] as const, suggestions: ['y'], facts: { found: 'z' } }
  const error = new HlaError('missing-suffix', 'no such name', {
    ...details,
    hint: 'use y, or --accept suffix',
  })
  expect(errorInWording(error, 'request')).toMatchObject({ ...details, code: 'missing-suffix', hint: 'use y, or "accept": ["suffix"]' }) // prettier-ignore
  expect(errorInWording(error, 'command-line')).toBe(error)
  const starter = new HlaError('starter', 'not in the starter set', {
    hint: 'hla data install 3.58.0 for the full release',
  })
  expect(errorInWording(starter, 'request').hint).toBe('what it needs can be installed where it is answered')
  const output = {
    ard: '--accept suffix',
    notes: [{ code: 'limited', message: 'there are more; --limit 2 lists the first' }],
    problems: [{ message: 'no', hint: '--encoding sets it' }],
  }
  expect(outputInWording(output, 'request')).toEqual({
    ard: '--accept suffix',
    notes: [{ code: 'limited', message: 'there are more; "limit": 2 lists the first' }],
    problems: [{ message: 'no' }],
  })
})

describe('whatever is said in the sources', () => {
  const SRC = join(import.meta.dirname, '../../src')
  const FOLDERS = ['nomenclature', 'engine', 'operations', 'table', 'reference/store']
  const said = FOLDERS.flatMap((folder) =>
    readdirSync(join(SRC, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && file !== 'words.ts')
      .flatMap((file) => textsIn(readFileSync(join(SRC, folder, file), 'utf8'))),
  )

  test('there is something', () => expect(said.length).toBeGreaterThan(30))

  test.for(said)('%s', (text) => {
    for (const words of ['request', 'query', 'page'] as const)
      expect(inWording(text, words)).not.toMatch(/--[a-z]|\bhla (?:redux|mac|data|help)\b/)
  })

  /** String literals with an option or a command in them; comments and examples of commands are none. */
  function textsIn(source: string): string[] {
    const lines = source.split('\n').filter((line) => !/^\s*(?:\/\/|\/?\*)|command:|^\s*\[?"/.test(line))
    return lines.flatMap((line) =>
      [...line.matchAll(/'((?:[^'\\]|\\.)*)'|`([^`]*)`/g)]
        .map(([, one, other]) => one ?? other ?? '')
        .filter((text) => /--[a-z]|\bhla (?:redux|mac|data|help)\b/.test(text)),
    )
  }
})

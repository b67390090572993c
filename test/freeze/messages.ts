/**
 * Every text that the program may show: sentences in `src`, each with the error code beside it, and every help line.
 * [disk]
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Expression, parseSync, Visitor } from 'oxc-parser'
import { ERROR_CODES } from '../../src/errors.ts'
import { packagePath } from '../../src/package-root.ts'

const CODES = new Set<string>(ERROR_CODES)

/** At least two words; excludes SQL, CSS and markup. */
const SENTENCE = /\p{L}[\p{L}'-]*[ ,:;]+.*\p{L}/u
const OTHER =
  /^\s*(?:SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|DROP|PRAGMA|WITH|WHERE|ORDER|AND|FROM|JOIN|LEFT|BEGIN|SAVEPOINT|RELEASE|VALUES|UNION|EXISTS|REPLACE|LISTEN|NOTIFY|SET|LOCK|EXPLAIN|ON CONFLICT)\b|^\s*<|\{\s*[\w-]+:/

/** `code<tab>text`, sorted and distinct, so that moving a file changes nothing. Values are `${…}`. */
export function messageLines(): string[] {
  const root = packagePath('src')
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  )
  const lines = files.flatMap((file) => messagesIn(file, readFileSync(join(root, file), 'utf8')))
  return [...new Set(lines)].toSorted((one, other) => (one < other ? -1 : 1))
}

function messagesIn(file: string, source: string): string[] {
  const found = new Map<number, string>()
  const codes: { readonly start: number; readonly end: number; readonly code: string }[] = []
  const note = (start: number, text: string) => {
    if (SENTENCE.test(text) && !OTHER.test(text)) found.set(start, text)
  }
  const noteCall = ({
    start,
    end,
    arguments: given,
  }: {
    start: number
    end: number
    arguments: readonly (Expression | { type: 'SpreadElement' })[]
  }) => {
    for (const one of given) {
      if (one.type === 'Literal' && typeof one.value === 'string' && CODES.has(one.value))
        codes.push({ start, end, code: one.value })
    }
  }
  const { program } = parseSync(file, source)
  new Visitor({
    Literal({ start, value }) {
      if (typeof value === 'string') note(start, value)
    },
    TemplateLiteral({ start, quasis }) {
      note(start, quasis.map(({ value }) => value.cooked ?? value.raw).join('${…}'))
    },
    CallExpression: noteCall,
    NewExpression: noteCall,
    Property({ start, end, key, value }) {
      // a row of the table of errors, and a note with its code
      if (key.type === 'Literal' && typeof key.value === 'string' && CODES.has(key.value))
        codes.push({ start, end, code: key.value })
      if (
        key.type === 'Identifier' &&
        key.name === 'code' &&
        value.type === 'Literal' &&
        typeof value.value === 'string'
      ) {
        codes.push({ start: start - 300, end: end + 300, code: value.value })
      }
    },
  }).visit(program)
  return [...found].map(
    ([start, text]) => `${innermost(codes, start)}\t${text.replaceAll(/\s*\n\s*/g, ' ⏎ ')}`,
  )
}

function innermost(
  codes: readonly { readonly start: number; readonly end: number; readonly code: string }[],
  place: number,
): string {
  const around = codes.filter(({ start, end }) => start <= place && place < end)
  return around.toSorted((one, other) => one.end - one.start - (other.end - other.start))[0]?.code ?? '-'
}

/** One test of a search: `field op value`, `value in collection`, `properties has { … }` or the bare name of a flag. */
import { parseDate } from '../dates.ts'
import { type FieldKind, VISIBILITIES } from './q-fields.ts'
import { accept, expectMark, peekToken, type Reader, take, takeString } from './q-reader.ts'
import { invalidQuery, type Token } from './q-scan.ts'
import type { Comparison, FlagField, QPosition, QTest } from './q-tree.ts'

const COMPARISONS: readonly Comparison[] = ['=', '!=', '<', '<=', '>', '>=']
const LONGEST_SHOWN = 40

export function parseTest(reader: Reader): QTest {
  const first = take(reader)
  if (first.kind === 'string') return parseMember(reader, first)
  if (first.kind !== 'word') throw invalidQuery('a field, a string, "not" or "(" expected', first.at)
  const field = reader.vocabulary.get(first.text.toLowerCase())
  if (field === undefined)
    throw invalidQuery(`no such field: ${first.text.slice(0, LONGEST_SHOWN)}`, first.at)
  switch (field.kind) {
    case 'text':
      return parseText(reader, field, first)
    case 'date':
      return parseDated(reader, field, first)
    case 'flag':
      return parseFlag(reader, field.field, first)
    case 'count':
      return parseCount(reader, field, first)
    case 'properties':
      return parseProperty(reader, first)
    case 'collection':
      throw invalidQuery(`a string and "in" expected before ${field.field}`, first.at)
  }
}

type Of<Kind> = Extract<FieldKind, { readonly kind: Kind }>

/** `'id' in parents` */
function parseMember(reader: Reader, value: Token): QTest {
  if (!accept(reader, 'in')) throw invalidQuery('"in" expected', peekToken(reader).at)
  const name = take(reader)
  const field = name.kind === 'word' ? reader.vocabulary.get(name.text.toLowerCase()) : undefined
  if (field?.kind !== 'collection') throw invalidQuery('the name of a collection expected', name.at)
  const text = field.field === 'parents' ? resolveAlias(value.text) : value.text
  return { kind: 'member', of: field.field, value: text, at: span(value, name) }
}

/** Clients write `Root`, and three names for the folder of an application's data. */
function resolveAlias(id: string): string {
  const lower = id.toLowerCase()
  if (lower === 'root') return 'root'
  return ['appdatafolder', 'appfolder', 'appdata'].includes(lower) ? 'appDataFolder' : id
}

function parseText(reader: Reader, { field, ops }: Of<'text'>, name: Token): QTest {
  const op = take(reader)
  const known = op.text.toLowerCase()
  if (!ops.includes(known) || op.kind === 'string') throw wrongOperator(field, ops, op)
  const value = takeString(reader)
  if (field === 'visibility' && !VISIBILITIES.some((one) => one === value.text)) {
    throw invalidQuery(`one of ${VISIBILITIES.join(', ')} expected`, value.at)
  }
  // `ops` has no others
  return {
    kind: 'text',
    field,
    op: known as '=' | '!=' | 'contains',
    value: value.text,
    at: span(name, value),
  }
}

function parseDated(reader: Reader, { field }: Of<'date'>, name: Token): QTest {
  const op = takeComparison(reader, field)
  const value = takeString(reader)
  const date = parseDate(value.text)
  if (date === undefined) throw invalidQuery('a date such as 2026-01-31T12:00:00Z expected', value.at)
  return { kind: 'date', field, op, value: date, at: span(name, value) }
}

/** `trashed = false`, `starred != true`, or the name alone. */
function parseFlag(reader: Reader, field: FlagField, name: Token): QTest {
  const { kind, text } = peekToken(reader)
  if (kind !== 'mark' || text === ')') return { kind: 'flag', field, value: true, at: name.at }
  const op = take(reader)
  if (op.text !== '=' && op.text !== '!=') throw wrongOperator(field, ['=', '!='], op)
  const value = take(reader)
  const word = value.kind === 'word' ? value.text.toLowerCase() : ''
  if (word !== 'true' && word !== 'false') throw invalidQuery('true or false expected', value.at)
  return { kind: 'flag', field, value: (word === 'true') === (op.text === '='), at: span(name, value) }
}

function parseCount(reader: Reader, { field }: Of<'count'>, name: Token): QTest {
  const op = takeComparison(reader, field)
  const value = take(reader)
  if (value.kind !== 'number') throw invalidQuery('a number expected', value.at)
  return { kind: 'count', field, op, value: Number(value.text), at: span(name, value) }
}

/** `has { key='k' and value='v' and visibility='PUBLIC' }` */
function parseProperty(reader: Reader, name: Token): QTest {
  if (!accept(reader, 'has')) throw wrongOperator('properties', ['has'], peekToken(reader))
  expectMark(reader, '{')
  const found: { key?: string; value?: string; visibility?: 'PUBLIC' | 'PRIVATE' } = {}
  do parsePair(reader, found)
  while (accept(reader, 'and'))
  const end = peekToken(reader)
  expectMark(reader, '}')
  const { key, value, visibility } = found
  if (key === undefined) throw invalidQuery('the key of the property is missing', end.at)
  return { kind: 'property', key, value, visibility, at: span(name, end) }
}

function parsePair(
  reader: Reader,
  found: { key?: string; value?: string; visibility?: 'PUBLIC' | 'PRIVATE' },
): void {
  const name = take(reader)
  const part = name.kind === 'word' ? name.text.toLowerCase() : ''
  if (part !== 'key' && part !== 'value' && part !== 'visibility') {
    throw invalidQuery('key, value or visibility expected', name.at)
  }
  if (found[part] !== undefined) throw invalidQuery(`${part} is there twice`, name.at)
  expectMark(reader, '=')
  const value = takeString(reader)
  if (part === 'visibility') found.visibility = readVisibility(value)
  else found[part] = value.text
}

function readVisibility(value: Token): 'PUBLIC' | 'PRIVATE' {
  const upper = value.text.toUpperCase()
  if (upper === 'PUBLIC' || upper === 'PRIVATE') return upper
  throw invalidQuery('PUBLIC or PRIVATE expected', value.at)
}

function takeComparison(reader: Reader, field: string): Comparison {
  const token = take(reader)
  const op = token.kind === 'mark' ? COMPARISONS.find((one) => one === token.text) : undefined
  if (op === undefined) throw wrongOperator(field, COMPARISONS, token)
  return op
}

function wrongOperator(field: string, ops: readonly string[], token: Token): Error {
  return invalidQuery(`${ops.join(' ')} expected after ${field}`, token.at)
}

function span(first: Token, last: Token): QPosition {
  return [first.at[0], last.at[1]]
}

/** Parser of one test of a search: `field op value`, `value in collection`, `properties has { … }` or a bare flag. */
import { wordsIn } from '../../contract/kinds.ts'
import { parseDate } from '../dates.ts'
import {
  type Comparison,
  type FieldKind,
  type FlagField,
  type QNode,
  type QPosition,
  type QTest,
  type Reader,
  type Token,
  VISIBILITIES,
  acceptToken,
  expectMark,
  invalidQuery,
  peekToken,
  takeToken,
  takeString,
} from './q-fields.ts'

const COMPARISONS: readonly Comparison[] = ['=', '!=', '<', '<=', '>', '>=']
const MAX_SHOWN_LENGTH = 40

export function parseTest(reader: Reader): QTest {
  const first = takeToken(reader)
  if (first.kind === 'string') return parseMember(reader, first)
  if (first.kind !== 'word') throw invalidQuery('a field, a string, "not" or "(" expected', first.at)
  const field = reader.vocabulary.get(first.text.toLowerCase())
  if (field === undefined)
    throw invalidQuery(`no such field: ${first.text.slice(0, MAX_SHOWN_LENGTH)}`, first.at)
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
  if (!acceptToken(reader, 'in')) throw invalidQuery('"in" expected', peekToken(reader).at)
  const name = takeToken(reader)
  const field = name.kind === 'word' ? reader.vocabulary.get(name.text.toLowerCase()) : undefined
  if (field?.kind !== 'collection')
    throw invalidQuery('the name of a collection, such as parents, expected', name.at)
  const text = field.field === 'parents' ? resolveAlias(value.text) : value.text
  return { kind: 'member', of: field.field, value: text, at: span(value, name) }
}

/** Normalises `root` in any case, and three names of the application data folder. */
function resolveAlias(id: string): string {
  const lower = id.toLowerCase()
  if (lower === 'root') return 'root'
  return ['appdatafolder', 'appfolder', 'appdata'].includes(lower) ? 'appDataFolder' : id
}

function parseText(reader: Reader, { field, ops }: Of<'text'>, name: Token): QTest {
  const op = takeToken(reader)
  const known = op.text.toLowerCase()
  if (!ops.includes(known) || op.kind === 'string') throw wrongOperator(field, ops, op)
  const value = takeString(reader)
  if (field === 'visibility' && !VISIBILITIES.some((one) => one === value.text)) {
    throw invalidQuery(`one of ${VISIBILITIES.join(', ')} expected`, value.at)
  }
  // `ops` contains only these three
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

/** `trashed = false`, `starred != true`, or the bare name. */
function parseFlag(reader: Reader, field: FlagField, name: Token): QTest {
  const { kind, text } = peekToken(reader)
  if (kind !== 'mark' || text === ')') return { kind: 'flag', field, value: true, at: name.at }
  const op = takeToken(reader)
  if (op.text !== '=' && op.text !== '!=') throw wrongOperator(field, ['=', '!='], op)
  const value = takeToken(reader)
  const word = value.kind === 'word' ? value.text.toLowerCase() : ''
  if (word !== 'true' && word !== 'false') throw invalidQuery('true or false expected', value.at)
  return { kind: 'flag', field, value: (word === 'true') === (op.text === '='), at: span(name, value) }
}

function parseCount(reader: Reader, { field }: Of<'count'>, name: Token): QTest {
  const op = takeComparison(reader, field)
  const value = takeToken(reader)
  if (value.kind !== 'number') throw invalidQuery('a number expected', value.at)
  return { kind: 'count', field, op, value: Number(value.text), at: span(name, value) }
}

/** `has { key='k' and value='v' and visibility='PUBLIC' }` */
function parseProperty(reader: Reader, name: Token): QTest {
  if (!acceptToken(reader, 'has')) throw wrongOperator('properties', ['has'], peekToken(reader))
  expectMark(reader, '{')
  const found: { key?: string; value?: string; visibility?: 'PUBLIC' | 'PRIVATE' } = {}
  do parsePair(reader, found)
  while (acceptToken(reader, 'and'))
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
  const name = takeToken(reader)
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
  const token = takeToken(reader)
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

/** Maximum cost of a query. A comparison of columns costs 1; a lookup in another table or the word index costs up to 8. */
export const MAX_COST = 512
const LOOKUP = 8
/** Cost of each further test in a group. */
const MORE = 0.25

interface Grouped {
  /** Groups of tests of one kind, evaluated in one lookup: does one of them hold? */
  readonly groups: readonly (readonly QTest[])[]
  readonly rest: readonly QNode[]
}

/**
 * Groups the parts of `a or b or …`, or those of `not a and not b and …`. Duplicates are removed. For `and`, the groups
 * are the negated tests, none of which may hold.
 */
export function groupTests(kind: 'and' | 'or', parts: readonly QNode[]): Grouped {
  const groups = new Map<string, Map<string, QTest>>()
  const rest = new Map<string, QNode>()
  for (const part of parts) {
    const test = kind === 'or' ? part : negatedBy(part)
    const group = test === undefined ? undefined : findGroup(test)
    if (group === undefined) {
      rest.set(JSON.stringify(part, withoutPosition), part)
      continue
    }
    const tests = groups.get(group.name) ?? new Map<string, QTest>()
    groups.set(group.name, tests.set(JSON.stringify(group.test, withoutPosition), group.test))
  }
  return { groups: [...groups.values()].map((tests) => [...tests.values()]), rest: [...rest.values()] }
}

function withoutPosition(name: string, value: unknown): unknown {
  return name === 'at' ? undefined : value
}

/** Test negated by `not` or `!=`. */
function negatedBy(node: QNode): QNode | undefined {
  if (node.kind === 'not') return node.inner
  return node.kind === 'text' && node.op === '!=' ? { ...node, op: '=' } : undefined
}

/** Returns undefined if the test cannot be grouped. */
function findGroup(test: QNode): { readonly name: string; readonly test: QTest } | undefined {
  if (test.kind === 'member')
    return test.of === 'parents' || test.of === 'labels' ? { name: test.of, test } : undefined
  if (test.kind === 'property')
    return { name: `property ${test.value === undefined} ${test.visibility}`, test }
  if (test.kind !== 'text') return undefined
  if (isTermTest(test)) return { name: 'words', test }
  const isListed = test.op === '=' && (test.field === 'title' || test.field === 'mimeType')
  return isListed ? { name: test.field, test } : undefined
}

/** `title contains` and `fullText contains`, which use the word index. */
export function isTermTest({ field, op }: Extract<QTest, { readonly kind: 'text' }>): boolean {
  return op === 'contains' && (field === 'title' || field === 'fullText')
}

export function estimateCost(node: QNode): number {
  switch (node.kind) {
    case 'and':
    case 'or': {
      const { groups, rest } = groupTests(node.kind, node.parts)
      return sum(groups.map(estimateGroup)) + sum(rest.map(estimateCost))
    }
    case 'not':
      return estimateCost(node.inner)
    default:
      return estimateTest(node)
  }
}

function estimateGroup(tests: readonly QTest[]): number {
  const [first = 0, ...others] = tests.map(estimateTest)
  const isWords = tests[0]?.kind === 'text' && isTermTest(tests[0])
  // tests of other groups cost the same
  return first + (isWords ? sum(others) : others.length * MORE)
}

function estimateTest(test: QTest): number {
  switch (test.kind) {
    case 'member':
    case 'property':
      return LOOKUP
    case 'flag':
      return test.field === 'sharedWithMe' ? LOOKUP : 1
    case 'text':
      if (test.field === 'visibility') return LOOKUP
      return isTermTest(test) ? LOOKUP * wordsIn(test.value).length : 1
    default:
      return 1
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((one, other) => one + other, 0)
}

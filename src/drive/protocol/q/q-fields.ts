/** Searchable fields of files and shared drives, and the parts of the search language. */
import { type StorageFailure, invalid, invalidParameter } from '../../contract/failure.ts'

export type FieldKind =
  | { readonly kind: 'text'; readonly field: TextField; readonly ops: readonly string[] }
  | { readonly kind: 'date'; readonly field: DateField }
  | { readonly kind: 'flag'; readonly field: FlagField }
  | { readonly kind: 'count'; readonly field: CountField }
  | { readonly kind: 'collection'; readonly field: Collection }
  | { readonly kind: 'properties' }

/** Fields by lower-case name, because names are case-insensitive. */
export type Vocabulary = ReadonlyMap<string, FieldKind>

const EQUALITY = ['=', '!=']
const TEXT = ['=', '!=', 'contains']

export const FILE_FIELDS: Vocabulary = new Map([
  ...text('title', TEXT),
  ...text('fullText', ['contains']),
  ...text('mimeType', TEXT),
  ...text('fileExtension', EQUALITY),
  ...text('shortcutDetails.targetId', EQUALITY),
  ...text('visibility', EQUALITY),
  ...dates('modifiedDate', 'createdDate', 'lastViewedByMeDate', 'sharedWithMeDate'),
  ...flags('trashed', 'starred', 'sharedWithMe'),
  ...collections('parents', 'owners', 'writers', 'readers', 'labels'),
  ['properties', { kind: 'properties' }],
])

export const DRIVE_FIELDS: Vocabulary = new Map([
  ...text('name', TEXT),
  ...dates('createdDate'),
  ...flags('hidden'),
  ...counts('memberCount', 'organizerCount'),
])

export const VISIBILITIES = [
  'anyoneCanFind',
  'anyoneWithLink',
  'domainCanFind',
  'domainWithLink',
  'limited',
] as const

function text(field: TextField, ops: readonly string[]): [string, FieldKind][] {
  return [[field.toLowerCase(), { kind: 'text', field, ops }]]
}

function dates(...fields: readonly DateField[]): [string, FieldKind][] {
  return fields.map((field) => [field.toLowerCase(), { kind: 'date', field }])
}

function flags(...fields: readonly FlagField[]): [string, FieldKind][] {
  return fields.map((field) => [field.toLowerCase(), { kind: 'flag', field }])
}

function counts(...fields: readonly CountField[]): [string, FieldKind][] {
  return fields.map((field) => [field.toLowerCase(), { kind: 'count', field }])
}

function collections(...fields: readonly Collection[]): [string, FieldKind][] {
  return fields.map((field) => [field, { kind: 'collection', field }])
}

/** Half-open range of UTF-16 units in the query text. */
export type QPosition = readonly [start: number, end: number]

export type Comparison = '=' | '!=' | '<' | '<=' | '>' | '>='

type TextField =
  | 'title'
  | 'fullText'
  | 'mimeType'
  | 'fileExtension'
  | 'shortcutDetails.targetId'
  | 'visibility'
  | 'name'

type DateField = 'modifiedDate' | 'createdDate' | 'lastViewedByMeDate' | 'sharedWithMeDate'

export type FlagField = 'trashed' | 'starred' | 'sharedWithMe' | 'hidden'

type CountField = 'memberCount' | 'organizerCount'

type Collection = 'parents' | 'owners' | 'writers' | 'readers' | 'labels'

export type QTest = (
  | {
      readonly kind: 'text'
      readonly field: TextField
      readonly op: '=' | '!=' | 'contains'
      readonly value: string
    }
  /** Milliseconds since 1970. */
  | { readonly kind: 'date'; readonly field: DateField; readonly op: Comparison; readonly value: number }
  /** `starred != true` has the value false. */
  | { readonly kind: 'flag'; readonly field: FlagField; readonly value: boolean }
  | { readonly kind: 'count'; readonly field: CountField; readonly op: Comparison; readonly value: number }
  /** Folder aliases are normalised to `root` and `appDataFolder`. */
  | { readonly kind: 'member'; readonly of: Collection; readonly value: string }
  | {
      readonly kind: 'property'
      readonly key: string
      readonly value: string | undefined
      readonly visibility: 'PUBLIC' | 'PRIVATE' | undefined
    }
) & { readonly at: QPosition }

/** `and` and `or` have at least two parts, none of the same kind. */
export type QNode =
  | { readonly kind: 'and' | 'or'; readonly parts: readonly QNode[] }
  | { readonly kind: 'not'; readonly inner: QNode }
  | QTest

/** Flattens `((a and b) and c)` to `a and b and c`. */
export function join(kind: 'and' | 'or', left: QNode, right: QNode): QNode {
  return {
    kind,
    parts: [left, right].flatMap((node) => (isJoin(node) && node.kind === kind ? node.parts : [node])),
  }
}

/** Yields every test, in the order of the text. */
export function* walkTests(node: QNode): Generator<QTest> {
  if (isJoin(node)) {
    for (const part of node.parts) yield* walkTests(part)
  } else if (node.kind === 'not') {
    yield* walkTests(node.inner)
  } else {
    yield node
  }
}

function isJoin(node: QNode): node is Extract<QNode, { readonly parts: unknown }> {
  return node.kind === 'and' || node.kind === 'or'
}

export const ORDER_KEYS = [
  'createdDate',
  'folder',
  'lastViewedByMeDate',
  'modifiedByMeDate',
  'modifiedDate',
  'quotaBytesUsed',
  'recency',
  'sharedWithMeDate',
  'starred',
  'title',
  'title_natural',
] as const

export type OrderKey = (typeof ORDER_KEYS)[number]

export interface Order {
  readonly key: OrderKey
  readonly isDescending: boolean
}

const MAX_ORDER_LENGTH = 1000
const PART = /^\s*(\w+)(?:\s+(asc|desc))?\s*$/i

/** The first of repeated keys counts. Blank: no order. @throws {StorageFailure} 400 invalidParameter */
export function parseOrderBy(text: string | undefined): readonly Order[] {
  if (text === undefined || text.trim() === '') return []
  if (text.length > MAX_ORDER_LENGTH) throw invalidParameter('orderBy', 'Invalid orderBy: it is too long')
  const orders = new Map<OrderKey, Order>()
  for (const part of text.split(',')) {
    const order = parsePart(part)
    if (!orders.has(order.key)) orders.set(order.key, order)
  }
  return [...orders.values()]
}

function parsePart(part: string): Order {
  const [, name, direction] = PART.exec(part) ?? []
  const key = ORDER_KEYS.find((known) => known === name)
  if (key === undefined) {
    throw invalidParameter(
      'orderBy',
      `Invalid orderBy '${part.trim()}': one of ${ORDER_KEYS.join(', ')} expected`,
    )
  }
  return { key, isDescending: direction?.toLowerCase() === 'desc' }
}

export interface Reader {
  readonly tokens: readonly Token[]
  readonly vocabulary: Vocabulary
  next: number
  /** Number of tests read so far. */
  tests: number
}

const END: Token = { kind: 'end', text: '', at: [0, 0] }

/** Returns the next token; the last one is the end token. */
export function peekToken(reader: Reader): Token {
  return reader.tokens[reader.next] ?? END
}

export function takeToken(reader: Reader): Token {
  const token = peekToken(reader)
  reader.next += 1
  return token
}

/** Consumes the next token if it is this word, in any case, or this mark. Returns whether it did. */
export function acceptToken(reader: Reader, text: string): boolean {
  const { kind, text: written } = peekToken(reader)
  const isIt = (kind === 'word' && written.toLowerCase() === text) || (kind === 'mark' && written === text)
  if (isIt) reader.next += 1
  return isIt
}

/** @throws {StorageFailure} 400 invalid — another token comes next */
export function expectMark(reader: Reader, text: string): void {
  if (!acceptToken(reader, text)) throw invalidQuery(`"${text}" expected`, peekToken(reader).at)
}

export function takeString(reader: Reader): Token {
  const token = takeToken(reader)
  if (token.kind !== 'string') throw invalidQuery('a string in quotes expected', token.at)
  return token
}

export interface Token {
  readonly kind: 'word' | 'string' | 'number' | 'mark' | 'end'
  /** A string without quotes and escapes; a word as written. */
  readonly text: string
  readonly at: QPosition
}

const BLANKS = /\s*/y
const WORD = /[A-Za-z_][\w.]*/y
const NUMBER = /\d{1,15}(?![\w.])/y
const MARK = /!=|<=|>=|[=<>(){}]/y
/** String up to the same quote without a backslash before it. */
const STRING = /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/sy

/** The last token is the end. @throws {StorageFailure} 400 invalid, location q */
export function scanQuery(text: string): Token[] {
  const tokens: Token[] = []
  let at = skipBlanks(text, 0)
  while (at < text.length) {
    const token = tokenAt(text, at)
    tokens.push(token)
    at = skipBlanks(text, token.at[1])
  }
  tokens.push({ kind: 'end', text: '', at: [text.length, text.length] })
  return tokens
}

/** The message has the position, counted from 1. */
export function invalidQuery(message: string, [start]: QPosition): StorageFailure {
  return invalid(`Invalid query at character ${start + 1}: ${message}`, 'q')
}

function skipBlanks(text: string, at: number): number {
  BLANKS.lastIndex = at
  BLANKS.exec(text)
  return BLANKS.lastIndex
}

function tokenAt(text: string, at: number): Token {
  const quote = text[at]
  if (quote === "'" || quote === '"') return stringAt(text, at)
  const word = matchAt(WORD, text, at)
  if (word !== undefined) return { kind: 'word', text: word, at: [at, at + word.length] }
  const number = matchAt(NUMBER, text, at)
  if (number !== undefined) return { kind: 'number', text: number, at: [at, at + number.length] }
  const mark = matchAt(MARK, text, at)
  if (mark !== undefined) return { kind: 'mark', text: mark, at: [at, at + mark.length] }
  throw invalidQuery('no such character', [at, at + 1])
}

function stringAt(text: string, at: number): Token {
  const written = matchAt(STRING, text, at)
  if (written === undefined) throw invalidQuery('the string has no closing quote', [at, text.length])
  // other backslashes are literal
  const value = written.slice(1, -1).replace(/\\(['"\\])/g, '$1')
  return { kind: 'string', text: value, at: [at, at + written.length] }
}

function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0]
}

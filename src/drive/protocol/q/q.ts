/** `q`, the search language (spec 8): text -> tree. */
import { invalid } from '../../contract/failure.ts'
import { LIMITS } from '../../contract/limits.ts'
import { MAX_COST, estimateCost, parseTest } from './q-test.ts'
import {
  DRIVE_FIELDS,
  FILE_FIELDS,
  type QNode,
  type Reader,
  type Vocabulary,
  acceptToken,
  expectMark,
  invalidQuery,
  join,
  peekToken,
  scanQuery,
} from './q-fields.ts'

/** Default maximum in bytes of UTF-8. */
const MAX_QUERY_BYTES = LIMITS['query-bytes'].standard
const MAX_TESTS = 512
const MAX_DEPTH = 50

/** Query of `files.list` and `children.list`. Undefined if blank. @throws {StorageFailure} 400 invalid, location q */
export function parseFileQuery(
  text: string | undefined,
  longest: number = MAX_QUERY_BYTES,
): QNode | undefined {
  return parseQuery(text, longest, FILE_FIELDS)
}

/** Query of `drives.list`. @throws {StorageFailure} 400 invalid, location q */
export function parseDriveQuery(
  text: string | undefined,
  longest: number = MAX_QUERY_BYTES,
): QNode | undefined {
  return parseQuery(text, longest, DRIVE_FIELDS)
}

function parseQuery(text: string | undefined, longest: number, vocabulary: Vocabulary): QNode | undefined {
  if (text === undefined) return undefined
  if (Buffer.byteLength(text) > longest)
    throw invalidQuery(`it is longer than ${longest} bytes`, [Math.min(longest, text.length), text.length])
  const unstorable = Math.max(text.indexOf('\0'), text.search(/\p{Surrogate}/u))
  if (unstorable >= 0) throw invalidQuery('no such character', [unstorable, text.length])
  const reader: Reader = { tokens: scanQuery(text), vocabulary, next: 0, tests: 0 }
  if (peekToken(reader).kind === 'end') return undefined
  const node = parseExpression(reader, 0)
  const rest = peekToken(reader)
  if (rest.kind !== 'end') throw invalidQuery('"and", "or" or the end expected', rest.at)
  if (estimateCost(node) > MAX_COST)
    throw invalid(
      'The query is too complex: it has too many words, or tests that each look something up.',
      'q',
    )
  return node
}

/** `and` and `or` have equal precedence and are left-associative, as documented: `a or b and c` is `(a or b) and c`. */
function parseExpression(reader: Reader, depth: number): QNode {
  let node = parseTerm(reader, depth)
  for (;;) {
    const kind = acceptToken(reader, 'and') ? 'and' : acceptToken(reader, 'or') ? 'or' : undefined
    if (kind === undefined) return node
    node = join(kind, node, parseTerm(reader, depth))
  }
}

function parseTerm(reader: Reader, depth: number): QNode {
  const first = peekToken(reader)
  if (depth > MAX_DEPTH) throw invalidQuery(`it is nested deeper than ${MAX_DEPTH}`, first.at)
  if (acceptToken(reader, 'not')) return { kind: 'not', inner: parseTerm(reader, depth + 1) }
  if (acceptToken(reader, '(')) {
    const node = parseExpression(reader, depth + 1)
    expectMark(reader, ')')
    return node
  }
  reader.tests += 1
  if (reader.tests > MAX_TESTS) throw invalidQuery(`it has more than ${MAX_TESTS} tests`, first.at)
  return parseTest(reader)
}

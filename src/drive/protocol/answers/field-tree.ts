/** The grammar of `fields`: `a,b/c,d(e,f),*` -> a tree of names, not yet held against a schema. */
import { invalidParameter } from '../../contract/failure.ts'

export interface FieldNode {
  /** A member, or `*`. */
  readonly name: string
  /** Undefined: the member as a whole. */
  readonly inner: FieldNode[] | undefined
  /** From the top, for messages: `items/labels`. */
  readonly path: string
  /** Set when the schema has what it names. */
  isMatched: boolean
}

/** Longer than any list of all members; a bound for the work. */
const LONGEST = 8192
/** The deepest schema has seven levels. */
const DEEPEST = 20
const LONGEST_SHOWN = 200

interface Scanner {
  readonly text: string
  at: number
}

/** Blanks around names and punctuation are skipped. @throws {StorageFailure} 400 invalidParameter */
export function parseFieldTree(text: string): FieldNode[] {
  if (text.length > LONGEST) throw invalidParameter('fields', 'Invalid field selection: it is too long')
  const scanner = { text, at: 0 }
  const nodes = parseList(scanner, '', 0)
  if (scanner.at < text.length) throw wrongAt(scanner, 'the end')
  return nodes
}

function parseList(scanner: Scanner, above: string, depth: number): FieldNode[] {
  if (depth > DEEPEST) throw wrongAt(scanner, 'fewer levels')
  const nodes = [parsePath(scanner, above, depth)]
  while (accept(scanner, ',')) nodes.push(parsePath(scanner, above, depth))
  return nodes
}

function parsePath(scanner: Scanner, above: string, depth: number): FieldNode {
  if (depth > DEEPEST) throw wrongAt(scanner, 'fewer levels')
  const name = parseName(scanner)
  const path = above === '' ? name : `${above}/${name}`
  let inner: FieldNode[] | undefined
  if (accept(scanner, '/')) {
    inner = [parsePath(scanner, path, depth + 1)]
  } else if (accept(scanner, '(')) {
    inner = parseList(scanner, path, depth + 1)
    if (!accept(scanner, ')')) throw wrongAt(scanner, '")"')
  }
  return { name, inner, path, isMatched: false }
}

function parseName(scanner: Scanner): string {
  const name = matchAt(scanner, /\s*(\*|[\w$.-]+)\s*/y)
  if (name === undefined) throw wrongAt(scanner, 'a name')
  return name
}

function accept(scanner: Scanner, mark: string): boolean {
  if (scanner.text[scanner.at] !== mark) return false
  scanner.at += 1
  // `a(b) , c`
  matchAt(scanner, /(\s*)/y)
  return true
}

function matchAt(scanner: Scanner, pattern: RegExp): string | undefined {
  pattern.lastIndex = scanner.at
  const found = pattern.exec(scanner.text)
  if (found === null) return undefined
  scanner.at = pattern.lastIndex
  return found[1]
}

function wrongAt({ text, at }: Scanner, wanted: string): Error {
  const shown = text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text
  return invalidParameter(
    'fields',
    `Invalid field selection ${shown}: ${wanted} expected at character ${at + 1}`,
  )
}

/** The text of a search -> its words, strings and marks. */
import { invalid, type StorageFailure } from '../../contract/failure.ts'
import type { QPosition } from './q-tree.ts'

export interface Token {
  readonly kind: 'word' | 'string' | 'number' | 'mark' | 'end'
  /** A string without its quotes and escapes; a word as it is written. */
  readonly text: string
  readonly at: QPosition
}

const BLANKS = /\s*/y
const WORD = /[A-Za-z_][\w.]*/y
const NUMBER = /\d{1,15}(?![\w.])/y
const MARK = /!=|<=|>=|[=<>(){}]/y
/** Anything up to the same quote that no backslash stands before. */
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

/** Says where, counting characters from 1. */
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
  if (written === undefined) throw invalidQuery('the string has no end', [at, text.length])
  // other backslashes stand for themselves
  const value = written.slice(1, -1).replace(/\\(['"\\])/g, '$1')
  return { kind: 'string', text: value, at: [at, at + written.length] }
}

function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0]
}

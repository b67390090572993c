/** Reading the tokens of a search one after another. */
import type { Vocabulary } from './q-fields.ts'
import { invalidQuery, type Token } from './q-scan.ts'

export interface Reader {
  readonly tokens: readonly Token[]
  readonly vocabulary: Vocabulary
  next: number
  /** How many were met. */
  tests: number
}

const END: Token = { kind: 'end', text: '', at: [0, 0] }

/** The one that comes next; the end again and again. */
export function peekToken(reader: Reader): Token {
  return reader.tokens[reader.next] ?? reader.tokens.at(-1) ?? END
}

export function take(reader: Reader): Token {
  const token = peekToken(reader)
  reader.next += 1
  return token
}

/** Whether a word, in any case, or a mark comes next; then it is taken. */
export function accept(reader: Reader, text: string): boolean {
  const { kind, text: written } = peekToken(reader)
  const isIt = (kind === 'word' && written.toLowerCase() === text) || (kind === 'mark' && written === text)
  if (isIt) reader.next += 1
  return isIt
}

/** @throws {StorageFailure} 400 invalid — it does not come next */
export function expectMark(reader: Reader, text: string): void {
  if (!accept(reader, text)) throw invalidQuery(`"${text}" expected`, peekToken(reader).at)
}

export function takeString(reader: Reader): Token {
  const token = take(reader)
  if (token.kind !== 'string') throw invalidQuery('a string in quotes expected', token.at)
  return token
}

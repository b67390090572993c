/**
 * Objects of one list in a JSON document, each as text with its line; the surrounding document is parsed at the end.
 */
import { HlaError } from '../../../../errors.ts'
import { quoted } from '../../../placed-error.ts'
import { MAX_TEXT_LENGTH, type PersonFault } from './document-source.ts'

export interface JsonFrame {
  /** Text of the object; commas before a closing bracket are replaced by spaces. */
  readonly text: string
  /** Offset in characters of the document. */
  readonly start: number
  readonly line: number
  /** Number of field names in it. */
  readonly names: number
}

const DEEPEST = 100
/** Depth of brackets around an object of the list. */
const IN_LIST = 2

const [LF, QUOTE, COMMA, COLON, BACKSLASH] = [10, 34, 44, 58, 92]
const [LIST, LIST_END, OBJECT, OBJECT_END] = [91, 93, 123, 125]

/** Space, tab, line feed, carriage return. */
function isWhite(code: number): boolean {
  return code === 32 || code === 10 || code === 13 || code === 9
}

export class FrameCutter {
  readonly #list: string
  readonly #name: string
  /** Text not yet returned, and the reading position in it. */
  #text = ''
  #at = 0
  /** Offset of the text in the document, in characters. */
  #from = 0
  /** Offset of the current object or of the text around the list; -1 between objects. */
  #start = 0
  #line = 1
  #startLine = 1
  #depth = 0
  #names = 0
  #isInList = false
  #isListSeen = false
  /** True when a comma must precede the next object. */
  #needsComma = false
  /** Offset of the last string, and how far an incomplete one was scanned. */
  #quote = 0
  #looked = 0
  /** Offset of the last character if it is a comma, which is ignored before a closing bracket; else -1. */
  #comma = -1
  #commas: number[] = []
  #outside = ''
  #found: JsonFrame[] = []

  /** `list`: name of its field, in any case; `name`: that of the document. */
  constructor(list: string, name: string) {
    this.#list = list
    this.#name = name
  }

  /** Objects that end in `piece`. @throws {HlaError} io — with the line */
  add(piece: string): readonly JsonFrame[] {
    this.#found = []
    this.#text += piece
    this.#read()
    this.#forget()
    return this.#found
  }

  /** Offset of the current object, or of everything read between objects. */
  get passed(): number {
    return this.#from
  }

  /**
   * Returns the document with the list emptied.
   * @throws {HlaError} io — the document is cut short, or lacks the list
   */
  finish(): string {
    if (this.#depth !== 0 || this.#at < this.#text.length) throw this.#refuse('it is cut short')
    if (!this.#isListSeen) throw this.#refuse(`it has no list ${JSON.stringify(this.#list)}`)
    return this.#outside + this.#taken(this.#text.length)
  }

  #read(): void {
    const text = this.#text
    while (this.#at < text.length) {
      const code = text.charCodeAt(this.#at)
      if (code === QUOTE && this.#start >= 0) {
        const end = this.#textEnd(text)
        if (end < 0) return
        this.#quote = this.#at
        this.#looked = 0
        this.#at = end
        this.#comma = -1
      } else if (isWhite(code)) {
        if (code === LF) this.#line += 1
      } else if (code === OBJECT || code === LIST) this.#open(code)
      else if (code === OBJECT_END || code === LIST_END) this.#close(code)
      else if (this.#start < 0) this.#readBetween(code)
      else {
        this.#comma = code === COMMA ? this.#at : -1
        if (code === COLON) this.#names += 1
      }
      this.#at += 1
    }
  }

  /** Offset of the closing quote; -1 when it is in a later piece. */
  #textEnd(text: string): number {
    let at = this.#at + 1 + this.#looked
    for (; at < text.length; at += 1) {
      const code = text.charCodeAt(at)
      if (code === QUOTE) return at
      if (code === LF) throw this.#refuse('a string is not terminated')
      if (code !== BACKSLASH) continue
      // the escaped character is in a later piece
      if (at + 1 === text.length) break
      at += 1
    }
    if (at - this.#at > MAX_TEXT_LENGTH) throw this.#refuse(`a text is longer than ${MAX_TEXT_LENGTH}`)
    this.#looked = at - this.#at - 1
    return -1
  }

  #readBetween(code: number): void {
    if (code !== COMMA || !this.#needsComma) throw this.#refuse(this.#expected())
    this.#needsComma = false
  }

  #open(code: number): void {
    if (this.#start < 0) {
      if (code !== OBJECT) throw this.#refuse(this.#expected())
      if (this.#needsComma) throw this.#refuse('a comma is missing')
      this.#start = this.#at
      this.#startLine = this.#line
      this.#names = 0
    }
    this.#comma = -1
    this.#depth += 1
    if (this.#depth > DEEPEST) throw this.#refuse(`more than ${DEEPEST} nested brackets`)
    if (!this.#isInList && code === LIST && this.#depth === IN_LIST && this.#isNamed()) this.#openList()
  }

  /** True when the last string is the name of the list. */
  #isNamed(): boolean {
    const before = this.#text.slice(this.#quote, this.#at)
    return before.length < 1000 && /^"([^"\\]*)"\s*:\s*$/.exec(before)?.[1]?.toLowerCase() === this.#list
  }

  #openList(): void {
    if (this.#isListSeen) throw this.#refuse(`${JSON.stringify(this.#list)} occurs twice`)
    this.#outside += this.#taken(this.#at + 1)
    this.#isInList = true
    this.#isListSeen = true
    this.#start = -1
  }

  #close(code: number): void {
    if (this.#start < 0) {
      if (code !== LIST_END) throw this.#refuse('a list ends as an object')
      this.#isInList = false
      this.#start = this.#at
    }
    if (this.#comma >= 0) this.#commas.push(this.#comma)
    this.#comma = -1
    this.#depth -= 1
    if (this.#depth < 0) throw this.#refuse('a bracket closes that was not opened')
    if (!this.#isInList || this.#depth !== IN_LIST) return
    const start = this.#from + this.#start
    const text = this.#taken(this.#at + 1)
    this.#found.push({ text, start, line: this.#startLine, names: this.#names })
    this.#start = -1
    this.#needsComma = true
  }

  /** Current text from its beginning, with spaces for ignored commas. */
  #taken(end: number): string {
    if (end - this.#start + this.#outside.length > MAX_TEXT_LENGTH) throw this.#tooLong()
    let [taken, from] = ['', this.#start]
    for (const comma of this.#commas) {
      taken += `${this.#text.slice(from, comma)} `
      from = comma + 1
    }
    this.#commas = []
    return taken + this.#text.slice(from, end)
  }

  /** Drops the text already returned. */
  #forget(): void {
    const from = this.#start < 0 ? this.#at : this.#start
    if (this.#text.length - from > MAX_TEXT_LENGTH) throw this.#tooLong()
    this.#from += from
    this.#text = this.#text.slice(from)
    this.#at -= from
    this.#quote -= from
    this.#comma -= this.#comma < 0 ? 0 : from
    this.#commas = this.#commas.map((comma) => comma - from)
    if (this.#start >= 0) this.#start = 0
  }

  #tooLong(): HlaError {
    const what = this.#isInList ? 'an object' : 'the text around the list'
    return this.#refuse(`${what} is longer than ${MAX_TEXT_LENGTH}`)
  }

  #expected(): string {
    return `an object is expected in ${JSON.stringify(this.#list)}`
  }

  #refuse(reason: string): HlaError {
    return new HlaError('io', `${this.#name} is not valid JSON: ${reason}`, {
      line: this.#line,
      offending: this.#name,
    })
  }
}

export interface ValuePlace {
  /** Offsets in characters of the document. */
  readonly start: number
  readonly end: number
  readonly line: number
}

interface Level {
  readonly isObject: boolean
  /** Name of the next value in an object, in lower case. */
  name: string | undefined
}

/**
 * Strings, numbers and words of an object parsed before, by the lower-case names of their path: `/hla/a/dna/field1`.
 */
export function valuePlaces({ text, start, line: first }: JsonFrame): ReadonlyMap<string, ValuePlace> {
  const places = new Map<string, ValuePlace>()
  const levels: Level[] = []
  let line = first
  for (const { 0: token, index } of text.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{},:\n]|[^\s"[\]{},:]+/g)) {
    const level = levels.at(-1)
    if (token === '\n') line += 1
    else if (token === '{' || token === '[') levels.push({ isObject: token === '{', name: undefined })
    else if (token === '}' || token === ']') levels.pop()
    else if (token === ',' && level !== undefined) level.name = undefined
    else if (token === ':' || level === undefined) continue
    else if (level.isObject && level.name === undefined) level.name = nameIn(token)
    else if (levels.every(({ isObject }) => isObject)) {
      const path = levels.map(({ name = '' }) => `/${name}`).join('')
      places.set(path, { start: start + index, end: start + index + token.length, line })
    }
  }
  return places
}

function nameIn(token: string): string {
  return (token.includes('\\') ? String(JSON.parse(token)) : token.slice(1, -1)).toLowerCase()
}

export type Refuse = (reason: string, more?: string) => PersonFault

export interface Fields {
  /** Value of a field, by its name in lower case. */
  readonly get: (lower: string) => unknown
  /** Names in lower case. */
  readonly names: readonly string[]
}

/** @throws {PersonFault} not an object, or two names that differ only in case */
export function foldNames(value: unknown, refuse: Refuse, path: string): Fields {
  if (!isObject(value)) throw refuse('an object is expected', path)
  const byLower = new Map<string, unknown>()
  for (const name of Object.keys(value)) {
    const lower = name.toLowerCase()
    if (byLower.has(lower)) throw refuse(`${quoted(name)} occurs twice`, path)
    byLower.set(lower, value[name])
  }
  return { names: [...byLower.keys()], get: (name) => byLower.get(name) }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Number of field names in all nested objects; their depth is bounded. */
export function countNames(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const inner: unknown[] = Object.values(value)
  let count = Array.isArray(value) ? 0 : inner.length
  for (const one of inner) if (typeof one === 'object') count += countNames(one)
  return count
}

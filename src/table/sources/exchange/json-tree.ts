/**
 * JSON of one object with a list, whose elements are parsed one by one into values that know their lines. Commas before
 * a closing bracket are ignored: programs of registries write them.
 */
import { HlaError } from '../../../errors.ts'
import { quoted } from '../../placed-error.ts'

export interface JsonNode {
  readonly line: number
  /** Numbers keep their text: `12345678901234567890` is exact. */
  readonly value: string | boolean | null | readonly JsonNode[] | JsonFields
}

/** Fields of an object in their order; a name may occur twice. */
export class JsonFields {
  readonly all: (readonly [name: string, node: JsonNode])[] = []
}

const DEEPEST = 100
const [LF, SPACE, QUOTE, COMMA, COLON, BACKSLASH] = [10, 32, 34, 44, 58, 92]
const [LIST, LIST_END, OBJECT, OBJECT_END] = [91, 93, 123, 125]

/** An object of a list. */
export type JsonObject = Pick<JsonNode, 'line'> & { readonly value: JsonFields }

/**
 * Objects of the list `list`, whose name may be in any case.
 * @throws {HlaError} io — not JSON, or without the list, with its line
 */
export function* listObjects(text: string, list: string, name: string): Generator<JsonObject> {
  const json = new JsonCursor(text, name)
  let isFound = false
  json.expect(OBJECT)
  while (!json.closes(OBJECT_END)) {
    if (json.fieldName().toLowerCase() !== list) {
      json.node(1)
      continue
    }
    if (isFound) throw json.refuse(`${JSON.stringify(list)} occurs twice`)
    isFound = true
    json.expect(LIST)
    while (!json.closes(LIST_END)) {
      const { line, value } = json.node(2)
      if (!(value instanceof JsonFields)) throw json.refuse(`${JSON.stringify(list)} holds something else than objects`) // prettier-ignore
      yield { line, value }
    }
  }
  json.end()
  if (!isFound) throw json.refuse(`it has no list ${JSON.stringify(list)}`)
}

class JsonCursor {
  readonly #text: string
  readonly #name: string
  #at = 0
  #line = 1
  /** True after a value, which a comma or a closing bracket must follow. */
  #isAfterValue = false

  constructor(text: string, name: string) {
    this.#text = text
    this.#name = name
  }

  /** The next value. */
  node(depth: number): JsonNode {
    const code = this.#next()
    if (depth > DEEPEST) throw this.refuse(`more than ${DEEPEST} nested brackets`)
    if (this.#isAfterValue) throw this.refuse('a comma is missing')
    const line = this.#line
    return { line, value: this.#value(code, depth) }
  }

  #value(code: number, depth: number): JsonNode['value'] {
    if (code === OBJECT) {
      this.expect(OBJECT)
      const fields = new JsonFields()
      while (!this.closes(OBJECT_END)) fields.all.push([this.fieldName(), this.node(depth + 1)])
      return fields
    }
    if (code === LIST) {
      this.expect(LIST)
      const nodes: JsonNode[] = []
      while (!this.closes(LIST_END)) nodes.push(this.node(depth + 1))
      return nodes
    }
    this.#isAfterValue = true
    return code === QUOTE ? this.#string() : this.#word()
  }

  /** Passes over an opening bracket or a colon. */
  expect(code: number): void {
    if (this.#next() !== code || this.#isAfterValue)
      throw this.refuse(`${JSON.stringify(String.fromCharCode(code))} is expected`)
    this.#at += 1
  }

  /** Passes over a comma between values, and the closing bracket; true at the bracket. */
  closes(code: number): boolean {
    if (this.#next() === COMMA && this.#isAfterValue) {
      this.#at += 1
      this.#isAfterValue = false
    }
    if (this.#next() !== code) return false
    this.#at += 1
    this.#isAfterValue = true
    return true
  }

  fieldName(): string {
    if (this.#next() !== QUOTE) throw this.refuse('the name of a field is expected')
    if (this.#isAfterValue) throw this.refuse('a comma is missing')
    const name = this.#string()
    this.expect(COLON)
    return name
  }

  /** Refuses text after the document. */
  end(): void {
    if (this.#skip() < this.#text.length) throw this.refuse('there is text after its end')
  }

  /** Code of the next character that is not white space. */
  #next(): number {
    const at = this.#skip()
    if (at >= this.#text.length) throw this.refuse('it is cut short')
    return this.#text.charCodeAt(at)
  }

  #skip(): number {
    for (; this.#at < this.#text.length; this.#at += 1) {
      const code = this.#text.charCodeAt(this.#at)
      if (code === LF) this.#line += 1
      else if (code !== SPACE && code !== 13 && code !== 9) break
    }
    return this.#at
  }

  #string(): string {
    const start = this.#at
    let at = start + 1
    let isPlain = true
    for (; ; at += 1) {
      const code = this.#text.charCodeAt(at)
      if (code === QUOTE) break
      if (code === LF) throw this.refuse('a string is not terminated')
      // NaN beyond the text
      if (!(code >= SPACE)) throw this.refuse(at < this.#text.length ? 'a string holds a control character' : 'it is cut short') // prettier-ignore
      if (code !== BACKSLASH) continue
      isPlain = false
      at += 1
    }
    this.#at = at + 1
    return isPlain ? this.#text.slice(start + 1, at) : String(this.#parse(start))
  }

  /** A number, true, false or null. */
  #word(): string | boolean | null {
    const start = this.#at
    for (; this.#at < this.#text.length; this.#at += 1) {
      const code = this.#text.charCodeAt(this.#at)
      if (code <= SPACE || code === COMMA || code === LIST_END || code === OBJECT_END) break
    }
    const value = this.#parse(start)
    return typeof value === 'number' ? this.#text.slice(start, this.#at) : (value as boolean | null)
  }

  #parse(start: number): unknown {
    const token = this.#text.slice(start, this.#at)
    try {
      return JSON.parse(token)
    } catch {
      throw this.refuse(token === '' ? 'a value is expected' : `${quoted(token, 40)} is not a value`)
    }
  }

  refuse(reason: string): HlaError {
    return new HlaError('io', `${this.#name} is not valid JSON: ${reason}`, {
      line: this.#line,
      offending: this.#name,
    })
  }
}

/** Donor JSON that is written back: each field of a typing in its place. */
import { assured } from '../../../errors.ts'
import { DONOR_JSON } from '../../input/records/exchange/donor-json.ts'
import type { DocumentFormat } from '../document.ts'
import { withHeldText } from '../document-text.ts'
import { type Field, fieldBlocks } from './field-document.ts'
import type { HeldText } from '../held-text.ts'

/** hla, locus, dna or ser, field */
const BELOW_DONOR = 4

export const DONOR_JSON_DOCUMENT: DocumentFormat = {
  name: 'donor-json',
  places: ['replace'],
  whyPlaces: 'a field of a donor holds one typing',
  mayBeBlank: true,
  open({ file, held }) {
    const places = new JsonPlaces(held, 'donors', BELOW_DONOR)
    const read = withHeldText(file, held, () => places.read())
    const source = assured(DONOR_JSON.open(read, true), 'what is asked for is opened')
    const finder = {
      find: (donor: number, path: string) => fieldAt(held, places.find(donor, path)),
      passed: (donor: number) => places.passed(donor),
    }
    const { format, reading, personName } = source
    return {
      format,
      reading,
      personName,
      releases: new Map(),
      written: 'donor JSON as it was read, with field1 and field2 of typings replaced',
      blocks: () => fieldBlocks(source, { finder, held, root: /^\/donors\[(\d+)\]/ }),
    }
  },
}

function fieldAt(held: HeldText, place: JsonPlace | undefined): Field | undefined {
  if (place === undefined) return undefined
  const raw = held.slice(place.start, place.end)
  // whoever reads the document has parsed it
  const source = raw.startsWith('"') ? String(JSON.parse(raw)) : raw
  return { source, edit: (text) => ({ ...place, text: JSON.stringify(text) }) }
}

/** Characters before it in the document, and up to its end. */
interface JsonPlace {
  readonly start: number
  readonly end: number
}

interface Level {
  readonly isObject: boolean
  /** Of the value that comes next in an object, in small letters; '' before it. */
  name: string
}

/** Root, list, object of the list. */
const OF_OBJECT = 3

/** What is valid is the business of whoever reads the document: nothing is decided by what this finds in what is not. */
class JsonPlaces {
  readonly #held: HeldText
  readonly #list: string
  /** Brackets around the values that are found. */
  readonly #depth: number
  #levels: Level[] = []
  #at = 0
  #count = 0
  /** Of the text under way. */
  #textStart: number | undefined
  #isEscaped = false
  /** Of the value under way that is no text. */
  #wordStart: number | undefined
  readonly #objects = new Map<number, Map<string, JsonPlace>>()
  readonly #ends = new Map<number, number>()

  /** `list`: name of the root's field, in small letters; `below`: names in the path of a value. */
  constructor(held: HeldText, list: string, below: number) {
    this.#held = held
    this.#list = list
    this.#depth = OF_OBJECT + below - 1
  }

  /** What was added to the held text since the last time. */
  read(): void {
    const from = this.#at
    const text = this.#held.slice(from, this.#held.end)
    for (let at = 0; at < text.length;) {
      if (this.#textStart !== undefined) at = this.#passText(text, at, from)
      else {
        this.#readSign(text.charAt(at), from + at)
        at += 1
      }
    }
    this.#at = from + text.length
  }

  /** In the `object`th object of the list: `/hla/a/dna/field1`. */
  find(object: number, path: string): JsonPlace | undefined {
    return this.#objects.get(object)?.get(path)
  }

  /** Nobody asks for the objects up to this one any more. Gives what can be written: all before the next one, or before what is read next. */
  passed(object: number): number {
    const end = this.#ends.get(object)
    for (const all of [this.#objects, this.#ends])
      for (const one of all.keys()) if (one <= object) all.delete(one)
    const isBetween = this.#levels.length < OF_OBJECT && this.#textStart === undefined
    return isBetween && this.#ends.size === 0 ? this.#at : (end ?? 0)
  }

  #passText(text: string, from: number, offset: number): number {
    for (let at = from; at < text.length; at += 1) {
      const code = text.charCodeAt(at)
      if (this.#isEscaped) this.#isEscaped = false
      else if (code === BACKSLASH) this.#isEscaped = true
      else if (code === QUOTE) {
        this.#endText(offset + at + 1)
        return at + 1
      }
    }
    return text.length
  }

  #endText(end: number): void {
    const start = this.#textStart ?? end
    this.#textStart = undefined
    const level = this.#levels.at(-1)
    if (level?.isObject !== true) return
    if (level.name === '') level.name = nameIn(this.#held.slice(start + 1, end - 1))
    else this.#put({ start, end })
  }

  #readSign(sign: string, at: number): void {
    if (!ENDS.includes(sign)) {
      if (sign === '"') this.#textStart = at
      else this.#wordStart ??= at
      return
    }
    if (this.#wordStart !== undefined) this.#put({ start: this.#wordStart, end: at })
    this.#wordStart = undefined
    if (sign === '{' || sign === '[') this.#open(sign === '{')
    else if (sign === '}' || sign === ']') this.#close(at + 1)
    else if (sign === ',') {
      const level = this.#levels.at(-1)
      if (level !== undefined) level.name = ''
    }
  }

  #open(isObject: boolean): void {
    this.#levels.push({ isObject, name: '' })
    if (this.#levels.length === OF_OBJECT && this.#isInList) this.#count += 1
  }

  #close(end: number): void {
    if (this.#levels.length === OF_OBJECT && this.#isInList) this.#ends.set(this.#count, end)
    this.#levels.pop()
  }

  #put(place: JsonPlace): void {
    if (this.#levels.length !== this.#depth || !this.#isInList) return
    let found = this.#objects.get(this.#count)
    if (found === undefined) this.#objects.set(this.#count, (found = new Map()))
    const names = this.#levels.slice(OF_OBJECT - 1).map(({ name }) => name)
    found.set(`/${names.join('/')}`, place)
  }

  get #isInList(): boolean {
    const [root, list] = this.#levels
    return root?.name === this.#list && list?.isObject === false
  }
}

const BACKSLASH = 92
const QUOTE = 34
/** Of a value that is no text. */
const ENDS = ' \n\r\t,:{}[]'

function nameIn(text: string): string {
  return (text.includes('\\') ? unescaped(text) : text).toLowerCase()
}

function unescaped(text: string): string {
  try {
    return String(JSON.parse(`"${text}"`))
  } catch {
    // whoever reads the document says so
    return text
  }
}

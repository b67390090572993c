/** The objects of one list in a JSON document, each cut out as text with its line: what stands around them is read at the end. */
import { HlaError } from '../../../../errors.ts'
import { LONGEST_TEXT } from './document-source.ts'

export interface JsonFrame {
  /** Without the commas before a closing bracket. */
  readonly text: string
  readonly line: number
  /** Names of fields in it. */
  readonly names: number
}

const DEEPEST = 100
/** Brackets around an object of the list, and in it. */
const IN_LIST = 2
const IN_FRAME = 3
const BACKSLASH = 92
const QUOTE = 34
const LF = 10
const WHITE = ' \n\r\t'

export class FrameCutter {
  readonly #list: string
  readonly #name: string
  #line = 1
  #depth = 0
  #isInList = false
  #isListSeen = false
  /** Before the next object of the list. */
  #needsComma = false
  /** A text under way, and the last one that ended. */
  #isText = false
  #isEscaped = false
  #text = ''
  #lastText = ''
  /** Before a bracket that closes it means nothing. */
  #comma = ''
  #outside = ''
  #frame = ''
  #frameLine = 0
  #names = 0
  #found: JsonFrame[] = []

  /** `list`: name of its field, in any case; `name`: of the document. */
  constructor(list: string, name: string) {
    this.#list = list
    this.#name = name
  }

  /** Those that end in `piece`. @throws {HlaError} io — with the line */
  add(piece: string): readonly JsonFrame[] {
    this.#found = []
    for (let at = 0; at < piece.length;) {
      if (this.#isText) at = this.#readText(piece, at)
      else {
        this.#readSign(piece.charAt(at))
        at += 1
      }
    }
    return this.#found
  }

  /** What stands around the list, which is empty in it. @throws {HlaError} io — the document is cut short, or without the list */
  finish(): string {
    if (this.#depth !== 0 || this.#isText) throw this.#refuse('it is cut short')
    if (!this.#isListSeen) throw this.#refuse(`it has no list ${JSON.stringify(this.#list)}`)
    return this.#outside
  }

  /** Where it ends, or the piece does. */
  #readText(piece: string, from: number): number {
    let at = from
    for (; at < piece.length && this.#isText; at += 1) {
      const code = piece.charCodeAt(at)
      if (this.#isEscaped) this.#isEscaped = false
      else if (code === BACKSLASH) this.#isEscaped = true
      else if (code === QUOTE) this.#isText = false
      else if (code === LF) throw this.#refuse('a text has no end')
    }
    this.#text += piece.slice(from, at)
    if (this.#text.length > LONGEST_TEXT) throw this.#refuse(`a text is longer than ${LONGEST_TEXT}`)
    if (this.#isText) return at
    this.#keep(`"${this.#text}`)
    this.#lastText = this.#text.slice(0, -1)
    this.#text = ''
    return at
  }

  #readSign(sign: string): void {
    if (WHITE.includes(sign)) this.#passWhite(sign)
    else if (sign === '{' || sign === '[') this.#open(sign)
    else if (sign === '}' || sign === ']') this.#close(sign)
    else if (this.#isInList && this.#depth === IN_LIST) this.#readBetween(sign)
    else {
      this.#keepComma()
      if (sign === ',') this.#comma = ','
      else if (sign === '"') this.#isText = true
      else this.#keep(sign)
      if (sign === ':' && this.#isInList) this.#names += 1
    }
  }

  /** Where a typing stands is told by its line. */
  #passWhite(sign: string): void {
    if (sign === '\n') this.#line += 1
    if (this.#isInList && this.#depth >= IN_FRAME) this.#keep(sign === '\n' ? '\n' : ' ')
    else if (this.#isListSeen || this.#depth > 0) this.#keep(' ')
  }

  #readBetween(sign: string): void {
    if (sign !== ',' || !this.#needsComma) throw this.#refuse(this.#expected())
    this.#needsComma = false
  }

  #open(sign: string): void {
    this.#keepComma()
    if (this.#isInList && this.#depth === IN_LIST) {
      if (sign !== '{') throw this.#refuse(this.#expected())
      if (this.#needsComma) throw this.#refuse('a comma is missing')
      this.#frameLine = this.#line
    }
    this.#depth += 1
    if (this.#depth > DEEPEST) throw this.#refuse(`more than ${DEEPEST} brackets in each other`)
    this.#keep(sign)
    if (this.#isInList || sign !== '[' || this.#depth !== IN_LIST) return
    if (this.#lastText.toLowerCase() !== this.#list) return
    if (this.#isListSeen) throw this.#refuse(`${JSON.stringify(this.#list)} is there twice`)
    this.#isInList = true
    this.#isListSeen = true
  }

  #close(sign: string): void {
    this.#comma = ''
    if (this.#isInList && this.#depth === IN_LIST) {
      if (sign !== ']') throw this.#refuse('a list ends as an object')
      this.#isInList = false
    }
    this.#keep(sign)
    this.#depth -= 1
    if (this.#depth < 0) throw this.#refuse('a bracket closes that was not opened')
    if (!this.#isInList || this.#depth !== IN_LIST) return
    this.#found.push({ text: this.#frame, line: this.#frameLine, names: this.#names })
    this.#frame = ''
    this.#names = 0
    this.#needsComma = true
  }

  #keepComma(): void {
    if (this.#comma !== '') this.#keep(this.#comma)
    this.#comma = ''
  }

  #keep(piece: string): void {
    if (!this.#isInList) this.#outside += piece
    else if (this.#depth >= IN_FRAME) this.#frame += piece
    if (this.#frame.length + this.#outside.length <= LONGEST_TEXT) return
    const what = this.#isInList ? 'an object' : 'what is around the list'
    throw this.#refuse(`${what} is longer than ${LONGEST_TEXT}`)
  }

  #expected(): string {
    return `an object is expected in ${JSON.stringify(this.#list)}`
  }

  #refuse(reason: string): HlaError {
    return new HlaError('io', `line ${this.#line}: ${this.#name} is not valid JSON: ${reason}`, {
      offending: this.#name,
    })
  }
}

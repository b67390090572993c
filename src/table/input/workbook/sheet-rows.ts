/** Rows of a sheet as a stream, each cell as its displayed text. */
import { type SheetTexts, cellText } from './cell-text.ts'
import { type Attributes, type XmlHandlers, readXml } from '../xml-events.ts'
import { TextReader } from './shared-strings.ts'
import { damagedWorkbook } from './zip-parts.ts'

export interface SheetCell {
  /** 1-based. */
  readonly column: number
  readonly text: string
}

export interface SheetRow {
  /** 1-based. */
  readonly number: number
  /** Non-empty cells, left to right: a row with one cell at the far right takes no more memory than that cell. */
  readonly cells: readonly SheetCell[]
}

/** Blocks of rows, in order; empty rows are left out. @throws {HlaError} io — not a readable sheet */
export async function* readSheet(
  pieces: AsyncIterable<string>,
  texts: SheetTexts,
): AsyncGenerator<SheetRow[]> {
  const reader = new RowReader(texts)
  for await (const _ of readXml(pieces, texts.name, reader)) {
    const rows = reader.take()
    if (rows.length > 0) yield rows
  }
}

const MAX_ROWS = 1_048_576
const MAX_COLUMNS = 16_384
/** Maximum characters of a number, a text or a formula; longer than a cell may be. */
const MAX_LENGTH = 1024 ** 2

class RowReader implements XmlHandlers {
  readonly #texts: SheetTexts
  readonly #inline: TextReader
  #rows: SheetRow[] = []
  #row = 0
  #cells: SheetCell[] = []
  #column = 0
  #cell: Attributes | undefined
  #isIn: 'value' | 'formula' | undefined
  #value = ''
  /** Formula with its sign; empty when nothing is calculated. */
  #formula = ''

  constructor(texts: SheetTexts) {
    this.#texts = texts
    this.#inline = new TextReader(texts.name)
  }

  open(element: string, attributes: Attributes): void {
    if (element === 'row') this.#beginRow(attributes)
    else if (element === 'c') this.#beginCell(attributes)
    else if (this.#cell === undefined) return
    else if (element === 'v') this.#isIn = 'value'
    else if (element === 'f') {
      this.#isIn = 'formula'
      this.#formula = '='
    } else this.#inline.open(element)
  }

  text(piece: string): void {
    if (this.#cell === undefined) return
    if (this.#isIn === 'value') this.#value += piece
    else if (this.#isIn === 'formula') this.#formula += piece
    else this.#inline.text(piece)
    if (this.#value.length + this.#formula.length > MAX_LENGTH)
      throw damagedWorkbook(this.#texts.name, `a cell of row ${this.#row} is longer than a cell may be`)
  }

  close(element: string): void {
    if (element === 'c') this.#endCell()
    else if (element === 'v' || element === 'f') this.#isIn = undefined
    else if (element === 'row' && this.#cells.length > 0)
      this.#rows.push({ number: this.#row, cells: this.#cells })
    else if (this.#cell !== undefined) this.#inline.close(element)
  }

  /** Rows completed since the last call. */
  take(): SheetRow[] {
    const rows = this.#rows
    this.#rows = []
    return rows
  }

  #beginRow(attributes: Attributes): void {
    const next = Number(attributes.get('r') ?? this.#row + 1)
    if (!Number.isInteger(next) || next <= this.#row || next > MAX_ROWS)
      throw damagedWorkbook(this.#texts.name, `row ${attributes.get('r')} comes after row ${this.#row}`)
    this.#row = next
    this.#cells = []
    this.#column = 0
  }

  #beginCell(attributes: Attributes): void {
    const place = attributes.get('r')
    const next = place === undefined ? this.#column + 1 : columnNumber(place)
    if (next <= this.#column || next > MAX_COLUMNS)
      throw damagedWorkbook(this.#texts.name, `a cell of row ${this.#row} has an invalid position`)
    this.#column = next
    this.#cell = attributes
    this.#value = ''
    this.#formula = ''
    this.#inline.begin()
  }

  #endCell(): void {
    if (this.#cell === undefined) return
    const parts = { value: this.#value, inline: this.#inline.end(), formula: this.#formula }
    const text = cellText(this.#cell, parts, this.#texts)
    this.#cell = undefined
    if (text === '') return
    this.#cells.push({ column: this.#column, text })
  }
}

/** `C7` -> 3 */
function columnNumber(place: string): number {
  let number = 0
  for (let at = 0; at < place.length && number <= MAX_COLUMNS; at += 1) {
    const letter = place.charCodeAt(at) - 64
    if (letter < 1 || letter > 26) break
    number = number * 26 + letter
  }
  return number
}

/** 3 -> `C` */
export function columnLetters(number: number): string {
  const rest = Math.floor((number - 1) / 26)
  const letter = String.fromCharCode(65 + ((number - 1) % 26))
  return rest === 0 ? letter : columnLetters(rest) + letter
}

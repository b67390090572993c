/** A cell of a sheet as the text that is shown. Pure. */
import { GENERAL, type NumberFormat } from './number-format.ts'
import { numberText } from './number-text.ts'
import type { Attributes } from '../xml-events.ts'
import { unescaped } from './shared-strings.ts'
import { damaged } from './zip-parts.ts'

export interface SheetTexts {
  /** Of the file, for messages. */
  readonly name: string
  readonly sharedStrings: readonly string[]
  /** By the number of the style. */
  readonly formats: readonly NumberFormat[]
  readonly isFrom1904: boolean
}

export interface CellParts {
  readonly value: string
  readonly inline: string
  /** With its sign; empty where nothing is calculated. */
  readonly formula: string
}

/** What is calculated is shown as it was when the workbook was saved; where that is missing, no one must take it for empty. */
export function cellText(cell: Attributes, { value, inline, formula }: CellParts, texts: SheetTexts): string {
  const type = cell.get('t') ?? 'n'
  if (type === 'inlineStr') return inline
  if (value === '') return type === 'str' ? '' : formula
  switch (type) {
    case 's':
      return sharedString(value, texts)
    case 'b':
      return value.trim() === '1' ? 'TRUE' : 'FALSE'
    case 'n':
      return numberText(value, texts.formats[Number(cell.get('s') ?? 0)] ?? GENERAL, texts.isFrom1904)
    // texts that were calculated, errors, dates as ISO 8601
    default:
      return unescaped(value)
  }
}

function sharedString(value: string, { sharedStrings, name }: SheetTexts): string {
  const text = sharedStrings[Number(value)]
  if (text === undefined) throw damaged(name, `a cell names text ${value} of ${sharedStrings.length}`)
  return text
}

/** A cell of a sheet as the text that is shown. Pure. */
import { type DigitFormat, GENERAL, type MaskFormat, type NumberFormat } from './number-format.ts'
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

export function numberText(raw: string, format: NumberFormat, isFrom1904: boolean): string {
  const value = Number(raw)
  if (raw.trim() === '' || !Number.isFinite(value)) return raw
  switch (format.kind) {
    case 'general':
      return plainNumber(value)
    case 'digits':
      return digitText(value, format)
    case 'mask':
      return maskText(value, format)
    case 'time':
      return value < 0 || (value >= 1 && !format.isElapsed)
        ? dateText(value, true, isFrom1904)
        : timeText(Math.round(value * SECONDS_A_DAY))
    case 'date':
      return dateText(value, format.hasTime, isFrom1904)
  }
}

const SECONDS_A_DAY = 86_400

/** Programs keep 15 digits, and sometimes what the last bits of a double say behind them. */
function plainNumber(value: number): string {
  return String(Number(value.toPrecision(15)))
}

function digitText(value: number, format: DigitFormat): string {
  const { before, after, whole, least, most, isGrouped, isPercent } = format
  const size = Math.abs(isPercent ? value * 100 : value)
  if (size >= 1e15) return plainNumber(value)
  const [ones = '', rest = ''] = size.toFixed(most).split('.')
  const digits = whole === 0 && ones === '0' ? '' : ones.padStart(whole, '0')
  const grouped = isGrouped ? digits.replace(/\B(?=(?:\d{3})+$)/g, ',') : digits
  const fraction = rest.slice(0, least) + rest.slice(least).replace(/0+$/, '')
  const shown = `${grouped}${fraction === '' ? '' : `.${fraction}`}`
  const isNegative = value < 0 && /[1-9]/.test(shown)
  return `${isNegative ? '-' : ''}${before}${shown}${after}`
}

function maskText(value: number, { before, after, places }: MaskFormat): string {
  const count = places.filter((place) => place === undefined).length
  const digits = Math.abs(value).toFixed(0).padStart(count, '0')
  if (Math.abs(value) >= 1e15) return plainNumber(value)
  let at = digits.length - count
  let shown = digits.slice(0, at)
  for (const place of places) shown += place ?? digits.charAt(at++)
  return `${value < 0 ? '-' : ''}${before}${shown}${after}`
}

/**
 * Seconds that are not zero have a decimal: `01:01:01` would be a name of three fields where a sheet made a time of one
 * (`findDamage` knows both).
 */
function timeText(seconds: number): string {
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  const text = [hours, minutes, rest].map((part) => String(part).padStart(2, '0')).join(':')
  return rest === 0 ? text : `${text}.0`
}

/** Years that can be counted in days from 1900 on, and that ISO 8601 writes with four digits. */
const LAST_DAY = 2_958_466

function dateText(value: number, hasTime: boolean, isFrom1904: boolean): string {
  if (value < 0 || value >= LAST_DAY) return plainNumber(value)
  // what counts from 1900 has a 29th of February in that year
  const begin = isFrom1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, value < 60 ? 31 : 30)
  const moment = new Date(begin + Math.round(value * SECONDS_A_DAY) * 1000).toISOString()
  const day = moment.slice(0, 10)
  const time = moment.slice(11, 19)
  return hasTime || time !== '00:00:00' ? `${day} ${time}` : day
}

/** A sheet's cell as its displayed text. Pure. */
import type { Attributes } from '../xml-events.ts'
import { unescapeText } from './shared-strings.ts'
import { damagedWorkbook } from './zip-parts.ts'

export interface SheetTexts {
  /** File name, for messages. */
  readonly name: string
  readonly sharedStrings: readonly string[]
  /** Number formats by style number. */
  readonly formats: readonly NumberFormat[]
  readonly isFrom1904: boolean
}

export interface CellParts {
  readonly value: string
  readonly inline: string
  /** Formula with its sign; empty when nothing is calculated. */
  readonly formula: string
}

/** A calculated cell shows its value at the last save; if that is missing, the cell must not be taken for empty. */
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
    // calculated texts, errors, dates as ISO 8601
    default:
      return unescapeText(value)
  }
}

function sharedString(value: string, { sharedStrings, name }: SheetTexts): string {
  const text = sharedStrings[Number(value)]
  if (text === undefined) throw damagedWorkbook(name, `a cell names text ${value} of ${sharedStrings.length}`)
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

/** Rounds to 15 digits, as spreadsheets do; the file may contain further digits of the double. */
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
 * Non-zero seconds get a decimal: otherwise a typing that a sheet turned into a time, `01:01:01`, would look like a
 * name of three fields (`findDamage` knows both).
 */
function timeText(seconds: number): string {
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  const text = [hours, minutes, rest].map((part) => String(part).padStart(2, '0')).join(':')
  return rest === 0 ? text : `${text}.0`
}

/** Days from 1900 to the last year that ISO 8601 writes with four digits. */
const LAST_DAY = 2_958_466

function dateText(value: number, hasTime: boolean, isFrom1904: boolean): string {
  if (value < 0 || value >= LAST_DAY) return plainNumber(value)
  // the 1900 date system contains 29 February 1900
  const begin = isFrom1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, value < 60 ? 31 : 30)
  const moment = new Date(begin + Math.round(value * SECONDS_A_DAY) * 1000).toISOString()
  const day = moment.slice(0, 10)
  const time = moment.slice(11, 19)
  return hasTime || time !== '00:00:00' ? `${day} ${time}` : day
}

export type NumberFormat =
  | { readonly kind: 'general' }
  | { readonly kind: 'time'; readonly isElapsed: boolean }
  | { readonly kind: 'date'; readonly hasTime: boolean }
  | DigitFormat
  | MaskFormat

/** `0000`, `#,##0.00`, `0%` */
interface DigitFormat {
  readonly kind: 'digits'
  readonly before: string
  readonly after: string
  /** Minimum number of digits before the point. */
  readonly whole: number
  /** Minimum and maximum number of digits after it. */
  readonly least: number
  readonly most: number
  readonly isGrouped: boolean
  readonly isPercent: boolean
}

/** `00\:00`: digits fill the places from the right; those left over precede the first place. */
interface MaskFormat {
  readonly kind: 'mask'
  readonly before: string
  readonly after: string
  /** From the left: undefined is a digit, a text separates two. */
  readonly places: readonly (string | undefined)[]
}

const GENERAL: NumberFormat = { kind: 'general' }

/** Formats that have a number and no text in the file (ECMA-376, 18.8.30), as far as they show more than the number. */
export function builtInFormat(id: number): NumberFormat {
  const code = BUILT_IN.get(id)
  if (code !== undefined) return parseFormat(code)
  // dates of East Asian calendars
  return (id >= 27 && id <= 36) || (id >= 50 && id <= 58) ? { kind: 'date', hasTime: false } : GENERAL
}

const BUILT_IN: ReadonlyMap<number, string> = new Map([
  [1, '0'], [2, '0.00'], [3, '#,##0'], [4, '#,##0.00'], [9, '0%'], [10, '0.00%'],
  [14, 'm/d/yy'], [15, 'd-mmm-yy'], [16, 'd-mmm'], [17, 'mmm-yy'], [18, 'h:mm AM/PM'], [19, 'h:mm:ss AM/PM'],
  [20, 'h:mm'], [21, 'h:mm:ss'], [22, 'm/d/yy h:mm'], [37, '#,##0'], [38, '#,##0'], [39, '#,##0.00'], [40, '#,##0.00'],
  [45, 'mm:ss'], [46, '[h]:mm:ss'], [47, 'mm:ss.0'],
]) // prettier-ignore

/** Maximum characters of a number format. */
const MAX_LENGTH = 1000

/** Format for numbers that are not negative. */
export function parseFormat(code: string): NumberFormat {
  if (code.length > MAX_LENGTH || /^general/i.test(code) || code === '@') return GENERAL
  const signs = splitSigns(code)
  const text = signs.map(({ sign, isLiteral }) => (isLiteral ? '' : sign)).join('')
  const isElapsed = /\[(?:h+|m+|s+)\]/i.test(text)
  const bare = text.replace(/\[[^\]]*\]/g, '')
  const isTime = isElapsed || /[hs]/i.test(bare)
  if (/[yd]/i.test(bare) || (/m/i.test(bare) && !isTime)) return { kind: 'date', hasTime: isTime }
  return isTime ? { kind: 'time', isElapsed } : parseDigits(withoutBrackets(signs))
}

interface Sign {
  readonly sign: string
  /** True for quoted or escaped text, which is displayed as it is. */
  readonly isLiteral: boolean
}

/** Characters of the first section, which is that of positive numbers. */
function splitSigns(code: string): Sign[] {
  const signs: Sign[] = []
  for (let at = 0; at < code.length && code[at] !== ';'; at += 1) {
    const sign = code.charAt(at)
    if (sign === '"') {
      const end = code.indexOf('"', at + 1)
      const text = code.slice(at + 1, end < 0 ? undefined : end)
      signs.push({ sign: text, isLiteral: true })
      at = end < 0 ? code.length : end
    } else if (sign === '\\') signs.push({ sign: code.charAt((at += 1)), isLiteral: true })
    // a space as wide as the next character, and a character that fills the cell
    else if (sign === '_' || sign === '*') at += 1
    else signs.push({ sign, isLiteral: false })
  }
  return signs
}

/** Removes colours, conditions and languages. */
function withoutBrackets(signs: readonly Sign[]): Sign[] {
  let isInside = false
  return signs.flatMap((one) => {
    if (!one.isLiteral && one.sign === '[') isInside = true
    const isLeftOut = isInside
    if (!one.isLiteral && one.sign === ']') isInside = false
    return isLeftOut ? [] : [ITSELF.test(one.sign) ? { ...one, isLiteral: true } : one]
  })
}

/** Characters that show themselves without quotes. */
const ITSELF = /^[$\-+/():!^&'~{}<>= ]$/

function parseDigits(signs: readonly Sign[]): NumberFormat {
  const isDigit = ({ sign, isLiteral }: Sign) => !isLiteral && /[#0,.]/.test(sign)
  const first = signs.findIndex(isDigit)
  const last = signs.findLastIndex(isDigit)
  if (first < 0 || signs.some((one) => !one.isLiteral && !/[#0,.%]/.test(one.sign))) return GENERAL
  const before = joined(signs.slice(0, first))
  const after = joined(signs.slice(last + 1))
  const digits = signs.slice(first, last + 1)
  if (!digits.every(isDigit)) return parseMask(digits, before, after)
  const [, whole, fraction = ''] = /^([#0,]+)(?:\.([0#]+))?$/.exec(joined(digits)) ?? []
  if (whole === undefined || whole.endsWith(',')) return GENERAL
  return {
    kind: 'digits',
    before,
    after,
    whole: whole.replace(/[^0]/g, '').length,
    least: fraction.replace(/[^0]/g, '').length,
    most: fraction.length,
    isGrouped: whole.includes(','),
    isPercent: signs.some(({ sign, isLiteral }) => !isLiteral && sign === '%'),
  }
}

function parseMask(digits: readonly Sign[], before: string, after: string): NumberFormat {
  if (digits.some(({ sign, isLiteral }) => !isLiteral && sign !== '0')) return GENERAL
  return {
    kind: 'mask',
    before,
    after,
    places: digits.map(({ sign, isLiteral }) => (isLiteral ? sign : undefined)),
  }
}

function joined(signs: readonly Sign[]): string {
  return signs.map(({ sign }) => sign).join('')
}

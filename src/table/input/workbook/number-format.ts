/** How numbers of a sheet are shown: as a program writes the format down -> what matters of it. Pure. */

export type NumberFormat =
  | { readonly kind: 'general' }
  | { readonly kind: 'time'; readonly isElapsed: boolean }
  | { readonly kind: 'date'; readonly hasTime: boolean }
  | DigitFormat
  | MaskFormat

/** `0000`, `#,##0.00`, `0%` */
export interface DigitFormat {
  readonly kind: 'digits'
  readonly before: string
  readonly after: string
  /** Least digits before the point. */
  readonly whole: number
  /** Least and most behind it. */
  readonly least: number
  readonly most: number
  readonly isGrouped: boolean
  readonly isPercent: boolean
}

/** `00\:00`: a digit for each place from the right, and those that are left over before the first. */
export interface MaskFormat {
  readonly kind: 'mask'
  readonly before: string
  readonly after: string
  /** From the left: undefined is a digit, a text is what stands between two. */
  readonly places: readonly (string | undefined)[]
}

export const GENERAL: NumberFormat = { kind: 'general' }

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

/** Longer ones are no format. */
const LONGEST = 1000

/** Of a number that is not negative. */
export function parseFormat(code: string): NumberFormat {
  if (code.length > LONGEST || /^general/i.test(code) || code === '@') return GENERAL
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
  /** It shows itself. */
  readonly isLiteral: boolean
}

/** Those of the first of the parts for signs of the number. */
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
    // a space as wide as the next sign, and a sign that fills the cell
    else if (sign === '_' || sign === '*') at += 1
    else signs.push({ sign, isLiteral: false })
  }
  return signs
}

/** Colours, conditions and languages. */
function withoutBrackets(signs: readonly Sign[]): Sign[] {
  let isInside = false
  return signs.flatMap((one) => {
    if (!one.isLiteral && one.sign === '[') isInside = true
    const isLeftOut = isInside
    if (!one.isLiteral && one.sign === ']') isInside = false
    return isLeftOut ? [] : [ITSELF.test(one.sign) ? { ...one, isLiteral: true } : one]
  })
}

/** Signs that need no quotes to show themselves. */
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

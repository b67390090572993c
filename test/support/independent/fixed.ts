/** Facts that no published file has: families of first fields, antigens without alleles, irregular old names. */

/** First fields that were split: broad, splits. */
export const BROAD_FIELDS: readonly (readonly [string, readonly string[]])[] = [
  'A*09 A*23 A*24', 'A*10 A*25 A*26 A*34 A*66', 'A*19 A*29 A*30 A*31 A*32 A*33 A*74', 'A*28 A*68 A*69', 'B*05 B*51 B*52',
  'B*12 B*44 B*45', 'B*16 B*38 B*39', 'B*17 B*57 B*58', 'B*21 B*49 B*50', 'B*22 B*54 B*55 B*56', 'C*10 C*03 C*04',
  'DQB1*01 DQB1*05 DQB1*06', 'DRB1*02 DRB1*15 DRB1*16', 'DRB1*06 DRB1*13 DRB1*14',
].map((line) => line.split(' ')).map(([broad = '', ...splits]) => [broad, splits]) // prettier-ignore

export const ANTIGENS: readonly string[] = [
  'A 1 2 203 210 3 9 10 11 19 23 24 2403 25 26 28 29 30 31 32 33 34 36 43 66 68 69 74 80',
  'B 5 7 703 8 12 13 14 15 16 17 18 21 22 27 2708 35 37 38 39 3901 3902 40 4005 41 42 44 45 46 47 48 49 50 51 5102 5103 52 53 54',
  'B 55 56 57 58 59 60 61 62 63 64 65 67 70 71 72 73 75 76 77 78 81 82 w4 w6',
  'Cw 1 2 3 4 5 6 7 8 9 10',
  'Dw 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26',
  'DR 1 103 2 3 4 5 6 7 8 9 10 11 12 13 14 1403 1404 15 16 17 18 51 52 53',
  'DQ 1 2 3 4 5 6 7 8 9',
  'DPw 1 2 3 4 5 6',
].flatMap((line) => line.split(' ').slice(1).map((number) => `${line.split(' ')[0]}${number}`)) // prettier-ignore

const NULLS = ['0111', '0115', '0116', '01123', '01160', '01162', '01178', '01179']

/** Old names that the rules would convert wrongly. */
export const OLD_NAMES: ReadonlyMap<string, string> = new Map([
  ['A*0104', 'A*01:04:01:01N'],
  ['A*0105N', 'A*01:04:01:01N'],
  ['DRB5*02ZB', 'DRB5*02:UTV'],
  ...NULLS.map((digits) => [`A*${digits}`, `A*01:${digits.slice(2)}N`] as const),
])

/**
 * Readings of five or seven digits without colons. Until 2002 the third field had one digit; since 2010 second fields
 * (in DPA1 and DPB1 first fields) can have three. A three-digit field does not start with 0. Other lengths have one
 * reading.
 */
export function readings(name: string): readonly string[] {
  const [, before = '', digits = '', rest = ''] = /^([^*]*\*)(\d*)(.*)$/su.exec(name) ?? []
  if (OLD_NAMES.has(name) || (digits.length !== 5 && digits.length !== 7)) return [respelled(name)]
  const isDp = before.startsWith('DP')
  const more = digits.length === 7 ? `:${digits.slice(5)}` : ''
  const at = isDp ? 3 : 2
  const long = `${before}${digits.slice(0, at)}:${digits.slice(at, 5)}${more}${rest}`
  const silent = `${before}${digits.slice(0, 2)}:${digits.slice(2, 4)}:0${digits[4]}${more}${rest}`
  return digits[isDp ? 0 : 2] === '0' ? [silent] : [long, silent]
}

/** Present spelling of a name from before 2010; the name itself if no rule applies. */
export function respelled(name: string): string {
  const known = OLD_NAMES.get(name)
  if (known !== undefined) return known
  const [, before = '', digits = '', rest = ''] = /^([^*]*\*)(\d*)(.*)$/su.exec(name) ?? []
  const count = digits.length
  if (count < 2 || (count === 2 && rest === '')) return name
  if (count === 2) return `${before}${digits}:${rest}`
  if (count === 5 && name.startsWith('DP')) return `${before}${digits.slice(0, 3)}:${digits.slice(3)}${rest}`
  if (count % 2 === 1) return `${before}${digits.slice(0, 2)}:${digits.slice(2)}${rest}`
  return `${before}${digits.replace(/\d\d(?=\d)/g, '$&:')}${rest}`
}

const FIELDS: readonly (readonly string[])[] = [
  ['[1-9]\\d{3}', '[1-9]\\d\\d', '\\d\\d'],
  ['[1-9]\\d{3}', '[1-9]\\d\\d', '\\d\\d'],
  ['[1-9]\\d\\d', '\\d\\d', '\\d'],
  ['[1-9]\\d\\d', '\\d\\d'],
]

/**
 * All ways to put colons between the digits. A one-digit third field is from before 2002; only DPA1 and DPB1 have
 * three-digit first fields.
 */
export function cuts(name: string): readonly string[] {
  const [, before = '', digits = '', rest = ''] = /^([^*]*\*)(\d*)(.*)$/su.exec(name) ?? []
  const of = (text: string, at: number): string[] => {
    if (text === '') return at > 1 ? [''] : []
    const widths = at === 0 && !before.startsWith('DP') ? ['\\d\\d'] : (FIELDS[at] ?? [])
    return widths.flatMap((width) => {
      const [field] = new RegExp(`^${width}`).exec(text) ?? []
      if (field === undefined || /^0+$/.test(field)) return []
      return of(text.slice(field.length), at + 1).map((more) => `:${field.padStart(2, '0')}${more}`)
    })
  }
  if (OLD_NAMES.has(name)) return []
  return of(digits, 0).map((fields) => before + fields.slice(1) + rest)
}

/** What spreadsheets make of typings: `01:02` becomes the clock time 0.0430555555555556, `2` becomes `2.0`. */

const MONTH = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)'
const DATES = [
  /^\d{4}-\d{2}-\d{2}(?:[ T]\d{2}:\d{2}(?::\d{2})?)?$/,
  new RegExp(`^(?:\\d{1,2}-${MONTH}(?:-\\d{2,4})?|${MONTH}-\\d{2,4})$`),
]

/** A date, as sheets are read and as spreadsheets export them: `2024-02-01`, `1-Feb`, `Feb-24`. What it was cannot be said. */
export function isDate(text: string): boolean {
  return DATES.some((date) => date.test(text))
}

/** What the cell probably was, and how it became this; undefined for a cell that is not damaged so. */
export function findDamage(text: string): { readonly reading: string; readonly how: string } | undefined {
  if (/^\d{1,4}[.,]0+$/.test(text)) {
    return { reading: text.replace(/[.,]0+$/, ''), how: 'written as a decimal number' }
  }
  if (/^\d{1,4}:\d{2,3}(?::0+)+$/.test(text)) {
    return { reading: text.replace(/(?::0+)+$/, ''), how: 'written as a time of day' }
  }
  if (HYPHENS.test(text))
    return { reading: text.replaceAll(/(?<=\d)-/g, ':'), how: 'written with hyphens, as dates are' }
  // seconds of a time that a sheet has: `numberText` says why they have a decimal
  const [, time] = /^(\d{2,4}:\d{2}:\d{2})\.0+$/.exec(text) ?? []
  if (time !== undefined) return { reading: time, how: 'written as a time of day' }
  if (!/^0?[.,]\d{2,}$/.test(text)) return undefined
  const seconds = Math.round(Number(text.replace(',', '.').replace(/^\./, '0.')) * SECONDS_A_DAY)
  const fields = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  const shown = (fields[2] === 0 ? fields.slice(0, 2) : fields).map((field) => String(field).padStart(2, '0'))
  return { reading: shown.join(':'), how: 'read as a clock time by a spreadsheet' }
}

/** `01-01-01`, `A*01-01`, `*01-01N`: two digits or three in each field. */
const HYPHENS = /^(?:(?:HLA-)?[A-Z][A-Z0-9]*\*|\*)?\d{2,3}(?:-\d{2,3}){1,3}[A-Z]?$/

/** The text inside the marks that keep spreadsheets from reading it: `="01:01"`, `'01:01`; the same text without them. */
export function withoutMarks(text: string): string {
  if (!text.startsWith('=') && !text.startsWith("'") && !text.endsWith("'")) return text
  const [, formula] = /^="([^"]*)"$/.exec(text) ?? []
  return (formula ?? text).replace(/^'|'$/g, '')
}

const SECONDS_A_DAY = 86_400

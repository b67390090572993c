/** What spreadsheets make of typings: `01:02` becomes the clock time 0.0430555555555556, `2` becomes `2.0`. */

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
  const [, formula] = /^="([^"]*)"$/.exec(text) ?? []
  return (formula ?? text).replace(/^'|'$/g, '')
}

const SECONDS_A_DAY = 86_400

/** What spreadsheets make of typings: `01:02` becomes the clock time 0.0430555555555556, `2` becomes `2.0`. */

/** What the cell probably was, and how it became this; undefined for a cell that is not damaged so. */
export function findDamage(text: string): { readonly reading: string; readonly how: string } | undefined {
  if (/^\d{1,4}[.,]0+$/.test(text)) {
    return { reading: text.replace(/[.,]0+$/, ''), how: 'written as a decimal number' }
  }
  if (/^\d{1,4}:\d{2,3}(?::0+)+$/.test(text)) {
    return { reading: text.replace(/(?::0+)+$/, ''), how: 'written as a time of day' }
  }
  if (!/^0?[.,]\d{2,}$/.test(text)) return undefined
  const seconds = Math.round(Number(text.replace(',', '.').replace(/^\./, '0.')) * SECONDS_A_DAY)
  const fields = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  const shown = (fields[2] === 0 ? fields.slice(0, 2) : fields).map((field) => String(field).padStart(2, '0'))
  return { reading: shown.join(':'), how: 'read as a clock time by a spreadsheet' }
}

const SECONDS_A_DAY = 86_400

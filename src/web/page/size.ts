/** Human-readable sizes. */

/** Text such as `1.23 MB`. */
export function sizeText(bytes: number): string {
  if (bytes < 1000) return bytes === 1 ? '1 byte' : `${bytes} bytes`
  const [amount, unit] = bytes < 1e6 ? [bytes / 1e3, 'kB'] : [bytes / 1e6, 'MB']
  return `${amount.toLocaleString('en', { maximumSignificantDigits: 3 })} ${unit}`
}

/** Texts of the search language. */

export function quoted(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`
}

/** Repeats a text up to a size. */
export function repeated(text: string, size: number): string {
  return text === '' ? '' : text.repeat(Math.max(1, Math.floor(size / text.length)))
}

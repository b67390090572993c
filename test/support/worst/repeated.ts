/** A text again and again, as long as asked for. */
export function repeated(text: string, size: number): string {
  return text === '' ? '' : text.repeat(Math.max(1, Math.floor(size / text.length)))
}

/** Raw text of each field of a row: untouched fields are written back byte for byte, quoting included. */

export interface Quoting {
  /** One character. */
  readonly delimiter: string
  /** One character; undefined when nothing is quoted. */
  readonly quote: string | undefined
}

export interface SplitRow {
  readonly raws: readonly string[]
  /** True when text follows a closing quote, or a quote is inside an unquoted field. */
  readonly isMisquoted: boolean
}

/** `3 fields instead of 4` */
export function fieldsInstead(found: number, width: number): string {
  return `${found} field${found === 1 ? '' : 's'} instead of ${width}`
}

/** `body` is one record without its line end, as csv-parse cut it. */
export function splitRow(body: string, count: number, { delimiter, quote }: Quoting): SplitRow {
  if (quote === undefined || !body.includes(quote)) {
    return { raws: body.split(delimiter), isMisquoted: false }
  }
  const raws: string[] = []
  let isMisquoted = false
  for (let at = 0; at <= body.length;) {
    const { end, isSound } = fieldFrom(body, at, delimiter, quote)
    raws.push(body.slice(at, end))
    isMisquoted ||= !isSound
    at = end + 1
  }
  return { raws, isMisquoted: isMisquoted || raws.length !== count }
}

/** Values of one line, without its end; undefined for a misplaced or open quote, which csv-parse then interprets. */
export function soundFields(body: string, { delimiter, quote }: Quoting): string[] | undefined {
  if (quote === undefined) return body.split(delimiter)
  const values: string[] = []
  for (let at = 0; ;) {
    const { end, isSound } = fieldFrom(body, at, delimiter, quote)
    if (!isSound) return undefined
    const field = body.slice(at, end)
    values.push(field.startsWith(quote) ? field.slice(1, -1).replaceAll(quote + quote, () => quote) : field)
    if (end === body.length) return values
    at = end + 1
  }
}

interface FieldEnd {
  readonly end: number
  readonly isSound: boolean
}

function fieldFrom(body: string, start: number, delimiter: string, quote: string): FieldEnd {
  if (body[start] !== quote) {
    const end = nextOrEnd(body, delimiter, start)
    const field = body.slice(start, end)
    return { end, isSound: !field.includes(quote) || isFormulaText(field, quote) }
  }
  let at = start + 1
  for (;;) {
    const closing = body.indexOf(quote, at)
    if (closing < 0) return { end: body.length, isSound: false }
    if (body[closing + 1] !== quote) {
      const end = closing + 1
      if (end === body.length || body[end] === delimiter) return { end, isSound: true }
      return { end: nextOrEnd(body, delimiter, end), isSound: false }
    }
    at = closing + 2
  }
}

/** `="01:01"`: keeps a spreadsheet from interpreting a text. */
function isFormulaText(field: string, quote: string): boolean {
  return field.startsWith(`=${quote}`) && field.length > 2 && field.indexOf(quote, 2) === field.length - 1
}

function nextOrEnd(body: string, delimiter: string, start: number): number {
  const found = body.indexOf(delimiter, start)
  return found < 0 ? body.length : found
}

/**
 * A value as a field, quoted only if necessary; undefined when it cannot be written without quotes. The quote may be
 * `$`.
 */
export function unquoteField(value: string, { delimiter, quote }: Quoting): string | undefined {
  const isPlain =
    !value.includes(delimiter) &&
    !value.includes('\n') &&
    !value.includes('\r') &&
    (quote === undefined || !value.includes(quote))
  if (isPlain) return value
  return quote === undefined ? undefined : quote + value.replaceAll(quote, () => quote + quote) + quote
}

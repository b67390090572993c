/** Finds the media type that a client prefers, from its `Accept` header. */

/** True when `text/plain` is named and preferred to JSON: a browser that accepts anything gets JSON. */
export function isPlainPreferred(accept: string): boolean {
  return isPreferred(accept, PLAIN_RANGES)
}

/** True for browsers that open a page: they name `text/html`, programs do not. */
export function isHtmlPreferred(accept: string): boolean {
  return isPreferred(accept, HTML_RANGES)
}

function isPreferred(accept: string, wanted: readonly string[]): boolean {
  const ranges = accept.slice(0, MAX_ACCEPT_LENGTH).split(',').map(readRange)
  const quality = qualityOf(ranges, wanted)
  return quality > 0 && quality > qualityOf(ranges, JSON_RANGES)
}

/** Maximum number of characters read; no real client sends more. */
const MAX_ACCEPT_LENGTH = 1000
/** Most specific range first. */
const PLAIN_RANGES = ['text/plain', 'text/*']
const HTML_RANGES = ['text/html', 'application/xhtml+xml']
const JSON_RANGES = ['application/json', 'application/*', '*/*']

interface AcceptedRange {
  readonly type: string
  readonly quality: number
}

function readRange(text: string): AcceptedRange {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  const qValue = parameters.find((parameter) => parameter.startsWith('q='))
  const quality = qValue === undefined ? 1 : Number(qValue.slice(2))
  return { type, quality: quality >= 0 && quality <= 1 ? quality : 0 }
}

function qualityOf(ranges: readonly AcceptedRange[], types: readonly string[]): number {
  for (const type of types) {
    const range = ranges.find((candidate) => candidate.type === type)
    if (range !== undefined) return range.quality
  }
  return 0
}

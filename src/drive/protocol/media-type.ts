/** `Content-Type`, and which encodings an answer may have. */

export interface MediaType {
  /** In lower case, without parameters: `multipart/related`. */
  readonly type: string
  /** By name in lower case; of one that is there twice the first. */
  readonly parameters: ReadonlyMap<string, string>
}

const LONGEST = 1000
const TOKEN = "[!#$%&'*+.^_`|~\\w-]+"
const TYPE = new RegExp(`^\\s*(${TOKEN}/${TOKEN})\\s*(?=;|$)`)
const PARAMETER = new RegExp(
  `;\\s*(?:(${TOKEN})\\s*=\\s*(?:"((?:[^"\\\\]|\\\\.)*)"|([^\\s;"]*))\\s*(?=;|$))?`,
  'y',
)

/** Undefined: there is none, or it has another form. Boundaries may hold signs that should have been quoted, `=` and `:` say. */
export function parseMediaType(header: string | undefined): MediaType | undefined {
  if (header === undefined || header.length > LONGEST) return undefined
  const found = TYPE.exec(header)
  if (found === null) return undefined
  const parameters = new Map<string, string>()
  PARAMETER.lastIndex = found[0].length
  for (let match = PARAMETER.exec(header); match !== null; match = PARAMETER.exec(header)) {
    const [, name, quoted, plain = ''] = match
    const value = quoted === undefined ? plain : quoted.replace(/\\(.)/g, '$1')
    if (name !== undefined && !parameters.has(name.toLowerCase())) parameters.set(name.toLowerCase(), value)
  }
  return { type: (found[1] ?? '').toLowerCase(), parameters }
}

const MIME_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:[ \t]*;[ -~]*)?$/
const LONGEST_MIME_TYPE = 255

/** Whether a text is a MIME type that can stand in a header as it is: Node throws on any other character when it writes the head. */
export function isMimeType(text: string): boolean {
  return text.length <= LONGEST_MIME_TYPE && MIME_TYPE.test(text)
}

/** Whether `Accept-Encoding` allows gzip; without the header it does not. */
export function acceptsGzip(header: string | undefined): boolean {
  const weights = new Map<string, number>()
  for (const part of (header ?? '').slice(0, LONGEST).toLowerCase().split(',')) {
    const [coding = '', ...parameters] = part.split(';').map((piece) => piece.trim())
    const weight = parameters.find((piece) => piece.startsWith('q='))?.slice(2) ?? '1'
    weights.set(coding, Number(weight))
  }
  const weight = weights.get('gzip') ?? weights.get('x-gzip') ?? weights.get('*') ?? 0
  return weight > 0
}

/** JSON that is text already: members that are made as text are not made as objects first. */

/** Stands for what its text says wherever an object would. */
export interface JsonText {
  readonly jsonText: string
  /** For JSON.stringify. */
  readonly toJSON: () => unknown
}

export function jsonText(text: string): JsonText {
  return { jsonText: text, toJSON: () => JSON.parse(text) as unknown }
}

/** The same: V8 keeps a text that was put together as its pieces, until somebody reads it. */
export function inOnePiece(made: JsonText): JsonText {
  Buffer.byteLength(made.jsonText)
  return made
}

function isJsonText(value: object): value is JsonText {
  return 'jsonText' in value && typeof value.jsonText === 'string'
}

/** What JSON.stringify makes of it, with the texts as they are. */
export function stringifyJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  if (isJsonText(value)) return value.jsonText
  if (Array.isArray(value)) return `[${value.map(stringifyJson).join(',')}]`
  const members = Object.entries(value)
  // texts are members of an answer or of the items of one
  if (!members.some(([, member]) => typeof member === 'object' && member !== null))
    return JSON.stringify(value)
  const texts = members.flatMap(([name, member]) =>
    member === undefined ? [] : [`${JSON.stringify(name)}:${stringifyJson(member)}`],
  )
  return `{${texts.join(',')}}`
}

/** Any text. */
export function quoted(text: string): string {
  return JSON.stringify(text)
}

/** An etag of ours: between its quotes there is nothing to escape. */
export function quotedEtag(etag: string): string {
  return `"\\"${etag.slice(1, -1)}\\""`
}

let lastDate = Number.NaN
let lastText = ''

/** Milliseconds since 1970. The dates of an item are often the same one. */
export function dateText(date: number): string {
  if (date !== lastDate) {
    lastText = `"${new Date(date).toISOString()}"`
    lastDate = date
  }
  return lastText
}

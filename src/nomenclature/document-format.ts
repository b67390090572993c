/** Documents in place of names or tables: HML, other XML and JSON, recognised by their beginning. */

export type DocumentFormat = 'HML' | 'XML' | 'JSON'

const HML = /^\s*<\??(?:\w+:)?(?:hml|hmlid|sample|typing|allele-assignment|glstring)\b/i

/** Format of a line that cannot be a name, by its first part. */
export function recognizeLine(text: string): DocumentFormat | undefined {
  const [, opening] = /^\s*([<{[])/u.exec(text) ?? []
  if (opening === undefined) return undefined
  return opening === '<' ? (HML.test(text) ? 'HML' : 'XML') : 'JSON'
}

/** Format of a text by its first characters; a table may have a column named `<id>` or `[id]`. */
export function recognizeDocument(beginning: string): DocumentFormat | undefined {
  if (/^\s*(?:\{\s*["}]|\[\s*[[{"\]])/.test(beginning)) return 'JSON'
  const isXml = /^\s*<(?:\?xml\b|!DOCTYPE\b|!--|(?:\w+:)?hml\b|[A-Za-z][^<>]*>\s*(?:[\r\n<]|$))/i.test(
    beginning,
  )
  if (!isXml) return undefined
  return /<(?:\w+:)?hml\b/i.test(beginning) ? 'HML' : 'XML'
}

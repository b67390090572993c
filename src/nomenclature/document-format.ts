/** Documents in place of names or tables: XML, HML (its form for typings) and JSON, told by how they begin. */

export type DocumentFormat = 'HML' | 'XML' | 'JSON'

const HML = /^\s*<\??(?:\w+:)?(?:hml|hmlid|sample|typing|allele-assignment|glstring)\b/i

/** Of a text that cannot be a name: the first part of a line tells. */
export function recognizeLine(text: string): DocumentFormat | undefined {
  const [, opening] = /^\s*([<{[])/u.exec(text) ?? []
  if (opening === undefined) return undefined
  return opening === '<' ? (HML.test(text) ? 'HML' : 'XML') : 'JSON'
}

/** Of a whole text by its first characters; a table may have a column named `<id>` or `[id]`. */
export function recognizeDocument(beginning: string): DocumentFormat | undefined {
  const isJson = /^\s*(?:\{\s*["}]|\[\s*[[{"\]])/.test(beginning)
  const isXml = /^\s*<(?:\?xml\b|!DOCTYPE\b|!--|(?:\w+:)?hml\b|[A-Za-z][^<>]*>\s*(?:[\r\n<]|$))/i.test(
    beginning,
  )
  if (isJson) return 'JSON'
  if (!isXml) return undefined
  return /<(?:\w+:)?hml\b/i.test(beginning) ? 'HML' : 'XML'
}

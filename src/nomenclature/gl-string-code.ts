/**
 * GL String Codes: a GL String after its namespace and its release or date (glstring.org, GLSC 1.0 and 1.1):
 * `hla#3.58.0#A*01:01+A*02:01`.
 */

export interface GlStringCode {
  readonly namespace: string
  /** Release or date. */
  readonly version: string
  readonly glString: string
  /** Offset of the GL String in the code, in UTF-16 units. */
  readonly start: number
}

/** undefined for a text that is not a code. */
export function parseGlStringCode(text: string): GlStringCode | undefined {
  const first = text.indexOf('#')
  const second = text.indexOf('#', first + 1)
  if (second === -1) return undefined
  const namespace = text.slice(0, first)
  // names never contain `#`, and a namespace has letters only
  if (!/^[A-Za-z]+$/.test(namespace)) return undefined
  const start = second + 1
  return { namespace, version: text.slice(first + 1, second), glString: text.slice(start), start }
}

export function formatGlStringCode(release: string, glString: string): string {
  return `hla#${release}#${glString}`
}

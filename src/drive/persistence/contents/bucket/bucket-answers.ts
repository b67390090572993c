/** What a bucket says in XML: only the elements that are asked for, each with its text. */
import type { SAXOptions } from 'sax'

/** Elements named `record`: of each, the texts of the elements in it. Those outside are in the last one. */
export async function readRecords(
  xml: string,
  record: string,
): Promise<{
  readonly records: readonly ReadonlyMap<string, string>[]
  readonly rest: ReadonlyMap<string, string>
}> {
  const { default: sax } = await import('sax')
  // the types do not know all options
  const options: SAXOptions & { readonly strictEntities: boolean } = { strictEntities: true }
  const parser = sax.parser(true, options)
  const records: Map<string, string>[] = []
  const rest = new Map<string, string>()
  let [into, text] = [rest, '']
  Object.assign(parser, {
    ondoctype() {
      throw new Error('the answer of the bucket has a document type')
    },
    onerror(error: Error) {
      throw error
    },
    onopentag({ name }: { readonly name: string }) {
      text = ''
      if (name === record) records.push((into = new Map<string, string>()))
    },
    ontext: (piece: string) => (text += piece),
    onclosetag(name: string) {
      if (name === record) into = rest
      else into.set(name, text)
      text = ''
    },
  })
  parser.write(xml).close()
  return { records, rest }
}

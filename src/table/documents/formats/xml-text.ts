/** Pieces of XML that are written or replaced: attributes of a tag, the text of an element. Pure. */
import type { Edit } from '../held-text.ts'

/** `tag` as it stands at `start`: the attribute gets the value, or is added. Values hold no signs that mean something. */
export function attributeEdit(tag: string, start: number, name: string, value: string): Edit {
  for (const found of tag.matchAll(ATTRIBUTE)) {
    const [whole, full = '', quoted = ''] = found
    if (localName(full) !== name) continue
    const end = start + found.index + whole.length - 1
    return { start: end - (quoted.length - 2), end, text: value }
  }
  const at = start + (/^<[^\s/>]+/.exec(tag)?.[0].length ?? 1)
  return { start: at, end: at, text: ` ${name}="${value}"` }
}

const ATTRIBUTE = /([^\s=<>"'/]+)\s*=\s*("[^"]*"|'[^']*')/g

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}

/** `hml:` of `<hml:typing`. */
export function prefixIn(tag: string): string {
  return /^<([^\s/>:]+:)/.exec(tag)?.[1] ?? ''
}

/** `content` of an element, as it stands at `start`, becomes `text`; white space around it, comments and a CDATA section stay. */
export function contentEdit(content: string, start: number, text: string): Edit {
  const lead = content.length - content.trimStart().length
  const core = content.trim()
  const at = { start: start + lead, end: start + lead + core.length }
  if (core.startsWith(CDATA) && core.indexOf(CDATA_END) === core.length - CDATA_END.length) {
    const inside = core.slice(CDATA.length, -CDATA_END.length)
    return contentEdit(inside, at.start + CDATA.length, text)
  }
  const asides = core.match(/<!--[\s\S]*?-->|<\?[\s\S]*?\?>/g) ?? []
  return { ...at, text: text + asides.join('') }
}

const CDATA = '<![CDATA['
const CDATA_END = ']]>'

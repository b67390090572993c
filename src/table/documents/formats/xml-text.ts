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
  const [from, to] = [leadOf(content), trailOf(content)]
  // comments alone: the text comes behind them
  const core = content.slice(from, Math.max(from, to))
  const at = { start: start + from, end: start + from + core.length }
  if (core.startsWith(CDATA) && core.indexOf(CDATA_END) === core.length - CDATA_END.length)
    return contentEdit(core.slice(CDATA.length, -CDATA_END.length), at.start + CDATA.length, text)
  const within = core.match(/<!--[\s\S]*?-->|<\?[\s\S]*?\?>/g) ?? []
  return { ...at, text: text + within.join('') }
}

const CDATA = '<![CDATA['
const CDATA_END = ']]>'
const ASIDES = [
  ['<!--', '-->'],
  ['<?', '?>'],
] as const

/** White space, comments and instructions at the beginning. */
function leadOf(content: string): number {
  for (let at = 0; ;) {
    const rest = content.slice(at)
    at = content.length - rest.trimStart().length
    const aside = ASIDES.find(([open]) => content.startsWith(open, at))
    const end = aside === undefined ? -1 : content.indexOf(aside[1], at)
    if (aside === undefined || end < 0) return at
    at = end + aside[1].length
  }
}

/** Where those at the end begin. */
function trailOf(content: string): number {
  for (let at = content.length; ;) {
    at = content.slice(0, at).trimEnd().length
    const before = content.slice(0, at)
    const aside = ASIDES.find(([, close]) => before.endsWith(close))
    const start = aside === undefined ? -1 : before.lastIndexOf(aside[0])
    if (start < 0) return at
    at = start
  }
}

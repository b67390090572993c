/** The part of TOML that `.pyardrc` is written in: tables, and names with a text, a number, a switch or a list of texts. Pure. */
import { HlaError } from '../../../errors.ts'

export type TomlValue = string | number | boolean | readonly string[]

/** Table -> name -> value; the table of what stands before any is ''. */
export type TomlTables = ReadonlyMap<string, ReadonlyMap<string, TomlValue>>

/** @throws {HlaError} usage — what is written otherwise, with its line */
export function readTomlValues(text: string, path: string): TomlTables {
  const tables = new Map<string, Map<string, TomlValue>>()
  let table = openTable(tables, '')
  const lines = text.replace(/^\ufeff/, '').split(/\r?\n/)
  for (let at = 0; at < lines.length; at += 1) {
    const first = at
    let line = withoutComment(lines[at] ?? '')
    // a list may take several lines
    while (isOpenList(line) && at + 1 < lines.length) line += ` ${withoutComment(lines[(at += 1)] ?? '')}`
    if (line.trim() === '') continue
    const [, name] = /^\s*\[\s*([A-Za-z0-9_.-]+)\s*\]\s*$/.exec(line) ?? []
    const [, key = '', value = ''] = /^\s*["']?([A-Za-z0-9_-]+)["']?\s*=\s*(.*?)\s*$/.exec(line) ?? []
    const read = name === undefined ? readValue(value) : undefined
    if (name !== undefined) table = openTable(tables, name)
    else if (read === undefined || table.has(key)) throw notRead(path, first + 1, line)
    else table.set(key, read)
  }
  return tables
}

function openTable(tables: Map<string, Map<string, TomlValue>>, name: string): Map<string, TomlValue> {
  const table = tables.get(name) ?? new Map<string, TomlValue>()
  tables.set(name, table)
  return table
}

const TEXT = /"(?:[^"\\]|\\["\\])*"|'[^']*'/
const STARTS_WITH_TEXT = new RegExp(`^(?:${TEXT.source})`)

/** `#` in a text is part of it. */
function withoutComment(line: string): string {
  let rest = line
  let kept = ''
  while (rest !== '' && !rest.startsWith('#')) {
    const piece = STARTS_WITH_TEXT.exec(rest)?.[0] ?? rest.charAt(0)
    kept += piece
    rest = rest.slice(piece.length)
  }
  return kept
}

function isOpenList(line: string): boolean {
  return /=\s*\[/.test(line) && !/\]\s*$/.test(line)
}

function readValue(value: string): TomlValue | undefined {
  if (value === 'true' || value === 'false') return value === 'true'
  if (/^[+-]?\d[\d_]*$/.test(value)) return Number(value.replaceAll('_', ''))
  const text = readText(value)
  if (text !== undefined) return text
  const [, inside] = /^\[(.*)\]$/.exec(value) ?? []
  if (inside === undefined) return undefined
  const items = inside.split(',').map((item) => item.trim())
  if (items.at(-1) === '') items.pop()
  const texts = items.map(readText)
  return texts.every((one) => one !== undefined) ? texts : undefined
}

function readText(value: string): string | undefined {
  if (STARTS_WITH_TEXT.exec(value)?.[0] !== value) return undefined
  const inside = value.slice(1, -1)
  return value.startsWith('"') ? inside.replaceAll(/\\(.)/g, '$1') : inside
}

function notRead(path: string, line: number, text: string): HlaError {
  return new HlaError('usage', `${path}:${line}: not read: ${text.trim().slice(0, 60)}`, {
    offending: path,
    hint: 'a line is [table], or a name with "text", number, true, false or ["text", …], given once',
  })
}

/** Parsers of option values: numbers, lists, times and sizes. */
import { isIP } from 'node:net'
import { InvalidArgumentError, type Option } from 'commander'

export function collect(value: string, before: readonly string[] | undefined): string[] {
  return [...(before ?? []), value]
}

export function wholeNumber(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('It must be a whole number.')
  return Number(text)
}

export function portNumber(text: string): number {
  const port = wholeNumber(text)
  if (port > 65_535) throw new InvalidArgumentError('It must be a port from 0 to 65535.')
  return port
}

/** An address or name to listen on; IPv6 with or without its brackets. */
export function hostName(text: string): string {
  const bare = text.replace(/^\[(.*)\]$/, '$1')
  const [, port] = /^[^:]+:(\d+)$/.exec(text) ?? /^\[.*\]:(\d+)$/.exec(text) ?? []
  if (port !== undefined)
    throw new InvalidArgumentError(
      `It must be an address without its port: --host ${text.slice(0, -port.length - 1)} --port ${port}.`,
    )
  if (!/^[\w.-]+$/.test(bare) && isIP(bare) === 0)
    throw new InvalidArgumentError('It must be an address or a host name, such as 0.0.0.0.')
  return bare
}

/** Parses a list. A repeated option adds to its list, as with all list options. */
export function commaList(text: string, before: readonly string[] = []): string[] {
  return [...before, ...text.split(/[ ,]+/).filter((item) => item !== '')]
}

/** Parses methods; a single one is kept as typed, as in a request. */
export function methodList(text: string, before?: readonly string[]): string[] {
  return text.includes(',') ? commaList(text, before) : collect(text, before)
}

/** True for parsers of comma-separated lists. */
export function isListParser(parse: Option['parseArg']): boolean {
  return parse === commaList || parse === methodList
}

/** Parses a list whose first occurrence replaces the default. */
export function listInPlaceOf(defaults: readonly string[]) {
  return (text: string, before?: readonly string[]) => commaList(text, before === defaults ? [] : before)
}

/** Parses comma-separated words; they may contain spaces. */
export function wordList(text: string, before: readonly string[] = []): string[] {
  const words = text.split(',').map((word) => word.trim())
  return [...before, ...words.filter((item) => item !== '')]
}

/** Joins columns to one text: names may contain spaces, so the table splits it. */
export function columnList(text: string, before?: string): string {
  return before === undefined ? text : `${before},${text}`
}

const MS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const
const BYTES = { b: 1, kib: 1024, mib: 1024 ** 2, gib: 1024 ** 3, tib: 1024 ** 4 } as const

/** `250ms`, `10s`, `2m`, `30d`; a bare number is seconds. In ms. */
export function duration(text: string): number {
  return quantity(text, MS, 's', 'It must be a time such as 500ms, 10s or 2m.')
}

/** `64KiB`, `1MiB`; a bare number is bytes. */
export function size(text: string): number {
  return quantity(text, BYTES, 'b', 'It must be a size such as 64KiB or 1MiB.')
}

function quantity(
  text: string,
  units: Readonly<Record<string, number>>,
  bare: string,
  right: string,
): number {
  const [, number, unit] = /^(\d+(?:\.\d+)?) ?([a-z]*)$/i.exec(text) ?? []
  const factor = new Map(Object.entries(units)).get((unit ?? '').toLowerCase() || bare)
  if (number === undefined || factor === undefined) throw new InvalidArgumentError(right)
  return Math.round(Number(number) * factor)
}

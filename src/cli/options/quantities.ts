/** Parsers of times and sizes in options: `10s`, `1MiB`. */
import { InvalidArgumentError } from 'commander'

const MS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const
const BYTES = { b: 1, kib: 1024, mib: 1024 ** 2, gib: 1024 ** 3 } as const

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

/** Fields of the objects in a JSON document, by names in any case. */
import type { PersonFault } from './document-source.ts'

export type Refuse = (reason: string, more?: string) => PersonFault

export interface Fields {
  /** By the name in lower case. */
  readonly get: (lower: string) => unknown
  /** In lower case. */
  readonly names: readonly string[]
}

/** @throws {PersonFault} it is no object, or two names differ in case alone */
export function folded(value: unknown, refuse: Refuse, path: string): Fields {
  if (!isObject(value)) throw refuse('an object is expected', path)
  const byLower = new Map<string, unknown>()
  for (const name of Object.keys(value)) {
    const lower = name.toLowerCase()
    if (byLower.has(lower)) throw refuse(`${JSON.stringify(name.slice(0, 60))} is there twice`, path)
    byLower.set(lower, value[name])
  }
  return { names: [...byLower.keys()], get: (name) => byLower.get(name) }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Of all objects in it, whose depth is bounded. */
export function countNames(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const inner: unknown[] = Object.values(value)
  let count = Array.isArray(value) ? 0 : inner.length
  for (const one of inner) if (typeof one === 'object') count += countNames(one)
  return count
}

/** Fields of the objects in a JSON document, by names in any case. */
import type { PersonFault } from './document-source.ts'

export type Refuse = (reason: string, more?: string) => PersonFault

export interface Fields {
  /** By the name in lower case. */
  readonly get: (lower: string) => unknown
  /** In lower case. */
  readonly names: readonly string[]
}

/** How an object names its fields: a million others do as well. */
interface Shape {
  readonly own: readonly string[]
  readonly lower: readonly string[]
  readonly byLower: ReadonlyMap<string, string>
  /** One of two that differ in case alone. */
  readonly twice: string | undefined
}

const MOST_SHAPES = 1000
const shapes = new Map<string, Shape>()

function shapeOf(own: readonly string[]): Shape {
  const key = own.join()
  const known = shapes.get(key)
  // names may hold the comma
  if (known?.own.every((name, at) => name === own[at]) === true) return known
  const byLower = new Map<string, string>()
  let twice: string | undefined
  for (const name of own) {
    const lower = name.toLowerCase()
    if (byLower.has(lower)) twice ??= name
    else byLower.set(lower, name)
  }
  const shape = { own, lower: [...byLower.keys()], byLower, twice }
  if (shapes.size < MOST_SHAPES && key.length < 200) shapes.set(key, shape)
  return shape
}

/** @throws {PersonFault} it is no object, or two names differ in case alone */
export function folded(value: unknown, refuse: Refuse, path: string): Fields {
  if (!isObject(value)) throw refuse('an object is expected', path)
  const { lower, byLower, twice } = shapeOf(Object.keys(value))
  if (twice !== undefined) throw refuse(`${JSON.stringify(twice.slice(0, 60))} is there twice`, path)
  return {
    names: lower,
    get(name) {
      const own = byLower.get(name)
      return own === undefined ? undefined : value[own]
    },
  }
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

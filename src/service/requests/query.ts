/** Parses a query string into values typed by the operation's properties. */
import type { Note } from '../../errors.ts'
import type { Property } from '../../operations/schema.ts'

type Query = Readonly<Record<string, string | readonly string[] | undefined>>

/** A value that does not parse as its type stays text, for the schema to reject. */
export function readQuery(
  query: Query,
  properties: Readonly<Record<string, Property>>,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(query).map(([name, value]) => {
      const type = Object.hasOwn(properties, name) ? properties[name]?.type : undefined
      return [name, readValue(value, type)]
    }),
  )
}

function readValue(value: Query[string], type: Property['type'] | undefined): unknown {
  if (type === 'array') return Array.isArray(value) ? value : String(value).split(',')
  if (typeof value !== 'string') return value
  if (type === 'boolean' && ['', 'true', 'false'].includes(value)) return value !== 'false'
  if (type === 'integer' && /^\d{1,9}$/.test(value)) return Number(value)
  return value
}

/** Warns about `+`, which form encoding reads as a space: GL Strings in addresses need `%2B`. */
export function notePlusSigns(url: string, query: object): Note[] {
  const start = url.indexOf('?')
  if (start < 0 || !url.includes('+', start)) return []
  const texts = Object.values(query).filter((value) => typeof value === 'string' && value.includes(' '))
  if (texts.length === 0) return []
  const message = 'a "+" in a query is read as a space; write %2B for a plus'
  return [{ level: 'warning', code: 'plus-in-query', message }]
}

/** Properties that a query may contain. */
export function queryProperties(
  properties: Readonly<Record<string, Property>>,
  exceptFor: string | undefined,
): Record<string, Property> {
  return Object.fromEntries(
    Object.entries(properties).filter(([name, { type }]) => name !== exceptFor && type !== 'object'),
  )
}

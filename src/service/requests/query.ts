/** The text after `?` -> values of the types that an operation's properties have. */
import type { Note } from '../../errors.ts'
import type { Property } from '../../operations/schema.ts'

type Query = Readonly<Record<string, string | readonly string[] | undefined>>

/** What does not read as its type stays text: the schema then says what is wrong. */
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

/** Form encoding has spaces as `+`: who writes a GL String into an address must write `%2B`. */
export function plusNotes(url: string, query: object): Note[] {
  const start = url.indexOf('?')
  if (start < 0 || !url.includes('+', start)) return []
  const texts = Object.values(query).filter((value) => typeof value === 'string' && value.includes(' '))
  if (texts.length === 0) return []
  const message = 'a "+" in a query is read as a space; write %2B for a plus'
  return [{ level: 'warning', code: 'plus-in-query', message }]
}

/** Properties that can be given after `?`. */
export function queryProperties(
  properties: Readonly<Record<string, Property>>,
  exceptFor: string | undefined,
): Record<string, Property> {
  return Object.fromEntries(
    Object.entries(properties).filter(([name, { type }]) => name !== exceptFor && type !== 'object'),
  )
}

/** Checks what came from outside against an operation's input schema: flat objects of texts, numbers and lists. */
import { HlaError } from '../errors.ts'
import type { Property, Schema } from './schema.ts'

/** @throws {HlaError} bad-request — no object, an unknown or missing property, or one of the wrong type */
export function readInput(schema: Schema, given: unknown): Record<string, unknown> {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new HlaError('bad-request', 'a request is one JSON object')
  }
  const { properties, required = [] } = schema
  for (const [key, value] of Object.entries(given)) checkProperty(key, value, properties)
  for (const key of required) {
    if (!(key in given)) throw new HlaError('bad-request', `${key} is missing`)
  }
  return { ...given }
}

function checkProperty(key: string, value: unknown, properties: Readonly<Record<string, Property>>): void {
  const property = Object.hasOwn(properties, key) ? properties[key] : undefined
  if (property === undefined) {
    const known = Object.keys(properties).join(', ')
    throw new HlaError('bad-request', `unknown property ${JSON.stringify(key)}; properties are ${known}`, {
      offending: key,
    })
  }
  const type = Array.isArray(value) ? 'array' : typeof value
  const expected = property.type === 'integer' ? 'number' : property.type
  if (value === null || type !== expected) {
    throw new HlaError(
      'bad-request',
      `${key} must be a ${property.type === 'string' ? 'text' : property.type}`,
      { offending: key },
    )
  }
}

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
  checkValue(key, value, property)
}

function checkValue(key: string, value: unknown, property: Property): void {
  const { enum: choices, minimum, items } = property
  if (!isOfType(value, property)) throw wrong(key, NOUNS[property.type])
  // methods have aliases, and an error of their own that knows what was meant
  if (key !== 'reduction_method' && choices !== undefined && !choices.includes(String(value)))
    throw wrong(key, `one of ${choices.join(', ')}`)
  if (minimum !== undefined && Number(value) < minimum) throw wrong(key, `${minimum} or more`)
  if (items !== undefined && Array.isArray(value))
    for (const item of value) checkValue(`each of ${key}`, item, items)
}

const NOUNS: Readonly<Record<Property['type'], string>> = {
  string: 'a text', integer: 'a whole number', boolean: 'true or false', array: 'a list', object: 'an object',
} // prettier-ignore

function isOfType(value: unknown, { type }: Property): boolean {
  if (type === 'integer') return Number.isInteger(value)
  if (type === 'array') return Array.isArray(value)
  return value !== null && !Array.isArray(value) && typeof value === type
}

function wrong(key: string, right: string): HlaError {
  return new HlaError('bad-request', `${key} must be ${right}`, { offending: key })
}

/** Parts shared by the descriptions of routes. */
import type { InputSchema } from '../../operations/schema.ts'
import { described, type Json, reference } from './openapi-schemas.ts'
import { REFUSALS } from '../requests/refusals.ts'

export function json(schema: unknown, example?: unknown): Json {
  return { 'application/json': { schema, ...(example === undefined ? {} : { example }) } }
}

export function queryParameters({ properties, required = [] }: InputSchema): Json[] {
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema: described(schema),
    ...(schema.type === 'array' ? { style: 'form', explode: false } : {}),
  }))
}

export function failure(description: string, header?: string): Json {
  const headers = header === undefined ? {} : { headers: { [header]: { schema: { type: 'string' } } } }
  return { description, ...headers, content: json(reference('Error')) }
}

const HEADERS: ReadonlyMap<number, string> = new Map([[401, 'WWW-Authenticate'], [429, 'Retry-After']]) // prettier-ignore

/** Error responses of every route; some apply only to routes with a body. */
export function refusals(hasBody: boolean): Json {
  const able = REFUSALS.filter(
    ({ status }) => ![404, 405].includes(status) && (hasBody || ![408, 413].includes(status)),
  )
  return Object.fromEntries(able.map(({ status, when }) => [status, failure(when, HEADERS.get(status))]))
}

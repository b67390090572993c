/** What descriptions of operations have in common. */
import type { Schema } from '../operations/schema.ts'

export type Json = Readonly<Record<string, unknown>>

export const ERROR: Json = {
  type: 'object',
  properties: {
    message: { type: 'string' },
    code: { type: 'string', description: 'stable, for programs' },
    offending: { type: 'string' },
    position: { type: 'array', items: { type: 'integer' }, minItems: 2, maxItems: 2 },
    hint: { type: 'string' },
    suggestions: { type: 'array', items: { type: 'string' } },
  },
  required: ['message'],
}

export const ERROR_REF = { $ref: '#/components/schemas/Error' }

export function json(schema: unknown): Json {
  return { 'application/json': { schema } }
}

export function queryParameters({ properties, required = [] }: Schema): Json[] {
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
  }))
}

/** Schemas of the description: named schemas of the operations, and shared parts once. */
import { ERROR_CODES } from '../../errors.ts'
import { listRoutes } from '../../operations/http-face.ts'
import { NOTES_SCHEMA, type Operation } from '../../operations/operation.ts'
import { OPTIONS_SCHEMA } from '../../operations/options-schema.ts'
import { PROBLEM_SCHEMA } from '../../operations/answers/problem.ts'
import { OPERATIONS } from '../../operations/registry.ts'
import type { Property } from '../../operations/schema.ts'
import { REFUSALS } from '../requests/refusals.ts'
import { routeSchema } from '../routes.ts'

export type Json = Readonly<Record<string, unknown>>

export function reference(name: string): Json {
  return { $ref: `#/components/schemas/${name}` }
}

/** Schema object shared by operations -> its name. */
const SHARED: ReadonlyMap<Property, string> = new Map<Property, string>([
  [NOTES_SCHEMA.items, 'Note'],
  [OPTIONS_SCHEMA, 'EngineOptions'],
  [PROBLEM_SCHEMA, 'Problem'],
])

const POSITION: Json = {
  type: 'array',
  items: { type: 'integer' },
  minItems: 2,
  maxItems: 2,
  description: 'half-open range in the input, in UTF-16 code units',
}

const ERROR: Json = {
  type: 'object',
  properties: {
    message: { type: 'string' },
    code: {
      type: 'string',
      enum: [...new Set([...ERROR_CODES, ...REFUSALS.map(({ code }) => code)])],
      description: 'stable, for programs',
    },
    offending: { type: 'string', description: 'the part of the input that the error is about' },
    position: POSITION,
    hint: { type: 'string', description: 'what is known about it, or what to do' },
    suggestions: {
      type: 'array',
      items: { type: 'string' },
      description: 'suggestions, best first',
    },
    found: { type: 'string', description: 'blend-mismatch: the genes that are typed' },
    expected: { type: 'string', description: 'blend-mismatch: the genes that DRB1 implies' },
    request_id: { type: 'string', description: 'code internal: id of the request in the log' },
  },
  required: ['message', 'code'],
}

/** `redux` -> `Redux`, `ReduxRequest` */
export function answerName({ name }: Operation): string {
  return name.slice(0, 1).toUpperCase() + name.slice(1)
}

export function requestName(operation: Operation): string {
  return `${answerName(operation)}Request`
}

export function namedSchemas(): Json {
  const shared = [...SHARED].map(([schema, name]) => [name, described(schema, schema)] as const)
  const ofOperations = OPERATIONS.flatMap((operation) => {
    const route = listRoutes(operation.http).find(({ method }) => method === 'POST')
    const request =
      route === undefined
        ? []
        : [[requestName(operation), described(routeSchema({ operation, route }))] as const]
    return [...request, [answerName(operation), described(operation.output)] as const]
  })
  return { Error: ERROR, ...Object.fromEntries(shared), ...Object.fromEntries(ofOperations) }
}

/**
 * Describes a schema. Unknown members are ignored in requests and possible in answers, so only the options are closed.
 * `self` is the shared part being described, instead of referred to.
 */
export function described(schema: Property, self?: Property): Json {
  const name = schema === self ? undefined : SHARED.get(schema)
  if (name !== undefined) return reference(name)
  const { items, properties, additionalProperties, ...rest } = schema
  return {
    ...rest,
    ...(items === undefined ? {} : { items: described(items) }),
    ...(properties === undefined ? {} : { properties: describedAll(properties) }),
    ...(typeof additionalProperties === 'object'
      ? { additionalProperties: described(additionalProperties) }
      : {}),
    ...(schema === OPTIONS_SCHEMA ? { additionalProperties: false } : {}),
  }
}

export function describedAll(properties: Readonly<Record<string, Property>>): Json {
  return Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, described(one)]))
}

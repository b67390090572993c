/** The registry as an OpenAPI 3.1 document. */
import type { ErrorCode } from '../errors.ts'
import { parameterOf, routesOf } from '../operations/http-face.ts'
import { OPERATIONS } from '../operations/registry.ts'
import { packageVersion } from '../package-root.ts'
import { type OperationRoute, schemaOf, subjectInPath } from './routes.ts'
import { STATUS_OF_ERROR } from './status-of-error.ts'

type Json = Readonly<Record<string, unknown>>

/** The interface of the reduction service that the paths follow. */
const INTERFACE_VERSION = '1.5.3'

export function openApi(): Json {
  const paths: Record<string, Record<string, Json>> = {}
  for (const operation of OPERATIONS) {
    for (const route of routesOf(operation.http)) {
      const known = (paths[route.path] ??= {})
      known[route.method.toLowerCase()] = operationObject({ operation, route })
    }
  }
  paths['/batch'] = { post: BATCH }
  return {
    openapi: '3.1.0',
    info: {
      title: 'HLA Allele Reduction Service',
      version: INTERFACE_VERSION,
      description: `Served by hla ${packageVersion()}.`,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    paths,
    components: { schemas: { Error: ERROR } },
  }
}

const ERROR: Json = {
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

const BATCH: Json = {
  operationId: 'batch',
  summary: 'Many requests: JSON Lines both ways, an answer for each line in its order',
  requestBody: {
    required: true,
    content: {
      'application/jsonl': {
        schema: { type: 'string', description: '{"op":"redux", and the properties of the operation}' },
      },
    },
  },
  responses: {
    200: {
      description: 'the output of each operation, or {"error":{…}}',
      content: { 'application/jsonl': { schema: { type: 'string' } } },
    },
  },
}

function operationObject({ operation, route }: OperationRoute): Json {
  const { body, querystring } = schemaOf({ operation, route }) as { body?: Json; querystring?: Json }
  const parameters = parametersOf({ operation, route }, querystring)
  const statuses = [...new Set([400, ...missingStatuses(operation.http.missing), 501])]
  return {
    operationId:
      route.method === operation.http.method
        ? operation.name
        : `${operation.name}-${route.method.toLowerCase()}`,
    summary: operation.summary,
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined ? {} : { requestBody: { required: true, content: json(body) } }),
    responses: {
      200: { description: 'the answer', content: json(answerSchema({ operation, route })) },
      ...Object.fromEntries(
        statuses.map((status) => [status, { description: DESCRIPTIONS[status], content: json(ERROR_REF) }]),
      ),
    },
  }
}

const ERROR_REF = { $ref: '#/components/schemas/Error' }
const DESCRIPTIONS: Readonly<Record<number, string>> = {
  400: 'malformed, or not in the release',
  404: 'nothing of the kind',
  501: 'the installed data cannot answer it',
}

function missingStatuses(missing: readonly ErrorCode[] = []): number[] {
  return missing.length > 0 ? [404] : Object.values(STATUS_OF_ERROR).includes(404) ? [404] : []
}

/** Bodies that are not the output proper are described as anything. */
function answerSchema({ operation }: OperationRoute): Json {
  return operation.http.toBody === undefined ? { ...operation.output, additionalProperties: true } : {}
}

function parametersOf({ operation, route: { path } }: OperationRoute, query: Json | undefined): Json[] {
  const inPath = subjectInPath(operation, path)
  const name = parameterOf(path)
  const properties = Object.entries((query?.['properties'] ?? {}) as Readonly<Record<string, Json>>)
  const required = (query?.['required'] ?? []) as readonly string[]
  return [
    ...(inPath === undefined
      ? []
      : [{ name, in: 'path', required: true, schema: operation.input.properties[inPath] }]),
    ...properties.map(([one, schema]) => ({
      name: one,
      in: 'query',
      required: required.includes(one),
      schema,
    })),
  ]
}

function json(schema: unknown): Json {
  return { 'application/json': { schema } }
}

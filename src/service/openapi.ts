/** The registry as an OpenAPI 3.1 document. */
import { parameterOf, routesOf } from '../operations/http-face.ts'
import { OPERATIONS } from '../operations/registry.ts'
import type { Schema } from '../operations/schema.ts'
import { packageVersion } from '../package-root.ts'
import { ERROR, ERROR_REF, type Json, json, queryParameters } from './openapi-parts.ts'
import { BATCH, TABLE } from './openapi-streams.ts'
import { type OperationRoute, schemaOf, subjectInPath } from './routes.ts'

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
  paths['/table'] = { post: TABLE }
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

function operationObject({ operation, route }: OperationRoute): Json {
  const schema = schemaOf({ operation, route })
  const [body, query] = route.method === 'POST' ? [schema, undefined] : [undefined, schema]
  const parameters = parametersOf({ operation, route }, query)
  const statuses = [...new Set([400, 404, 501])]
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

const DESCRIPTIONS: Readonly<Record<number, string>> = {
  400: 'malformed, or not in the release',
  404: 'nothing of the kind',
  501: 'the installed data cannot answer it',
}

/** Bodies that are not the output proper are described as anything. */
function answerSchema({ operation }: OperationRoute): Json {
  return operation.http.toBody === undefined ? { ...operation.output, additionalProperties: true } : {}
}

function parametersOf({ operation, route: { path } }: OperationRoute, query: Schema | undefined): Json[] {
  const inPath = subjectInPath(operation, path)
  const name = parameterOf(path)
  return [
    ...(inPath === undefined
      ? []
      : [{ name, in: 'path', required: true, schema: operation.input.properties[inPath] }]),
    ...(query === undefined ? [] : queryParameters(query)),
  ]
}

/** Builds an OpenAPI 3.1 document from the registry. */
import { pathParameter, listRoutes } from '../../operations/http-face.ts'
import { OPERATIONS } from '../../operations/registry.ts'
import { packageVersion } from '../../package-root.ts'
import { EXAMPLES } from './openapi-examples.ts'
import { failure, json, queryParameters, refusals } from './openapi-parts.ts'
import { answerName, described, describedAll, type Json, namedSchemas, reference, requestName } from './openapi-schemas.ts' // prettier-ignore
import { BATCH, BATCH_SCHEMAS, STATE, TABLE, TABLE_SCHEMAS } from './openapi-streams.ts'
import { type OperationRoute, SERVICE_FACTS } from '../questions/answer-route.ts'
import { routeSchema, subjectInPath } from '../routes.ts'

/** Version of the reduction service interface that the paths follow. */
const INTERFACE_VERSION = '1.5.3'

const TAGS = [
  { name: 'reduce', description: 'Reduce typings' },
  { name: 'names', description: 'Look up names, codes and antigens' },
  { name: 'meta', description: 'Version and data of the service' },
  { name: 'many', description: 'Many typings in one request' },
  { name: 'state', description: 'Watch the service' },
]

export function openApi(): Json {
  const paths: Record<string, Record<string, Json>> = {}
  for (const operation of OPERATIONS) {
    for (const route of listRoutes(operation.http)) {
      const methods = (paths[route.path] ??= {})
      methods[route.method.toLowerCase()] = operationObject({ operation, route })
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'HLA Allele Reduction Service',
      version: INTERFACE_VERSION,
      description: `Served by hla ${packageVersion()}.`,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    // a token is required only where the operator configured tokens
    security: [{}, { bearer: [] }],
    tags: TAGS,
    paths: { ...paths, '/batch': { post: BATCH }, '/table': { post: TABLE }, ...STATE },
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      schemas: { ...namedSchemas(), ...BATCH_SCHEMAS, ...TABLE_SCHEMAS },
    },
  }
}

function operationObject({ operation, route }: OperationRoute): Json {
  const { name, group, http } = operation
  const hasBody = route.method === 'POST'
  const parameters = hasBody ? [] : listParameters({ operation, route })
  const { input } = EXAMPLES.get(name) ?? {}
  return {
    operationId: route.id ?? (route.method === http.method ? name : `${name}-${route.method.toLowerCase()}`),
    tags: [group],
    summary: route.summary,
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(hasBody
      ? { requestBody: { required: true, content: json(reference(requestName(operation)), input) } }
      : {}),
    responses: {
      ...answers({ operation, route }),
      ...refusals(hasBody),
      409: failure('the request names another release than the one that answers'),
      501: failure('the installed data cannot answer it'),
    },
  }
}

function answers({ operation, route }: OperationRoute): Json {
  const { statusOf, hasNoBadTyping, plain } = operation.http
  const text = plain === undefined ? {} : { 'text/plain': { schema: { type: 'string' } } }
  const right = {
    200: {
      description: plain === undefined ? 'the answer' : 'the answer, as text if Accept prefers it',
      content: { ...json(bodySchema({ operation, route }), exampleBody({ operation, route })), ...text },
    },
    ...(route.method === 'GET' ? { 304: { description: 'not modified: see If-None-Match' } } : {}),
  }
  if (statusOf === undefined)
    return {
      ...right,
      400: failure(hasNoBadTyping === true ? 'the request is malformed' : 'malformed, or not in the release'),
      404: failure('nothing found'),
    }
  const verdict = { ...json({ anyOf: [reference(answerName(operation)), reference('Error')] }), ...text }
  return {
    ...right,
    400: { description: 'the typing or the request is malformed', content: verdict },
    404: { description: 'well-formed, but not in the release', content: verdict },
  }
}

/** Schema of the contract's body: its own, or the output with additional properties. */
function bodySchema({ operation, route }: OperationRoute): Json {
  const { body, more, describesService } = operation.http
  if (body !== undefined) return body
  const output = reference(answerName(operation))
  const properties = { ...more, ...route.more, ...(describesService === true ? SERVICE_FACTS : {}) }
  const required = Object.keys(properties)
  if (required.length === 0) return output
  return { allOf: [output, { type: 'object', properties: describedAll(properties), required }] }
}

function exampleBody({ operation, route }: OperationRoute): unknown {
  const { name, http } = operation
  const output = EXAMPLES.get(name)?.output
  if (output === undefined || route.example !== undefined) return undefined
  // the example is an output of this operation
  return http.toBody?.(output as never) ?? output
}

function listParameters({ operation, route }: OperationRoute): Json[] {
  const { path } = route
  const inPath = subjectInPath(operation, path)
  const property = inPath === undefined ? undefined : operation.input.properties[inPath]
  const example = route.example ?? EXAMPLES.get(operation.name)?.input[inPath ?? '']
  return [
    ...(property === undefined
      ? []
      : [{ name: pathParameter(path), in: 'path', required: true, schema: described(property), example }]),
    ...queryParameters(routeSchema({ operation, route })),
  ]
}

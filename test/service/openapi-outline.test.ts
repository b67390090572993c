/** The OpenAPI description in outline: each route with what it takes and answers, and the schemas of batches and tables. */
import { expect, test } from 'vitest'
import { ERROR_CODES } from '../../src/errors.ts'
import type { Operation } from '../../src/operations/operation.ts'
import { OPERATIONS } from '../../src/operations/registry.ts'
import { packageVersion } from '../../src/package-root.ts'
import { openApi } from '../../src/service/openapi/openapi.ts'

interface Schema {
  readonly $ref?: string
  readonly allOf?: readonly Schema[]
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly enum?: readonly string[]
  readonly title?: string
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: Schema | boolean
}

type Content = Readonly<Record<string, { readonly schema: Schema; readonly example?: unknown }>>

interface Parameter {
  readonly name: string
  readonly in: string
  readonly required: boolean
  readonly schema: Schema
  readonly example?: unknown
}

interface Route {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly security?: readonly unknown[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly required: boolean; readonly content: Content }
  readonly responses: Readonly<
    Record<
      string,
      {
        readonly description: string
        readonly content?: Content
        readonly headers?: Readonly<Record<string, unknown>>
      }
    >
  >
}

// in its serialized form
const document = JSON.parse(JSON.stringify(openApi())) as Readonly<{
  paths: Readonly<Record<string, Readonly<Record<string, Route>>>>
  components: Readonly<{ schemas: Readonly<Record<string, Schema>>; securitySchemes: unknown }>
  [other: string]: unknown
}>

const routes = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, route]) => [`${method} ${path}`, route] as const),
)

function typeText(schema: Schema): string {
  const { $ref, allOf, anyOf, oneOf, type, items, properties, required = [], additionalProperties } = schema
  if ($ref !== undefined) return $ref.replace('#/components/schemas/', '')
  if (allOf !== undefined) return allOf.map(typeText).join(' & ')
  if (anyOf !== undefined) return anyOf.map(typeText).join(' | ')
  if (oneOf !== undefined) return oneOf.map(typeText).join(' or ')
  if (schema.enum !== undefined) return schema.enum.join('|')
  if (items !== undefined) return `${typeText(items)}[]`
  if (properties !== undefined) {
    const members = Object.entries(properties).map(([name, one]) => `${name}${required.includes(name) ? '' : '?'} ${typeText(one)}`) // prettier-ignore
    return `{ ${members.join(', ')} }`
  }
  if (typeof additionalProperties === 'object') return `{ any ${typeText(additionalProperties)} }`
  return [type, schema.format].flat().filter((one) => one !== undefined).join(' ') // prettier-ignore
}

function contentText(content: Content = {}): string {
  return Object.entries(content)
    .map(([type, { schema, example }]) => `${type} ${typeText(schema)}${example === undefined ? '' : ', e.g. …'}`)
    .join('; ') // prettier-ignore
}

function parameterText({ name, in: place, required, schema, example }: Parameter): string {
  const text = `${place} ${name}${required ? '' : '?'} ${[schema.type].flat().join('|')}`
  return example === undefined ? text : `${text}, e.g. ${JSON.stringify(example)}`
}

const ANSWERS = new Set(['200', '304', '400', '404', '503'])

function outline([place, route]: readonly [string, Route]): string {
  const { operationId, tags, security, parameters = [], requestBody, responses } = route
  const statuses = Object.entries(responses)
  const answers = statuses.filter(([status]) => ANSWERS.has(status))
  return [
    `${place}: ${operationId} of ${tags.join()}${security === undefined ? '' : `, ${JSON.stringify(security)}`}`,
    ...parameters.map((one) => `  ${parameterText(one)}`),
    ...(requestBody === undefined ? [] : [`  body${requestBody.required ? '' : '?'} ${contentText(requestBody.content)}`]),
    ...answers.map(([status, { description, content }]) => `  ${status} ${description}: ${contentText(content)}`),
    `  ${statuses.flatMap(([status]) => (ANSWERS.has(status) ? [] : [status])).join(' ')}`,
  ].map((line) => line.trimEnd()).join('\n')
} // prettier-ignore

test('the routes', () => {
  expect(`\n${routes.map(outline).join('\n')}\n`).toMatchInlineSnapshot(`
    "
    post /redux: redux of reduce
      body application/json ReduxRequest, e.g. …
      200 the answer: application/json Redux & { pyard_version string }, e.g. …
      400 malformed, or not in the release: application/json Error
      404 nothing found: application/json Error
      401 408 409 413 415 429 500 501
    get /ard/{allele}: ard of reduce
      path allele string, e.g. "A*01:AB"
      query from? string
      query lift? boolean
      query accept? array
      200 the answer, as text if Accept prefers it: application/json Ard & { pyard_version string }, e.g. …; text/plain string
      304 not modified: see If-None-Match:
      400 malformed, or not in the release: application/json Error
      404 nothing found: application/json Error
      401 409 415 429 500 501
    post /cwd-redux: cwd of reduce
      body application/json CwdRequest, e.g. …
      200 the answer: application/json Cwd, e.g. …
      400 malformed, or not in the release: application/json Error
      404 nothing found: application/json Error
      401 408 409 413 415 429 500 501
    post /validate: validate of names
      body application/json ValidateRequest, e.g. …
      200 the answer, as text if Accept prefers it: application/json Validate, e.g. …; text/plain string
      400 the typing or the request is malformed: application/json Validate | Error; text/plain string
      404 well-formed, but not in the release: application/json Validate | Error; text/plain string
      401 408 409 413 415 429 500 501
    get /valid: validate-get of names
      query gl_string string
      query level? string
      query no_plausibility? boolean
      query accession? boolean
      query nulls? boolean
      query from? string
      query lift? boolean
      query accept? array
      200 the answer, as text if Accept prefers it: application/json Validate, e.g. …; text/plain string
      304 not modified: see If-None-Match:
      400 the typing or the request is malformed: application/json Validate | Error; text/plain string
      404 well-formed, but not in the release: application/json Validate | Error; text/plain string
      401 409 415 429 500 501
    post /mac: mac of names
      body application/json MacRequest, e.g. …
      200 the answer, as text if Accept prefers it: application/json Mac, e.g. …; text/plain string
      400 malformed, or not in the release: application/json Error
      404 nothing found: application/json Error
      401 408 409 413 415 429 500 501
    get /mac/{allele_code}: mac-get of names
      path allele_code string, e.g. "A*01:AB"
      query direction? string
      query xx? boolean
      query all_codes? boolean
      query raw? boolean
      query hats? boolean
      query from? string
      query lift? boolean
      query accept? array
      200 the answer, as text if Accept prefers it: application/json Mac; text/plain string
      304 not modified: see If-None-Match:
      400 malformed, or not in the release: application/json Error
      404 nothing found: application/json Error
      401 409 415 429 500 501
    get /mac-hats/{allele_code}: mac-hats of names
      path allele_code string, e.g. "A*01:AB"
      query direction? string
      query xx? boolean
      query all_codes? boolean
      query raw? boolean
      query hats? boolean
      query from? string
      query lift? boolean
      query accept? array
      200 the answer, as text if Accept prefers it: application/json Mac; text/plain string
      304 not modified: see If-None-Match:
      400 malformed, or not in the release: application/json Error
      404 nothing found: application/json Error
      401 409 415 429 500 501
    get /xx/{xx_code}: xx of names
      path xx_code string, e.g. "A*43:XX"
      query direction? string
      query xx? boolean
      query all_codes? boolean
      query raw? boolean
      query hats? boolean
      query from? string
      query lift? boolean
      query accept? array
      200 the answer, as text if Accept prefers it: application/json Mac & { xx_code string }; text/plain string
      304 not modified: see If-None-Match:
      400 malformed, or not in the release: application/json Error
      404 nothing found: application/json Error
      401 409 415 429 500 501
    get /splits/{allele}: splits of names
      path allele string, e.g. "A25"
      query associated? boolean
      200 the answer: application/json Splits, e.g. …
      304 not modified: see If-None-Match:
      400 the request is malformed: application/json Error
      404 nothing found: application/json Error
      401 409 415 429 500 501
    get /similar/{allele_prefix}: similar of names
      path allele_prefix string, e.g. "A*01:01:01:04"
      query kind? string
      query limit? integer
      query count? boolean
      200 the answer: application/json string[] or { count integer }, e.g. …
      304 not modified: see If-None-Match:
      400 the request is malformed: application/json Error
      404 nothing found: application/json Error
      401 409 415 429 500 501
    post /blend: blend of names
      body application/json BlendRequest, e.g. …
      200 the answer: application/json Blend, e.g. …
      400 malformed, or not in the release: application/json Error
      404 nothing found: application/json Error
      401 408 409 413 415 429 500 501
    post /explain: explain of names
      body application/json ExplainRequest, e.g. …
      200 the answer: application/json Explain, e.g. …
      400 malformed, or not in the release: application/json Error
      404 nothing found: application/json Error
      401 408 409 413 415 429 500 501
    post /lift: lift of names
      body application/json LiftRequest, e.g. …
      200 the answer: application/json Lift, e.g. …
      400 malformed, or not in the release: application/json Error
      404 nothing found: application/json Error
      401 408 409 413 415 429 500 501
    post /diff: diff of names
      body application/json DiffRequest, e.g. …
      200 the answer: application/json Diff, e.g. …
      400 malformed, or not in the release: application/json Error
      404 nothing found: application/json Error
      401 408 409 413 415 429 500 501
    post /match: match of names
      body application/json MatchRequest, e.g. …
      200 the answer: application/json Match, e.g. …
      400 malformed, or not in the release: application/json Error
      404 nothing found: application/json Error
      401 408 409 413 415 429 500 501
    post /count: count of names
      body application/json CountRequest, e.g. …
      200 the answer: application/json Count, e.g. …
      400 malformed, or not in the release: application/json Error
      404 nothing found: application/json Error
      401 408 409 413 415 429 500 501
    get /version: version of meta
      200 the answer, as text if Accept prefers it: application/json Version & { operations string[], batch boolean, allele_count integer, loci string[], methods string[], releases string[] }, e.g. …; text/plain string
      304 not modified: see If-None-Match:
      400 malformed, or not in the release: application/json Error
      404 nothing found: application/json Error
      401 409 415 429 500 501
    post /batch: batch of many
      body application/jsonl string, e.g. …
      200 an answer for each line: application/jsonl string, e.g. …
      401 415 429 500
    post /table: table of many
      query name? string
      query method? array
      query antigens? string
      query accept? array
      query delimiter? string
      query header? boolean
      query ragged? string
      query sheet? string
      query input_format? string
      query long? string
      query columns? string
      query exclude? string
      query locus? string
      query gl? string
      query only_named? boolean
      query bare_digits? string
      query cell_separator? string
      query missing? string
      query token? string
      query into? string
      query gl_out? string
      query shape? string
      query output_format? string
      query person_columns? string
      query set? string
      query on_error? string
      body application/octet-stream string binary, e.g. …
      200 multipart; the last part is the summary, or the error that left the table incomplete: multipart/form-data { plan string, table string binary, errors? string binary, summary? TableSummary, error? Error }
      400 not a table, or its typing columns could not be found: application/json Error
      503 other tables are being converted: application/json Error
      401 408 413 415 429 500
    get /healthz: healthz of state, []
      200 the process is alive: application/json { status string }, e.g. …

    get /readyz: readyz of state, []
      200 ready: application/json { status string, data string }, e.g. …
      503 not ready: the service is shutting down: application/json { status string, message string }

    get /metrics: metrics of state
      200 metrics of all processes of the service: text/plain string, e.g. …
      401 415 429 500
    "
  `)
})

test('a refusal is the same of every route', () => {
  const refusals = routes.flatMap(([, { responses }]) =>
    Object.entries(responses).flatMap(([status, { description, content, headers = {} }]) =>
      ANSWERS.has(status) && headers['Retry-After'] === undefined
        ? []
        : [`${status} ${description}: ${contentText(content)}; ${Object.keys(headers).join()}`],
    ),
  )
  expect([...new Set(refusals)].toSorted()).toMatchInlineSnapshot(`
    [
      "401 the bearer token is missing or wrong: application/json Error; WWW-Authenticate",
      "408 the request did not arrive in time: application/json Error; ",
      "409 the request names another release than the one that answers: application/json Error; ",
      "413 the body is longer than the service reads: application/json Error; ",
      "415 the body is compressed: application/json Error; ",
      "429 more requests than the service accepts from one client: see Retry-After: application/json Error; Retry-After",
      "500 the service failed: application/json Error; ",
      "501 the installed data cannot answer it: application/json Error; ",
      "503 other tables are being converted: application/json Error; Retry-After",
    ]
  `)
})

test('the schemas of batches and tables', () => {
  const types = Object.entries(document.components.schemas)
    .filter(([name]) => /^(?:BatchA|BatchF|Table|Failed)/.test(name))
    .map(([name, schema]) => `${name}: ${typeText(schema)}`)
  expect(types).toMatchInlineSnapshot(`
    [
      "BatchFailure: { error Error }",
      "BatchAnswer: Redux | Ard | Cwd | Validate | Mac | Splits | Similar | Blend | Explain | Lift | Diff | Match | Count | Version | BatchFailure",
      "TableFailure: { row integer, line integer, id string, column string, locus string, value string, code string, message string, suggestion string, path? string }",
      "FailedValue: { value string, locus string, code string, message string, hint string, replacements string[], cells integer, columns string[], lines integer[] }",
      "TableColumn: { name string, read typing|id|no, locus string, reading? string, examples? string[], why? string }",
      "TablePlanLine: { name string, text string }",
      "TableNote: { code string, message string }",
      "TableSummary: { name string, rows integer, typings integer, distinct integer null, status { any integer }, codes { any integer }, notes { any integer }, text string, said TableNote[], failed integer, reported integer, failures TableFailure[], values FailedValue[], columns TableColumn[], plan TablePlanLine[] }",
    ]
  `)
})

test('a line of a batch names its operation, and has what that needs', () => {
  const lines = document.components.schemas['BatchLine']?.oneOf ?? []
  expect(lines.map(({ title, properties = {}, required }) => ({ title, op: properties['op']?.enum, required }))).toEqual(
    OPERATIONS.map(({ name, input: { required = [] } }: Operation) => ({ title: name, op: [name], required: ['op', ...required] })),
  )
}) // prettier-ignore

test('an error has a code of the program or of the service', () => {
  const { properties = {}, required } = document.components.schemas['Error'] ?? {}
  const { code, ...others } = properties
  const own = ['unauthorized', 'method-not-allowed', 'timeout', 'too-many-requests']
  expect(code?.enum).toEqual([...ERROR_CODES, ...own])
  expect([typeText({ properties: others, ...(required === undefined ? {} : { required }) }), code?.type]).toMatchInlineSnapshot(`
    [
      "{ message string, offending? string, position? integer[], hint? string, suggestions? string[], found? string, expected? string, request_id? string }",
      "string",
    ]
  `)
}) // prettier-ignore

test('what is about all routes', () => {
  const { paths: _, components, info, ...facts } = document
  expect(info).toEqual({
    title: 'HLA Allele Reduction Service',
    version: '1.5.3',
    description: `Served by hla ${packageVersion()}.`,
    license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
  })
  expect({ ...facts, access: components.securitySchemes }).toEqual({
    openapi: '3.1.0',
    security: [{}, { bearer: [] }],
    tags: [
      { name: 'reduce', description: 'Reduce typings' },
      { name: 'names', description: 'Look up names, codes and antigens' },
      { name: 'meta', description: 'Version and data of the service' },
      { name: 'many', description: 'Many typings in one request' },
      { name: 'state', description: 'Watch the service' },
    ],
    access: { bearer: { type: 'http', scheme: 'bearer' } },
  })
})

test('parameters of lists are one text each', () => {
  const lists = routes.flatMap(([, { parameters = [] }]) =>
    parameters.flatMap((one) => {
      const { name, schema, in: _place, required: _required, example: _example, ...style } = one
      return [[name, schema.type === 'array', style] as const]
    }),
  )
  expect(lists.length).toBeGreaterThan(50)
  for (const [name, isList, style] of lists)
    expect([name, style]).toEqual([name, isList ? { style: 'form', explode: false } : {}])
})

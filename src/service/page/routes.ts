/** Routes as /openapi.json describes them, in the order of that document. */

export interface PageSchema {
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly enum?: readonly string[]
  readonly items?: PageSchema
  readonly properties?: Readonly<Record<string, PageSchema>>
  readonly required?: readonly string[]
  readonly $ref?: string
  readonly additionalProperties?: PageSchema | boolean
  readonly allOf?: readonly PageSchema[]
  readonly anyOf?: readonly PageSchema[]
  readonly oneOf?: readonly PageSchema[]
}

type Content = Readonly<Record<string, { readonly schema: PageSchema }>>

interface Route {
  readonly operationId: string
  readonly summary: string
  readonly parameters?: readonly Value[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content?: Content }>>
}

export interface OpenApi {
  readonly info: { readonly title: string; readonly version: string }
  readonly paths: Readonly<Record<string, Readonly<Record<string, Route>>>>
  readonly components: { readonly schemas: Readonly<Record<string, PageSchema>> }
}

interface Value {
  readonly name: string
  readonly required?: boolean
  readonly in?: string
  readonly schema: PageSchema
}

export interface Described {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly summary: string
  readonly parameters: readonly Value[]
  readonly body: { readonly type: string; readonly values: readonly Value[] } | undefined
  readonly responses: readonly {
    readonly status: string
    readonly description: string
    readonly schema: PageSchema
  }[]
}

export function readRoutes({ paths, components: { schemas } }: OpenApi): Described[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, route]) => ({
      id: route.operationId,
      method: method.toUpperCase(),
      path,
      summary: route.summary,
      parameters: route.parameters ?? [],
      body: describeBody(route, schemas),
      responses: Object.entries(route.responses).map(([status, { description, content }]) => ({
        status,
        description,
        schema: content === undefined ? { type: 'nothing' } : only(content)[1],
      })),
    })),
  )
}

function describeBody({ requestBody }: Route, schemas: OpenApi['components']['schemas']): Described['body'] {
  if (requestBody === undefined) return undefined
  const [type, asked] = only(requestBody.content)
  const schema = schemas[schemaName(asked)] ?? asked
  const { properties, required = [] } = schema
  if (properties === undefined) return { type, values: [{ name: 'the body', required: true, schema }] }
  const values = Object.entries(properties).map(([name, property]) => ({
    name,
    required: required.includes(name),
    schema: property,
  }))
  return { type, values }
}

function only(content: Content): [type: string, schema: PageSchema] {
  const [[type, { schema }] = ['', { schema: {} }]] = Object.entries(content)
  return [type, schema]
}

/** Of a reference: the name of what it refers to. */
export function schemaName({ $ref = '' }: PageSchema): string {
  return $ref.replace(/^.*\//, '')
}

export function isReference(schema: PageSchema): schema is PageSchema & { readonly $ref: string } {
  return schema.$ref !== undefined
}

/** Values that answer something, by the names that properties have. */
const EXAMPLES: Readonly<Record<string, string>> = {
  gl_string: 'A*01:01:01:01+A*02:AB', allele: 'A*01:AB', allele_code: 'A*01:AB', allele_prefix: 'A*01:01',
  reduction_method: 'lgx', DRB1_SLUG: 'DRB1*03:01+DRB1*04:01', from: '3.29.0', to: '3.58.0',
} // prettier-ignore

/** A request that can be pasted into a shell. */
export function formatCurl({ method, path, parameters, body }: Described, page: string): string {
  const filled = path
    .slice(1)
    .replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(exampleValue(name)))
  const query = parameters.filter((one) => one.in === 'query' && one.required === true)
  const asked = new URLSearchParams(query.map(({ name }) => [name, exampleValue(name)])).toString()
  const url = new URL(filled, page).href + (asked === '' ? '' : `?${asked}`)
  if (method === 'GET' || body === undefined) return `curl '${url}'`
  if (body.type === 'application/octet-stream')
    return `curl '${url}?name=donors.csv' --data-binary @donors.csv`
  if (body.type === 'application/jsonl') return `curl '${url}' --data-binary @questions.jsonl`
  const values = body.values.filter(({ required }) => required).map(({ name }) => [name, exampleValue(name)])
  return `curl '${url}' -H 'content-type: application/json' \\\n  -d '${JSON.stringify(Object.fromEntries(values))}'`
}

function exampleValue(name: string): string {
  return EXAMPLES[name] ?? '…'
}

/** Routes as /openapi.json describes them, in the order of that document. */

export interface Schema {
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly enum?: readonly string[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly $ref?: string
  readonly additionalProperties?: Schema | boolean
  readonly allOf?: readonly Schema[]
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
}

type Content = Readonly<Record<string, { readonly schema: Schema }>>

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
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

interface Value {
  readonly name: string
  readonly required?: boolean
  readonly in?: string
  readonly schema: Schema
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
    readonly schema: Schema
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
      body: bodyOf(route, schemas),
      responses: Object.entries(route.responses).map(([status, { description, content }]) => ({
        status,
        description,
        schema: content === undefined ? { type: 'nothing' } : only(content)[1],
      })),
    })),
  )
}

function bodyOf({ requestBody }: Route, schemas: OpenApi['components']['schemas']): Described['body'] {
  if (requestBody === undefined) return undefined
  const [type, asked] = only(requestBody.content)
  const schema = schemas[nameOf(asked)] ?? asked
  const { properties, required = [] } = schema
  if (properties === undefined) return { type, values: [{ name: 'the body', required: true, schema }] }
  const values = Object.entries(properties).map(([name, property]) => ({
    name,
    required: required.includes(name),
    schema: property,
  }))
  return { type, values }
}

function only(content: Content): [type: string, schema: Schema] {
  const [[type, { schema }] = ['', { schema: {} }]] = Object.entries(content)
  return [type, schema]
}

/** Of a reference: the name of what it refers to. */
export function nameOf({ $ref = '' }: Schema): string {
  return $ref.replace(/^.*\//, '')
}

export function isReference(schema: Schema): schema is Schema & { readonly $ref: string } {
  return schema.$ref !== undefined
}

/** Values that answer something, by the names that properties have. */
const EXAMPLES: Readonly<Record<string, string>> = {
  gl_string: 'A*01:01:01:01+A*02:AB', allele: 'A*01:AB', allele_code: 'A*01:AB', allele_prefix: 'A*01:01',
  reduction_method: 'lgx', DRB1_SLUG: 'DRB1*03:01+DRB1*04:01', from: '3.29.0', to: '3.58.0',
} // prettier-ignore

/** A request that can be pasted into a shell. */
export function curlOf({ method, path, parameters, body }: Described, page: string): string {
  const filled = path.slice(1).replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(exampleOf(name)))
  const query = parameters.filter((one) => one.in === 'query' && one.required === true)
  const asked = new URLSearchParams(query.map(({ name }) => [name, exampleOf(name)])).toString()
  const url = new URL(filled, page).href + (asked === '' ? '' : `?${asked}`)
  if (method === 'GET' || body === undefined) return `curl '${url}'`
  if (body.type === 'application/octet-stream')
    return `curl '${url}?name=donors.csv' --data-binary @donors.csv`
  if (body.type === 'application/jsonl') return `curl '${url}' --data-binary @questions.jsonl`
  const values = body.values.filter(({ required }) => required).map(({ name }) => [name, exampleOf(name)])
  return `curl '${url}' -H 'content-type: application/json' \\\n  -d '${JSON.stringify(Object.fromEntries(values))}'`
}

function exampleOf(name: string): string {
  return EXAMPLES[name] ?? '…'
}

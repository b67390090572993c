/** Routes described in /openapi.json, in document order. */

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

type Content = Readonly<Record<string, { readonly schema: PageSchema; readonly example?: unknown }>>

interface Route {
  readonly operationId: string
  readonly tags: readonly [string]
  readonly summary: string
  readonly parameters?: readonly Value[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content?: Content }>>
}

export interface OpenApi {
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly info: { readonly title: string; readonly version: string }
  readonly paths: Readonly<Record<string, Readonly<Record<string, Route>>>>
  readonly components: { readonly schemas: Readonly<Record<string, PageSchema>> }
}

interface Value {
  readonly name: string
  readonly required?: boolean
  readonly in?: string
  readonly schema: PageSchema
  readonly example?: unknown
}

export interface Described {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly tag: string
  readonly summary: string
  readonly parameters: readonly Value[]
  readonly body:
    | { readonly type: string; readonly values: readonly Value[]; readonly example: unknown }
    | undefined
  /** Media type of a successful answer. */
  readonly answers: string
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
      tag: route.tags[0],
      summary: route.summary,
      parameters: route.parameters ?? [],
      body: describeBody(route, schemas),
      answers: only(route.responses['200']?.content ?? {})[0],
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
  const [type, asked, example] = only(requestBody.content)
  const { properties, required = [] } = resolved(asked, schemas)
  if (properties === undefined)
    return { type, values: [{ name: 'the body', required: true, schema: asked }], example }
  const values = Object.entries(properties).flatMap(([name, property]) => {
    const schema = resolved(property, schemas)
    const value = { name, required: required.includes(name), schema: property }
    // lists members of nested objects too
    const inside = Object.entries(isReference(property) ? (schema.properties ?? {}) : {})
    return [
      value,
      ...inside.map(([inner, one]) => ({ name: `${name}.${inner}`, required: false, schema: one })),
    ]
  })
  return { type, values, example }
}

function resolved(schema: PageSchema, schemas: OpenApi['components']['schemas']): PageSchema {
  return schemas[schemaName(schema)] ?? schema
}

function only(content: Content): [type: string, schema: PageSchema, example: unknown] {
  const [[type, { schema, example }] = ['', { schema: {}, example: undefined }]] = Object.entries(content)
  return [type, schema, example]
}

/** Name of the schema that a reference points to. */
export function schemaName({ $ref = '' }: PageSchema): string {
  return $ref.replace(/.*\//, '')
}

export function isReference(schema: PageSchema): schema is PageSchema & { readonly $ref: string } {
  return schema.$ref !== undefined
}

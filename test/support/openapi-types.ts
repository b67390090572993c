/** Types generated from an OpenAPI document for TypeScript and Python, and validation of values against schemas. */

type Json = Readonly<Record<string, unknown>>

export interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Json>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Json>> }
}

interface Language {
  readonly unknown: string
  readonly literal: (value: string) => string
  readonly choices: (types: readonly string[], isLiteral: boolean) => string
  readonly both: (types: readonly string[]) => string
  readonly list: (item: string) => string
  readonly map: (value: string) => string
  readonly object: (fields: readonly (readonly [name: string, type: string, required: boolean])[]) => string
  readonly plain: Readonly<Record<string, string>>
}

export const TYPESCRIPT: Language = {
  unknown: 'unknown',
  literal: (value) => JSON.stringify(value),
  choices: (types) => `(${types.join(' | ')})`,
  both: (types) => `(${types.join(' & ')})`,
  list: (item) => `readonly (${item})[]`,
  map: (value) => `Readonly<Record<string, ${value}>>`,
  object: (fields) =>
    `{ ${fields.map(([name, type, required]) => `readonly ${JSON.stringify(name)}${required ? '' : '?'}: ${type}`).join('; ')} }`,
  plain: { string: 'string', integer: 'number', number: 'number', boolean: 'boolean', null: 'null' },
}

export const PYTHON: Language = {
  unknown: 'Any',
  literal: (value) => JSON.stringify(value),
  choices: (types, isLiteral) => `${isLiteral ? 'Literal' : 'Union'}[${types.join(', ')}]`,
  both: (types) => `Intersection[${types.join(', ')}]`,
  list: (item) => `List[${item}]`,
  map: (value) => `Dict[str, ${value}]`,
  object: (fields) =>
    `TypedDict({${fields.map(([name, type, required]) => `${JSON.stringify(name)}: ${required ? type : `NotRequired[${type}]`}`).join(', ')}})`,
  plain: { string: 'str', integer: 'int', number: 'float', boolean: 'bool', null: 'None' },
}

export function typeFrom(schema: unknown, language: Language): string {
  if (!isObject(schema)) return language.unknown
  const { $ref, enum: values, oneOf, anyOf, allOf, type, items, properties, additionalProperties } = schema
  if (typeof $ref === 'string') return $ref.replace(/^.*\//, '')
  if (Array.isArray(values)) return language.choices(values.map((value) => language.literal(String(value))), true) // prettier-ignore
  const choices = oneOf ?? anyOf
  if (Array.isArray(choices)) return language.choices(choices.map((one) => typeFrom(one, language)), false) // prettier-ignore
  if (Array.isArray(allOf)) return language.both(allOf.map((one) => typeFrom(one, language)))
  if (Array.isArray(type)) return language.choices(type.map((one) => language.plain[String(one)] ?? language.unknown), false) // prettier-ignore
  if (type === 'array') return language.list(typeFrom(items, language))
  if (type !== 'object') return language.plain[String(type)] ?? language.unknown
  if (isObject(properties)) {
    const { required } = schema
    const needed: readonly unknown[] = Array.isArray(required) ? required : []
    // generators make an index type of unknown values
    if (additionalProperties === true) return language.unknown
    return language.object(Object.entries(properties).map(([name, one]) => [name, typeFrom(one, language), needed.includes(name)])) // prettier-ignore
  }
  return isObject(additionalProperties) ? language.map(typeFrom(additionalProperties, language)) : language.unknown // prettier-ignore
}

/** Every schema of a document: named ones, and those of parameters, bodies and answers. */
export function schemasIn({
  paths,
  components,
}: OpenApiDocument): (readonly [place: string, schema: unknown])[] {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => [`${method} ${path}`, operation] as const),
  )
  return [
    ...Object.entries(components.schemas),
    ...operations.flatMap(([place, { parameters, requestBody, responses }]) => [
      ...listOf(parameters).map((one, at) => [`${place} parameter ${at}`, one['schema']] as const),
      ...contentsOf(`${place} body`, requestBody),
      ...Object.entries(isObject(responses) ? responses : {}).flatMap(([status, one]) =>
        contentsOf(`${place} ${status}`, one),
      ),
    ]),
  ]
}

function contentsOf(place: string, part: unknown): [place: string, schema: unknown][] {
  const content = isObject(part) && isObject(part['content']) ? part['content'] : {}
  return Object.entries(content).map(([type, one]) => [
    `${place} ${type}`,
    isObject(one) ? one['schema'] : one,
  ])
}

function listOf(value: unknown): Json[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}

/** Errors of a value; members that the schema does not list are errors. */
export function faultsOf(value: unknown, schema: unknown, document: OpenApiDocument, place = ''): string[] {
  if (!isObject(schema)) return [`${place}: no schema`]
  const { $ref, enum: values, oneOf, anyOf, allOf, type, items } = schema
  const { schemas } = document.components
  if (typeof $ref === 'string') return faultsOf(value, schemas[$ref.replace(/^.*\//, '')], document, place)
  const choices = oneOf ?? anyOf
  if (Array.isArray(choices)) {
    const found = choices.map((one) => faultsOf(value, one, document, place))
    return found.some(({ length }) => length === 0)
      ? []
      : [`${place}: none of ${choices.length}`, ...(found[0] ?? [])]
  }
  if (Array.isArray(allOf)) return faultsOf(value, merged(allOf, document), document, place)
  if (Array.isArray(values) && !values.includes(value))
    return [`${place}: ${JSON.stringify(value)} is not listed`]
  if (Array.isArray(type))
    return type.some((one) => isOf(value, one)) ? [] : [`${place}: no ${type.join(', ')}`]
  if (!isOf(value, type)) return [`${place}: ${JSON.stringify(value)} is no ${String(type)}`]
  if (Array.isArray(value))
    return value.flatMap((one, at) => faultsOf(one, items, document, `${place}[${at}]`))
  return isObject(value) ? membersOf(value, schema, document, place) : []
}

function membersOf(value: Json, schema: Json, document: OpenApiDocument, place: string): string[] {
  const { properties, required, additionalProperties } = schema
  const known = isObject(properties) ? properties : {}
  const needed: readonly unknown[] = Array.isArray(required) ? required : []
  return [
    ...needed
      .filter((name) => !(String(name) in value))
      .map((name) => `${place}: ${String(name)} is missing`),
    ...Object.entries(value).flatMap(([name, one]) =>
      faultsOf(
        one,
        Object.hasOwn(known, name) ? known[name] : additionalProperties,
        document,
        `${place}.${name}`,
      ),
    ),
  ]
}

function merged(all: readonly unknown[], { components: { schemas } }: OpenApiDocument): Json {
  const parts = all.filter(isObject).map((one) => (typeof one['$ref'] === 'string' ? (schemas[one['$ref'].replace(/^.*\//, '')] ?? {}) : one)) // prettier-ignore
  return {
    type: 'object',
    properties: Object.assign({}, ...parts.map((one) => one['properties'])) as unknown,
    required: parts.flatMap((one) => (Array.isArray(one['required']) ? (one['required'] as unknown[]) : [])),
  }
}

function isOf(value: unknown, type: unknown): boolean {
  switch (type) {
    case 'array':
      return Array.isArray(value)
    case 'integer':
      return Number.isInteger(value)
    case 'null':
      return value === null
    case 'object':
      return isObject(value)
    default:
      return typeof value === type
  }
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

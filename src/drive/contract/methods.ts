/** The operations of the interface, read from their table. */
import type { Scope } from './caller.ts'
import { METHOD_TABLE } from './method-table.ts'
import { type AnyParameterName, type Parameter, readParameter } from './parameter.ts'
import { SCHEMA_NAMES, type SchemaName } from './schemas.ts'

export type MethodId = keyof typeof METHOD_TABLE

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export interface Method {
  readonly id: MethodId
  readonly httpMethod: HttpMethod
  /** Below `/drive/v2/`, e.g. `files/{fileId}`. */
  readonly path: string
  /** In the order of the path. */
  readonly pathParameters: readonly string[]
  /** Those of the query, without the common ones. */
  readonly parameters: ReadonlyMap<AnyParameterName, Parameter>
  readonly request: SchemaName | undefined
  /** Members that its body must have; a dot leads into each element of an array. */
  readonly requiredMembers: readonly string[]
  readonly response: SchemaName | undefined
  /** Any of them opens it. */
  readonly scopes: readonly Scope[]
  readonly hasUpload: boolean
  readonly hasDownload: boolean
  /** Its resource can be watched. */
  readonly hasSubscription: boolean
}

const SCOPE_LETTERS: Readonly<Record<string, Scope>> = {
  d: 'drive',
  a: 'drive.appdata',
  p: 'drive.apps.readonly',
  f: 'drive.file',
  t: 'drive.meet.readonly',
  m: 'drive.metadata',
  r: 'drive.metadata.readonly',
  h: 'drive.photos.readonly',
  o: 'drive.readonly',
  s: 'drive.scripts',
}

const HTTP_METHODS: readonly HttpMethod[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

export const METHODS: readonly Method[] = Object.entries(METHOD_TABLE).map(([id, line]) => {
  // the keys of the table are what MethodId is
  return readMethod(id as MethodId, line)
})

const byId: ReadonlyMap<MethodId, Method> = new Map(METHODS.map((method) => [method.id, method]))

export function findMethod(id: MethodId): Method {
  const method = byId.get(id)
  if (method === undefined) throw new Error(`the table of methods has no ${id}`)
  return method
}

function readMethod(id: MethodId, line: string): Method {
  const [verb = '', path = '', bodies = '', letters = '', ...rest] = line.trim().split(/\s+/)
  const httpMethod = HTTP_METHODS.find((method) => method === verb)
  if (httpMethod === undefined) throw new Error(`the table of methods has ${verb} for ${id}`)
  const [, request = '', , members = '', response = ''] = /^(\w*)(!([\w,.]+))?>(\w*)$/.exec(bodies) ?? []
  const parameters = rest.filter((word) => !word.startsWith('+')).map(readParameter)
  return {
    id,
    httpMethod,
    path,
    pathParameters: [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name),
    parameters: new Map(parameters.map((parameter) => [parameter.name, parameter])),
    request: schemaNamed(request),
    requiredMembers: members === '' ? [] : members.split(','),
    response: schemaNamed(response),
    scopes: letters.split('').map(scopeFromLetter),
    hasUpload: rest.includes('+upload'),
    hasDownload: rest.includes('+download'),
    hasSubscription: rest.includes('+watch'),
  }
}

function scopeFromLetter(letter: string): Scope {
  const scope = SCOPE_LETTERS[letter]
  if (scope === undefined) throw new Error(`the table of methods has a scope ${letter}`)
  return scope
}

function schemaNamed(name: string): SchemaName | undefined {
  const schema = SCHEMA_NAMES.find((known) => known === name)
  if (schema === undefined && name !== '') throw new Error(`the table of methods has a schema ${name}`)
  return schema
}

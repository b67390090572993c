/** The discovery document, from which generic clients build themselves (spec 22): the tables of methods and schemas, published. */
import { type Method, METHODS } from '../../contract/methods.ts'
import { COMMON_PARAMETERS, type Parameter } from '../../contract/parameter.ts'
import {
  type Member,
  type Members,
  findMembers,
  type Scalar,
  SCHEMA_NAMES,
  type SchemaName,
  type MemberShape,
} from '../../contract/schemas.ts'
import { METHOD_WORDS, RESOURCE_WORDS, SCOPE_WORDS } from './discovery-words.ts'

export interface Published {
  /** Without a slash at its end: `https://drive.example.org`. */
  readonly base: string
  /** Changes with the program. */
  readonly revision: string
  /** Bytes. */
  readonly maxUpload: number
}

type Json = Readonly<Record<string, unknown>>

const SERVICE_PATH = 'drive/v2/'
const TITLE = 'File storage'
const DESCRIPTION = 'Stores files, folders and their history, and finds them again.'

/** `discovery#restDescription` */
export function discoveryDocument(published: Published): Json {
  return {
    kind: 'discovery#restDescription',
    discoveryVersion: 'v1',
    id: 'drive:v2',
    name: 'drive',
    version: 'v2',
    revision: published.revision,
    title: TITLE,
    description: DESCRIPTION,
    protocol: 'rest',
    rootUrl: `${published.base}/`,
    servicePath: SERVICE_PATH,
    basePath: `/${SERVICE_PATH}`,
    baseUrl: `${published.base}/${SERVICE_PATH}`,
    batchPath: 'batch/drive/v2',
    auth: { oauth2: { scopes: mapValues(SCOPE_WORDS, (description) => ({ description })) } },
    parameters: Object.fromEntries(
      [...COMMON_PARAMETERS.values()]
        .filter(isPublished)
        .map((one) => [one.name, publishParameter(one, 'query')]),
    ),
    schemas: Object.fromEntries(
      SCHEMA_NAMES.map((name) => [
        name,
        { id: name, type: 'object', properties: publishMembers(findMembers(name)) },
      ]),
    ),
    resources: publishResources(published),
  }
}

/** `discovery#directoryList`: this one interface. */
export function discoveryDirectory(base: string): Json {
  const path = 'discovery/v1/apis/drive/v2/rest'
  const item = {
    kind: 'discovery#directoryItem',
    id: 'drive:v2',
    name: 'drive',
    version: 'v2',
    title: TITLE,
    description: DESCRIPTION,
    discoveryRestUrl: `${base}/${path}`,
    discoveryLink: `./apis/drive/v2/rest`,
    documentationLink: `${base}/`,
    preferred: true,
  }
  return { kind: 'discovery#directoryList', discoveryVersion: 'v1', items: [item] }
}

/** Accepted for old programs; not to be used by new ones. */
function isPublished({ name }: Parameter): boolean {
  return name !== 'userIp'
}

function publishResources(published: Published): Json {
  const resources: Record<string, { description: string; methods: Record<string, Json> }> = {}
  for (const method of METHODS) {
    const [resource = '', name = ''] = method.id.split('.')
    resources[resource] ??= { description: RESOURCE_WORDS[resource] ?? '', methods: {} }
    resources[resource].methods[name] = publishMethod(method, published)
  }
  return resources
}

function publishMethod(method: Method, published: Published): Json {
  const required = [...method.parameters.values()].filter(({ isRequired }) => isRequired)
  const parameters = {
    ...Object.fromEntries(method.pathParameters.map((name) => [name, PATH_PARAMETER])),
    ...Object.fromEntries(
      [...method.parameters].map(([name, one]) => [name, publishParameter(one, 'query')]),
    ),
  }
  return {
    id: `drive.${method.id}`,
    path: method.path,
    flatPath: method.path,
    httpMethod: method.httpMethod,
    description: METHOD_WORDS[method.id],
    parameters,
    parameterOrder: [...method.pathParameters, ...required.map(({ name }) => name)],
    ...(method.request !== undefined && { request: publishRequest(method.request) }),
    ...(method.response !== undefined && { response: { $ref: method.response } }),
    scopes: method.scopes,
    ...(method.hasUpload && { supportsMediaUpload: true, mediaUpload: publishUpload(method, published) }),
    ...(method.hasDownload && { supportsMediaDownload: true, useMediaDownloadService: true }),
    ...(method.hasSubscription && { supportsSubscription: true }),
  }
}

function publishRequest(schema: SchemaName): Json {
  // the body of a watch is not the resource that is watched: clients name it apart
  return { $ref: schema, ...(schema === 'Channel' && { parameterName: 'resource' }) }
}

const PATH_PARAMETER = { type: 'string', location: 'path', required: true }

function publishUpload({ path }: Method, { maxUpload }: Published): Json {
  return {
    accept: ['*/*'],
    maxSize: String(maxUpload),
    protocols: {
      simple: { multipart: true, path: `/upload/${SERVICE_PATH}${path}` },
      resumable: { multipart: true, path: `/resumable/upload/${SERVICE_PATH}${path}` },
    },
  }
}

function publishParameter(parameter: Parameter, location: string): Json {
  const { standard, values, least, most, isRequired } = parameter
  return {
    ...SCALAR_FORMS[parameter.type],
    location,
    ...(standard !== undefined && { default: standard }),
    ...(values !== undefined && { enum: values }),
    ...(least !== undefined && { minimum: String(least) }),
    ...(most !== undefined && { maximum: String(most) }),
    ...(isRequired && { required: true }),
  }
}

function publishMembers(members: Members): Json {
  return Object.fromEntries([...members].map(([name, member]) => [name, publishMember(member)]))
}

function publishMember({ shape, constant, isPublishedReadOnly }: Member): Json {
  return {
    ...publishShape(shape),
    ...(constant !== undefined && { default: constant }),
    ...(isPublishedReadOnly && { readOnly: true }),
  }
}

function publishShape(shape: MemberShape): Json {
  switch (shape.kind) {
    case 'scalar':
      return SCALAR_FORMS[shape.scalar]
    case 'array':
      return { type: 'array', items: publishShape(shape.of) }
    case 'map':
      return { type: 'object', additionalProperties: publishShape(shape.of) }
    case 'schema':
      return { $ref: shape.name }
    case 'object':
      return { type: 'object', properties: publishMembers(shape.members) }
  }
}

const SCALAR_FORMS: Readonly<Record<Scalar, Json>> = {
  string: { type: 'string' },
  boolean: { type: 'boolean' },
  int32: { type: 'integer', format: 'int32' },
  int64: { type: 'string', format: 'int64' },
  float: { type: 'number', format: 'float' },
  double: { type: 'number', format: 'double' },
  bytes: { type: 'string', format: 'byte' },
  date: { type: 'string', format: 'date' },
  'date-time': { type: 'string', format: 'date-time' },
}

function mapValues<T, U>(record: Readonly<Record<string, T>>, change: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]))
}

/** The discovery document, from which generic clients are generated (spec 22): the tables of methods and schemas, published. */
import { METHODS, type Method, type MethodId } from '../../contract/methods.ts'
import { COMMON_PARAMETERS, type Parameter } from '../../contract/parameter.ts'
import {
  type Member,
  type MemberShape,
  type Members,
  SCHEMA_NAMES,
  type Scalar,
  type SchemaName,
  findMembers,
} from '../../contract/schemas.ts'
import type { Scope } from '../../contract/failure.ts'

export interface Published {
  /** Base URL without a trailing slash: `https://drive.example.org`. */
  readonly base: string
  /** Changes with the version of the program. */
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

/** `discovery#directoryList` with this API only. */
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

/** Deprecated parameters are accepted but not published. */
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
  // clients need a name of its own for the body, because it is not the watched resource
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

const RESOURCE_WORDS: Readonly<Record<string, string>> = {
  about: 'The account and the service.',
  apps: 'Programs that open files.',
  changes: 'What has changed, in order.',
  channels: 'Notifications that are sent to an address.',
  children: 'Items of a folder.',
  comments: 'Remarks on files.',
  drives: 'Shared drives.',
  files: 'Files, folders and shortcuts.',
  parents: 'Folders of an item.',
  permissions: 'Permissions of files and shared drives.',
  properties: 'Keys and values that programs keep with a file.',
  replies: 'Answers to comments.',
  revisions: 'Earlier contents of a file.',
}

const SCOPE_WORDS: Readonly<Record<Scope, string>> = {
  drive: 'Everything',
  'drive.readonly': 'Read everything',
  'drive.file': 'The files that the program made or opened',
  'drive.appdata': 'The data of the program',
  'drive.metadata': 'Read and change metadata, not contents',
  'drive.metadata.readonly': 'Read metadata, not contents',
  'drive.apps.readonly': 'See the programs that open files',
  'drive.photos.readonly': 'Read photos',
  'drive.meet.readonly': 'Read recordings of meetings',
  'drive.scripts': 'Change the behaviour of scripts',
}

const METHOD_WORDS: Readonly<Record<MethodId, string>> = {
  'about.get': 'Returns the user, the storage used and the capabilities of the service.',
  'apps.get': 'Gets a program.',
  'apps.list': 'Lists the programs of the user.',
  'changes.get': 'Gets one change. Deprecated: list them.',
  'changes.getStartPageToken': 'Gets the token from which later changes are listed.',
  'changes.list': 'Lists the changes since a token, the latest of each item.',
  'changes.watch': 'Sends a message whenever there are changes.',
  'channels.stop': 'Ends a channel of notifications.',
  'children.delete': 'Takes an item out of a folder.',
  'children.get': 'Tells whether an item is in a folder.',
  'children.insert': 'Puts an item into a folder.',
  'children.list': 'Lists the items of a folder.',
  'comments.delete': 'Deletes a comment.',
  'comments.get': 'Gets a comment.',
  'comments.insert': 'Adds a comment to a file.',
  'comments.list': 'Lists the comments on a file.',
  'comments.patch': 'Changes a comment.',
  'comments.update': 'Changes a comment.',
  'drives.delete': 'Deletes a shared drive.',
  'drives.get': 'Gets a shared drive.',
  'drives.hide': 'Hides a shared drive from the user.',
  'drives.insert': 'Makes a shared drive.',
  'drives.list': 'Lists the shared drives of the user.',
  'drives.unhide': 'Shows a hidden shared drive again.',
  'drives.update': 'Changes a shared drive.',
  'files.copy': 'Copies a file.',
  'files.delete': 'Deletes an item for good, without the trash.',
  'files.emptyTrash': "Permanently deletes everything in the user's trash.",
  'files.export': 'Gives a document in another format.',
  'files.generateIds': 'Gives ids with which files can be inserted, so that a retry makes no second file.',
  'files.get': 'Gets the metadata of an item, or the content of a file.',
  'files.insert': 'Makes a file or folder.',
  'files.list': 'Lists or searches items.',
  'files.listLabels': 'Lists the labels of a file.',
  'files.modifyLabels': 'Sets, changes or removes labels of a file.',
  'files.patch': 'Changes metadata of an item.',
  'files.touch': 'Sets the date of the last change to now.',
  'files.trash': 'Puts an item into the trash.',
  'files.untrash': 'Takes an item out of the trash.',
  'files.update': 'Changes metadata of an item, or the content of a file.',
  'files.watch': 'Sends a message whenever an item changes.',
  'parents.delete': 'Takes an item out of a folder.',
  'parents.get': 'Tells whether a folder holds an item.',
  'parents.insert': 'Puts an item into a folder.',
  'parents.list': 'Lists the folders of an item.',
  'permissions.delete': 'Takes a permission back.',
  'permissions.get': 'Gets a permission.',
  'permissions.getIdForEmail': 'Gives the permission id of an e-mail address.',
  'permissions.insert': 'Creates a permission.',
  'permissions.list': 'Lists the permissions of a file or shared drive.',
  'permissions.patch': 'Changes a permission.',
  'permissions.update': 'Changes a permission.',
  'properties.delete': 'Deletes a property.',
  'properties.get': 'Gets a property.',
  'properties.insert': 'Adds a property, or gives it another value.',
  'properties.list': 'Lists the properties of a file.',
  'properties.patch': 'Changes a property.',
  'properties.update': 'Changes a property.',
  'replies.delete': 'Deletes a reply.',
  'replies.get': 'Gets a reply.',
  'replies.insert': 'Replies to a comment.',
  'replies.list': 'Lists the replies to a comment.',
  'replies.patch': 'Changes a reply.',
  'replies.update': 'Changes a reply.',
  'revisions.delete': 'Deletes a revision.',
  'revisions.get': 'Gets a revision.',
  'revisions.list': 'Lists the revisions of a file.',
  'revisions.patch': 'Sets whether a revision is kept for ever.',
  'revisions.update': 'Sets whether a revision is kept for ever.',
}

/** The operations of the API, parsed from their table. */
import type { Scope } from './failure.ts'
import { type AnyParameterName, type Parameter, readParameter } from './parameter.ts'
import { SCHEMA_NAMES, type SchemaName } from './schemas.ts'

/**
 * `METHOD path body>answer scopes +facility parameter …`. `!` after a body introduces its required members. Scopes are
 * the letters of `SCOPE_LETTERS`. A parameter is declared in the parameter table, or after a colon if it differs in
 * this operation.
 */
const METHOD_TABLE = {
  'about.get': 'GET about >About dafmrho includeSubscribed maxChangeIdCount startChangeId',
  'apps.get': 'GET apps/{appId} >App dapfmro',
  'apps.list': 'GET apps >AppList p appFilterExtensions appFilterMimeTypes languageCode',
  'changes.get': `
    GET changes/{changeId} >Change dapftmrho driveId supportsAllDrives supportsTeamDrives teamDriveId`,
  'changes.getStartPageToken': `
    GET changes/startPageToken >StartPageToken dapftmrho driveId supportsAllDrives supportsTeamDrives
    teamDriveId`,
  'changes.list': `
    GET changes >ChangeList dapftmrho +watch driveId includeCorpusRemovals includeDeleted:boolean=true
    includeItemsFromAllDrives includeLabels includePermissionsForView includeSubscribed
    includeTeamDriveItems maxResults pageToken spaces startChangeId supportsAllDrives supportsTeamDrives
    teamDriveId`,
  'changes.watch': `
    POST changes/watch Channel>Channel dapftmrho +watch driveId includeCorpusRemovals
    includeDeleted:boolean=true includeItemsFromAllDrives includeLabels includePermissionsForView
    includeSubscribed includeTeamDriveItems maxResults pageToken spaces startChangeId supportsAllDrives
    supportsTeamDrives teamDriveId`,
  'channels.stop': 'POST channels/stop Channel> dapftmrho',
  'children.delete': 'DELETE files/{folderId}/children/{childId} > df enforceSingleParent',
  'children.get': 'GET files/{folderId}/children/{childId} >ChildReference daftmrho',
  'children.insert': `
    POST files/{folderId}/children ChildReference!id>ChildReference daf enforceSingleParent
    supportsAllDrives supportsTeamDrives`,
  'children.list': `
    GET files/{folderId}/children >ChildList daftmrho maxResults:int32=100[0..] orderBy pageToken q`,
  'comments.delete': 'DELETE files/{fileId}/comments/{commentId} > df',
  'comments.get': 'GET files/{fileId}/comments/{commentId} >Comment dfto includeDeleted',
  'comments.insert': 'POST files/{fileId}/comments Comment!content>Comment df',
  'comments.list': `
    GET files/{fileId}/comments >CommentList dfto includeDeleted maxResults:int32=20[0..100] pageToken
    updatedMin`,
  'comments.patch': 'PATCH files/{fileId}/comments/{commentId} Comment!content>Comment df',
  'comments.update': 'PUT files/{fileId}/comments/{commentId} Comment!content>Comment df',
  'drives.delete': 'DELETE drives/{driveId} > d allowItemDeletion useDomainAdminAccess',
  'drives.get': 'GET drives/{driveId} >Drive do useDomainAdminAccess',
  'drives.hide': 'POST drives/{driveId}/hide >Drive d',
  'drives.insert': 'POST drives Drive!name>Drive d requestId',
  'drives.list': 'GET drives >DriveList do maxResults:int32=10[1..100] pageToken q useDomainAdminAccess',
  'drives.unhide': 'POST drives/{driveId}/unhide >Drive d',
  'drives.update': 'PUT drives/{driveId} Drive>Drive d useDomainAdminAccess',
  'files.copy': `
    POST files/{fileId}/copy File>File dapfh convert enforceSingleParent includeLabels
    includePermissionsForView ocr ocrLanguage pinned supportsAllDrives supportsTeamDrives
    timedTextLanguage timedTextTrackName visibility:string=DEFAULT{DEFAULT,PRIVATE}`,
  'files.delete': 'DELETE files/{fileId} > daf enforceSingleParent supportsAllDrives supportsTeamDrives',
  'files.emptyTrash': 'DELETE files/trash > d driveId enforceSingleParent',
  'files.export': 'GET files/{fileId}/export > dfto +download mimeType',
  'files.generateIds': 'GET files/generateIds >GeneratedIds daf maxResults:int32=10[1..1000] space type',
  'files.get': `
    GET files/{fileId} >File daftmrho +download +watch acknowledgeAbuse includeLabels
    includePermissionsForView projection revisionId supportsAllDrives supportsTeamDrives updateViewedDate`,
  'files.insert': `
    POST files File>File dapf +upload convert enforceSingleParent includeLabels includePermissionsForView
    ocr ocrLanguage pinned supportsAllDrives supportsTeamDrives timedTextLanguage timedTextTrackName
    useContentAsIndexableText visibility:string=DEFAULT{DEFAULT,PRIVATE}`,
  'files.list': `
    GET files >FileList dapftmrho corpora corpus driveId includeItemsFromAllDrives includeLabels
    includePermissionsForView includeTeamDriveItems maxResults:int32=100[0..] orderBy pageToken projection
    q spaces supportsAllDrives supportsTeamDrives teamDriveId`,
  'files.listLabels': `
    GET files/{fileId}/listLabels >LabelList dftmro maxResults:int32=100[1..100] pageToken`,
  'files.modifyLabels': `
    POST files/{fileId}/modifyLabels ModifyLabelsRequest!labelModifications.labelId>ModifyLabelsResponse
    dfm`,
  'files.patch': `
    PATCH files/{fileId} File>File dapfms addParents convert enforceSingleParent includeLabels
    includePermissionsForView modifiedDateBehavior newRevision ocr ocrLanguage pinned removeParents
    setModifiedDate supportsAllDrives supportsTeamDrives timedTextLanguage timedTextTrackName
    updateViewedDate:boolean=true useContentAsIndexableText`,
  'files.touch': `
    POST files/{fileId}/touch >File dapfm includeLabels includePermissionsForView supportsAllDrives
    supportsTeamDrives`,
  'files.trash': `
    POST files/{fileId}/trash >File dapf includeLabels includePermissionsForView supportsAllDrives
    supportsTeamDrives`,
  'files.untrash': `
    POST files/{fileId}/untrash >File dapf includeLabels includePermissionsForView supportsAllDrives
    supportsTeamDrives`,
  'files.update': `
    PUT files/{fileId} File>File dapfms +upload addParents convert enforceSingleParent includeLabels
    includePermissionsForView modifiedDateBehavior newRevision ocr ocrLanguage pinned removeParents
    setModifiedDate supportsAllDrives supportsTeamDrives timedTextLanguage timedTextTrackName
    updateViewedDate:boolean=true useContentAsIndexableText`,
  'files.watch': `
    POST files/{fileId}/watch Channel>Channel daftmrho +watch acknowledgeAbuse includeLabels
    includePermissionsForView projection revisionId supportsAllDrives supportsTeamDrives updateViewedDate`,
  'parents.delete': 'DELETE files/{fileId}/parents/{parentId} > df enforceSingleParent',
  'parents.get': 'GET files/{fileId}/parents/{parentId} >ParentReference daftmrho',
  'parents.insert': `
    POST files/{fileId}/parents ParentReference!id>ParentReference daf enforceSingleParent
    supportsAllDrives supportsTeamDrives`,
  'parents.list': 'GET files/{fileId}/parents >ParentList daftmrho',
  'permissions.delete': `
    DELETE files/{fileId}/permissions/{permissionId} > df enforceExpansiveAccess supportsAllDrives
    supportsTeamDrives useDomainAdminAccess`,
  'permissions.get': `
    GET files/{fileId}/permissions/{permissionId} >Permission dftmrho supportsAllDrives supportsTeamDrives
    useDomainAdminAccess`,
  'permissions.getIdForEmail': 'GET permissionIds/{email} >PermissionId dapfmrho',
  'permissions.insert': `
    POST files/{fileId}/permissions Permission!role,type>Permission df emailMessage enforceExpansiveAccess
    enforceSingleParent moveToNewOwnersRoot sendNotificationEmails supportsAllDrives supportsTeamDrives
    useDomainAdminAccess`,
  'permissions.list': `
    GET files/{fileId}/permissions >PermissionList dftmrho includePermissionsForView
    maxResults:int32[1..100] pageToken supportsAllDrives supportsTeamDrives useDomainAdminAccess`,
  'permissions.patch': `
    PATCH files/{fileId}/permissions/{permissionId} Permission>Permission df enforceExpansiveAccess
    removeExpiration supportsAllDrives supportsTeamDrives transferOwnership useDomainAdminAccess`,
  'permissions.update': `
    PUT files/{fileId}/permissions/{permissionId} Permission>Permission df enforceExpansiveAccess
    removeExpiration supportsAllDrives supportsTeamDrives transferOwnership useDomainAdminAccess`,
  'properties.delete': 'DELETE files/{fileId}/properties/{propertyKey} > dafm visibility',
  'properties.get': 'GET files/{fileId}/properties/{propertyKey} >Property daftmrho visibility',
  'properties.insert': 'POST files/{fileId}/properties Property!key>Property dafm',
  'properties.list': 'GET files/{fileId}/properties >PropertyList daftmrho',
  'properties.patch': 'PATCH files/{fileId}/properties/{propertyKey} Property>Property dafm visibility',
  'properties.update': 'PUT files/{fileId}/properties/{propertyKey} Property>Property dafm visibility',
  'replies.delete': 'DELETE files/{fileId}/comments/{commentId}/replies/{replyId} > df',
  'replies.get': `
    GET files/{fileId}/comments/{commentId}/replies/{replyId} >CommentReply dfto includeDeleted`,
  'replies.insert': 'POST files/{fileId}/comments/{commentId}/replies CommentReply>CommentReply df',
  'replies.list': `
    GET files/{fileId}/comments/{commentId}/replies >CommentReplyList dfto includeDeleted
    maxResults:int32=20[0..100] pageToken`,
  'replies.patch': `
    PATCH files/{fileId}/comments/{commentId}/replies/{replyId} CommentReply!content>CommentReply df`,
  'replies.update': `
    PUT files/{fileId}/comments/{commentId}/replies/{replyId} CommentReply!content>CommentReply df`,
  'revisions.delete': 'DELETE files/{fileId}/revisions/{revisionId} > daf',
  'revisions.get': 'GET files/{fileId}/revisions/{revisionId} >Revision daftmrho',
  'revisions.list': `
    GET files/{fileId}/revisions >RevisionList daftmrho maxResults:int32=200[1..1000] pageToken`,
  'revisions.patch': 'PATCH files/{fileId}/revisions/{revisionId} Revision>Revision daf',
  'revisions.update': 'PUT files/{fileId}/revisions/{revisionId} Revision>Revision daf',
} as const

export type MethodId = keyof typeof METHOD_TABLE

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export interface Method {
  readonly id: MethodId
  readonly httpMethod: HttpMethod
  /** Path below `/drive/v2/`, e.g. `files/{fileId}`. */
  readonly path: string
  /** Names in the order of the path. */
  readonly pathParameters: readonly string[]
  /** Query parameters, without the common ones. */
  readonly parameters: ReadonlyMap<AnyParameterName, Parameter>
  readonly request: SchemaName | undefined
  /** Required members of the body. A dot leads into each element of an array. */
  readonly requiredMembers: readonly string[]
  readonly response: SchemaName | undefined
  /** Accepted scopes; any one suffices. */
  readonly scopes: readonly Scope[]
  readonly hasUpload: boolean
  readonly hasDownload: boolean
  /** True if its resource can be watched. */
  readonly hasSubscription: boolean
}

const SCOPE_LETTERS = {
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
} as const satisfies Readonly<Record<string, Scope>>

/** Words of a line of the table. */
type Line = [verb: HttpMethod, path: string, bodies: string, letters: string, ...rest: string[]]

export const METHODS: readonly Method[] = Object.entries(METHOD_TABLE).map(([id, line]) => {
  // `MethodId` is the type of the table's keys
  return readMethod(id as MethodId, line.trim().split(/\s+/) as Line)
})

// an operation for each key of the table
const byId = Object.fromEntries(METHODS.map((method) => [method.id, method])) as Record<MethodId, Method>

export function findMethod(id: MethodId): Method {
  return byId[id]
}

function readMethod(id: MethodId, [httpMethod, path, bodies, letters, ...rest]: Line): Method {
  const [asked, response] = bodies.split('>')
  const [request, members] = asked?.split('!') ?? []
  const parameters = rest.filter((word) => !word.startsWith('+')).map(readParameter)
  return {
    id,
    httpMethod,
    path,
    pathParameters: path.split(/[{}]/).filter((_, at) => at % 2 === 1),
    parameters: new Map(parameters.map((parameter) => [parameter.name, parameter])),
    request: schemaNamed(request),
    requiredMembers: members?.split(',') ?? [],
    response: schemaNamed(response),
    scopes: letters.split('').map((letter) => SCOPE_LETTERS[letter as keyof typeof SCOPE_LETTERS]),
    hasUpload: rest.includes('+upload'),
    hasDownload: rest.includes('+download'),
    hasSubscription: rest.includes('+watch'),
  }
}

function schemaNamed(name: string | undefined): SchemaName | undefined {
  return SCHEMA_NAMES.find((known) => known === name)
}

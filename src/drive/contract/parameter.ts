/** Types and ranges of query parameters, parsed from their declarations. */

/** `type[=default][{values}][least..most][!]`. `!` marks a required parameter. */
const PARAMETER_TABLE = {
  acknowledgeAbuse: 'boolean=false',
  addParents: 'string',
  allowItemDeletion: 'boolean=false',
  appFilterExtensions: 'string=',
  appFilterMimeTypes: 'string=',
  convert: 'boolean=false',
  corpora: 'string',
  corpus: 'string{DEFAULT,DOMAIN}',
  driveId: 'string',
  emailMessage: 'string',
  enforceExpansiveAccess: 'boolean=false',
  enforceSingleParent: 'boolean=false',
  includeCorpusRemovals: 'boolean=false',
  includeDeleted: 'boolean=false',
  includeItemsFromAllDrives: 'boolean=false',
  includeLabels: 'string',
  includePermissionsForView: 'string',
  includeSubscribed: 'boolean=true',
  includeTeamDriveItems: 'boolean=false',
  languageCode: 'string',
  maxChangeIdCount: 'int64=1',
  maxResults: 'int32=100[1..]',
  mimeType: 'string!',
  modifiedDateBehavior: 'string{fromBody,fromBodyIfNeeded,fromBodyOrNow,noChange,now,nowIfNeeded}',
  moveToNewOwnersRoot: 'boolean=false',
  newRevision: 'boolean=true',
  ocr: 'boolean=false',
  ocrLanguage: 'string',
  orderBy: 'string',
  pageToken: 'string',
  pinned: 'boolean=false',
  projection: 'string{BASIC,FULL}',
  q: 'string',
  removeExpiration: 'boolean=false',
  removeParents: 'string',
  requestId: 'string!',
  revisionId: 'string',
  sendNotificationEmails: 'boolean=true',
  setModifiedDate: 'boolean=false',
  space: 'string=drive',
  spaces: 'string',
  startChangeId: 'int64',
  supportsAllDrives: 'boolean=false',
  supportsTeamDrives: 'boolean=false',
  teamDriveId: 'string',
  timedTextLanguage: 'string',
  timedTextTrackName: 'string',
  transferOwnership: 'boolean=false',
  type: 'string=files',
  updateViewedDate: 'boolean=false',
  updatedMin: 'string',
  useContentAsIndexableText: 'boolean=false',
  useDomainAdminAccess: 'boolean=false',
  visibility: 'string=private',
} as const

/** Accepted by every operation (spec 1). */
const COMMON_PARAMETER_TABLE = {
  '$.xgafv': 'string{1,2}',
  access_token: 'string',
  alt: 'string=json{json,media,proto}',
  callback: 'string',
  fields: 'string',
  key: 'string',
  oauth_token: 'string',
  prettyPrint: 'boolean=false',
  quotaUser: 'string',
  uploadType: 'string',
  upload_protocol: 'string',
  userIp: 'string',
} as const

export type ParameterName = keyof typeof PARAMETER_TABLE
export type CommonParameterName = keyof typeof COMMON_PARAMETER_TABLE
export type AnyParameterName = ParameterName | CommonParameterName

export interface Parameter {
  readonly name: AnyParameterName
  readonly type: 'string' | 'boolean' | 'int32' | 'int64'
  /** Default value, as written in a query. */
  readonly standard: string | undefined
  readonly values: readonly string[] | undefined
  readonly least: number | undefined
  readonly most: number | undefined
  readonly isRequired: boolean
}

type Declared<T> = T extends `boolean${string}` ? boolean : T extends `int${string}` ? number : string

/** Typed values of a request. Absent parameters without a default are omitted. */
export type ParameterValues = {
  readonly [Name in ParameterName]?: Declared<(typeof PARAMETER_TABLE)[Name]>
} & {
  readonly [Name in CommonParameterName]?: Declared<(typeof COMMON_PARAMETER_TABLE)[Name]>
}

const TABLE = { ...PARAMETER_TABLE, ...COMMON_PARAMETER_TABLE }

/** Parses `name`, whose declaration is in the parameter table, or `name:declaration`. */
export function readParameter(word: string): Parameter {
  const [name] = word.split(':') as [string, ...string[]]
  if (!isParameterName(name)) throw new Error(`the table of parameters has no ${name}`)
  const text = word === name ? TABLE[name] : word.slice(name.length + 1)
  const found = DECLARATION.exec(text)?.groups
  if (found === undefined) throw new Error(`the table of parameters has ${text}`)
  return {
    name,
    // the pattern names all types
    type: found['type'] as Parameter['type'],
    standard: found['standard'],
    values: found['values']?.split(','),
    least: numberIn(found['least']),
    most: numberIn(found['most']),
    isRequired: text.endsWith('!'),
  }
}

const DECLARATION =
  /^(?<type>string|boolean|int32|int64)(?:=(?<standard>\w*))?(?:\{(?<values>[\w,]+)\})?(?:\[(?<least>\d*)\.\.(?<most>\d*)\])?!?$/

/** Parameters of every operation. */
export const COMMON_PARAMETERS: ReadonlyMap<AnyParameterName, Parameter> = new Map(
  Object.keys(COMMON_PARAMETER_TABLE).map((name) => {
    const parameter = readParameter(name)
    return [parameter.name, parameter]
  }),
)

function isParameterName(name: string): name is AnyParameterName {
  return Object.hasOwn(TABLE, name)
}

function numberIn(text: string | undefined): number | undefined {
  return text === undefined || text === '' ? undefined : Number(text)
}

/** What an operation of the store refuses, as the interface words it (spec 2). */

/** Where in the request the trouble is. */
export interface FailureDetails {
  readonly location?: string
  readonly locationType?: 'parameter' | 'header'
  /** `global` unless stated. */
  readonly domain?: string
  /** Seconds after which to try again. */
  readonly retryAfter?: number
  /** More headers of the answer, e.g. `Content-Range` of a 416. */
  readonly headers?: Readonly<Record<string, string>>
  /** Of a command: a content whose first bytes it needs. Never told to a client. */
  readonly head?: { readonly sha256: string; readonly size: number }
}

/** A refusal. Any other `Error` is a wrong program and answers 500 without its text. */
export class StorageFailure extends Error {
  override readonly name = 'StorageFailure'
  readonly status: number
  readonly reason: string
  readonly details: FailureDetails

  constructor(status: number, reason: string, message: string, details: FailureDetails = {}) {
    super(message)
    this.status = status
    this.reason = reason
    this.details = details
  }
}

/** By name, not by class: a failure of the writer thread is made anew on this side. */
export function isStorageFailure(error: unknown): error is StorageFailure {
  return error instanceof Error && error.name === 'StorageFailure'
}

/** There is no such thing, or the caller may not know of it. */
export function notFound(what: string, id: string, location?: string): StorageFailure {
  const details = location === undefined ? {} : { location, locationType: 'parameter' as const }
  return new StorageFailure(404, 'notFound', `${what} not found: ${id}`, details)
}

/** A query parameter has a value it cannot have. */
export function invalidParameter(location: string, message: string): StorageFailure {
  return new StorageFailure(400, 'invalidParameter', message, { location, locationType: 'parameter' })
}

/** A value that means nothing: bad q, bad page token, an unusable id, a member of the body. */
export function invalid(message: string, location?: string): StorageFailure {
  const details = location === undefined ? {} : { location, locationType: 'parameter' as const }
  return new StorageFailure(400, 'invalid', message, details)
}

/** A combination that makes no sense. */
export function badRequest(message: string, location?: string): StorageFailure {
  const details = location === undefined ? {} : { location, locationType: 'parameter' as const }
  return new StorageFailure(400, 'badRequest', message, details)
}

/** A parameter or member that has to be there is not. */
export function required(location: string): StorageFailure {
  return new StorageFailure(400, 'required', `Required parameter: ${location}`, {
    location,
    locationType: 'parameter',
  })
}

/** The caller sees the file but may not do this to it. */
export function noPermission(id: string): StorageFailure {
  return new StorageFailure(
    403,
    'insufficientFilePermissions',
    `The user does not have sufficient permissions for file ${id}.`,
  )
}

/** No scope of the token opens this. */
export function lacksScope(): StorageFailure {
  const message = 'Request had insufficient authentication scopes.'
  return new StorageFailure(403, 'insufficientPermissions', message)
}

/** The user asks too often. */
export function rateLimitExceeded(): StorageFailure {
  return new StorageFailure(429, 'rateLimitExceeded', 'Rate Limit Exceeded', {
    domain: 'usageLimits',
    retryAfter: 1,
  })
}

/** The body of a request does not come. */
export function requestTimeout(): StorageFailure {
  return new StorageFailure(408, 'requestTimeout', 'The request did not arrive in time.')
}

/** The thing has changed since the caller looked at it. */
export function conditionNotMet(): StorageFailure {
  return new StorageFailure(412, 'conditionNotMet', 'Precondition Failed', {
    location: 'If-Match',
    locationType: 'header',
  })
}

/** Recognised by the last part of a scope's address (spec 3). */
export const SCOPES = [
  'drive',
  'drive.readonly',
  'drive.file',
  'drive.appdata',
  'drive.metadata',
  'drive.metadata.readonly',
  'drive.apps.readonly',
  'drive.photos.readonly',
  'drive.meet.readonly',
  'drive.scripts',
] as const

export type Scope = (typeof SCOPES)[number]

/** Plain data: it travels to the writer thread. */
export interface Caller {
  /** Key of the user in `principals`; 0: the operator, or, of a request, nobody who is known. */
  readonly user: number
  /** Key of the program in `clients`; 0: none. */
  readonly client: number
  readonly scopes: readonly Scope[]
  /** Digests of the token, and of the refresh token it was given for. */
  readonly via?: readonly string[]
  /** The request did not opt in to shared drives: what is in them does not exist for it (spec 19). */
  readonly hidesDrives?: boolean
}

/** Nobody who is known: has the rights of `anyone`, and reads. */
export const GUEST: Caller = { user: 0, client: 0, scopes: ['drive.readonly'] }

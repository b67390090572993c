/** Refusals of store operations, in the error format of the API (spec 2). */

/** Details of a refusal: the part of the request at fault, and headers of the response. */
export interface FailureDetails {
  readonly location?: string
  readonly locationType?: 'parameter' | 'header'
  /** `global` if omitted. */
  readonly domain?: string
  /** Seconds after which to try again. */
  readonly retryAfter?: number
  /** Further response headers, e.g. `Content-Range` of a 416. */
  readonly headers?: Readonly<Record<string, string>>
  /** Content whose head a command needs. Internal: never sent to a client. */
  readonly head?: { readonly sha256: string; readonly size: number }
}

/** A refusal. Any other `Error` is a programming error and is answered with 500, without its text. */
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

/** Checks the name, not the class: failures of the writer thread are recreated in the receiving thread. */
export function isStorageFailure(error: unknown): error is StorageFailure {
  return error instanceof Error && error.name === 'StorageFailure'
}

/** The item does not exist, or the caller may not see it. */
export function notFound(what: string, id: string, location?: string): StorageFailure {
  return new StorageFailure(404, 'notFound', `${what} not found: ${id}`, parameterAt(location))
}

/** A query parameter has a value outside its range. */
export function invalidParameter(location: string, message: string): StorageFailure {
  return new StorageFailure(400, 'invalidParameter', message, parameterAt(location))
}

/** An unusable value: an invalid q, page token, id or member of the body. */
export function invalid(message: string, location?: string): StorageFailure {
  return new StorageFailure(400, 'invalid', message, parameterAt(location))
}

/** An invalid combination of parameters. */
export function badRequest(message: string, location?: string): StorageFailure {
  return new StorageFailure(400, 'badRequest', message, parameterAt(location))
}

export function required(location: string): StorageFailure {
  return new StorageFailure(400, 'required', `Required parameter: ${location}`, parameterAt(location))
}

function parameterAt(location: string | undefined): FailureDetails {
  return location === undefined ? {} : { location, locationType: 'parameter' }
}

/** The caller can see the file but lacks the right for this operation. */
export function noPermission(id: string): StorageFailure {
  return new StorageFailure(
    403,
    'insufficientFilePermissions',
    `The user does not have sufficient permissions for file ${id}.`,
  )
}

/** The token's scopes do not cover the operation. */
export function lacksScope(): StorageFailure {
  const message = 'Request had insufficient authentication scopes.'
  return new StorageFailure(403, 'insufficientPermissions', message)
}

/** The user exceeded the request rate. */
export function rateLimitExceeded(): StorageFailure {
  return new StorageFailure(429, 'rateLimitExceeded', 'Rate Limit Exceeded', {
    domain: 'usageLimits',
    retryAfter: 1,
  })
}

/** The service cannot do it now: the same request may succeed after `seconds`. The cause goes to the log, not to the client. */
export function tryAgain(seconds: number, message: string, cause?: unknown): StorageFailure {
  const failure = new StorageFailure(503, 'backendError', message, { retryAfter: seconds })
  if (cause !== undefined) failure.cause = cause
  return failure
}

/** The request body did not arrive in time. */
export function requestTimeout(): StorageFailure {
  return new StorageFailure(408, 'requestTimeout', 'The request did not arrive in time.')
}

/** The item has changed since the caller read it. */
export function conditionNotMet(
  location: 'If-Match' | 'X-Hla-If' = 'If-Match',
  message = 'Precondition Failed',
): StorageFailure {
  return new StorageFailure(412, 'conditionNotMet', message, { location, locationType: 'header' })
}

/**
 * Conditions that the public API does not have, of the header `X-Hla-If`. `title-free`: no other item of the folder has
 * the title; `empty`: the folder has no item; `path`: the item is there. Items in the trash do not count.
 */
export interface OwnConditions {
  readonly 'title-free'?: true
  readonly empty?: true
  readonly path?: NamedPath
}

/** Titles that lead from a folder to an item. */
export interface NamedPath {
  /** Id, or `root`. */
  readonly base: string
  readonly names: readonly string[]
}

/** Recognised by the last part of a scope's URL (spec 3). */
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

/** Plain data, sent to the writer thread. */
export interface Caller {
  /** Key of the user in `principals`, or of the link that the caller came by. 0: the operator, or an unauthenticated caller of a request. */
  readonly user: number
  /** `user` is a link of its own. */
  readonly isLink?: boolean
  /** Key of the client in `clients`, or 0. */
  readonly client: number
  readonly scopes: readonly Scope[]
  /** Digests of the token and of the refresh token it was issued for. */
  readonly via?: readonly string[]
  /** The request did not opt in to shared drives, so their items are hidden from it (spec 19). */
  readonly hidesDrives?: boolean
}

/** Unauthenticated caller, with the rights of `anyone`, read-only. */
export const GUEST: Caller = { user: 0, client: 0, scopes: ['drive.readonly'] }

/** True for callers without an account, whatever link they came by. */
export function isGuest({ user, isLink }: Caller): boolean {
  return user === GUEST.user || isLink === true
}

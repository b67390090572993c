/** The caller of an operation: a user, a client and the scopes of the token. */

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

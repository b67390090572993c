/** THE TABLE of the administration requests: address, query and body of each. They are not part of the file API. */

/** `!` marks a required value. `count?` also accepts null, for no limit. */
export const KINDS = ['text', 'text!', 'flag', 'count', 'count?', 'texts', 'texts!'] as const
export type Kind = (typeof KINDS)[number]

export interface AdminRequest {
  readonly verb: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  /** Path below `ADMIN_ROOT`. */
  readonly path: string
  readonly query?: Readonly<Record<string, Kind>>
  readonly body?: Readonly<Record<string, Kind>>
  /** True if every signed-in user may send it. Otherwise only administrators may. */
  readonly isForAll?: boolean
}

export const ADMIN_ROOT = '/drive/admin/v1'

/** Parameters of every list. */
const PAGE = { maxResults: 'count', pageToken: 'text' } as const
const USER = { name: 'text', isAdmin: 'flag', quotaBytes: 'count?', password: 'text' } as const

export const ADMIN_REQUESTS = {
  'self.get': { verb: 'GET', path: 'self', isForAll: true },
  'users.list': { verb: 'GET', path: 'users', query: { ...PAGE, prefix: 'text' } },
  'users.insert': { verb: 'POST', path: 'users', body: { email: 'text!', ...USER } },
  'users.patch': { verb: 'PATCH', path: 'users/:email', body: { ...USER, isDisabled: 'flag' } },
  'users.delete': { verb: 'DELETE', path: 'users/:email', query: { giveTo: 'text', deleteFiles: 'flag' } },
  'groups.list': { verb: 'GET', path: 'groups', query: { ...PAGE, prefix: 'text' } },
  'groups.insert': { verb: 'POST', path: 'groups', body: { email: 'text!', name: 'text' } },
  'groups.patch': { verb: 'PATCH', path: 'groups/:email', body: { name: 'text', isDisabled: 'flag' } },
  'groups.delete': { verb: 'DELETE', path: 'groups/:email' },
  'members.list': { verb: 'GET', path: 'groups/:email/members', query: PAGE },
  'members.insert': { verb: 'POST', path: 'groups/:email/members', body: { members: 'texts!' } },
  'members.delete': { verb: 'DELETE', path: 'groups/:email/members/:member' },
  'tokens.list': { verb: 'GET', path: 'tokens', query: { ...PAGE, user: 'text' } },
  'tokens.insert': {
    verb: 'POST',
    path: 'tokens',
    body: { user: 'text!', scopes: 'texts!', label: 'text', expiresIn: 'count?' },
  },
  'tokens.delete': { verb: 'DELETE', path: 'tokens/:id' },
  'sessions.list': { verb: 'GET', path: 'sessions', query: { ...PAGE, user: 'text' } },
  'sessions.delete': { verb: 'DELETE', path: 'sessions/:id' },
  'keys.list': { verb: 'GET', path: 'keys', query: PAGE },
  'keys.patch': { verb: 'PATCH', path: 'keys/:id', body: { name: 'text', isDisabled: 'flag' } },
  'keys.delete': { verb: 'DELETE', path: 'keys/:id' },
  'limits.list': { verb: 'GET', path: 'limits' },
  'limits.update': { verb: 'PUT', path: 'limits/:name', body: { value: 'count?' } },
  'log.list': { verb: 'GET', path: 'log', query: PAGE },
  // the owner of a file asks about it, administrators about every file and user
  'accesses.list': {
    verb: 'GET',
    path: 'accesses',
    query: { ...PAGE, file: 'text', user: 'text' },
    isForAll: true,
  },
} as const satisfies Readonly<Record<string, AdminRequest>>

export type AdminRequestId = keyof typeof ADMIN_REQUESTS

type Value<K extends Kind> = K extends 'text' | 'text!'
  ? string
  : K extends 'flag'
    ? boolean
    : K extends 'count'
      ? number
      : K extends 'count?'
        ? number | null
        : readonly string[]

type Needed<Fields extends Readonly<Record<string, Kind>>> = {
  readonly [Name in keyof Fields as Fields[Name] extends `${string}!` ? Name : never]: Value<Fields[Name]>
}
type Optional<Fields extends Readonly<Record<string, Kind>>> = {
  readonly [Name in keyof Fields as Fields[Name] extends `${string}!` ? never : Name]?: Value<Fields[Name]>
}
export type Given<Fields extends Readonly<Record<string, Kind>>> = Needed<Fields> & Optional<Fields>

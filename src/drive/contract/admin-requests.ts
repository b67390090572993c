/** THE TABLES of the administration requests: address, query and body of each. They are not part of the file API. */

/**
 * `!` marks a required value. `count?` also accepts null, for no limit. `raw` is text that no list shows; its handler
 * checks it.
 */
export const KINDS = ['text', 'text!', 'raw', 'raw!', 'flag', 'count', 'count?', 'texts', 'texts!'] as const
export type Kind = (typeof KINDS)[number]

export interface AdminRequest {
  readonly verb: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  /** Path below `ADMIN_ROOT`. */
  readonly path: string
  readonly query?: Readonly<Record<string, Kind>>
  readonly body?: Readonly<Record<string, Kind>>
  /** Members of the body that only the operator may send. */
  readonly byOperator?: Readonly<Record<string, Kind>>
  /** True if every signed-in user may send it. Otherwise only administrators may. */
  readonly isForAll?: boolean
}

export const ADMIN_ROOT = '/drive/admin/v1'

/** Parameters of every list. */
const PAGE = { maxResults: 'count', pageToken: 'text' } as const
const USER = { name: 'text', isAdmin: 'flag', quotaBytes: 'count?', password: 'raw' } as const

/** Key of a service account: its id, and the public half as PEM. */
const NEW_KEY = { id: 'text!', publicKey: 'raw!', impersonates: 'flag' } as const
const CLIENT = { name: 'text', facts: 'raw', redirects: 'texts' } as const

export const ADMIN_REQUESTS = {
  'self.get': { verb: 'GET', path: 'self', isForAll: true },
  'users.list': { verb: 'GET', path: 'users', query: { ...PAGE, prefix: 'text' } },
  'users.insert': { verb: 'POST', path: 'users', body: { email: 'text!', ...USER } },
  'users.patch': { verb: 'PATCH', path: 'users/:email', body: { ...USER, isDisabled: 'flag' } },
  'users.delete': { verb: 'DELETE', path: 'users/:email', query: { giveTo: 'text', deleteFiles: 'flag' } },
  'groups.list': { verb: 'GET', path: 'groups', query: { ...PAGE, prefix: 'text' } },
  'groups.insert': { verb: 'POST', path: 'groups', body: { email: 'text!', name: 'text' } },
  'groups.patch': {
    verb: 'PATCH',
    path: 'groups/:email',
    body: { name: 'text', isDisabled: 'flag' },
    byOperator: { add: 'texts', remove: 'texts' },
  },
  'groups.delete': { verb: 'DELETE', path: 'groups/:email' },
  'members.list': { verb: 'GET', path: 'groups/:email/members', query: PAGE },
  'members.insert': { verb: 'POST', path: 'groups/:email/members', body: { members: 'texts!' } },
  'members.delete': { verb: 'DELETE', path: 'groups/:email/members/:member' },
  'tokens.list': { verb: 'GET', path: 'tokens', query: { ...PAGE, user: 'text' } },
  'tokens.insert': {
    verb: 'POST',
    path: 'tokens',
    body: { user: 'text!', scopes: 'texts!', label: 'text', expiresIn: 'count?' },
    byOperator: { client: 'text', isRefresh: 'flag', expiresInMs: 'count' },
  },
  'tokens.delete': { verb: 'DELETE', path: 'tokens/:id' },
  'sessions.list': { verb: 'GET', path: 'sessions', query: { ...PAGE, user: 'text' } },
  'sessions.delete': { verb: 'DELETE', path: 'sessions/:id' },
  'keys.list': { verb: 'GET', path: 'keys', query: PAGE },
  'keys.patch': { verb: 'PATCH', path: 'keys/:id', body: { name: 'text', isDisabled: 'flag' } },
  'keys.delete': { verb: 'DELETE', path: 'keys/:id' },
  'limits.list': { verb: 'GET', path: 'limits' },
  'limits.update': { verb: 'PUT', path: 'limits/:name', body: { value: 'count?' } },
  'name.update': { verb: 'PUT', path: 'name', body: { name: 'text' } },
  'log.list': { verb: 'GET', path: 'log', query: PAGE },
  // the owner of a file asks about it, administrators about every file and user
  'accesses.list': {
    verb: 'GET',
    path: 'accesses',
    query: { ...PAGE, file: 'text', user: 'text' },
    isForAll: true,
  },
} as const satisfies Readonly<Record<string, AdminRequest>>

/** Requests of the operator alone: the socket in the store's folder takes them, and no port. */
export const OPERATOR_REQUESTS = {
  'accounts.list': { verb: 'GET', path: 'accounts' },
  'accounts.insert': { verb: 'POST', path: 'accounts', body: { email: 'text!', ...NEW_KEY } },
  'accounts.delete': {
    verb: 'DELETE',
    path: 'accounts/:email',
    query: { giveTo: 'text', deleteFiles: 'flag' },
  },
  'keys.insert': { verb: 'POST', path: 'accounts/:email/keys', body: NEW_KEY },
  'keys.rotate': { verb: 'POST', path: 'keys/:id/rotate', body: { id: 'text!', publicKey: 'raw!' } },
  'clients.list': { verb: 'GET', path: 'clients' },
  'clients.insert': { verb: 'POST', path: 'clients', body: { id: 'text!', ...CLIENT } },
  'clients.patch': { verb: 'PATCH', path: 'clients/:id', body: { ...CLIENT, isDisabled: 'flag' } },
  'clients.secret': { verb: 'POST', path: 'clients/:id/secret' },
  'clients.delete': { verb: 'DELETE', path: 'clients/:id' },
  'labels.list': { verb: 'GET', path: 'labels' },
  'labels.update': {
    verb: 'PUT',
    path: 'labels/:id',
    body: { fields: 'raw', rename: 'text', isDisabled: 'flag' },
  },
  'labels.delete': { verb: 'DELETE', path: 'labels/:id' },
  'store.get': { verb: 'GET', path: 'store' },
  'store.tidy': { verb: 'POST', path: 'store/tidy', body: { graceMs: 'count' } },
} as const satisfies Readonly<Record<string, AdminRequest>>

export type AdminRequestId = keyof typeof ADMIN_REQUESTS
export type OperatorRequestId = keyof typeof OPERATOR_REQUESTS

type Value<K extends Kind> = K extends 'text' | 'text!' | 'raw' | 'raw!'
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

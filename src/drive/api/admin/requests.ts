/** Administration requests: parses one by the table `ADMIN_REQUESTS`, and handles it. */
import type { FastifyRequest } from 'fastify'
import {
  ADMIN_REQUESTS,
  type AdminRequest,
  type AdminRequestId,
  type Given,
  type Kind,
  OPERATOR_REQUESTS,
} from '../../contract/admin-requests.ts'
import { type Caller, invalid, invalidParameter, notFound } from '../../contract/failure.ts'
import {
  type ListPage,
  type Listed,
  type RecordFacts,
  type TokenKind,
  findListedToken,
  pageOfGroups,
  pageOfKeys,
  pageOfMembers,
  pageOfRecords,
  pageOfTokens,
  pageOfUsers,
} from '../../domain/administration/lists.ts'
import { readLimits, setLimits } from '../../domain/settings.ts'
import { type DriveContext, pathId } from '../requests/call.ts'
import { type Fields, readMembers, readValue } from '../requests/members.ts'
import { bodyOf, pathOf, queryOf } from '../requests/parts.ts'
import { OPERATOR } from '../../domain/commands.ts'
import {
  type AdministrativeName,
  type AdministrativeStep,
  type StepInput,
  type StepResult,
  administerStore,
  isAdministrator,
  mustSeeAccesses,
} from '../../domain/administration/administer.ts'
import { userView } from '../../domain/access/principals.ts'
import type { KeyFacts } from '../../domain/accounts/accounts.ts'
import { OWN_CLIENT, clientNamed } from '../../domain/accounts/clients.ts'
import { type TokenFacts, digestToken, newToken, readScopes } from '../../domain/accounts/tokens.ts'
import { dateOrNone } from '../answers/json.ts'
import { type GroupFacts, findGroup } from '../../domain/access/groups.ts'
import { type UserFacts, userNamed } from '../../domain/accounts/users.ts'
import { hashPassword } from '../../domain/sign-in/passwords.ts'
import type { RecordedAccess } from '../../persistence/access-record.ts'
import type { Database } from '../../persistence/database/database.ts'
import { LIMITS, LIMIT_NAMES } from '../../contract/limits.ts'

/** All requests. A port takes those of administrators; the socket in the store's folder takes all, as the operator. */
export const REQUESTS = { ...ADMIN_REQUESTS, ...OPERATOR_REQUESTS }
export type RequestId = keyof typeof REQUESTS

type FieldsIn<Id extends RequestId, Where extends 'query' | 'body' | 'byOperator'> =
  (typeof REQUESTS)[Id] extends Readonly<Record<Where, infer Fields extends Readonly<Record<string, Kind>>>>
    ? Given<Fields>
    : object

/** Context of a request of administration: part of a service's, or made by a command that runs without a service. */
export interface AdminContext extends Pick<DriveContext, 'store'> {
  readonly callers: Pick<DriveContext['callers'], 'forget'>
  /** Undefined without a service. */
  readonly accesses?: DriveContext['accesses']
}

interface AdminCall<Id extends RequestId> {
  readonly drive: AdminContext
  readonly caller: Caller
  /** Decoded path parameters. */
  readonly path: Readonly<Record<string, string>>
  readonly query: FieldsIn<Id, 'query'>
  readonly body: FieldsIn<Id, 'body'> & FieldsIn<Id, 'byOperator'>
  /** Page of a list request. */
  readonly page: ListPage
}

/** Each handler returns the response body; undefined for 204. */
export type Handlers<Id extends RequestId> = {
  readonly [One in Id]: (call: AdminCall<One>) => unknown
}

/** Default page size in rows. */
const DEFAULT_ITEMS = 100

/** @throws 400 */
export function readAdminCall<Id extends RequestId>(
  id: Id,
  drive: AdminContext,
  caller: Caller,
  request: FastifyRequest,
): AdminCall<Id> {
  const { query: fields = {}, body = {}, byOperator = {} }: AdminRequest = REQUESTS[id]
  const members = caller === OPERATOR ? { ...body, ...byOperator } : body
  const query = readQuery(queryOf(request), fields)
  const { maxResults = DEFAULT_ITEMS, pageToken: after } = query as {
    readonly maxResults?: number
    readonly pageToken?: string
  }
  const most = Math.min(Math.max(1, maxResults), readLimits(drive.store.read)['page-items'])
  return {
    drive,
    caller,
    path: pathOf(request),
    // the parsers follow the table
    query: query as AdminCall<Id>['query'],
    body: readMembers(bodyOf(request), members) as AdminCall<Id>['body'],
    page: { most, after },
  }
}

/** Ignores parameters common to all requests, such as a token. */
function readQuery(given: Readonly<Record<string, unknown>>, fields: Fields): Record<string, unknown> {
  const read: Record<string, unknown> = {}
  for (const [name, kind] of Object.entries(fields)) {
    const text = given[name]
    if (text === undefined) continue
    if (typeof text !== 'string') throw invalidParameter(name, `${name} is there twice.`)
    if (kind === 'flag' && text !== 'true' && text !== 'false')
      throw invalidParameter(name, `${name} must be true or false.`)
    read[name] = readValue(kind === 'flag' ? text === 'true' : text, kind, name)
  }
  return read
}

type Changing = Pick<AdminCall<RequestId>, 'drive' | 'caller'>

/** Runs one recorded step. Resolves with its result, when it is on disk. */
export function step<Name extends AdministrativeName>(
  { drive, caller }: Changing,
  command: Name,
  input: StepInput<Name>,
): Promise<StepResult<Name>> {
  // the parameters pair the command with its own input
  return administerStore(drive.store, caller, { command, input } as AdministrativeStep)
}

/** JSON body of one page of a list. */
export function listAnswer<Row, Item>({ items, next }: Listed<Row>, describe: (row: Row) => Item) {
  return { items: items.map(describe), nextPageToken: next }
}

/** Requests that administrators may send too. */
export const ADMINISTRATION: Handlers<AdminRequestId> = {
  'tokens.list': (call) => listTokens(madeOrAll(call), call),
  /** This response alone holds the token itself. */
  async 'tokens.insert'(call) {
    const { body } = call
    const { read } = call.drive.store
    const { pk: user } = userNamed(read, body.user)
    const { pk: client } = clientNamed(read, body.client ?? OWN_CLIENT, 'client')
    const scopes = readScopes(body.scopes.join(' '))
    const unknown = body.scopes.find((one) => readScopes(one).length !== 1)
    if (unknown !== undefined) throw invalid(`There is no scope ${unknown}.`, 'scopes')
    const token = newToken()
    const digest = digestToken(token)
    const seconds = body.expiresIn ?? undefined
    const life = body.expiresInMs ?? (seconds === undefined ? undefined : seconds * 1000)
    const expires = life === undefined ? undefined : Date.now() + life
    const kind = body.isRefresh === true ? ('refresh' as const) : ('access' as const)
    await step(call, 'addToken', { digest, user, client, scopes, kind, expires, label: body.label })
    const made = findListedToken(read, 'made', digest)
    return { ...(made === undefined ? { id: digest } : describeToken(made)), token }
  },
  'tokens.delete': (call) => revoke(madeOrAll(call), call),
  'sessions.list': (call) => listTokens('session', call),
  'sessions.delete': (call) => revoke('session', call),
  'keys.list': ({ drive, page }) => listAnswer(pageOfKeys(drive.store.read, page), describeKey),
  async 'keys.patch'(call) {
    return describeKey(await step(call, 'changeKey', { kid: pathId(call, 'id'), ...call.body }))
  },
  'keys.delete': (call) => step(call, 'removeKey', { kid: pathId(call, 'id') }),
  'users.list': ({ drive, query, page }) =>
    listAnswer(pageOfUsers(drive.store.read, page, query.prefix ?? ''), describeUser),
  async 'users.insert'({ drive, caller, body }) {
    const { email, name, isAdmin, quotaBytes, password } = body
    const user = { email, name, isAdmin, quota: quotaBytes ?? undefined }
    await administerStore(
      drive.store,
      caller,
      { command: 'addUser', input: user },
      ...(await passwordSteps(email, password)),
    )
    return describeUser(userNamed(drive.store.read, email))
  },
  async 'users.patch'({ drive, caller, path, body }) {
    const { store } = drive
    const { pk, email } = userNamed(store.read, pathId({ path }, 'email'))
    const { name, isAdmin, isDisabled, quotaBytes: quota, password } = body
    const input = { pk, name, isAdmin, isDisabled, quota }
    await administerStore(
      store,
      caller,
      { command: 'changeUser', input },
      ...(await passwordSteps(email, password)),
    )
    return describeUser(userNamed(store.read, email))
  },
  'users.delete': (call) => step(call, 'removeUser', readRemoval(call)),
  'groups.list': ({ drive, query, page }) =>
    listAnswer(pageOfGroups(drive.store.read, page, query.prefix ?? ''), describeGroup),
  'groups.insert': async (call) => describeGroup(await step(call, 'addGroup', call.body)),
  async 'groups.patch'({ drive, caller, path, body }) {
    const group = pathId({ path }, 'email')
    const { add = [], remove = [], ...changes } = body
    const steps: AdministrativeStep[] = []
    if (add.length > 0) steps.push({ command: 'addMembers', input: { group, members: add } })
    if (remove.length > 0) steps.push({ command: 'removeMembers', input: { group, members: remove } })
    if (steps.length === 0 || Object.keys(changes).length > 0)
      steps.push({ command: 'changeGroup', input: { group, ...changes } })
    return describeGroup(await administerStore<GroupFacts>(drive.store, caller, ...steps))
  },
  'groups.delete': (call) => step(call, 'removeGroup', { group: pathId(call, 'email') }),
  'members.list'({ drive, path, page }) {
    const email = pathId({ path }, 'email')
    const group = findGroup(drive.store.read, email)
    if (group === undefined) throw notFound('Group', email)
    const members = pageOfMembers(drive.store.read, group, page)
    return listAnswer(members, (member) => ({ email: member.email, name: member.name }))
  },
  async 'members.insert'(call) {
    const input = { group: pathId(call, 'email'), members: call.body.members }
    return describeGroup(await step(call, 'addMembers', input))
  },
  async 'members.delete'(call) {
    await step(call, 'removeMembers', { group: pathId(call, 'email'), members: [pathId(call, 'member')] })
  },
  /** Tells the page whether to show administration, so that it sends no request that would be refused. */
  'self.get': ({ drive, caller }) => ({
    isAdministrator: caller === OPERATOR || isAdministrator(drive.store.read, caller),
  }),
  'limits.list': ({ drive }) => ({ items: describeLimits(drive.store.read) }),
  async 'limits.update'(call) {
    const name = pathId(call, 'name')
    await step(call, 'setLimit', { name, value: call.body.value ?? null })
    const changed = describeLimits(call.drive.store.read).find((limit) => limit.name === name)
    if (changed === undefined) throw notFound('Limit', name)
    return changed
  },
  async 'name.update'(call) {
    const input = { name: call.body.name?.trim() ?? '' }
    await step(call, 'setName', input)
    return input
  },
  'log.list': ({ drive, page }) => listAnswer(pageOfRecords(drive.store.read, page), describeRecord),
  'accesses.list': listAccesses,
}

function listTokens(
  which: TokenKind,
  { drive, query, page }: Pick<AdminCall<'tokens.list'>, 'drive' | 'query' | 'page'>,
) {
  const { read } = drive.store
  const user = query.user === undefined ? undefined : userNamed(read, query.user).pk
  return listAnswer(pageOfTokens(read, { which, user, now: Date.now() }, page), describeToken)
}

function madeOrAll({ caller }: Changing): TokenKind {
  return caller === OPERATOR ? 'all' : 'made'
}

/** Revokes a token and the tokens given for it. @throws 404 */
function revoke(which: TokenKind, call: Changing & Pick<AdminCall<RequestId>, 'path'>): Promise<void> {
  const name = pathId(call, 'id')
  const token = findListedToken(call.drive.store.read, which, name)
  if (token === undefined) throw notFound('Token', name)
  return step(call, 'revokeToken', { digest: token.digest })
}

/** The digest serves as the id of the token; it gives no access. */
export function describeToken({ digest, email, client, scopes, kind, created, expires, label }: TokenFacts) {
  return {
    id: digest,
    user: email,
    client,
    scopes: scopes.split(' '),
    kind,
    created: dateOrNone(created),
    expires: dateOrNone(expires),
    label,
  }
}

export function describeKey({ kid, email, name, created, ...facts }: KeyFacts) {
  return {
    id: kid,
    account: email,
    name,
    created: dateOrNone(created),
    impersonates: facts.may_impersonate === 1,
    isDisabled: facts.is_disabled === 1,
  }
}

/** Steps that set a password, if there is one; an empty one removes it. @throws 400 — too short, or too long; 429 */
async function passwordSteps(email: string, password: string | undefined): Promise<AdministrativeStep[]> {
  if (password === undefined) return []
  const hash = password === '' ? null : await hashPassword(password)
  return [{ command: 'setPassword', input: { email, hash } }]
}

/** Address of the user or account to remove, and what becomes of its files. */
export function readRemoval({ path, query }: Pick<AdminCall<'users.delete'>, 'path' | 'query'>) {
  const { giveTo: heir, deleteFiles: withFiles } = query
  return { email: pathId({ path }, 'email'), heir, withFiles }
}

export function describeUser({ id, email, name, ...facts }: UserFacts) {
  return {
    id,
    email,
    name,
    isAdmin: facts.is_admin === 1,
    isDisabled: facts.is_disabled === 1,
    hasPassword: facts.has_password === 1,
    quotaBytes: facts.quota,
    usedBytes: facts.used,
  }
}

export function describeGroup({ id, email, name, members, is_disabled }: GroupFacts) {
  return { id, email, name, members, isDisabled: is_disabled === 1 }
}

async function listAccesses({ drive, caller, query, page }: AdminCall<'accesses.list'>) {
  const { store, accesses } = drive
  const { read } = store
  const { file, user } = query
  if (accesses === undefined) throw new Error('accesses are recorded by a service')
  if (caller !== OPERATOR) mustSeeAccesses(read, caller, query)
  const search = { file, user: user === undefined ? undefined : userNamed(read, user).pk }
  const until = performance.now() + readLimits(read)['list-milliseconds']
  const found = await accesses.page(search, page.most, page.after, until).catch((error: unknown) => {
    throw error instanceof RangeError ? invalidParameter('pageToken', 'Invalid Value') : error
  })
  const { items, next, damaged, lost } = found
  return {
    items: items.map((access) => describeAccess(read, access)),
    nextPageToken: next,
    damaged,
    lost,
  }
}

function describeAccess(db: Database, access: RecordedAccess) {
  const { at, action, method, file, user, client, token = null, link = null, times } = access
  const names = 'SELECT id FROM clients WHERE pk = ?'
  return {
    date: dateOrNone(at),
    action,
    method,
    file,
    user: userView(db, user)?.email ?? null,
    client: db.get<{ id: string }>(names, client)?.id ?? null,
    token,
    link,
    times,
  }
}

export function describeLimits(db: Database) {
  const [now, set] = [readLimits(db), setLimits(db)]
  return LIMIT_NAMES.map((name) => ({
    name,
    of: LIMITS[name].of,
    value: now[name],
    standard: LIMITS[name].standard,
    isSet: name in set,
  }))
}

function describeRecord({ at, actor, email, command, subject, detail }: RecordFacts) {
  return {
    date: dateOrNone(at),
    by: actor === 0 ? null : email,
    command,
    subject,
    // `recordStep` wrote this object
    detail: JSON.parse(detail) as Readonly<Record<string, unknown>>,
  }
}

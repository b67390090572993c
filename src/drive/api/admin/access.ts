/** What opens the store: tokens that were made by hand, those of who signed in, keys of service accounts. */
import type { Caller } from '../../contract/caller.ts'
import { invalid, notFound } from '../../contract/failure.ts'
import type { KeyFacts } from '../../domain/accounts/accounts.ts'
import { findClient, OWN_CLIENT } from '../../domain/accounts/clients.ts'
import { digestToken, newToken, readScopes, type TokenFacts } from '../../domain/accounts/tokens.ts'
import { administerStore } from '../../domain/administration/administer.ts'
import {
  findListedToken,
  pageOfKeys,
  pageOfTokens,
  type TokenKind,
} from '../../domain/administration/lists.ts'
import { idIn } from '../requests/call.ts'
import type { DriveContext } from '../requests/call.ts'
import type { AdminCall, AdminHandlers } from './call.ts'
import { dateOrNone, listAnswer } from './list-answer.ts'
import { userNamed } from './people.ts'

type AccessId = `${'tokens' | 'sessions' | 'keys'}.${string}`

export const ACCESS: Pick<AdminHandlers, Extract<keyof AdminHandlers, AccessId>> = {
  'tokens.list': (call) => listTokens('made', call),
  /** The token itself is in this answer, and nowhere else. */
  async 'tokens.insert'({ drive, caller, body }) {
    const { store } = drive
    const { pk: user } = userNamed(store.read, body.user)
    const scopes = readScopes(body.scopes.join(' '))
    const unknown = body.scopes.find((one) => readScopes(one).length !== 1)
    if (unknown !== undefined) throw invalid(`There is no scope ${unknown}.`, 'scopes')
    const token = newToken()
    const digest = digestToken(token)
    const now = Date.now()
    const expires =
      body.expiresIn === undefined || body.expiresIn === null ? undefined : now + body.expiresIn * 1000
    const client = findClient(store.read, OWN_CLIENT)?.pk ?? 0
    const input = { digest, user, client, scopes, kind: 'access' as const, expires, label: body.label }
    await administerStore(store, caller, { command: 'addToken', input })
    const made = findListedToken(store.read, 'made', digest)
    return { ...(made === undefined ? { id: digest } : describeToken(made)), token }
  },
  'tokens.delete': ({ drive, caller, path }) => revoke('made', drive, caller, idIn({ path }, 'id')),
  'sessions.list': (call) => listTokens('session', call),
  'sessions.delete': ({ drive, caller, path }) => revoke('session', drive, caller, idIn({ path }, 'id')),
  'keys.list': ({ drive, page }) => listAnswer(pageOfKeys(drive.store.read, page), describeKey),
  async 'keys.patch'({ drive, caller, path, body }) {
    const input = { kid: idIn({ path }, 'id'), ...body }
    const changed = await administerStore<KeyFacts>(drive.store, caller, {
      command: 'changeKey',
      input,
    })
    return describeKey(changed)
  },
  async 'keys.delete'({ drive, caller, path }) {
    await administerStore(drive.store, caller, { command: 'removeKey', input: { kid: idIn({ path }, 'id') } })
  },
}

function listTokens(
  which: TokenKind,
  { drive, query, page }: Pick<AdminCall<'tokens.list'>, 'drive' | 'query' | 'page'>,
) {
  const { read } = drive.store
  const user = query.user === undefined ? undefined : userNamed(read, query.user).pk
  return listAnswer(pageOfTokens(read, { which, user, now: Date.now() }, page), describeToken)
}

/** With what was given for it. @throws 404 */
async function revoke(
  which: TokenKind,
  { store }: Pick<DriveContext, 'store'>,
  caller: Caller,
  digest: string,
): Promise<void> {
  if (findListedToken(store.read, which, digest) === undefined) throw notFound('Token', digest)
  await administerStore(store, caller, { command: 'revokeToken', input: { digest } })
}

/** The digest names the token, and is no use for anything else. */
function describeToken({ digest, email, client, scopes, kind, created, expires, label }: TokenFacts) {
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

function describeKey({ kid, email, name, created, ...facts }: KeyFacts) {
  return {
    id: kid,
    account: email,
    name,
    created: dateOrNone(created),
    impersonates: facts.may_impersonate === 1,
    isDisabled: facts.is_disabled === 1,
  }
}

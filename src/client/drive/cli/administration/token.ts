/** `hla drive token …`: bearer tokens; each is shown once, when it is created. */
import { HlaError } from '../../../../errors.ts'
import { findClient, OWN_CLIENT } from '../../../../drive/domain/accounts/clients.ts'
import { command, OPERATOR } from '../../../../drive/domain/commands.ts'
import {
  digestToken,
  listTokens,
  newToken,
  readScopes,
  type TokenFacts,
} from '../../../../drive/domain/accounts/tokens.ts'
import { SCOPES } from '../../../../drive/contract/failure.ts'
import type { Store } from '../../../../drive/persistence/store.ts'
import { EXIT } from '../../../../io/exit-status.ts'
import { tell, writeAll } from '../../../../io/stdout.ts'
import { type Cell, type Printing, printRows } from '../print.ts'
import { userNamed } from './user.ts'
import { withStore } from './with-store.ts'

export interface TokenOptions extends Printing {
  readonly data: string
  readonly user: string
  readonly scopes: readonly string[]
  readonly client?: string
  /** Lifetime in ms. */
  readonly expires?: number
  readonly label?: string
  /** A refresh token, valid only to obtain access tokens at /token. */
  readonly refresh?: boolean
}

/** Prints only the token: `TOKEN=$(hla drive token create …)`. */
export function createTokenCommand(options: TokenOptions): Promise<number> {
  const { user, client = OWN_CLIENT, expires, label, refresh = false } = options
  const scopes = parseScopes(options.scopes)
  return withStore(options.data, async (store) => {
    const token = newToken()
    await command(store, 'addToken', OPERATOR, {
      digest: digestToken(token),
      user: userNamed(store, user).pk,
      client: clientNamed(store, client),
      scopes,
      kind: refresh ? 'refresh' : 'access',
      expires: expires === undefined ? undefined : Date.now() + expires,
      label,
    })
    writeAll(1, `${token}\n`)
    return EXIT.ok
  })
}

export function listTokensCommand(options: TokenOptions): Promise<number> {
  return withStore(options.data, async (store) => {
    printRows(listTokens(store.read).map(described), options)
    return EXIT.ok
  })
}

/** `given` is the token, or its name in the list. */
export function revokeTokenCommand(given: string, options: TokenOptions): Promise<number> {
  const digest = given.startsWith('hla_') ? digestToken(given) : given
  return withStore(options.data, async (store) => {
    const known = listTokens(store.read).filter((token) => token.digest.startsWith(digest))
    if (known.length !== 1 || digest.length < NAME_LENGTH)
      throw new HlaError('not-found', 'there is no such token', {
        hint: 'hla drive token list prints the existing ones.',
      })
    await command(store, 'revokeToken', OPERATOR, { digest: known[0]?.digest ?? '' })
    tell('hla: revoked\n')
    return EXIT.ok
  })
}

/** Length of a token's name, the first characters of its digest. */
const NAME_LENGTH = 10

function described({
  digest,
  email,
  client,
  scopes,
  kind,
  expires,
  created,
  label,
}: TokenFacts): Record<string, Cell> {
  const date = (at: number | null) => (at === null ? null : new Date(at).toISOString())
  const name = digest.slice(0, NAME_LENGTH)
  return { name, user: email, client, scopes, kind, created: date(created), expires: date(expires), label }
}

/** @throws {HlaError} usage */
function parseScopes(words: readonly string[]) {
  const scopes = readScopes(words.join(' '))
  if (scopes.length === words.length) return scopes
  const known = words.filter((word) => readScopes(word).length === 0)
  throw new HlaError('usage', `unknown scope ${known.join(', ')}. Scopes: ${SCOPES.join(' ')}`)
}

function clientNamed(store: Store, id: string): number {
  const client = findClient(store.read, id)
  if (client !== undefined) return client.pk
  throw new HlaError('not-found', `there is no client ${id}`, {
    offending: id,
    hint: `hla drive client add ${id} creates it.`,
  })
}

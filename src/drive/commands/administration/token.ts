/** `hla drive token …`: bearer tokens; each is shown once, when it is created. */
import type { describeToken } from '../../api/admin/requests.ts'
import { HlaError } from '../../../errors.ts'
import { SCOPES, isStorageFailure } from '../../contract/failure.ts'
import { digestToken, readScopes } from '../../domain/accounts/tokens.ts'
import { tell, writeOut } from '../../../io/stdout.ts'
import type { StoreOptions, TokenOptions } from '../options/administrator-options.ts'
import type { Cell } from '../print.ts'
import { asOperator, listAsOperator } from './as-operator.ts'
import { rewordUnknownUser } from './user.ts'

type Token = ReturnType<typeof describeToken>

/** Prints only the token: `TOKEN=$(hla drive token create …)`. */
export function createTokenCommand(options: TokenOptions): Promise<void> {
  const { user, client, expires: expiresInMs, label, refresh: isRefresh } = options
  const scopes = parseScopes(options.scopes)
  return asOperator(options.data, async (ask) => {
    const body = { user, client, scopes, isRefresh, expiresInMs, label }
    const answer = ask<{ readonly token: string }>('tokens.insert', { body }).catch(
      rewordUnknownClient(client),
    )
    writeOut(`${(await answer.catch(rewordUnknownUser(user))).token}\n`)
  })
}

export const listTokensCommand = listAsOperator('tokens.list', described)

/** `word` is the token, or its name in the list. */
export function revokeTokenCommand(word: string, { data }: Pick<StoreOptions, 'data'>): Promise<void> {
  const name = word.startsWith('hla_') ? digestToken(word) : word
  return asOperator(data, async (ask) => {
    await ask('tokens.delete', { path: [name] }).catch((error: unknown) => {
      if (!isStorageFailure(error) || error.status !== 404) throw error
      throw new HlaError('not-found', 'there is no such token', {
        hint: 'hla drive token list prints the existing ones.',
      })
    })
    tell('hla: the token is revoked\n')
  })
}

/** Length of a token's name, the first characters of its id. */
const NAME_LENGTH = 10

function described({ id, scopes, ...facts }: Token): Record<string, Cell> {
  const { user, client, kind, created, expires, label } = facts
  const name = id.slice(0, NAME_LENGTH)
  return { name, user, client, scopes: scopes.join(' '), kind, created, expires, label }
}

/** @throws {HlaError} usage */
function parseScopes(words: readonly string[]) {
  const scopes = readScopes(words.join(' '))
  if (scopes.length === words.length) return scopes
  const unknown = words.filter((word) => readScopes(word).length === 0)
  throw new HlaError('usage', `unknown scope ${unknown.join(', ')}. Scopes: ${SCOPES.join(' ')}`)
}

/** Rewords the refusal of an unknown client. @throws {HlaError} not-found */
function rewordUnknownClient(id = ''): (error: unknown) => never {
  return (error) => {
    if (!isStorageFailure(error) || error.status !== 404 || error.details.location !== 'client') throw error
    throw new HlaError('not-found', `there is no client ${id}`, {
      offending: id,
      hint: `hla drive client add ${id} creates it.`,
    })
  }
}

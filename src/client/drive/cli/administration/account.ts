/**
 * `hla drive account …` and `key …`: service accounts, which authenticate with keys; credentials are printed once.
 */
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { type KeyFacts, listAccounts, listKeys } from '../../../../drive/domain/accounts/accounts.ts'
import { command, OPERATOR } from '../../../../drive/domain/commands.ts'
import { EXIT } from '../../../../io/exit-status.ts'
import { writeAll } from '../../../../io/stdout.ts'
import { type Cell, type Printing, printRows } from '../print.ts'
import { isDisabledBy, type Switch } from './switch.ts'
import { withStore } from './with-store.ts'

export interface AccountOptions extends Printing {
  readonly data: string
  readonly url: string
  readonly impersonate?: boolean
}

export interface KeyOptions extends Printing, Switch {
  readonly data: string
  readonly name?: string
}

/** `what` adds a new account, or another key to an existing one. */
export function addAccountCommand(
  email: string,
  options: AccountOptions,
  what: 'addAccount' | 'addKey' = 'addAccount',
): Promise<number> {
  const { url, impersonate: mayImpersonate = false } = options
  return withStore(options.data, async (store) => {
    const made = newKey()
    const { kid, publicKey } = made
    await command(store, what, OPERATOR, { email, kid, publicKey, mayImpersonate })
    writeCredentials(made, email, url)
    return EXIT.ok
  })
}

export function rotateKeyCommand(kid: string, { data, url }: AccountOptions): Promise<number> {
  return withStore(data, async (store) => {
    const made = newKey()
    const next = { kid: made.kid, publicKey: made.publicKey }
    const { email } = await command(store, 'rotateKey', OPERATOR, { kid, next })
    writeCredentials(made, email, url)
    return EXIT.ok
  })
}

interface MadeKey {
  readonly kid: string
  readonly publicKey: string
  readonly privateKey: string
}

function newKey(): MadeKey {
  const pair = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  return { kid: randomBytes(20).toString('hex'), ...pair }
}

/** Writes credentials in the file format of client libraries. */
function writeCredentials({ kid, privateKey }: MadeKey, email: string, url: string): void {
  const credentials = {
    type: 'service_account',
    project_id: 'hla-drive',
    private_key_id: kid,
    private_key: privateKey,
    client_email: email,
    client_id: email,
    token_uri: `${url.replace(/\/+$/, '')}/token`,
  }
  writeAll(1, `${JSON.stringify(credentials, undefined, 2)}\n`)
}

export function listAccountsCommand(options: Printing & { readonly data: string }): Promise<number> {
  return withStore(options.data, async (store) => {
    const rows = listAccounts(store.read).map(({ email, name, keys, is_disabled }): Record<string, Cell> => ({
      email,
      name,
      keys,
      disabled: is_disabled === 1,
    }))
    printRows(rows, options)
    return EXIT.ok
  })
}

export function changeKeyCommand(kid: string, options: KeyOptions): Promise<number> {
  const { data, name } = options
  const isDisabled = isDisabledBy(options)
  return withStore(data, async (store) => {
    printRows([described(await command(store, 'changeKey', OPERATOR, { kid, name, isDisabled }))], options)
    return EXIT.ok
  })
}

export function removeKeyCommand(kid: string, { data }: KeyOptions): Promise<number> {
  return withStore(data, async (store) => {
    await command(store, 'removeKey', OPERATOR, { kid })
    return EXIT.ok
  })
}

export function listKeysCommand(options: KeyOptions): Promise<number> {
  return withStore(options.data, async (store) => {
    printRows(listKeys(store.read).map(described), options)
    return EXIT.ok
  })
}

function described({
  kid,
  email,
  name,
  may_impersonate,
  created,
  is_disabled,
}: KeyFacts): Record<string, Cell> {
  return {
    key: kid,
    account: email,
    name,
    impersonates: may_impersonate === 1,
    created: created === null ? null : new Date(created).toISOString(),
    disabled: is_disabled === 1,
  }
}

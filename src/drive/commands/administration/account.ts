/**
 * `hla drive account …` and `key …`: service accounts, which authenticate with keys; credentials are printed once.
 */
import type { describeKey } from '../../api/admin/requests.ts'
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { EXIT } from '../../../io/exit-status.ts'
import { writeOut } from '../../../io/stdout.ts'
import type { Cell, Printing } from '../print.ts'
import { isDisabledBy, type Switch } from './switch.ts'
import { asOperator, printAsOperator, printListAsOperator } from './as-operator.ts'

interface Account {
  readonly email: string
  readonly name: string
  readonly keys: number
  readonly isDisabled: boolean
}

type Key = ReturnType<typeof describeKey>

export interface AccountOptions extends Printing {
  readonly data: string
  readonly url: string
  readonly impersonate?: boolean
}

export interface KeyOptions extends Printing, Switch {
  readonly data: string
  readonly name?: string
}

export function addAccountCommand(email: string, options: AccountOptions): Promise<number> {
  return asOperator(options.data, async (ask) => {
    const made = newKey()
    await ask('accounts.insert', { body: { email, ...makeKeyBody(made, options) } })
    writeCredentials(made, email, options.url)
    return EXIT.ok
  })
}

/** Adds another key to an account. */
export function addKeyCommand(email: string, options: AccountOptions): Promise<number> {
  const { url } = options
  return asOperator(options.data, async (ask) => {
    const made = newKey()
    await ask('keys.insert', { path: [email], body: makeKeyBody(made, options) })
    writeCredentials(made, email, url)
    return EXIT.ok
  })
}

export function rotateKeyCommand(kid: string, { data, url }: AccountOptions): Promise<number> {
  return asOperator(data, async (ask) => {
    const made = newKey()
    const { account } = await ask<Key>('keys.rotate', { path: [kid], body: makeKeyBody(made) })
    writeCredentials(made, account, url)
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

function makeKeyBody(
  { kid: id, publicKey }: MadeKey,
  { impersonate: impersonates }: { readonly impersonate?: boolean } = {},
) {
  return { id, publicKey, impersonates }
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
  writeOut(`${JSON.stringify(credentials, undefined, 2)}\n`)
}

export function listAccountsCommand(options: Printing & { readonly data: string }): Promise<number> {
  const describe = ({ isDisabled: disabled, ...facts }: Account) => ({ ...facts, disabled })
  return printListAsOperator(options, describe, 'accounts.list')
}

export function changeKeyCommand(kid: string, options: KeyOptions): Promise<number> {
  const { name } = options
  const isDisabled = isDisabledBy(options)
  return printAsOperator(options, described, 'keys.patch', { path: [kid], body: { name, isDisabled } })
}

export function listKeysCommand(options: KeyOptions): Promise<number> {
  return printListAsOperator(options, described, 'keys.list')
}

function described({ id: key, isDisabled: disabled, ...facts }: Key): Record<string, Cell> {
  const { account, name, impersonates, created } = facts
  return { key, account, name, impersonates, created, disabled }
}

/**
 * `hla drive account …` and `key …`: service accounts, which authenticate with keys; credentials are printed once.
 */
import type { describeKey } from '../../api/admin/requests.ts'
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { writeOut } from '../../../io/stdout.ts'
import type { AccountOptions, CredentialsOptions, ProgramOptions } from '../options/administrator-options.ts'
import type { Cell } from '../print.ts'
import { isDisabledBy } from './switch.ts'
import { asOperator, printAsOperator, listAsOperator } from './as-operator.ts'

interface Account {
  readonly email: string
  readonly name: string
  readonly keys: number
  readonly isDisabled: boolean
}

type Key = ReturnType<typeof describeKey>

export function addAccountCommand(email: string, options: AccountOptions): Promise<void> {
  return asOperator(options.data, async (ask) => {
    const made = newKey()
    await ask('accounts.insert', { body: { email, ...makeKeyBody(made, options) } })
    writeCredentials(made, email, options.url)
  })
}

/** Adds another key to an account. */
export function addKeyCommand(email: string, options: AccountOptions): Promise<void> {
  const { url } = options
  return asOperator(options.data, async (ask) => {
    const made = newKey()
    await ask('keys.insert', { path: [email], body: makeKeyBody(made, options) })
    writeCredentials(made, email, url)
  })
}

export function rotateKeyCommand(kid: string, { data, url }: CredentialsOptions): Promise<void> {
  return asOperator(data, async (ask) => {
    const made = newKey()
    const { account } = await ask<Key>('keys.rotate', { path: [kid], body: makeKeyBody(made) })
    writeCredentials(made, account, url)
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

export const listAccountsCommand = listAsOperator(
  'accounts.list',
  ({ isDisabled: disabled, ...facts }: Account) => ({ ...facts, disabled }),
)

export function changeKeyCommand(
  kid: string,
  options: Omit<ProgramOptions, 'app' | 'redirect'>,
): Promise<void> {
  const { name } = options
  const isDisabled = isDisabledBy(options)
  return printAsOperator(options, described, 'keys.patch', { path: [kid], body: { name, isDisabled } })
}

export const listKeysCommand = listAsOperator('keys.list', described)

function described({ id: key, isDisabled: disabled, ...facts }: Key): Record<string, Cell> {
  const { account, name, impersonates, created } = facts
  return { key, account, name, impersonates, created, disabled }
}

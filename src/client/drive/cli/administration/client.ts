/** `hla drive client …`: OAuth clients. */
import { command, OPERATOR } from '../../../../drive/domain/commands.ts'
import { type ClientFacts, listClients } from '../../../../drive/domain/accounts/clients.ts'
import { digestToken, newToken } from '../../../../drive/domain/accounts/tokens.ts'
import { writeAll } from '../../../../io/stdout.ts'
import { EXIT } from '../../../../io/exit-status.ts'
import { readNamed } from '../../../../cli/named-file.ts'
import { type Cell, type Printing, printRows } from '../print.ts'
import { isDisabledBy, type Switch } from './switch.ts'
import { withStore } from './with-store.ts'

export interface ClientOptions extends Printing, Switch {
  readonly data: string
  readonly name?: string
  /** File name. */
  readonly app?: string
  readonly redirect?: readonly string[]
}

export interface CredentialsOptions {
  readonly data: string
  readonly url: string
}

export function addClientCommand(id: string, options: ClientOptions): Promise<number> {
  return writeClient('addClient', id, options)
}

export function changeClientCommand(id: string, options: ClientOptions): Promise<number> {
  return writeClient('changeClient', id, options)
}

async function writeClient(
  what: 'addClient' | 'changeClient',
  id: string,
  options: ClientOptions,
): Promise<number> {
  const { name, app, redirect: redirects } = options
  const isDisabled = isDisabledBy(options)
  const facts = app === undefined ? undefined : readNamed(app)
  return withStore(options.data, async (store) => {
    const input = { id, name, facts, isDisabled, redirects }
    printRows([described(await command(store, what, OPERATOR, input))], options)
    return EXIT.ok
  })
}

/** Prints credentials in the file format of client libraries; the secret is shown once. */
export function clientCredentialsCommand(id: string, { data, url }: CredentialsOptions): Promise<number> {
  const base = url.replace(/\/+$/, '')
  return withStore(data, async (store) => {
    const secret = newToken()
    const client = await command(store, 'changeClient', OPERATOR, { id, secret: digestToken(secret) })
    // the store keeps redirects as JSON
    const redirects = JSON.parse(client.redirects) as string[]
    const credentials = {
      client_id: id,
      client_secret: secret,
      auth_uri: `${base}/authorize`,
      token_uri: `${base}/token`,
      redirect_uris: redirects,
    }
    const kind = redirects.every((one) => !one.startsWith('https:')) ? 'installed' : 'web'
    writeAll(1, `${JSON.stringify({ [kind]: credentials }, undefined, 2)}\n`)
    return EXIT.ok
  })
}

export function removeClientCommand(id: string, { data }: ClientOptions): Promise<number> {
  return withStore(data, async (store) => {
    await command(store, 'removeClient', OPERATOR, { id })
    return EXIT.ok
  })
}

export function listClientsCommand(options: ClientOptions): Promise<number> {
  return withStore(options.data, async (store) => {
    printRows(listClients(store.read).map(described), options)
    return EXIT.ok
  })
}

function described({ id, name, is_disabled, redirects, secret }: ClientFacts): Record<string, Cell> {
  // the store keeps redirects as JSON
  const redirect = (JSON.parse(redirects) as string[]).join(' ') || null
  return { id, name, disabled: is_disabled === 1, redirect, secret: secret !== null }
}

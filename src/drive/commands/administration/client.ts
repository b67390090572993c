/** `hla drive client …`: OAuth clients. */
import type { describeClient } from '../../api/admin/routes.ts'
import { writeOut } from '../../../io/stdout.ts'
import { EXIT } from '../../../io/exit-status.ts'
import { readNamed } from '../../../cli/named-file.ts'
import type { Cell, Printing } from '../print.ts'
import { isDisabledBy, type Switch } from './switch.ts'
import { asOperator, printAsOperator, printListAsOperator } from './as-operator.ts'

type Client = ReturnType<typeof describeClient>

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
  return printAsOperator(options, described, 'clients.insert', { body: { id, ...readClientBody(options) } })
}

export function changeClientCommand(id: string, options: ClientOptions): Promise<number> {
  const isDisabled = isDisabledBy(options)
  const body = { ...readClientBody(options), isDisabled }
  return printAsOperator(options, described, 'clients.patch', { path: [id], body })
}

function readClientBody({ name, app, redirect: redirects }: ClientOptions) {
  return { name, facts: app === undefined ? undefined : readNamed(app), redirects }
}

/** Prints credentials in the file format of client libraries; the secret is shown once. */
export function clientCredentialsCommand(id: string, { data, url }: CredentialsOptions): Promise<number> {
  const base = url.replace(/\/+$/, '')
  return asOperator(data, async (ask) => {
    const { secret, redirects } = await ask<Client & { readonly secret: string }>('clients.secret', {
      path: [id],
    })
    const credentials = {
      client_id: id,
      client_secret: secret,
      auth_uri: `${base}/authorize`,
      token_uri: `${base}/token`,
      redirect_uris: redirects,
    }
    const kind = redirects.every((one) => !one.startsWith('https:')) ? 'installed' : 'web'
    writeOut(`${JSON.stringify({ [kind]: credentials }, undefined, 2)}\n`)
    return EXIT.ok
  })
}

export function listClientsCommand(options: ClientOptions): Promise<number> {
  return printListAsOperator(options, described, 'clients.list')
}

function described({ id, name, isDisabled, redirects, hasSecret }: Client): Record<string, Cell> {
  return { id, name, disabled: isDisabled, redirect: redirects.join(' ') || null, secret: hasSecret }
}

/** `hla drive client …`: OAuth clients. */
import type { describeClient } from '../../api/admin/routes.ts'
import { writeOut } from '../../../io/stdout.ts'
import { readNamed } from '../../../cli/named-file.ts'
import type { CredentialsOptions, ProgramOptions } from '../options/administrator-options.ts'
import type { Cell } from '../print.ts'
import { isDisabledBy } from './switch.ts'
import { asOperator, printAsOperator, listAsOperator } from './as-operator.ts'

type Client = ReturnType<typeof describeClient>

export function addClientCommand(id: string, options: ProgramOptions): Promise<void> {
  return printAsOperator(options, described, 'clients.insert', { body: { id, ...readClientBody(options) } })
}

export function changeClientCommand(id: string, options: ProgramOptions): Promise<void> {
  const isDisabled = isDisabledBy(options)
  const body = { ...readClientBody(options), isDisabled }
  return printAsOperator(options, described, 'clients.patch', { path: [id], body })
}

function readClientBody({ name, app, redirect: redirects }: ProgramOptions) {
  return { name, facts: app === undefined ? undefined : readNamed(app), redirects }
}

/** Prints credentials in the file format of client libraries; the secret is shown once. */
export function clientCredentialsCommand(id: string, { data, url }: CredentialsOptions): Promise<void> {
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
    const kind = redirects.every((address) => !address.startsWith('https:')) ? 'installed' : 'web'
    writeOut(`${JSON.stringify({ [kind]: credentials }, undefined, 2)}\n`)
  })
}

export const listClientsCommand = listAsOperator('clients.list', described)

function described({ id, name, isDisabled, redirects, hasSecret }: Client): Record<string, Cell> {
  return { id, name, disabled: isDisabled, redirect: redirects.join(' ') || null, secret: hasSecret }
}

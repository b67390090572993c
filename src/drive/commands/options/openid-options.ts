/** Options for sign-in to a file store through an external OpenID provider. */
import { InvalidArgumentError } from 'commander'
import { HlaError } from '../../../errors.ts'
import type { OpenIdOptions } from '../../api/options.ts'
import type { OptionRow, OptionsOf } from '../../../options/option-row.ts'
import { readNamed } from '../../../cli/named-file.ts'

export const OPENID = [
  { name: 'openid-issuer', value: 'url', reading: parseIssuer, help: 'OpenID provider for sign-in; register the redirect URI /sign-in/openid/back there' },
  { name: 'openid-client-id', value: 'id', help: 'client id of this store at the provider' },
  { name: 'openid-client-secret-file', value: 'file', help: 'file with the client secret, if there is one' },
  { name: 'openid-name', value: 'name', help: 'display name of the provider (default: its host)' },
  { name: 'openid-create-users', help: 'create accounts for users of the provider (default: only known users sign in)' },
] as const satisfies readonly OptionRow[] // prettier-ignore

/** Values as commander parses them. */
export type OpenIdFlags = OptionsOf<typeof OPENID>

/** Returns undefined without a provider. @throws {HlaError} usage, not-found */
export function readOpenId(flags: OpenIdFlags): OpenIdOptions | undefined {
  const { openidIssuer: issuer, openidClientId: clientId, openidClientSecretFile: file } = flags
  const { openidName, openidCreateUsers: createsUsers = false } = flags
  if (issuer === undefined) {
    const said = [clientId, file, openidName].some((one) => one !== undefined) || createsUsers
    if (!said) return undefined
    throw new HlaError('usage', 'the other --openid options need --openid-issuer')
  }
  if (clientId === undefined)
    throw new HlaError('usage', '--openid-issuer needs --openid-client-id', {
      hint: 'register hla with the provider to get a client id',
    })
  const clientSecret = file === undefined ? undefined : readNamed(file).trim()
  if (clientSecret === '') throw new HlaError('usage', `${file} is empty`, { offending: file ?? '' })
  return { issuer, clientId, clientSecret, name: openidName ?? new URL(issuer).host, createsUsers }
}

/** Keeps the given spelling: it is compared with the issuer that the provider reports. */
function parseIssuer(text: string): string {
  const url = URL.parse(text)
  const isLoopback = url !== null && ['127.0.0.1', '[::1]', 'localhost'].includes(url.hostname)
  const isGood = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback)
  if (!isGood || url === null || url.search !== '' || url.hash !== '' || url.username !== '')
    throw new InvalidArgumentError(
      'It must be an https address without a query; http is allowed only on this machine.',
    )
  return text
}

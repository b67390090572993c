/** `hla drive account …`: programs that prove themselves with a key; their credentials are printed once. */
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { command, OPERATOR } from '../../storage/library/commands.ts'
import { EXIT } from '../exit-status.ts'
import { writeAll } from '../io/stdout.ts'
import { withStore } from './with-store.ts'

export interface AccountOptions {
  readonly data: string
  readonly url: string
  readonly impersonate?: boolean
}

/** In the form of the credentials files that client libraries read. */
export function addAccountCommand(email: string, options: AccountOptions): Promise<number> {
  const { url, impersonate: mayImpersonate = false } = options
  return withStore(options.data, async (store) => {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    })
    const kid = randomBytes(20).toString('hex')
    await command(store, 'addAccount', OPERATOR, { email, kid, publicKey, mayImpersonate })
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
    return EXIT.ok
  })
}

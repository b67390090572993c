/** Converts the options of `hla serve` to those of the service, and reads the files they name.  [disk] */
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { HlaError } from '../../../errors.ts'
import type { ServiceOptions } from '../../../service/options.ts'
import type { ServeOptions } from '../../options/serve-options.ts'
import { tell } from '../../../io/stdout.ts'
import { hostInUrl } from '../../../web/listen.ts'
import { formatNote } from '../../messages.ts'
import { readNamed, readNamedLines } from '../../named-file.ts'
import { isOpenToReading } from '../../options/remote-options.ts'

type Listening = Pick<ServeOptions, 'host' | 'tlsCert' | 'trustProxy' | 'quiet'>

/** Warns of requests that cross a network unencrypted. With `--trust-proxy` a proxy in front encrypts them. */
export function warnIfUnencrypted({ host, tlsCert, trustProxy, quiet }: Listening): void {
  const isProtected = tlsCert !== undefined || trustProxy === true
  if (quiet === true || isProtected || !isOpenToReading(`http://${hostInUrl(host)}`)) return
  const message = `what clients send to ${host}, tokens and typings, travels unencrypted: add --tls-cert FILE --tls-key FILE, or --trust-proxy behind a proxy with HTTPS`
  tell(formatNote({ level: 'warning', code: 'unencrypted', message }))
}

type Settings = Omit<ServiceOptions, 'gather' | 'log' | 'reopen' | 'thread' | 'worker'>

/** @throws {HlaError} usage; not-found, io — a named file */
export function readSettings(options: ServeOptions): Settings {
  const { trustProxy: trustsProxy = false, tokenFile } = options
  return {
    ...options,
    trustsProxy,
    tokens: tokenFile === undefined ? undefined : readTokens(tokenFile),
    tls: readTls(options),
  }
}

/** @throws {HlaError} usage — a token that a request cannot carry */
function readTokens(file: string): string[] {
  const lines = readNamedLines(file)
  const bad = lines.find(({ text }) => /\s/.test(text))
  if (bad !== undefined)
    throw new HlaError('usage', `line ${bad.line} of ${file} contains a space; tokens contain none`, {
      offending: file,
      hint: 'one token per line; lines that begin with # are comments',
    })
  if (lines.length === 0) throw new HlaError('usage', `there is no token in ${file}`, { offending: file })
  return lines.map(({ text }) => text)
}

/** @throws {HlaError} usage — an invalid file, or a key that does not match the certificate; not-found */
export function readTls({ tlsCert, tlsKey }: Pick<ServeOptions, 'tlsCert' | 'tlsKey'>): Settings['tls'] {
  if (tlsCert === undefined && tlsKey === undefined) return undefined
  if (tlsCert === undefined || tlsKey === undefined)
    throw new HlaError('usage', 'HTTPS needs both --tls-cert and --tls-key')
  const [cert, key] = [readNamed(tlsCert), readNamed(tlsKey)]
  const certificate = parsed(() => new X509Certificate(cert), tlsCert, 'a certificate in PEM')
  const privateKey = parsed(() => createPrivateKey(key), tlsKey, 'a private key in PEM without a password')
  if (!certificate.checkPrivateKey(privateKey))
    throw new HlaError('usage', `the key in ${tlsKey} does not match the certificate in ${tlsCert}`, {
      offending: tlsKey,
    })
  return { cert, key }
}

function parsed<Parsed>(parse: () => Parsed, file: string, what: string): Parsed {
  try {
    return parse()
  } catch (error) {
    throw new HlaError('usage', `${file} is not ${what}`, { offending: file, cause: error })
  }
}

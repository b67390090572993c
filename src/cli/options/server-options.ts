/** Options shared by both servers, so that their wording is the same. */
import type { OptionRow } from '../../options/option-row.ts'
import { duration, hostName, portNumber } from './parsers.ts'

export const HOST = { name: 'host', value: 'address', reading: hostName, help: 'address to listen on; 0.0.0.0 means all', env: 'HLA_HOST', default: '127.0.0.1' } as const // prettier-ignore
export const PORT = { name: 'port', value: 'n', reading: portNumber, help: 'port to listen on; 0 means any free port', env: 'HLA_PORT' } as const // prettier-ignore
export const IDLE_TIMEOUT = { name: 'idle-timeout', value: 'time', reading: duration, help: 'close idle connections after this time', default: 60_000, defaultText: '60s' } as const // prettier-ignore

export const DRAIN_OPTIONS = [
  { name: 'drain-delay', value: 'time', reading: duration, help: 'at SIGTERM: report not ready, but keep answering, for this time', default: 0, defaultText: '0s' },
  { name: 'drain-timeout', value: 'time', reading: duration, help: 'at SIGTERM: abort requests that take longer than this', default: 30_000, defaultText: '30s' },
] as const satisfies readonly OptionRow[] // prettier-ignore

export const CERTIFICATE_OPTIONS = [
  { name: 'tls-cert', value: 'file', help: 'certificate for HTTPS (PEM)' },
  { name: 'tls-key', value: 'file', help: 'private key of the certificate (PEM)' },
] as const satisfies readonly OptionRow[]

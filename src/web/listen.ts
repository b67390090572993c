/** The address of a service: its port, its certificate, and the proxy before it.  [network] */
import type { AddressInfo, Server } from 'node:net'
import { Server as SecureServer } from 'node:tls'
import { HlaError, errorMessage } from '../errors.ts'

export interface Listening {
  readonly server: Server
  readonly listen: (where: Where) => Promise<unknown>
}

interface Where {
  readonly host: string
  readonly port: number
}

/** Returns the port; for port 0 the one assigned. @throws {HlaError} io */
export async function listen(app: Listening, { host, port }: Where): Promise<number> {
  try {
    await app.listen({ host, port })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const reason = code === 'EADDRINUSE' ? 'the port is in use' : errorMessage(error)
    throw new HlaError('io', `cannot listen on ${hostInUrl(host)}:${port}: ${reason}`, { cause: error })
  }
  return (app.server.address() as AddressInfo).port // the address of a port, not of a pipe
}

export function hostInUrl(host: string): string {
  return host.includes(':') ? `[${host}]` : host
}

export interface Certificate {
  readonly cert: string
  readonly key: string
}

/** Replaces the certificate of a running service; applies to new connections. @throws the error of the certificate */
export function showCertificate(server: object, certificate: Certificate | undefined): void {
  if (certificate !== undefined && server instanceof SecureServer) server.setSecureContext(certificate)
}

/** Trusts the proxy in front only: entries before its own in `X-Forwarded-For` may be written by the client. */
export function isProxy(_address: string, hop: number): boolean {
  return hop === 0
}

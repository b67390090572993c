/** Opens a port, and describes failures.  [network] */
import type { AddressInfo, Server } from 'node:net'
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

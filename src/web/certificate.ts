/** The certificate of a service that runs.  [network] */
import { Server } from 'node:tls'

export interface Certificate {
  readonly cert: string
  readonly key: string
}

/** To connections that begin from now on. @throws what is wrong with it */
export function showCertificate(server: object, certificate: Certificate | undefined): void {
  if (certificate !== undefined && server instanceof Server) server.setSecureContext(certificate)
}

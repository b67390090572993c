/** Replaces the certificate of a running service.  [network] */
import { Server } from 'node:tls'

export interface Certificate {
  readonly cert: string
  readonly key: string
}

/** Applies to new connections. @throws the error of the certificate */
export function showCertificate(server: object, certificate: Certificate | undefined): void {
  if (certificate !== undefined && server instanceof Server) server.setSecureContext(certificate)
}

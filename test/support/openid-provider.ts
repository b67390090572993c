/** A small OpenID provider on this machine. The test sets the signed-in person and the faults.  [network] */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'

export interface Provider {
  readonly issuer: string
  /** Contents of its next response, and the error to simulate. */
  person: Record<string, unknown>
  claims: Record<string, string>
  fault: 'key' | 'long' | 'redirect' | 'error' | 'insecure' | 'garbled' | undefined
  /** Path of requests that get no response. */
  hangs: string | undefined
  readonly asked: URLSearchParams[]
  readonly close: () => Promise<void>
}

export const CLIENT = { id: 'files', secret: 'a secret: of 1/2' }

export async function openProvider(): Promise<Provider> {
  const keys = await generateKeyPair('RS256')
  const others = await generateKeyPair('RS256')
  const jwk = { ...(await exportJWK(keys.publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }
  const codes = new Map<string, URLSearchParams>()
  const server = createServer((request, response) => {
    void answer(request).then(({ status, headers, body }) => response.writeHead(status, headers).end(body))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const provider: Provider = {
    issuer: `http://127.0.0.1:${port}`,
    person: {},
    claims: {},
    fault: undefined,
    hangs: undefined,
    asked: [],
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  const { issuer } = provider
  const json = (value: unknown, status = 200) => ({
    status,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(value),
  })

  async function answer(request: IncomingMessage) {
    const url = new URL(request.url ?? '', issuer)
    if (url.pathname === provider.hangs) await new Promise(() => undefined)
    switch (url.pathname) {
      case '/.well-known/openid-configuration': {
        if (provider.fault === 'long') return json({ issuer, more: 'x'.repeat(2 << 20) })
        if (provider.fault === 'redirect')
          return { status: 302, headers: { location: `${issuer}/jwks` }, body: '' }
        if (provider.fault === 'garbled') return { ...json({}), body: 'no\r\n\t\u001b[31mJSON' }
        const other = provider.fault === 'insecure' ? 'http://provider.example' : issuer
        return json({
          issuer,
          authorization_endpoint: `${other}/authorize`,
          token_endpoint: `${issuer}/token`,
          jwks_uri: `${issuer}/jwks`,
          response_types_supported: ['code'],
          subject_types_supported: ['public'],
          id_token_signing_alg_values_supported: ['RS256'],
        })
      }
      case '/jwks':
        return json({ keys: [jwk] })
      case '/authorize': {
        provider.asked.push(url.searchParams)
        const back = new URL(url.searchParams.get('redirect_uri') ?? '')
        const code = String(codes.size + 1)
        codes.set(code, url.searchParams)
        const said = provider.fault === 'error' ? { error: 'access_denied' } : { code }
        for (const [name, value] of Object.entries({ ...said, state: url.searchParams.get('state') ?? '' }))
          back.searchParams.set(name, value)
        return { status: 302, headers: { location: back.href }, body: '' }
      }
      case '/token':
        return token(request)
      default:
        return json({}, 404)
    }
  }

  async function token(request: IncomingMessage) {
    let text = ''
    for await (const piece of request) text += String(piece)
    const form = new URLSearchParams(text)
    const code = form.get('code') ?? ''
    const asked = codes.get(code)
    codes.delete(code)
    const basic = Buffer.from((request.headers.authorization ?? '').slice(6), 'base64').toString()
    const proof = basic.split(':').map((one) => decodeURIComponent(one.replaceAll('+', ' ')))
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    const isGood =
      asked?.get('code_challenge') === challenge &&
      asked.get('redirect_uri') === form.get('redirect_uri') &&
      JSON.stringify(proof) === JSON.stringify([CLIENT.id, CLIENT.secret])
    if (!isGood) return json({ error: 'invalid_grant' }, 400)
    const facts = { nonce: asked.get('nonce') ?? '', ...provider.person, ...provider.claims }
    const signed = new SignJWT(facts)
      .setProtectedHeader({ alg: 'RS256', kid: 'one' })
      .setIssuer(provider.claims['iss'] ?? issuer)
      .setAudience(provider.claims['aud'] ?? CLIENT.id)
      .setSubject('somebody')
      .setIssuedAt()
      .setExpirationTime(provider.claims['until'] ?? '5m')
    const key = provider.fault === 'key' ? others.privateKey : keys.privateKey
    return json({
      access_token: 'none',
      token_type: 'bearer',
      expires_in: 60,
      id_token: await signed.sign(key),
    })
  }
  return provider
}

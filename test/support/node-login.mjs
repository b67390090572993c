/**
 * Interactive sign-in with Google's client for Node at a store. Usage: node-login.mjs CREDENTIALS BASE; BROWSER opens
 * pages.
 */
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'

const { auth, drive: makeDrive } = createRequire(import.meta.url)('@googleapis/drive')
const [credentials, base] = process.argv.slice(2)
const {
  client_id: clientId,
  client_secret: clientSecret,
  auth_uri,
  token_uri,
} = JSON.parse(readFileSync(credentials, 'utf8')).installed

const server = createServer()
await new Promise((listening) => server.listen(0, '127.0.0.1', listening))
const client = new auth.OAuth2({
  clientId,
  clientSecret,
  redirectUri: `http://localhost:${server.address().port}/`,
  endpoints: { oauth2AuthBaseUrl: auth_uri, oauth2TokenUrl: token_uri, oauth2RevokeUrl: `${base}/revoke` },
})
const { codeVerifier, codeChallenge } = await client.generateCodeVerifierAsync()
const page = client.generateAuthUrl({
  access_type: 'offline',
  scope: ['https://www.googleapis.com/auth/drive'],
  state: 'here',
  code_challenge: codeChallenge,
  code_challenge_method: 'S256',
})
const answered = new Promise((resolve) =>
  server.on('request', (request, reply) => {
    reply.end('You can close this page.')
    resolve(new URL(request.url, base).searchParams)
  }),
)
const [browser, ...words] = process.env.BROWSER.split(' ')
spawn(browser, [...words.filter((word) => word !== '%s' && word !== '&'), page], { stdio: 'inherit' })
const answer = await answered
if (answer.get('state') !== 'here') throw new Error('another state')
const { tokens } = await client.getToken({ code: answer.get('code'), codeVerifier })
client.setCredentials(tokens)
await client.refreshAccessToken()
const { data } = await makeDrive({ version: 'v2', auth: client, rootUrl: `${base}/` }).about.get()
process.stdout.write(`${JSON.stringify(data.user.emailAddress)}\n`)
await client.revokeToken(tokens.refresh_token)
server.close()
server.closeAllConnections()

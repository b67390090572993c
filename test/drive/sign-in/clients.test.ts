/** Interactive sign-in with real client libraries and `hla drive login`. */
import { execFile, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Drive, startDrive } from '../../support/drive.ts'
import { freePort } from '../../support/free-port.ts'
import { allow } from '../../support/sign-in.ts'
import { tempFolder } from '../../support/temp.ts'
import { noteSkipped } from '../../support/skipped.ts'

const temp = tempFolder()
const PROGRAM = join(import.meta.dirname, '../../../bin/hla.cjs')
const SUPPORT = join(import.meta.dirname, '../../support')
const PYTHON = '/usr/bin/python3'
const PASSWORD = 'correct horse battery'
const modules = join(process.env['HLA_CLIENTS'] ?? '', 'node_modules')
const hasNodeClient = existsSync(join(modules, '@googleapis/drive')) && existsSync(PYTHON)
const hasPython = (name: string) => {
  try {
    execFileSync(PYTHON, ['-c', `import googleapiclient, ${name}`], { stdio: 'ignore' })
    return true
  } catch {
    noteSkipped(`no ${name} for ${PYTHON}`)
    return false
  }
}
if (!hasNodeClient) noteSkipped('HLA_CLIENTS names no folder with @googleapis/drive')

let drive: Drive
const env = {
  ...process.env,
  EMAIL: 'ada@lab.example',
  PASSWORD,
  // in the background, like a real browser
  BROWSER: `${PYTHON} ${join(SUPPORT, 'sign_in.py')} %s &`,
  // the store is on this machine, without TLS
  OAUTHLIB_INSECURE_TRANSPORT: '1',
}
const hla = (...args: string[]) =>
  execFileSync(process.execPath, [PROGRAM, 'drive', ...args, '--data', drive.folder], { encoding: 'utf8' })
beforeAll(async () => {
  drive = await startDrive()
  writeFileSync(temp('password'), `${PASSWORD}\n`)
  hla('user', 'add', 'ada@lab.example', '--password-file', temp('password'))
  hla('client', 'add', 'lab', '--redirect', 'http://localhost')
  writeFileSync(temp('client.json'), hla('client', 'credentials', 'lab', '--url', drive.url))
})
afterAll(() => drive.stop())

test.skipIf(!hasNodeClient)("Google's client for Node", async () => {
  const folder = temp('node')
  mkdirSync(folder)
  copyFileSync(join(SUPPORT, 'node-login.mjs'), join(folder, 'login.mjs'))
  symlinkSync(modules, join(folder, 'node_modules'))
  const args = [join(folder, 'login.mjs'), temp('client.json'), drive.url]
  const { stdout } = await promisify(execFile)(process.execPath, args, { env })
  expect(JSON.parse(stdout)).toBe('ada@lab.example')
})

test.for(['google_auth_oauthlib', 'oauth2client'])('%s of Python', async (name, { skip }) => {
  if (!hasPython(name)) skip()
  const args = [join(SUPPORT, 'python_login.py'), name, temp('client.json'), drive.url]
  const { stdout } = await promisify(execFile)(PYTHON, args, { env })
  expect(JSON.parse(stdout.trim().split('\n').at(-1) ?? '')).toBe('ada@lab.example')
})

/** Environment to compile with Debian's Go libraries. */
const GO = { ...process.env, GO111MODULE: 'off', GOPATH: '/usr/share/gocode', CGO_ENABLED: '0' }
const hasGo =
  existsSync(`${GO.GOPATH}/src/google.golang.org/api/drive/v2`) && spawnSync('go', ['version']).status === 0
if (!hasGo)
  noteSkipped(
    'no Google client for Go (apt-get install golang-go golang-google-api-dev golang-golang-x-oauth2-google-dev)',
  )
const JARS = '/usr/share/java'
const hasJava =
  ['google-oauth-client', 'google-http-client-gson'].every((name) => existsSync(`${JARS}/${name}.jar`)) &&
  spawnSync('javac', ['-version']).status === 0
if (!hasJava)
  noteSkipped(
    'no OAuth client of Google for Java (apt-get install default-jdk-headless libgoogle-oauth-client-java)',
  )

/** Compiling takes a while. */
describe.each([
  {
    language: 'Go',
    isThere: hasGo,
    build: async (): Promise<readonly [string, ...string[]]> => {
      const program = temp('go-login')
      const words = ['build', '-o', program, join(SUPPORT, 'go_login.go')]
      await promisify(execFile)('go', words, { env: { ...GO, GOCACHE: temp('go-cache') }, cwd: temp('.') })
      return [program]
    },
  },
  {
    language: 'Java',
    isThere: hasJava,
    build: async (): Promise<readonly [string, ...string[]]> => {
      const classes = temp('java')
      await promisify(execFile)('javac', ['-cp', `${JARS}/*`, '-d', classes, join(SUPPORT, 'JavaLogin.java')])
      return ['java', '-cp', `${JARS}/*:${classes}`, 'JavaLogin']
    },
  },
])("Google's client", ({ language, isThere, build }) => {
  test.skipIf(!isThere)(`for ${language}`, async () => {
    const [program, ...words] = await build()
    const { stdout } = await promisify(execFile)(program, [...words, temp('client.json'), drive.url], { env })
    expect(JSON.parse(stdout)).toEqual(['ada@lab.example', 'ID,A1\n1,A*01:01\n'])
  })
})

const hasRuby =
  spawnSync('ruby', ['-e', 'require "google/apis/drive_v2"; require "signet/oauth_2/client"']).status === 0
if (!hasRuby) noteSkipped('no Google client for Ruby (apt-get install ruby-google-api-client)')

/** The client signs in only over TLS. */
test.skipIf(!hasRuby)("Google's client for Ruby", async () => {
  const [cert, key] = [temp('cert.pem'), temp('cert.key')]
  const words = [
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:prime256v1',
    '-nodes',
    '-days',
    '1',
  ]
  const name = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1']
  execFileSync('openssl', [...words, ...name, '-keyout', key, '-out', cert], { stdio: 'ignore' })
  const port = await freePort()
  const base = `https://localhost:${port}`
  await drive.stop()
  const tls = ['--port', String(port), '--tls-cert', cert, '--tls-key', key, '--public-url', base]
  drive = await startDrive({ folder: drive.folder, token: drive.token, args: tls })
  const args = [join(SUPPORT, 'ruby_login.rb'), temp('client.json'), base]
  const { stdout } = await promisify(execFile)('ruby', args, { env: { ...env, SSL_CERT_FILE: cert } })
  expect(JSON.parse(stdout.trim().split('\n').at(-1) ?? '')).toEqual([
    'ada@lab.example',
    'ID,A1\n1,A*01:01\n',
  ])
  await drive.stop()
  drive = await startDrive({ folder: drive.folder, token: drive.token })
})

test('hla drive login, by a browser elsewhere, for as long as it is signed in', async () => {
  const { HLA_DRIVE_TOKEN: _one, HLA_DRIVE_TOKEN_FILE: _other, ...rest } = process.env
  const own = { ...rest, XDG_CONFIG_HOME: temp('config'), HLA_DRIVE_URL: drive.url }
  const run = (...args: string[]) =>
    promisify(execFile)(process.execPath, [PROGRAM, 'drive', ...args], { env: own }).catch(
      (error: { stderr: string }) => error,
    )
  expect((await run('ls')).stderr).toContain('hla drive login signs in')
  const login = spawn(process.execPath, [PROGRAM, 'drive', 'login'], { env: own })
  let said = ''
  login.stderr.on('data', (bytes: Buffer) => (said += bytes.toString()))
  await expect.poll(() => /or open (\S+)/.exec(said)?.[1], { timeout: 20_000 }).toBeDefined()
  const ended = once(login, 'exit')
  const { status } = await allow(/or open (\S+)/.exec(said)?.[1] ?? '', 'ada@lab.example', PASSWORD)
  expect([status, await ended]).toEqual([200, [0, null]])
  const file = join(temp('config'), 'hla', 'drive-logins.json')
  expect(statSync(file).mode & 0o077).toBe(0)
  writeFileSync(temp('a.csv'), 'x\n')
  // the first folder has files of other clients
  await run('mkdir', '/own')
  await run('put', '-q', temp('a.csv'), '/own')
  const listed = 'a.csv\n'
  expect(await run('ls', '/own')).toMatchObject({ stdout: listed })
  // an expired token is renewed
  const kept = JSON.parse(readFileSync(file, 'utf8')) as Record<string, { access: string; expires: number }>
  const before = kept[drive.url]
  writeFileSync(file, JSON.stringify({ [drive.url]: { ...before, access: 'hla_old', expires: 0 } }))
  expect(await run('ls', '/own')).toMatchObject({ stdout: listed })
  expect(readFileSync(file, 'utf8')).not.toContain('hla_old')
  const copy = readFileSync(file, 'utf8')
  await run('logout')
  expect(existsSync(file)).toBe(false)
  writeFileSync(file, copy)
  expect((await run('ls')).stderr).toContain('does not accept the token')
  writeFileSync(file, copy.replace(/"expires": \d+/, '"expires": 0'))
  expect((await run('ls')).stderr).toContain('does not know this sign-in any more')
})

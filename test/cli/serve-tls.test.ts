/**
 * HTTPS of both services: SIGHUP loads a new certificate without losing a connection; an invalid one changes nothing.
 */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { connect, type TLSSocket } from 'node:tls'
import { afterEach, describe, expect, test } from 'vitest'
import { runHla } from '../support/run-hla.ts'
import { tempFolder } from '../support/temp.ts'

const temp = tempFolder()
const PROGRAM = join(import.meta.dirname, '../../bin/hla.cjs')
const hasOpenssl = spawnSync('openssl', ['version']).status === 0
const running: ChildProcess[] = []
afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL')
})

/** Paths of the certificate and its key. */
function makeCertificate(name: string): { cert: string; key: string } {
  const [cert, key] = [temp(`${name}.pem`), temp(`${name}.key`)]
  const words = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  execFileSync('openssl', [...words, '-days', '1', '-subj', `/CN=${name}`, '-keyout', key, '-out', cert], {
    stdio: 'ignore',
  })
  return { cert, key }
}

async function started(
  words: readonly string[],
  scheme = 'https',
): Promise<{ port: number; child: ChildProcess; said: () => string }> {
  const cwd = temp('.')
  const env = {
    ...process.env,
    HOME: cwd,
    HLA_DATA_DIR: join(cwd, 'data'),
    HLA_SYSTEM_DATA_DIR: join(cwd, 'none'),
  }
  const child = spawn(process.execPath, [PROGRAM, ...words, '--port', '0', '--access-log', 'off'], {
    cwd,
    env,
  })
  running.push(child)
  let said = ''
  const port = await new Promise<number>((resolve, reject) => {
    child.stderr.on('data', (bytes: Buffer) => {
      said += bytes.toString()
      const found = new RegExp(`on ${scheme}:\\S+:(\\d+)\\n`).exec(said)?.[1]
      if (found !== undefined) resolve(Number(found))
    })
    child.on('exit', () => reject(new Error(said)))
  })
  return { port, child, said: () => said }
}

async function connected(port: number): Promise<TLSSocket> {
  // the test's certificate is self-signed
  const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false })
  await once(socket, 'secureConnect')
  return socket
}

async function ask(socket: TLSSocket): Promise<string> {
  socket.write('GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n')
  const [bytes] = (await once(socket, 'data')) as [Buffer]
  return bytes.toString().split('\r\n')[0] ?? ''
}

async function shownName(port: number): Promise<string> {
  const socket = await connected(port)
  const { CN } = socket.getPeerCertificate().subject
  socket.destroy()
  return String(CN)
}

describe.skipIf(!hasOpenssl)('a certificate', () => {
  test.for([['serve'], ['serve', '--workers', '2'], ['drive', 'serve', '--data', 'store']])(
    'is read again at SIGHUP: %j',
    async (words) => {
      const [first, second] = [makeCertificate('first.example'), makeCertificate('second.example')]
      const [cert, key] = [temp(`shown-${words.length}.pem`), temp(`shown-${words.length}.key`)]
      const show = (files: { cert: string; key: string }) => {
        copyFileSync(files.cert, cert)
        copyFileSync(files.key, key)
      }
      show(first)
      const { port, child, said } = await started([...words, '--tls-cert', cert, '--tls-key', key])
      const old = await Promise.all(Array.from({ length: 10 }, () => connected(port)))
      expect(old.map((socket) => String(socket.getPeerCertificate().subject.CN))).toEqual(
        old.map(() => 'first.example'),
      )
      for (const socket of old) expect(await ask(socket)).toBe('HTTP/1.1 200 OK')
      show(second)
      child.kill('SIGHUP')
      await expect.poll(() => shownName(port), { timeout: 20_000 }).toBe('second.example')
      // every worker, and every open connection
      for (let at = 0; at < 10; at += 1)
        await expect.poll(() => shownName(port), { timeout: 20_000 }).toBe('second.example')
      for (const socket of old) expect(await ask(socket)).toBe('HTTP/1.1 200 OK')
      writeFileSync(cert, 'no certificate')
      child.kill('SIGHUP')
      await expect.poll(said, { timeout: 20_000 }).toContain('certificate could not be reloaded')
      expect(await shownName(port)).toBe('second.example')
      for (const socket of old) {
        expect(await ask(socket)).toBe('HTTP/1.1 200 OK')
        socket.destroy()
      }
    },
  )

  test.for([
    ['serve', 'key', 'cert', /bad\.key is not a certificate in PEM/],
    ['serve', 'cert', 'cert', /bad\.pem is not a private key in PEM without a password/],
    ['serve', 'cert', 'other', /the key in \S+other\.key does not match the certificate in \S+bad\.pem/],
    ['serve', 'text', 'key', /text\.pem is not a certificate in PEM/],
    ['drive', 'cert', 'text', /text\.pem is not a private key/],
  ] as const)(
    'that cannot be used is refused before anything is made: hla %s, %s, %s',
    ([word, cert, key, said]) => {
      const own = makeCertificate('bad')
      const files = { ...own, other: makeCertificate('other').key, text: temp('text.pem') }
      writeFileSync(files.text, 'no certificate')
      const store = temp('never-made')
      const words = word === 'serve' ? ['serve'] : ['drive', 'serve', '--data', store]
      const args = [PROGRAM, ...words, '--port', '0', '--tls-cert', files[cert], '--tls-key', files[key]]
      const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', timeout: 20_000 })
      expect(stderr).toMatch(said)
      expect([status, existsSync(store)]).toEqual([2, false])
    },
  )
})

describe('requests that cross a network unencrypted', () => {
  const STORE = ['drive', 'serve', '--data', 'store']
  test.for([
    [['serve', '--host', '0.0.0.0'], true],
    [[...STORE, '--host', '0.0.0.0'], true],
    [['serve', '--host', '0.0.0.0', '--trust-proxy'], false],
    [[...STORE, '--host', '0.0.0.0', '--trust-proxy'], false],
    [['serve', '--host', '127.0.0.1'], false],
    [[...STORE, '--host', '127.0.0.1'], false],
  ] as const)('%j: %s', async ([words, isWarned]) => {
    const { child, said } = await started(words, 'http')
    const ended = once(child, 'close')
    child.kill('SIGTERM')
    await ended
    expect(said().includes('--tls-cert FILE --tls-key FILE')).toBe(isWarned)
  })

  test.skipIf(!hasOpenssl)(
    'a certificate that is not trusted: the variable that trusts it works',
    async () => {
      const { cert, key } = makeCertificate('localhost')
      const { port } = await started(['serve', '--tls-cert', cert, '--tls-key', key])
      const { port: store } = await started([...STORE, '--tls-cert', cert, '--tls-key', key])
      const asked = ['redux', '-q', '-r', '3.58.0', '--remote', `https://localhost:${port}`, 'A*01:01:01']
      const cwd = temp('.')
      const hint = 'NODE_EXTRA_CA_CERTS=FILE before the command'
      expect((await runHla(asked, { cwd })).stderr).toContain(hint)
      expect((await runHla(['drive', 'ls'], { cwd, env: { HLA_DRIVE_URL: `https://localhost:${store}`, HLA_DRIVE_TOKEN: 'x' } })).stderr).toContain(hint) // prettier-ignore
      const trusting = await runHla(asked.toSpliced(2, 2), { cwd, env: { NODE_EXTRA_CA_CERTS: cert } })
      expect(trusting).toMatchObject({ status: 0, stdout: 'A*01:01\n' })
    },
  )

  test.skipIf(!hasOpenssl)(
    'an address of the other protocol: the hint names the one that answers',
    async () => {
      const { cert, key } = makeCertificate('protocols')
      const { port } = await started(['serve', '--tls-cert', cert, '--tls-key', key])
      const { port: plain } = await started(['serve'], 'http')
      const reach = (url: string) =>
        runHla(['redux', '-q', '--network', 'retries=0', '--remote', url, 'A*01:01:01'], { cwd: temp('.') })
      expect((await reach(`http://127.0.0.1:${port}`)).stderr).toContain(`write https://127.0.0.1:${port}`)
      expect((await reach(`https://127.0.0.1:${plain}`)).stderr).toContain(`write http://127.0.0.1:${plain}`)
    },
  )

  test.skipIf(!hasOpenssl)('none with a certificate', async () => {
    const { cert, key } = makeCertificate('open')
    const { said } = await started(['serve', '--host', '0.0.0.0', '--tls-cert', cert, '--tls-key', key])
    expect(said()).not.toContain('unencrypted')
  })
})

/**
 * The files in docs/drive/deploy: the programs in them exist, linters accept them, and the proxies pass the store's
 * answers unchanged.
 */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { copyFileSync, mkdirSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { startDrive } from '../support/drive.ts'
import { freePort } from '../support/free-port.ts'
import { runHla } from '../support/run-hla.ts'
import { tempFolder } from '../support/temp.ts'
import { noteSkipped } from '../support/skipped.ts'

const temp = tempFolder()
const ROOT = join(import.meta.dirname, '../..')
const FOLDER = join(ROOT, 'docs/drive/deploy')
const read = (name: string) => readFileSync(join(FOLDER, name), 'utf8')

/** Without the program, its tests are skipped and reported as skipped. */
function has(program: string): boolean {
  const isThere = spawnSync('sh', ['-c', `command -v ${program}`]).status === 0
  if (!isThere) noteSkipped(`what ${program} looks at needs it`)
  return isThere
}

const COMMANDS: Readonly<Record<string, RegExp>> = {
  'hla-drive.service': /^ExecStart=\S+ (.*)$/m,
  'kubernetes.yaml': /args: (\[.*\])$/m,
  'compose.yaml': /command: (\[drive, .*\])$/m,
}

describe.for(Object.keys(COMMANDS))('%s', (name) => {
  const [, line = ''] = COMMANDS[name]?.exec(read(name)) ?? []
  const words = line.split(/[\s,]+/).map((word) => word.replace(/^\[?"?|"?\]?$/g, ''))

  test('runs the store with options that it has', async () => {
    const { stdout } = await runHla(['drive', 'serve', '--help'], { cwd: temp('.') })
    expect(words.slice(0, 2)).toEqual(['drive', 'serve'])
    const options = words.filter((word) => word.startsWith('--'))
    expect(options).toEqual(expect.arrayContaining(['--data', '--host', '--port']))
    const known = new Set(stdout.match(/--[\w-]+/g))
    expect(options.filter((option) => !known.has(option))).toEqual([])
  })

  test('gives a server longer to end than its requests are', () => {
    const seconds = (option: string) => Number.parseInt(words[words.indexOf(option) + 1] ?? '0', 10)
    const [, grace] =
      /(?:GracePeriodSeconds: |TimeoutStopSec=|stop_grace_period: )(\d+)/.exec(read(name)) ?? []
    const delay = words.includes('--drain-delay') ? seconds('--drain-delay') : 0
    expect(Number(grace)).toBeGreaterThan(delay + seconds('--drain-timeout'))
  })
})

describe('tools find no fault', () => {
  test.skipIf(!has('systemd-analyze'))('hla-drive.service', () => {
    const file = temp('hla-drive.service')
    writeFileSync(file, read('hla-drive.service').replace('/usr/local/bin/hla', '/bin/true'))
    const found = spawnSync('systemd-analyze', ['verify', file], { encoding: 'utf8' })
    expect([found.status, found.stderr]).toEqual([0, ''])
  })

  test.skipIf(!has('kubectl'))('kubernetes.yaml', () => {
    mkdirSync(temp('kube'), { recursive: true })
    copyFileSync(join(FOLDER, 'kubernetes.yaml'), temp('kube/kubernetes.yaml'))
    writeFileSync(temp('kube/kustomization.yaml'), 'resources: [kubernetes.yaml]\n')
    const made = execFileSync('kubectl', ['kustomize', temp('kube')], { encoding: 'utf8' })
    expect(made.match(/^kind: \w+$/gm)?.toSorted()).toEqual(
      ['Service', 'Service', 'StatefulSet'].map((kind) => `kind: ${kind}`),
    )
  })

  test.skipIf(!has('docker-compose'))('compose.yaml', () => {
    const args = ['-f', join(FOLDER, 'compose.yaml'), 'config', '-q']
    const found = spawnSync('docker-compose', args, { cwd: temp('.'), encoding: 'utf8' })
    expect([found.status, found.stderr]).toEqual([0, ''])
  })
})

test('there is one server', () => {
  expect(/replicas: (\d+)/.exec(read('kubernetes.yaml'))?.[1]).toBe('1')
})

const running: ChildProcess[] = []
afterAll(() => {
  for (const child of running) child.kill('SIGKILL')
})

/** Configurations as in the files, except for addresses and TLS. */
const PROXIES: Readonly<Record<string, (port: number, store: string) => readonly string[]>> = {
  nginx(port, store) {
    const site = read('nginx.conf')
      .replace('listen 443 ssl', `listen 127.0.0.1:${port}`)
      .replaceAll(/^ *ssl_.*\n/gm, '')
      .replace('127.0.0.1:8090', store)
      .replaceAll('/var/log/nginx/', temp('logs/'))
    writeFileSync(temp('site.conf'), site)
    const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (kind) => `${kind}_temp_path ${temp(kind)};`,
    )
    const http = `${places.join(' ')} include ${temp('site.conf')};`
    const user = process.getuid?.() === 0 ? 'user root;' : ''
    writeFileSync(
      temp('nginx.conf'),
      `daemon off; ${user} pid ${temp('nginx.pid')}; events {} http { ${http} }`,
    )
    return ['nginx', '-c', temp('nginx.conf'), '-e', temp('logs/start.log')]
  },
  caddy(port, store) {
    writeFileSync(temp('Caddyfile'), read('Caddyfile').replace('{\n', '{\n\tadmin off\n'))
    const run = ['caddy', 'run', '--adapter', 'caddyfile', '--config', temp('Caddyfile')]
    // as compose.yaml sets them
    return ['env', `HLA_SITE=http://127.0.0.1:${port}`, `HLA_STORE=${store}`, ...run]
  },
}

describe.for(Object.keys(PROXIES))('%s in front of the store', (name) => {
  test.skipIf(!has(name))('passes what is sent and what is answered, as it comes', async () => {
    const store = await startDrive({ args: ['--trust-proxy', '--access-log', 'off'] })
    const port = await freePort()
    const [program = '', ...args] = PROXIES[name]?.(port, new URL(store.url).host) ?? []
    mkdirSync(temp('logs'), { recursive: true })
    const messages = openSync(temp(`logs/${name}.log`), 'w')
    const proxy = spawn(program, args, {
      env: { ...process.env, HOME: temp('home') },
      stdio: ['ignore', messages, messages],
    })
    running.push(proxy)
    const address = `http://127.0.0.1:${port}`
    const headers = { authorization: `Bearer ${store.token}` }
    const ask = (path: string, asked: RequestInit = {}) =>
      fetch(path.startsWith('http') ? path : `${address}${path}`, {
        ...asked,
        headers: { ...headers, ...(asked.headers as Record<string, string> | undefined) },
      })
    const status = async () => (await ask('/drive/v2/about').catch(() => undefined))?.status
    await expect.poll(status, { timeout: 20_000 }).toBe(200)
    const content = Buffer.alloc(24 << 20, 'a donor a line\n')
    const md5 = createHash('md5').update(content).digest('hex')
    const made = await ask('/upload/drive/v2/files?uploadType=media', { method: 'POST', body: content })
    const { id, md5Checksum, selfLink } = (await made.json()) as Record<string, string> // the store's response type
    expect(md5Checksum).toBe(md5)
    // links use the proxy's address
    expect(selfLink).toContain(address)
    const part = await ask(`/drive/v2/files/${id}?alt=media`, { headers: { range: 'bytes=100-299' } })
    expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 100-299/${content.length}`])
    expect(Buffer.from(await part.arrayBuffer()).equals(content.subarray(100, 300))).toBe(true)

    const begun = await ask('/upload/drive/v2/files?uploadType=resumable', { method: 'POST' })
    const session = begun.headers.get('location') ?? ''
    expect(session).toContain(address)
    const half = content.length / 2
    const send = (from: number, to: number) =>
      ask(session, {
        method: 'PUT',
        body: content.subarray(from, to),
        headers: { 'content-range': `bytes ${from}-${to - 1}/${content.length}` },
      })
    const first = await send(0, half)
    expect([first.status, first.headers.get('range')]).toEqual([308, `bytes=0-${half - 1}`])
    const whole = (await (await send(half, content.length)).json()) as Record<string, string> // the store's answer
    expect(whole['md5Checksum']).toBe(md5)

    const search = '/drive/v2/files?maxResults=1&q=title+contains+%27Zq9%27'
    expect((await ask(search)).status).toBe(200)
    await store.stop('SIGKILL')
    expect((await ask(search)).status).toBe(503)
    const away = await ask('/drive/v2/about')
    expect([away.status, away.headers.get('retry-after')]).toEqual([503, '2'])
    proxy.kill()
    await once(proxy, 'exit')
    const logged = readdirSync(temp('logs'))
      .map((file) => readFileSync(temp(`logs/${file}`), 'utf8'))
      .join('')
    expect(logged).not.toContain('Zq9')
    expect(logged).toMatch(/(?:GET |"uri":")\/drive\/v2\/files[ "]/)
  })
})

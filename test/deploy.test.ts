/** The files in docs/deploy use existing options, paths and times of the program. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { makeKnowledge } from '../src/operations/knowledge.ts'
import { openStarter } from '../src/reference/starter/open-starter.ts'
import { DEFAULT_SERVICE } from '../src/service/options.ts'
import { buildService, openService } from '../src/service/service.ts'
import { QUESTION_THREADS } from '../src/service/questions/large-questions.ts'
import { THREAD_HEAP } from '../src/service/threads/threads.ts'
import { tableShare } from '../src/service/table/table-share.ts'
import { freePort } from './support/free-port.ts'
import { runHla } from './support/run-hla.ts'
import { tempFolder } from './support/temp.ts'

const temp = tempFolder()
const ROOT = join(import.meta.dirname, '..')
const read = (name: string) => readFileSync(join(ROOT, 'docs/deploy', name), 'utf8')

/** Matches the arguments of `hla serve` in each file. */
const COMMANDS: Readonly<Record<string, RegExp>> = {
  Containerfile: /^CMD (\[.*\])$/m,
  'hla.service': /^ExecStart=\S+ (.*)$/m,
  'kubernetes.yaml': /args: (\[.*\])$/m,
}

function wordsIn(name: string): string[] {
  const [, words = ''] = COMMANDS[name]?.exec(read(name)) ?? []
  return words.split(/[\s,]+/).map((word) => word.replace(/^\[?"?|"?\]?$/g, ''))
}

describe.for(Object.keys(COMMANDS))('%s', (name) => {
  test('runs serve with options that it has', async () => {
    const [command, ...words] = wordsIn(name)
    const options = words.filter((word) => word.startsWith('--'))
    const { stdout } = await runHla(['serve', '--help'], { cwd: temp('.') })
    expect(command).toBe('serve')
    expect(options).toContain('--host')
    expect(options.filter((option) => !stdout.includes(`${option} <`))).toEqual([])
  })

  test('asks only for routes that there are', async () => {
    const app = buildService(makeKnowledge(openStarter()))
    const paths = [...read(name).matchAll(/(?:path: |127\.0\.0\.1:8080)(\/\w+)/g)].map(
      ([, path]) => path ?? '',
    )
    const statuses = await Promise.all(paths.map(async (url) => (await app.inject({ url })).statusCode))
    expect(statuses.filter((status) => status !== 200)).toEqual([])
  })
})

/** MiB: `3G`, `1536Mi` */
const mib = (text = '') => Number.parseInt(text, 10) * (text.includes('G') ? 1024 : 1)

test.for([
  ['kubernetes.yaml', /limits: \{ memory: (\w+) \}/, 1],
  ['hla.service', /^MemoryMax=(\w+)$/m, 2],
] as const)('%s leaves room for the tables that a process takes', ([name, limit, processes]) => {
  // other memory of a process: docs/deployment.md, Size
  const needed =
    processes * (294 + QUESTION_THREADS * THREAD_HEAP + tableShare(DEFAULT_SERVICE.maxTable) / 1024 ** 2)
  expect(mib(limit.exec(read(name))?.[1])).toBeGreaterThanOrEqual(needed)
})

test.for(['hla.service', '../drive/deploy/hla-drive.service'])(
  '%s waits until the service listens, on any address',
  (name) => {
    // seen under systemd: without AF_NETLINK Node cannot list the addresses of 0.0.0.0, and exits
    expect(read(name)).toMatch(/^Type=notify$/m)
    expect(read(name)).toMatch(/^NotifyAccess=all$/m)
    expect(read(name)).toMatch(/^RestrictAddressFamilies=.*\bAF_NETLINK$/m)
  },
)

test('the image is built without what the build makes itself', () => {
  const left = readFileSync(join(ROOT, '.dockerignore'), 'utf8').split('\n')
  expect(left).toEqual(expect.arrayContaining(['.git', 'node_modules', 'dist']))
})

/** Configurations as in the files, except for addresses and TLS; their logs are in `logs`. */
const PROXIES: Readonly<Record<string, (port: number, behind: number) => readonly string[]>> = {
  nginx(port, behind) {
    const site = read('nginx.conf')
      .replace('listen 443 ssl', `listen 127.0.0.1:${port}`)
      .replaceAll(/^ *ssl_.*\n/gm, '')
      .replaceAll('127.0.0.1:8080', `127.0.0.1:${behind}`)
      .replaceAll('/var/log/nginx/', temp('logs/'))
    writeFileSync(temp('site.conf'), site)
    const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (kind) => `${kind}_temp_path ${temp(kind)};`,
    )
    const user = process.getuid?.() === 0 ? 'user root;' : ''
    writeFileSync(
      temp('nginx.conf'),
      `daemon off; ${user} pid ${temp('nginx.pid')}; events {} http { ${places.join(' ')} include ${temp('site.conf')}; }`,
    )
    return ['-c', temp('nginx.conf'), '-e', temp('logs/start.log')]
  },
  caddy(port, behind) {
    const site = read('Caddyfile')
      .replace('{\n', '{\n\tadmin off\n')
      .replace('hla.example.org', `http://127.0.0.1:${port}`)
      .replace('127.0.0.1:8080', `127.0.0.1:${behind}`)
    writeFileSync(temp('Caddyfile'), site)
    return ['run', '--adapter', 'caddyfile', '--config', temp('Caddyfile')]
  },
}

describe.for(Object.keys(PROXIES))('%s in front of the service', (name) => {
  const isThere = spawnSync(name, [name === 'nginx' ? '-v' : 'version']).status === 0

  test.skipIf(!isThere)('says who asks, shows no counts, and logs routes, never typings', async () => {
    mkdirSync(temp('logs'), { recursive: true })
    const lines: string[] = []
    const log = { stream: { write: (line: string) => void lines.push(line) }, access: true, inputs: false }
    const service = openService(makeKnowledge(openStarter()), { trustsProxy: true, log })
    await service.app.listen({ host: '127.0.0.1', port: 0 })
    const behind = (service.app.server.address() as AddressInfo).port // a TCP server's address is an object
    const port = await freePort()
    const messages = openSync(temp(`logs/${name}.log`), 'w')
    const proxy = spawn(name, PROXIES[name]?.(port, behind) ?? [], {
      env: { ...process.env, HOME: temp('home') },
      stdio: ['ignore', messages, messages],
    })
    const headers = { 'x-forwarded-for': '192.0.2.66', referer: 'http://127.0.0.1/?gl_string=A*Zq9' }
    const ask = (path: string) => fetch(`http://127.0.0.1:${port}${path}`, { headers }).catch(() => undefined)
    const { paths } = (await (await service.app.inject('/openapi.json')).json()) as { paths: object }
    const routes = [...new Set(Object.keys(paths).map((path) => `/${path.split('/')[1]}`))]
    const addresses = routes.flatMap((route) => [`${route}/A*Zq9`, `${route}?gl_string=A*Zq9`])
    const askAll = () => Promise.all([...addresses, '/A*Zq9', '/?gl_string=A*Zq9', '//ard/A*Zq9'].map(ask))
    try {
      await expect.poll(async () => (await ask('/version'))?.status, { timeout: 20_000 }).toBe(200)
      expect(lines.join('')).toContain('"ip":"127.0.0.1"')
      expect(lines.join('')).not.toContain('192.0.2.66')
      expect((await ask('/metrics'))?.status).toBe(404)
      await askAll()
    } finally {
      await service.drain({ delay: 0, patience: 0 })
    }
    // the log of errors, too
    expect((await askAll()).map((answer) => answer?.status)).toContain(502)
    proxy.kill()
    await once(proxy, 'exit')
    const logged = readdirSync(temp('logs'))
      .map((file) => readFileSync(temp(`logs/${file}`), 'utf8'))
      .join('')
    expect(logged + lines.join('')).not.toContain('Zq9')
    expect(routes.filter((route) => !new RegExp(`(?:GET |"uri":")${route}[ "]`).test(logged))).toEqual([])
  })
})

test('what the image copies is what the package needs', () => {
  const copied = [...read('Containerfile').matchAll(/^COPY --from=build \/src\/(\S+)/gm)].map(
    ([, path]) => path,
  )
  expect(copied).toEqual(expect.arrayContaining(['package.json', 'bin', 'data', 'dist', 'node_modules']))
})

test('the image has hla on its path, by which workflow engines run it', () => {
  const [, program = '', link = ''] = /^RUN ln -s (\S+) (\S+)$/m.exec(read('Containerfile')) ?? []
  expect([program, link]).toEqual(['/opt/hla/bin/hla.cjs', '/usr/local/bin/hla'])
  expect(read('Containerfile')).toContain(`ENTRYPOINT ["node", "${program}"]`)
})

test('a pod is given longer to end than its requests are', () => {
  const text = read('kubernetes.yaml')
  const seconds = (option: string) => Number(new RegExp(`--drain-${option}, (\\d+)s`).exec(text)?.[1])
  const grace = Number(/terminationGracePeriodSeconds: (\d+)/.exec(text)?.[1])
  expect(grace).toBeGreaterThan(seconds('delay') + seconds('timeout'))
})

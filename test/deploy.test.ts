/** The files in docs/deploy use existing options, paths and times of the program. */
import { spawn, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
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

test.for(['hla.service', 'store/hla-drive.service'])(
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

const NGINX = 'nginx'
const hasNginx = spawnSync(NGINX, ['-v']).status === 0

test.skipIf(!hasNginx)('nginx says who asks, whatever the client wrote, and shows no counts', async () => {
  const lines: string[] = []
  const log = { stream: { write: (line: string) => void lines.push(line) }, access: true, inputs: false }
  const service = openService(makeKnowledge(openStarter()), { trustsProxy: true, log })
  await service.app.listen({ host: '127.0.0.1', port: 0 })
  const behind = (service.app.server.address() as AddressInfo).port // a TCP server's address is an object
  const port = await freePort()
  const site = read('nginx.conf')
    .replace('listen 443 ssl', `listen 127.0.0.1:${port}`)
    .replaceAll(/^ *ssl_.*\n/gm, '')
    .replaceAll('127.0.0.1:8080', `127.0.0.1:${behind}`)
  writeFileSync(temp('site.conf'), site)
  const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${temp(kind)};`,
  )
  const user = process.getuid?.() === 0 ? 'user root;' : ''
  writeFileSync(
    temp('nginx.conf'),
    `daemon off; ${user} pid ${temp('nginx.pid')}; events {} http { access_log off; ${places.join(' ')} include ${temp('site.conf')}; }`,
  )
  const proxy = spawn(NGINX, ['-c', temp('nginx.conf'), '-e', temp('nginx.log')], { stdio: 'ignore' })
  try {
    const headers = { 'x-forwarded-for': '192.0.2.66' }
    const ask = (path: string) => fetch(`http://127.0.0.1:${port}${path}`, { headers }).catch(() => undefined)
    await expect.poll(async () => (await ask('/version'))?.status, { timeout: 20_000 }).toBe(200)
    expect(lines.join('')).toContain('"ip":"127.0.0.1"')
    expect(lines.join('')).not.toContain('192.0.2.66')
    expect((await ask('/metrics'))?.status).toBe(404)
  } finally {
    proxy.kill()
    await service.drain({ delay: 0, patience: 0 })
  }
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

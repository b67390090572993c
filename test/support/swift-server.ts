/** A separate S3-compatible store (OpenStack Swift) on the loopback address, if installed.  [disk, network, process] */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { readBucketAddress } from '../../src/drive/persistence/contents/bucket/bucket-address.ts'
import { openBucket } from '../../src/drive/persistence/contents/bucket/bucket-requests.ts'
import { PIDS } from './once-a-run.ts'
import { freePort } from './free-port.ts'

const SERVERS = ['object', 'container', 'account'] as const

export const SWIFT = ['swift-proxy-server', ...SERVERS.map((kind) => `swift-${kind}-server`)].every(
  (program) => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0,
)

export interface Swift {
  readonly url: string
  /** Environment variables of its clients. */
  readonly env: Readonly<Record<string, string>>
  /** Creates a bucket, and returns its `s3://name`. */
  readonly bucket: (name: string) => Promise<string>
  readonly start: () => Promise<void>
  /** Stops it immediately, as in a crash. */
  readonly kill: () => Promise<void>
}

/** `folder`: for all its files. `isLasting`: it outlives this process until `stopLasting`. */
export async function runSwift(folder: string, { isLasting = false } = {}): Promise<Swift> {
  const port = await freePort()
  const ports = await Promise.all(SERVERS.map(() => freePort()))
  configure(folder, port, ports)
  const running = new Set<ChildProcess>()
  const run = (kind: string) => {
    const settings = {
      cwd: folder,
      env: { ...process.env, SWIFT_CONF_DIR: folder },
      stdio: 'ignore' as const,
      detached: isLasting,
    }
    const child = spawn(`swift-${kind}-server`, [join(folder, `${kind}.conf`)], settings)
    running.add(child)
    child.once('exit', () => running.delete(child))
    if (!isLasting) return
    child.unref()
    appendFileSync(join(folder, PIDS), `${child.pid}\n`)
  }
  const url = `http://127.0.0.1:${port}`
  const start = async () => {
    for (const kind of [...SERVERS, 'proxy']) run(kind)
    // the proxy may answer before its backends
    for (const one of [...ports, port]) await answering(`http://127.0.0.1:${one}`)
  }
  await start()
  return {
    ...swiftAt(url),
    start,
    async kill() {
      const ended = [...running].map((child) => once(child, 'exit'))
      for (const child of running) child.kill('SIGKILL')
      await Promise.all(ended)
    },
  }
}

/** Buckets of a running store. */
export function swiftAt(url: string): Pick<Swift, 'url' | 'env' | 'bucket'> {
  const env = {
    AWS_ENDPOINT_URL_S3: url,
    AWS_ACCESS_KEY_ID: 'test:tester',
    AWS_SECRET_ACCESS_KEY: 'testing',
    AWS_REGION: 'us-east-1',
  }
  return {
    url,
    env,
    async bucket(name) {
      const made = openBucket(readBucketAddress(`s3://${name}`, env), env)
      await (await made.send({ method: 'PUT' })).body.dump()
      await made.close()
      return `s3://${name}`
    },
  }
}

/** One process for the three rings: each run of swift-ring-builder takes a second, and a ring needs three. */
const RINGS = `
import sys
from swift.common.ring import RingBuilder
for name, port in (one.split('=') for one in sys.argv[1:]):
    builder = RingBuilder(4, 1, 0)
    builder.add_dev({'region': 1, 'zone': 1, 'ip': '127.0.0.1', 'port': int(port), 'device': 'd1', 'weight': 1.0})
    builder.rebalance()
    builder.get_ring().save(name + '.ring.gz')
`

async function answering(url: string): Promise<void> {
  for (let at = 0; at < 600; at += 1) {
    if (
      await fetch(url).then(
        () => true,
        () => false,
      )
    )
      return
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  throw new Error('Swift does not start')
}

function configure(folder: string, port: number, ports: readonly number[]): void {
  for (const name of ['disks/d1', 'lock']) mkdirSync(join(folder, name), { recursive: true })
  const write = (name: string, lines: readonly string[]) =>
    writeFileSync(join(folder, name), `${lines.join('\n')}\n`)
  write('swift.conf', [
    '[swift-hash]',
    'swift_hash_path_suffix = test',
    '[storage-policy:0]',
    'name = only',
    'default = yes',
  ])
  const common = [
    '[DEFAULT]',
    'bind_ip = 127.0.0.1',
    `swift_dir = ${folder}`,
    `user = ${userInfo().username}`,
    'workers = 0',
    'log_level = ERROR',
  ]
  const rings = SERVERS.map((kind, at) => `${kind}=${ports[at]}`)
  execFileSync('/usr/bin/python3', ['-c', RINGS, ...rings], { cwd: folder, stdio: 'ignore' })
  for (const [at, kind] of SERVERS.entries()) {
    const own = [`bind_port = ${ports[at]}`, `devices = ${folder}/disks`, 'mount_check = false']
    const pipeline = ['[pipeline:main]', `pipeline = ${kind}-server`]
    const app = [`[app:${kind}-server]`, `use = egg:swift#${kind}`]
    write(`${kind}.conf`, [...common, ...own, ...pipeline, ...app])
  }
  const filters = ['catch_errors', 'cache', 's3api', 'tempauth', 'bulk', 'slo', 'dlo']
  const more: Readonly<Record<string, readonly string[]>> = {
    cache: ['memcache_servers = 127.0.0.1:1'],
    s3api: ['location = us-east-1', 's3_acl = false', 'allow_multipart_uploads = true'],
    tempauth: ['user_test_tester = testing .admin'],
  }
  const settings = filters.flatMap((name) => [
    `[filter:${name}]`,
    `use = egg:swift#${name === 'cache' ? 'memcache' : name}`,
    ...(more[name] ?? []),
  ])
  const pipeline = ['[pipeline:main]', `pipeline = ${filters.join(' ')} proxy-server`]
  // on a busy machine a slow backend must not be dropped: a bucket would seem to be missing
  const patience = ['conn_timeout = 10', 'node_timeout = 60', 'error_suppression_limit = 1000000']
  const app = ['[app:proxy-server]', 'use = egg:swift#proxy', 'account_autocreate = true', ...patience]
  write('proxy.conf', [...common, `bind_port = ${port}`, ...pipeline, ...app, ...settings])
}

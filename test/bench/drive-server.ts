/** Starts `hla drive serve` for benchmarks, on the plain disk or with slow syncs [process, disk, clock]. */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packagePath } from '../../src/package-root.ts'

export interface Server {
  readonly child: ChildProcess
  readonly port: number
  readonly token: string
  /** Data folder. */
  readonly data: string
}

/** `of`: an existing server of the same store. HLA_PROGRAM in `env` selects the program of another checkout. */
export async function startDrive(
  folder: string,
  env: Record<string, string>,
  more: readonly string[] = [],
  of?: Server,
): Promise<Server> {
  const data = mkdtempSync(join(folder, 'store-'))
  const program = env['HLA_PROGRAM'] ?? packagePath('bin/hla.cjs')
  const args = [program, 'drive', 'serve', '--data', data, '--port', '0', '--access-log', 'off', ...more]
  const child = spawn(process.execPath, args, { env: { ...process.env, ...env } })
  const said = await heard(child, 'stderr', /on http:\S+:(\d+)\n/)
  const token = of?.token ?? readFileSync(join(data, 'owner-token'), 'utf8').trim()
  return { child, port: Number(/:(\d+)\n/.exec(said)?.[1]), token, data }
}

/**
 * A server that answers every request with `bytes` bytes and stores nothing. `constant`: the bundled drive-constant.ts.
 */
export async function startConstant(constant: string, bytes: number): Promise<Server> {
  const child = spawn(process.execPath, [constant, String(bytes)])
  return { child, port: Number(await heard(child, 'stdout', /^\d+\n/)), token: 'none', data: '' }
}

/** Output of a process up to and including the awaited text. */
export async function heard(
  child: ChildProcess,
  stream: 'stdout' | 'stderr',
  awaited: RegExp,
): Promise<string> {
  let said = ''
  const source = child[stream]
  if (source === null) throw new Error(`the process has no ${stream}`)
  while (!awaited.test(said)) {
    const [bytes] = (await once(source, 'data')) as [Buffer] // the stream has no encoding
    said += bytes.toString()
  }
  return said
}

/** Processor seconds of all threads, from Linux's count in 1/100 s. */
export function processorSeconds({ child }: Server): number {
  const [, words = ''] = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')
  const [user, system] = words.split(' ').slice(11, 13).map(Number)
  return ((user ?? 0) + (system ?? 0)) / 100
}

/** Minimum ms of a disk sync: on a fast disk the limit would be the processor, not the syncs. */
const SYNC = 4

const RAW_MILLISECONDS = 1000

/** Sequential 4 KiB writes with a sync each, a second, on the same disk and in the same environment as the service. */
export function rawRate(folder: string, env: Record<string, string>): number {
  const args = ['-e', RAW, join(folder, 'raw'), String(RAW_MILLISECONDS)]
  return Number(execFileSync(process.execPath, args, { encoding: 'utf8', env: { ...process.env, ...env } }))
}

const RAW = `
const { openSync, writeSync, fdatasyncSync } = require('node:fs')
const [path, milliseconds] = process.argv.slice(1)
const file = openSync(path, 'w')
const bytes = Buffer.alloc(4096, 1)
const began = performance.now()
let done = 0
for (; performance.now() - began < Number(milliseconds); done += 1) {
  writeSync(file, bytes)
  fdatasyncSync(file)
}
console.log((done * 1000) / (performance.now() - began))`

/** Environment of a process with slow syncs. */
export function slowSyncs(folder: string): Record<string, string> {
  const target = join(folder, 'slow-sync.so')
  if (process.platform !== 'linux' || spawnSync('cc', ['--version']).status !== 0) return {}
  execFileSync('cc', ['-O2', '-shared', '-fPIC', '-o', target, packagePath('test/bench/slow-sync.c'), '-ldl'])
  return { LD_PRELOAD: target, SYNC_MILLISECONDS: String(SYNC) }
}

/** Sequential syncs a second in that environment. */
export function mostSyncs({ SYNC_MILLISECONDS: takes }: Readonly<Record<string, string>>): number {
  return takes === undefined ? Infinity : 1000 / Number(takes)
}

/** Write speed, in MB/s, of the machine in the design. */
export const SLOW_DISK = 188

/** Environment with slow syncs and that write speed. */
export function slowDisk(folder: string): Record<string, string> {
  const env = slowSyncs(folder)
  return env['LD_PRELOAD'] === undefined ? {} : { ...env, DISK_MEGABYTES: String(SLOW_DISK) }
}

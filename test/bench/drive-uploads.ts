/**
 * Measures uploads to `hla drive serve` over HTTP: small ones beside the disk's syncs, a large one beside each of its
 * steps alone [process, clock].
 */
import { execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { packagePath } from '../../src/package-root.ts'
import { bundleScript } from '../support/bundle.ts'
import { atLeast, atMost, type BenchRow, reported } from './bench-row.ts'
import { heard, rawRate, type Server, SLOW_DISK, slowDisk, slowSyncs, startDrive } from './drive-server.ts'
import { median, medianRatio } from './statistics.ts'
import type { Uploaded, UploadLoad } from './upload-client.ts'

const ROUNDS = 4
/** Rounds of small uploads: the machine's speed changes within seconds. */
const SMALL_ROUNDS = 8
const SECONDS = 2
/** Uncounted seconds at the start of each client. */
const WARM = 0.3

/** Only the rows of 4 KiB. */
export async function smallUploadRows(folder: string): Promise<BenchRow[]> {
  const client = bundleScript(packagePath(), 'test/bench/upload-client.ts')
  try {
    return await smallRows(folder, client.file)
  } finally {
    rmSync(client.folder, { recursive: true, force: true })
  }
}

export async function uploadRows(folder: string): Promise<BenchRow[]> {
  const scripts = ['upload-client.ts', 'upload-sink.ts'].map((name) =>
    bundleScript(packagePath(), `test/bench/${name}`),
  )
  const [client = '', sink = ''] = scripts.map(({ file }) => file)
  try {
    return [
      ...(await smallRows(folder, client)),
      ...(await largeRows({ folder, client, sink, disk: 'this disk', env: {} })),
      ...(await largeRows({ folder, client, sink, disk: `${SLOW_DISK} MB/s`, env: slowDisk(folder) })),
    ]
  } finally {
    for (const made of scripts) rmSync(made.folder, { recursive: true, force: true })
  }
}

function upload(client: string, { port, token }: Server, load: Omit<UploadLoad, 'port' | 'token'>): number {
  const text = execFileSync(process.execPath, [client, JSON.stringify({ port, token, ...load })], {
    encoding: 'utf8',
  })
  const { perSecond, failed } = JSON.parse(text) as Uploaded // our own script prints this
  if (failed > 0) throw new Error(`${failed} uploads failed`)
  return perSecond
}

const SMALL = [
  { connections: 1, type: 'application/octet-stream', form: 'multipart' },
  { connections: 8, type: 'application/octet-stream', form: 'multipart' },
  { connections: 32, type: 'application/octet-stream', form: 'multipart' },
  { connections: 32, type: 'application/octet-stream', form: 'media' },
  // text is indexed for search
  { connections: 32, type: 'text/csv', form: 'multipart' },
] as const

/** Goals: uploads on 32 connections, as a multiple of the disk's syncs. */
const AIMS = { media: 10, multipart: 14 }

async function smallRows(folder: string, client: string): Promise<BenchRow[]> {
  const env = slowSyncs(folder)
  const drive = await startDrive(folder, env)
  const raw: number[] = []
  const rates: number[][] = SMALL.map(() => [])
  for (let round = 0; round < SMALL_ROUNDS; round += 1) {
    const syncs = rawRate(folder, env)
    const found = SMALL.map((load) =>
      upload(client, drive, { ...load, size: 4096, seconds: SECONDS, warm: WARM }),
    )
    // the first round warms up
    if (round === 0) continue
    raw.push(syncs)
    for (const [at, rate] of found.entries()) rates[at]?.push(rate)
  }
  drive.child.kill('SIGKILL')
  return SMALL.flatMap(({ connections, type, form }, at) => {
    const name = `uploads of 4 KiB, ${form}, ${type}, ${connections} connections`
    const ratio = medianRatio(rates[at] ?? [], raw)
    // a multipart upload has metadata to parse, and more words to index
    const aim = connections === 32 && type !== 'text/csv' ? AIMS[form] : undefined
    return [
      reported(name, [median(rates[at] ?? []), 'a second']),
      aim === undefined
        ? reported(`${name} : syncs`, [ratio, '×'])
        : atLeast(`${name} : syncs`, [ratio, '×'], aim),
    ]
  })
}

/** Bytes. */
const LARGE = 512 << 20

/** MB/s. */
interface Large {
  readonly dd: number
  readonly upload: number
  readonly md5: number
  readonly sha1: number
  readonly sha256: number
  readonly receive: number
}

interface LargeRun {
  readonly folder: string
  readonly client: string
  readonly sink: string
  /** Name of the disk in the rows. */
  readonly disk: string
  readonly env: Record<string, string>
}

async function largeRows({ folder, client, sink, disk, env }: LargeRun): Promise<BenchRow[]> {
  const drive = await startDrive(folder, env)
  const child = spawn(process.execPath, [sink])
  const other: Server = {
    child,
    port: Number(await heard(child, 'stdout', /^\d+\n/)),
    token: 'none',
    data: '',
  }
  const send = (to: Server) =>
    (upload(client, to, { connections: 1, type: 'none', size: LARGE }) * LARGE) / 1e6
  const rounds = Array.from({ length: ROUNDS }, (): Large => {
    const alone = { md5: digest('md5'), sha1: digest('sha1'), sha256: digest('sha256'), receive: send(other) }
    return { ...alone, dd: dd(folder, env), upload: send(drive) }
  }).slice(1)
  const memory = Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${drive.child.pid}/status`, 'utf8'))?.[1])
  for (const one of [drive.child, child]) one.kill('SIGKILL')
  const of = (name: keyof Large) => rounds.map((round) => round[name])
  const ratio = (to: (round: Large) => number) => [medianRatio(of('upload'), rounds.map(to)), '×'] as const
  const slower = ({ dd: written, md5, sha1, sha256 }: Large) => Math.min(written, md5, sha1, sha256)
  return [
    ...(['dd', 'md5', 'sha1', 'sha256', 'receive', 'upload'] as const).map((name) =>
      reported(`${NAMES[name]} (${disk})`, [median(of(name)), 'MB/s']),
    ),
    atLeast(
      `upload : dd (${disk})`,
      ratio(({ dd: written }) => written),
      0.7,
    ),
    reported(`upload : the slowest of dd and the digests (${disk})`, ratio(slower)),
    reported(`upload : all parts shared by the processors (${disk})`, ratio(shared)),
    atMost(`uploads, peak memory (${disk})`, [memory / 1024, 'MiB'], 200),
  ]
}

const NAMES: Readonly<Record<keyof Large, string>> = {
  dd: 'dd conv=fdatasync, 512 MiB',
  md5: 'MD5 alone',
  sha1: 'SHA-1 alone',
  sha256: 'SHA-256 alone',
  receive: 'sent and received over HTTP, and dropped',
  upload: 'upload of 512 MiB',
}

/** Upper bound: the rate if all steps were spread evenly over the processors and none waited for another. */
function shared({ dd: written, md5, sha1, sha256, receive }: Large): number {
  const parts = [written, md5, sha1, sha256, receive]
  return availableParallelism() / parts.reduce((sum, part) => sum + 1 / part, 0)
}

function rate(bytes: number, work: () => void): number {
  const began = performance.now()
  work()
  return bytes / 1000 / (performance.now() - began)
}

function dd(folder: string, env: Record<string, string>): number {
  const path = join(folder, 'dd')
  const words = ['if=/dev/zero', `of=${path}`, 'bs=1M', 'count=512', 'conv=fdatasync', 'status=none']
  const found = rate(LARGE, () => execFileSync('dd', words, { env: { ...process.env, ...env } }))
  rmSync(path)
  return found
}

function digest(name: string): number {
  const bytes = Buffer.alloc(1 << 20, 7)
  const hash = createHash(name)
  return rate(256 << 20, () => {
    for (let at = 0; at < 256; at += 1) hash.update(bytes)
    hash.digest()
  })
}

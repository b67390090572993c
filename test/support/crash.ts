/** Ends processes that write to a store, in bad moments, and looks whether they kept their word.  [disk] */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fsck } from '../../src/storage/store/fsck.ts'
import type { Store } from '../../src/storage/store/store.ts'
import { digestsOf } from '../../src/storage/store/digest.ts'
import { madeBytes, openTestStore } from './store.ts'

/** What a process has acknowledged. */
export interface Told {
  readonly files: Map<string, { readonly size: number; readonly seed: number }>
  readonly uploads: Map<string, { readonly received: number; readonly seed: number }>
}

export interface Ended {
  readonly status: number | null
  readonly signal: NodeJS.Signals | null
  readonly stderr: string
}

export interface Load {
  readonly child: ChildProcess
  /** Resolves with the first acknowledged change. */
  readonly started: Promise<void>
  readonly ended: Promise<Ended>
}

/** Starts a bundled store-load.ts; what it tells is added to `told`. */
export function startLoad(
  script: string,
  args: readonly string[],
  told: Told,
  env: Record<string, string> = {},
): Load {
  const child = spawn(process.execPath, [script, ...args], { env: { ...process.env, ...env } })
  let stderr = ''
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
  const lines = createInterface({ input: child.stdout })
  const started = new Promise<void>((resolve) => {
    lines.on('line', (line) => {
      note(told, line)
      if (line !== 'ready') resolve()
    })
    lines.on('close', resolve)
  })
  const ended = new Promise<Ended>((resolve) =>
    child.on('close', (status, signal) => resolve({ status, signal, stderr })),
  )
  return { child, started, ended }
}

export function nothingTold(): Told {
  return { files: new Map(), uploads: new Map() }
}

function note(told: Told, line: string): void {
  const [kind, name = '', amount, seed] = line.split(' ')
  if (seed === undefined) return
  if (kind === 'f') told.files.set(name, { size: Number(amount), seed: Number(seed) })
  else told.uploads.set(name, { received: Number(amount), seed: Number(seed) })
}

/** What is wrong with a store after its process has ended: of what it told, and of what it holds. */
export async function broken(folder: string, told: Told): Promise<string[]> {
  const { findings } = await fsck(folder, { isDeep: true, isRepairing: false })
  const store = await openTestStore(folder)
  const lost = [...lostFiles(store, told), ...(await lostUploads(store, told))]
  await store.close()
  return [...findings.map(({ what }) => what), ...lost]
}

function lostFiles({ read }: Store, { files }: Told): string[] {
  const sql =
    'SELECT b.sha256 FROM files f JOIN revisions r ON r.pk = f.head JOIN blobs b ON b.pk = r.blob WHERE f.id = ?'
  return [...files].flatMap(([title, { size, seed }]) => {
    const found = read.get<{ sha256: string }>(sql, title)?.sha256
    if (found === undefined) return [`lost: ${title}`]
    // bytes are held against their digests by fsck
    return found === madeDigest(size, seed) ? [] : [`other bytes: ${title}`]
  })
}

const known = new Map<string, string>()

function madeDigest(size: number, seed: number): string {
  const key = `${size} ${seed}`
  const digest = known.get(key) ?? digestsOf(madeBytes(size, seed)).sha256
  known.set(key, digest)
  return digest
}

async function lostUploads({ read, blobs, folder }: Store, { uploads }: Told): Promise<string[]> {
  const lost: string[] = []
  for (const [name, { received, seed }] of uploads) {
    const row = read.get<{ received: number }>('SELECT received FROM uploads WHERE digest = ?', name)
    const held = await blobs.uploads.held(name, row?.received ?? 0)
    if (held < received) lost.push(`upload ${name} told ${received} bytes and holds ${held}`)
    const bytes = readFileSync(join(folder.staging, name)).subarray(0, received)
    const made = madeBytes(262_144 * 4, seed).subarray(0, received)
    if (Buffer.compare(bytes, made) !== 0) lost.push(`upload ${name} has other bytes`)
  }
  return lost
}

/** Compiles the layer that loses what was not synced; undefined without a C compiler. */
export function powerLossLayer(target: string): string | undefined {
  if (process.platform !== 'linux' || spawnSync('cc', ['--version']).status !== 0) return undefined
  const source = join(import.meta.dirname, 'power-loss.c')
  execFileSync('cc', ['-O2', '-shared', '-fPIC', '-o', target, source, '-ldl', '-lpthread'])
  return target
}

/**
 * Measures writing and reading one large content, in a separate process beside dd and cat; prints JSON [disk, clock].
 */
import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Staged } from '../../src/drive/persistence/contents/blob-rows.ts'
import { heldContent, openTestStore } from '../support/store.ts'

/** MB/s from disk, and bytes of memory. */
export interface StreamRound {
  readonly dd: number
  readonly stage: number
  readonly cat: number
  readonly read: number
  readonly memory: number
}

const MEGABYTES = 512
const [folder = '', rounds = '3'] = process.argv.slice(2)
const store = await openTestStore(join(folder, 'store'))
for (let round = 0; round <= Number(rounds); round++) {
  const found: StreamRound = {
    dd: dd(),
    ...(await inAndOut(round)),
    memory: process.resourceUsage().maxRSS * 1024,
  }
  // the first round warms up
  if (round > 0) process.stdout.write(`${JSON.stringify(found)}\n`)
}
await store.close()

function dd(): number {
  const path = join(folder, 'dd')
  const took = timed(() =>
    execFileSync('dd', [
      'if=/dev/zero',
      `of=${path}`,
      'bs=1M',
      `count=${MEGABYTES}`,
      'conv=fdatasync',
      'status=none',
    ]),
  )
  rmSync(path)
  return took
}

function timed(work: () => unknown): number {
  const began = performance.now()
  work()
  return (MEGABYTES * 1048.576) / (performance.now() - began)
}

async function inAndOut(round: number): Promise<Omit<StreamRound, 'dd' | 'memory'>> {
  const began = performance.now()
  const staged = await heldContent(store.blobs, made(round))
  const stage = staged.size / 1000 / (performance.now() - began)
  const path = join(store.folder.blobs, staged.sha256.slice(0, 2), staged.sha256)
  forget(path)
  const cat = timed(() => execFileSync('sh', ['-c', `cat "${path}" > /dev/null`]))
  forget(path)
  const read = await readRate(staged)
  rmSync(path)
  return { stage, cat, read }
}

/** Drops a file from the page cache, since cached files are read at the speed of memory. */
function forget(path: string): void {
  execFileSync('dd', [`if=${path}`, 'iflag=nocache', 'count=0', 'status=none'])
}

async function readRate(staged: Staged): Promise<number> {
  const began = performance.now()
  const content = await store.blobs.open({ ...staged, pk: 0, kind: 'file' })
  if (content instanceof Uint8Array) throw new Error('the content is small')
  let length = 0
  // a stream without encoding yields buffers
  for await (const chunk of content as AsyncIterable<Buffer>) length += chunk.length
  return length / 1000 / (performance.now() - began)
}

/** Chunks of 64 KiB, the size that sockets deliver. */
async function* made(seed: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.alloc(65_536, 7)
  for (let at = 0; at < MEGABYTES * 16; at++) {
    bytes.writeUInt32LE(seed, 0)
    bytes.writeUInt32LE(at, 4)
    yield bytes
  }
}

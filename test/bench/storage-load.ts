/** Measures a store in a separate process, beside its disk; prints one line of JSON for each round [disk, clock]. */
import type { Staged } from '../../src/drive/persistence/contents/blob-rows.ts'
import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { addFile, madeBytes, openTestStore, pieces } from '../support/store.ts'

export interface LoadRound {
  /** Sequential 4 KiB writes, each with fdatasync, a second. */
  readonly raw: number
  readonly rates: readonly LoadRate[]
}

export interface LoadRate {
  readonly inFlight: number
  /** Bytes of content in each file. */
  readonly size: number
  readonly perSecond: number
  readonly perCpuSecond: number
}

const [folder = '', writer = '', rounds = '3', seconds = '1'] = process.argv.slice(2)
const LOADS = [1, 8, 32, 128].map((inFlight) => ({ inFlight, size: 0 }))
const CONTENT_LOADS = [
  { inFlight: 32, size: 4096 },
  { inFlight: 32, size: 65_536 },
]
const CONTENT = madeBytes(1 << 20)
const store = await openTestStore(join(folder, 'store'), { writer: { file: writer } })
let count = 0
for (let round = 0; round <= Number(rounds); round++) {
  const raw = rawRate()
  const rates: LoadRate[] = []
  for (const load of [...LOADS, ...CONTENT_LOADS]) rates.push(await rate(load))
  const found: LoadRound = { raw, rates }
  // the first round warms up
  if (round > 0) process.stdout.write(`${JSON.stringify(found)}\n`)
}
await store.close()

function rawRate(): number {
  const file = openSync(join(folder, 'raw'), 'w')
  const bytes = Buffer.alloc(4096, 1)
  let done = 0
  const took = during(() => {
    writeSync(file, bytes)
    fdatasyncSync(file)
    done++
  })
  closeSync(file)
  return done / took
}

function during(step: () => void): number {
  const began = performance.now()
  while (performance.now() - began < Number(seconds) * 1000) step()
  return (performance.now() - began) / 1000
}

async function rate({ inFlight, size }: { inFlight: number; size: number }): Promise<LoadRate> {
  const began = performance.now()
  const cpu = process.cpuUsage()
  let done = 0
  const lane = async () => {
    while (performance.now() - began < Number(seconds) * 1000) {
      await addOne(size)
      done++
    }
  }
  await Promise.all(Array.from({ length: inFlight }, lane))
  const took = (performance.now() - began) / 1000
  const { user, system } = process.cpuUsage(cpu)
  return { inFlight, size, perSecond: done / took, perCpuSecond: (done / (user + system)) * 1e6 }
}

async function addOne(size: number): Promise<void> {
  const title = `title of file ${count++}`
  if (size === 0) await addFile(store, title)
  else {
    const add = (staged: Staged) => addFile(store, title, staged)
    await store.blobs.stage(pieces(madeContent(size)), () => undefined, add)
  }
}

/** Content that differs each time, made cheaply. */
function madeContent(size: number): Buffer {
  const bytes = Buffer.from(CONTENT.subarray(0, size))
  bytes.writeUInt32LE(count)
  return bytes
}

/** Measures downloads from `hla drive serve` over HTTP beside cat, both from disk [process, network, disk, clock]. */
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { atLeast, type BenchRow, reported } from './bench-row.ts'
import { type Server, startDrive } from './drive-server.ts'
import { median, medianRatio } from './statistics.ts'

const ROUNDS = 5
const MEBIBYTES = 512
const MEGABYTES = (MEBIBYTES << 20) / 1e6

export async function downloadRows(folder: string): Promise<BenchRow[]> {
  const drive = await startDrive(folder, {})
  const { id, sha256Checksum: digest } = await store(drive)
  const path = join(drive.data, 'blobs', digest.slice(0, 2), digest)
  const [cats, downloads]: [number[], number[]] = [[], []]
  for (let round = 0; round <= ROUNDS; round += 1) {
    const cat = await rate(path, () => execFileSync('sh', ['-c', `cat "${path}" > /dev/null`]))
    const download = await rate(path, () => receive(drive, id))
    // the first round warms up
    if (round === 0) continue
    cats.push(cat)
    downloads.push(download)
  }
  drive.child.kill('SIGKILL')
  return [
    reported('cat of 512 MiB, from disk', [median(cats), 'MB/s']),
    reported('download of 512 MiB, from disk', [median(downloads), 'MB/s']),
    atLeast('download : cat', [medianRatio(downloads, cats), '×'], 0.8),
  ]
}

interface Stored {
  readonly id: string
  readonly sha256Checksum: string
}

async function store({ port, token }: Server): Promise<Stored> {
  const path = '/upload/drive/v2/files?uploadType=media&fields=id,sha256Checksum'
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/x-bench',
    'content-length': MEBIBYTES << 20,
  }
  const sent = request({ port, method: 'POST', path, headers })
  const piece = Buffer.alloc(1 << 20, 7)
  for (let at = 0; at < MEBIBYTES; at += 1) if (!sent.write(piece)) await once(sent, 'drain')
  sent.end()
  // Node's types for the service's answer
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  return (await json(answer)) as Stored
}

/** Counts the bytes and drops them, with minimal work. */
async function receive({ port, token }: Server, id: string): Promise<void> {
  let size = 0
  const callback = (bytes: number) => (size += bytes) > 0
  const socket = connect({ port, host: '127.0.0.1', onread: { buffer: Buffer.alloc(1 << 20), callback } })
  socket.write(
    `GET /drive/v2/files/${id}?alt=media HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${token}\r\nconnection: close\r\n\r\n`,
  )
  await once(socket.resume(), 'end')
  if (size < MEBIBYTES << 20) throw new Error(`a download had ${size} bytes`)
}

/** MB/s. Cached files are read at the speed of memory, so the page cache is dropped first. */
async function rate(path: string, work: () => unknown): Promise<number> {
  execFileSync('dd', [`if=${path}`, 'iflag=nocache', 'count=0', 'status=none'])
  const began = performance.now()
  await work()
  return (MEGABYTES * 1000) / (performance.now() - began)
}

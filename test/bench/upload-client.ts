/**
 * Uploads to a service over HTTP: one large content, or small ones over many connections at full speed; prints JSON
 * [network, clock].
 */
import { randomBytes } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { once } from 'node:events'
import { isGood, missing } from './http-answer.ts'

export interface UploadLoad {
  readonly port: number
  readonly token: string
  /** Bytes of a content. */
  readonly size: number
  readonly connections: number
  /** Content type of a small upload. */
  readonly type: string
  /** Small uploads: with metadata (`multipart/related`), or content alone. */
  readonly form?: 'multipart' | 'media'
  /** Undefined: a single large content. */
  readonly seconds?: number
  /** Uncounted seconds before those. */
  readonly warm?: number
}

export interface Uploaded {
  /** Contents. */
  readonly perSecond: number
  readonly failed: number
}

const BOUNDARY = 'a-boundary-of-the-bench'
const AFTER = Buffer.from(`\r\n--${BOUNDARY}--\r\n`)
const PIECE = 1 << 20

// passed by drive-uploads.ts
const load = JSON.parse(process.argv[2] ?? '{}') as UploadLoad
const isAlone = load.form === 'media'
const METADATA = JSON.stringify({ title: 'donors of the week.csv', mimeType: load.type })
const BEFORE = Buffer.from(
  `--${BOUNDARY}\r\ncontent-type: application/json\r\n\r\n${METADATA}\r\n--${BOUNDARY}\r\ncontent-type: ${load.type}\r\n\r\n`,
)
let [done, failed] = [0, 0]
const began = performance.now() + (load.warm ?? 0) * 1000
await Promise.all(Array.from({ length: load.connections }, load.seconds === undefined ? sendLarge : lane))
const uploaded: Uploaded = { perSecond: (done * 1000) / (performance.now() - began), failed }
process.stdout.write(`${JSON.stringify(uploaded)}\n`)

function headOf(query: string, type: string, length: number): string {
  return `POST /upload/drive/v2/files?uploadType=${query} HTTP/1.1\r\nhost: localhost:${load.port}\r\nauthorization: Bearer ${load.token}\r\ncontent-type: ${type}\r\ncontent-length: ${length}\r\n\r\n`
}

function open(): Socket {
  return connect(load.port, '127.0.0.1').setNoDelay(true)
}

async function sendLarge(): Promise<void> {
  const socket = open()
  const answered = once(socket, 'data')
  // the content is new each time, because known content is not stored again
  socket.write(
    Buffer.concat([Buffer.from(headOf('media', 'application/x-bench', load.size)), randomBytes(16)]),
  )
  const bytes = Buffer.alloc(PIECE, 7)
  for (let left = load.size - 16; left > 0; left -= PIECE)
    if (!socket.write(bytes.subarray(0, Math.min(PIECE, left)))) await once(socket, 'drain')
  const [answer] = (await answered) as [Buffer] // the socket has no encoding
  note(answer)
  socket.destroy()
}

function note(answer: Buffer): void {
  if (!isGood(answer)) failed += 1
  done += 1
}

/** `at`: offset of the content in the request. */
function smallRequest(): { readonly request: Buffer; readonly at: number } {
  // words such as those of a table, at different offsets
  const content = Buffer.from('HLA-A*01:01,donor\n'.repeat(Math.ceil(load.size / 18)).slice(0, load.size))
  const [before, after] = isAlone ? ['', ''] : [BEFORE, AFTER]
  const length = before.length + load.size + after.length
  const type = isAlone ? load.type : `multipart/related; boundary=${BOUNDARY}`
  const head = Buffer.from(headOf(isAlone ? 'media' : 'multipart', type, length))
  const request = Buffer.concat([head, Buffer.from(before), content, Buffer.from(after)])
  return { request, at: head.length + before.length }
}

/** One connection: an upload, its whole answer, the next. */
function lane(): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = open()
    const { request, at } = smallRequest()
    let left = 0
    const send = () => {
      if (performance.now() - began > (load.seconds ?? 0) * 1000) return socket.end(resolve)
      request.write(randomBytes(8).toString('hex'), at, 'latin1')
      return socket.write(request)
    }
    socket.on('connect', send)
    socket.on('error', reject)
    socket.on('data', (bytes: Buffer) => {
      if (left <= 0 && !isGood(bytes)) failed += 1
      left = left > 0 ? left - bytes.length : missing(bytes)
      if (left > 0) return
      if (performance.now() >= began) done += 1
      send()
    })
  })
}

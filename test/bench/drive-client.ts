/**
 * Sends a fixed list of requests to a service in turn, over many connections, at full speed; prints one line of JSON
 * [network, clock].
 */
import { connect } from 'node:net'
import { isGood, missing } from './http-answer.ts'

export interface Asked {
  readonly perSecond: number
  /** ms: median and 99th percentile of the requests. */
  readonly half: number
  readonly most: number
  readonly failed: number
}

const [port = '', connections = '1', seconds = '1', warm = '0', paths = '/', token = '', body = ''] =
  process.argv.slice(2)
const method = body === '' ? 'GET' : 'POST'
const type =
  body === '' ? '' : `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n`
const requests = paths
  .split(' ')
  .map((path) =>
    Buffer.from(
      `${method} ${path} HTTP/1.1\r\nhost: localhost:${port}\r\nauthorization: Bearer ${token}\r\n${type}\r\n${body}`,
    ),
  )
let asked = 0

const took: number[] = []
let failed = 0
/** answers before this moment are not counted */
const began = performance.now() + Number(warm) * 1000
const end = began + Number(seconds) * 1000
await Promise.all(Array.from({ length: Number(connections) }, lane))
const sorted = took.toSorted((a, b) => a - b)
const result: Asked = {
  perSecond: took.length / Number(seconds),
  half: sorted[sorted.length >> 1] ?? Number.NaN,
  most: sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN,
  failed,
}
process.stdout.write(`${JSON.stringify(result)}\n`)

/** One connection: a request, its whole answer, the next request. */
function lane(): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), '127.0.0.1').setNoDelay(true)
    let since = 0
    let left = -1
    const ask = () => {
      since = performance.now()
      if (since > end) return socket.end(resolve)
      return socket.write(requests[(asked += 1) % requests.length] ?? '')
    }
    socket.on('connect', ask)
    socket.on('error', reject)
    socket.on('data', (bytes: Buffer) => {
      if (left < 0 && !isGood(bytes)) failed += 1
      left = left < 0 ? missing(bytes) : left - bytes.length
      if (left > 0) return
      left = -1
      const now = performance.now()
      if (now >= began && now <= end) took.push(now - since)
      ask()
    })
  })
}

/**
 * Sends requests to a service at full speed, or at a fixed rate; a separate process, bundled beside run.mjs.  [network]
 */
import { connect, type Socket } from 'node:net'
import { readFileSync } from 'node:fs'

export interface LoadRequest {
  readonly port: number
  /** One JSON body a line, sent in turn to `POST /redux`. */
  readonly bodies: string
  readonly connections: number
  readonly seconds: number
  /**
   * Requests a second, independent of responses; undefined: each connection sends its next request after a response.
   */
  readonly rate?: number | undefined
}

export interface LoadResult {
  readonly answered: number
  readonly refused: number
  /** ms from when a request was due */
  readonly median: number
  readonly p99: number
  readonly most: number
}

/** Warm-up time in ms, not counted. */
const WARMING = 1500

// passed by service.ts
const request = JSON.parse(process.argv[2] ?? '{}') as LoadRequest
process.stdout.write(JSON.stringify(await load(request)))

async function load({ port, bodies, connections, seconds, rate }: LoadRequest): Promise<LoadResult> {
  const requests = readFileSync(bodies, 'utf8')
    .trimEnd()
    .split('\n')
    .map((body) => {
      const head = `POST /redux HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json`
      return Buffer.from(`${head}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
    })
  const free = await Promise.all(Array.from({ length: connections }, () => open(port)))
  let waits: number[] = []
  const due: number[] = []
  let [asked, refused] = [0, 0]
  const end = performance.now() + seconds * 1000
  const send = (connection: Connection, since: number) => {
    connection.ask(requests[(asked += 1) % requests.length] ?? Buffer.alloc(0), (isGood) => {
      waits.push(performance.now() - since)
      if (!isGood) refused += 1
      const next = due.shift()
      if (next !== undefined) send(connection, next)
      else if (rate === undefined && performance.now() < end) send(connection, performance.now())
      else free.push(connection)
    })
  }
  if (rate === undefined) for (const connection of free.splice(0)) send(connection, performance.now())
  else {
    const ask = (at: number) => {
      const connection = free.pop()
      if (connection === undefined) due.push(at)
      else send(connection, at)
    }
    // until V8 has compiled this client, the measured delays are its own
    await pace(rate, performance.now() + WARMING, ask)
    waits = []
    await pace(rate, end + WARMING, ask)
  }
  while (free.length < connections) await new Promise((soon) => setTimeout(soon, 10))
  for (const connection of free) connection.close()
  waits.sort((one, other) => one - other)
  const at = (share: number) => waits[Math.floor((waits.length - 1) * share)] ?? Number.NaN
  return { answered: waits.length - refused, refused, median: at(0.5), p99: at(0.99), most: at(1) }
}

/** Calls `send` with the time at which each request is due. */
async function pace(rate: number, end: number, send: (at: number) => void): Promise<void> {
  const start = performance.now()
  for (let count = 0; ;) {
    const now = performance.now()
    if (now >= end) return
    for (; start + (count * 1000) / rate <= now; count += 1) send(start + (count * 1000) / rate)
    await new Promise((soon) => setTimeout(soon, 1))
  }
}

interface Connection {
  readonly ask: (request: Buffer, done: (isGood: boolean) => void) => void
  readonly close: () => void
}

function open(port: number): Promise<Connection> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connect(port, '127.0.0.1', () => resolve(connection))
    socket.setNoDelay(true).on('error', reject)
    let said = ''
    let waiting: (isGood: boolean) => void = () => undefined
    socket.on('data', (bytes) => {
      said += bytes.toString('latin1')
      const body = said.indexOf('\r\n\r\n') + 4
      const length = Number(/content-length: (\d+)/i.exec(said)?.[1])
      if (body < 4 || said.length < body + length) return
      const isGood = said.startsWith('HTTP/1.1 200')
      said = ''
      waiting(isGood)
    })
    const connection: Connection = {
      close: () => socket.destroy(),
      ask(request, done) {
        waiting = done
        socket.write(request)
      },
    }
  })
}

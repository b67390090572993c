/** A proxy that holds back one request, even after its client is gone.  [network] */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { stopAtEnd } from './end-of-file.ts'

export interface HoldingProxy {
  readonly url: string
  /** Resolves when a request is held. */
  readonly held: Promise<void>
  /** Sends the held request on. Resolves with the status of the server's answer. */
  readonly release: () => Promise<number>
}

const closing: (() => void)[] = []
stopAtEnd(() => closing.splice(0).forEach((close) => close()))

/** Holds the first request whose head matches `head`. */
export async function holdingProxy(to: string, head: RegExp): Promise<HoldingProxy> {
  const { hostname, port } = new URL(to)
  const sockets = new Set<Socket>()
  let held: { readonly target: Socket; readonly pieces: Buffer[] } | undefined
  let tell: () => void = () => undefined
  const isHeld = new Promise<void>((resolve) => (tell = resolve))
  const server = createServer((client) => {
    const target = connect(Number(port), hostname)
    sockets.add(client).add(target)
    client.on('error', () => client.destroy())
    target.on('error', () => target.destroy())
    client.on('data', (bytes: Buffer) => {
      if (held === undefined && head.test(bytes.toString('latin1'))) {
        held = { target, pieces: [] }
        tell()
      }
      if (held?.target === target) held.pieces.push(bytes)
      else target.write(bytes)
    })
    target.on('data', (bytes: Buffer) => client.destroyed || client.write(bytes))
    client.on('close', () => held?.target === target || target.destroy())
    target.on('close', () => client.destroy())
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  closing.push(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    held: isHeld,
    release: () =>
      new Promise((answered) => {
        held?.target.once('data', (bytes: Buffer) => answered(Number(bytes.toString().split(' ')[1])))
        for (const piece of held?.pieces ?? []) held?.target.write(piece)
      }),
  }
}

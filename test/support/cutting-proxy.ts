/** A proxy that cuts the connections to a server.  [network] */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { stopAtEnd } from './end-of-file.ts'

export interface CuttingProxy {
  readonly url: string
  /** Number of cuts so far. */
  readonly cuts: () => number
  /** Bytes passed in both directions. */
  readonly passed: () => number
  /** Stops cutting connections. */
  readonly mend: () => void
}

const open = new Set<{ readonly close: () => void }>()
stopAtEnd(() => {
  for (const proxy of open) proxy.close()
  open.clear()
})

/**
 * Cuts all connections after each of `budgets`, in bytes of both directions. `isLast` refuses connections after the
 * last one.
 */
export async function cuttingProxy(
  to: string,
  budgets: readonly number[],
  { isLast = false } = {},
): Promise<CuttingProxy> {
  const { hostname, port } = new URL(to)
  const left = [...budgets]
  const sockets = new Set<Socket>()
  const state = { budget: left.shift() ?? Infinity, cuts: 0, passed: 0, isDown: false }
  const cut = () => {
    state.cuts += 1
    state.isDown = isLast && left.length === 0
    state.budget = left.shift() ?? Infinity
    const all = [...sockets]
    // after the last bytes are sent
    setImmediate(() => all.forEach((socket) => socket.destroy()))
  }
  const server = createServer((client) => {
    if (state.isDown) return void client.destroy()
    const target = connect(Number(port), hostname)
    const end = () => {
      client.destroy()
      target.destroy()
    }
    for (const [from, into] of [
      [client, target],
      [target, client],
    ] as const) {
      sockets.add(from)
      from.on('error', end)
      from.on('close', () => {
        sockets.delete(from)
        end()
      })
      let isCut = false
      from.on('data', (bytes: Buffer) => {
        if (isCut) return
        const part = bytes.subarray(0, state.budget)
        into.write(part)
        state.passed += part.length
        state.budget -= part.length
        if (state.budget > 0) return
        isCut = true
        cut()
      })
    }
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  open.add({
    close() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cuts: () => state.cuts,
    passed: () => state.passed,
    mend: () => void (state.isDown = false),
  }
}

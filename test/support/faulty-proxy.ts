/** A way to a server on which connections end, end on one side, come late or stand still, when told to.  [network] */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { setTimeout as rest } from 'node:timers/promises'
import { afterAll } from 'vitest'

export interface FaultyProxy {
  readonly port: number
  /** All open connections end at once. */
  readonly cut: () => void
  /** To who has called they look ended by the server, which is not told. */
  readonly halfClose: () => void
  /** What goes through from now on comes so many milliseconds late. */
  readonly delay: (milliseconds: number) => void
  /** Nothing goes through any more, and nobody is told; what was sent arrives when it goes on. */
  readonly standStill: () => void
  readonly goOn: () => void
}

const closing: (() => void)[] = []
afterAll(() => {
  for (const close of closing) close()
})

export async function faultyProxy(to: number): Promise<FaultyProxy> {
  const callers = new Map<Socket, Socket>()
  const state = { late: 0, still: undefined as Promise<void> | undefined, goOn: () => undefined as void }
  const server = createServer({ allowHalfOpen: true }, (caller) => {
    const target = connect({ port: to, host: '127.0.0.1', allowHalfOpen: true })
    callers.set(caller, target)
    caller.on('close', () => callers.delete(caller))
    for (const [from, into] of [
      [caller, target],
      [target, caller],
    ] as const) {
      // prettier-ignore
      from.on('error', () => into.destroy())
      pass(from, into).catch(() => into.destroy())
    }
  })
  /** In order. */
  const pass = async (from: Socket, into: Socket) => {
    for await (const bytes of from as AsyncIterable<Buffer>) {
      if (state.late > 0) await rest(state.late)
      await state.still
      if (!into.writableEnded) into.write(bytes)
    }
    await state.still
    into.end()
  }
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const cut = () => {
    for (const [caller, target] of callers) {
      caller.destroy()
      target.destroy()
    }
  }
  closing.push(() => {
    state.goOn()
    cut()
    server.close()
  })
  return {
    port: (server.address() as AddressInfo).port, // not a pipe: it has a port
    cut,
    halfClose() {
      for (const caller of callers.keys()) caller.end()
    },
    delay: (milliseconds) => void (state.late = milliseconds),
    standStill() {
      state.still ??= new Promise<void>((resolve) => (state.goOn = resolve))
    },
    goOn() {
      state.goOn()
      state.still = undefined
    },
  }
}

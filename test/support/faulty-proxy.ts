/** A proxy that cuts, half-closes, delays or stalls connections to a server on command.  [network] */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { setTimeout as rest } from 'node:timers/promises'
import { stopAtEnd } from './end-of-file.ts'

export interface FaultyProxy {
  readonly port: number
  /** Cuts all open connections. */
  readonly cut: () => void
  /** Ends connections towards the client only; the server is not informed. */
  readonly halfClose: () => void
  /** Delays later bytes by so many milliseconds. */
  readonly delay: (milliseconds: number) => void
  /** Stalls all bytes without closing connections; `goOn` delivers them. */
  readonly standStill: () => void
  readonly goOn: () => void
}

const closing: (() => void)[] = []
stopAtEnd(() => closing.splice(0).forEach((close) => close()))

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
  /** Passes bytes in order. */
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
    port: (server.address() as AddressInfo).port, // a TCP address has a port
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

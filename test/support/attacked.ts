/** A server process as an attacker reaches it: bytes to its port, signals, memory.  [disk, network, process] */
import type { ChildProcess } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

export interface Connected {
  readonly socket: Socket
  /** The bytes received so far, as Latin-1. */
  readonly received: () => string
  /** Resolves with all received bytes when the connection is closed. */
  readonly ended: Promise<string>
}

export function connectTo(url: string): Connected {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname).setNoDelay(true)
  let text = ''
  socket.on('data', (bytes: Buffer) => (text += bytes.toString('latin1'))).on('error', () => undefined)
  const ended = new Promise<string>((resolve) => socket.once('close', () => resolve(text)))
  return { socket, received: () => text, ended }
}

/** Statuses of the answers in order, without 100. */
export function statusesIn(text: string): number[] {
  return [...text.matchAll(/HTTP\/1\.1 (\d+) /g)]
    .map(([, status]) => Number(status))
    .filter((one) => one !== 100)
}

/** Stops the process for `ms`, as when a laptop is closed or a virtual machine is moved. */
export async function standStill({ pid }: ChildProcess, ms: number, meanwhile = () => {}): Promise<void> {
  if (pid === undefined) throw new Error('the process was not started')
  process.kill(pid, 'SIGSTOP')
  meanwhile()
  await pause(ms)
  process.kill(pid, 'SIGCONT')
}

/** MiB. Peak memory during `work`, beyond the current memory. */
export async function memoryDuring({ pid }: ChildProcess, work: () => Promise<unknown>): Promise<number> {
  const mib = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) /
    1024
  // reset the peak to the current memory
  writeFileSync(`/proc/${pid}/clear_refs`, '5')
  const before = mib('VmRSS')
  await work()
  return mib('VmHWM') - before
}

/** A chunked body with one byte per chunk. */
export function oneByteChunks(body: string): string {
  return `${Array.from(body, (byte) => `1\r\n${byte}\r\n`).join('')}0\r\n\r\n`
}

/** A server as a process of its own, as whoever attacks it sees it: bytes to its port, signals, its memory.  [disk, network, process] */
import type { ChildProcess } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

export interface Connected {
  readonly socket: Socket
  /** All that has come. */
  readonly received: () => string
  /** When the other side has closed, or broken it off. */
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

/** Statuses of the answers, in their order. */
export function statusesIn(text: string): number[] {
  return [...text.matchAll(/HTTP\/1\.1 (\d+) /g)]
    .map(([, status]) => Number(status))
    .filter((one) => one !== 100)
}

/** Stands still for so long: as a laptop that was closed, or a virtual machine that was moved. */
export async function standStill({ pid }: ChildProcess, ms: number, meanwhile = () => {}): Promise<void> {
  if (pid === undefined) throw new Error('the process was not started')
  process.kill(pid, 'SIGSTOP')
  meanwhile()
  await pause(ms)
  process.kill(pid, 'SIGCONT')
}

/** MiB beyond what it has now, at most, while this is done. */
export async function memoryDuring({ pid }: ChildProcess, work: () => Promise<unknown>): Promise<number> {
  const mib = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) /
    1024
  // the highest is that of now
  writeFileSync(`/proc/${pid}/clear_refs`, '5')
  const before = mib('VmRSS')
  await work()
  return mib('VmHWM') - before
}

/** A body in chunks of one byte: `before`, then so many `x`, then `after`. */
export function oneByteChunks(body: string): string {
  return `${Array.from(body, (byte) => `1\r\n${byte}\r\n`).join('')}0\r\n\r\n`
}

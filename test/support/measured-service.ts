/** `hla serve` whose event loop and memory are measured, request by request.  [disk, network] */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import type { WorstRequest } from './worst-requests.ts'

export interface Cost {
  readonly status: number
  /** For how long the loop was held, at most: ms. */
  readonly delay: number
  /** Memory at its highest beyond that before the request: MiB. */
  readonly memory: number
  /** Until the end of the answer: ms. */
  readonly time: number
}

export interface MeasuredService {
  readonly cost: (asked: WorstRequest) => Promise<Cost>
  readonly stop: () => void
}

/** `root`: of the project. */
export async function measuredService(
  root: string,
  folder: string,
  args: readonly string[] = [],
): Promise<MeasuredService> {
  const probe = join(root, 'test/support/probe.cjs')
  const words = [
    '--require',
    probe,
    join(root, 'bin/hla.cjs'),
    'serve',
    '--port',
    '0',
    '--access-log',
    'off',
    ...args,
  ]
  const env = { ...process.env, HOME: folder }
  const child = spawn(process.execPath, words, {
    cwd: folder,
    env,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  const url = await addressOf(child)
  const status = () => readFileSync(`/proc/${child.pid}/status`, 'utf8')
  const mib = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status())?.[1]) / 1024
  const held = async () => {
    child.send('?')
    const [{ delay }] = (await once(child, 'message')) as [{ delay: number }]
    return delay
  }
  return {
    stop: () => void child.kill('SIGKILL'),
    async cost(asked) {
      await held()
      // the highest is that of now
      writeFileSync(`/proc/${child.pid}/clear_refs`, '5')
      const before = mib('VmRSS')
      const started = performance.now()
      const answered = await send(url, asked)
      const time = performance.now() - started
      return { status: answered, delay: await held(), memory: mib('VmHWM') - before, time }
    },
  }
}

function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = ''
    child.stderr?.on('data', (bytes: Buffer) => {
      const found = /on (http:\S+)\n/.exec((said += bytes.toString()))?.[1]
      if (found !== undefined) resolve(found)
    })
    child.on('exit', () => reject(new Error(said)))
  })
}

/** The status; 0 when there was no answer. */
function send(url: string, { method, path, body }: WorstRequest): Promise<number> {
  return new Promise((resolve) => {
    const asked = request(
      url + path,
      { method, agent: false, headers: { connection: 'close' } },
      (answer) => {
        answer.resume()
        answer.on('end', () => resolve(answer.statusCode ?? 0)).on('error', () => resolve(0))
      },
    )
    asked.on('error', () => resolve(0)).end(body)
  })
}

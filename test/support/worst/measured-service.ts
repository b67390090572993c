/** `hla serve` whose event loop and memory are measured, request by request.  [disk, network] */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { tableShare } from '../../../src/service/table/table-share.ts'
import { DEFAULT_SERVICE } from '../../../src/service/options.ts'
import type { WorstRequest } from './requests.ts'

export interface Cost {
  /** 0: there was no answer in the time that a request has. */
  readonly status: number
  /** For how long the loop was held, at most: ms. */
  readonly delay: number
  /** Memory at its highest beyond that before the request, and beyond the share of tables where one is converted: MiB. */
  readonly memory: number
  /** Until the end of the answer: ms. */
  readonly time: number
}

export interface MeasuredService {
  readonly url: string
  readonly cost: (asked: WorstRequest) => Promise<Cost>
  /** Of whatever is done meanwhile; beyond no share. */
  readonly costOf: (ask: () => Promise<unknown>) => Promise<Omit<Cost, 'status'>>
  /** MiB that it has now. */
  readonly memory: () => number
  readonly stop: () => void
}

/** ms after which nobody waits for the answer any more: what a request costs has shown by then. */
const PATIENCE = 10_000
const MIB = 1024 ** 2

/** `root`: of the project. `dataDir`: of installed data, or the starter set. */
export async function measuredService(
  root: string,
  folder: string,
  dataDir = folder,
): Promise<MeasuredService> {
  const probe = join(root, 'test/support/worst/probe.cjs')
  const service = [join(root, 'bin/hla.cjs'), 'serve', '--port', '0', '--access-log', 'off']
  const env = { ...process.env, HOME: folder, HLA_DATA_DIR: dataDir }
  const child = spawn(process.execPath, ['--expose-gc', '--require', probe, ...service], {
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
  const costOf: MeasuredService['costOf'] = async (ask) => {
    await held()
    // the highest is that of now
    writeFileSync(`/proc/${child.pid}/clear_refs`, '5')
    const before = mib('VmRSS')
    const started = performance.now()
    await ask()
    const time = performance.now() - started
    return { delay: await held(), memory: mib('VmHWM') - before, time }
  }
  return {
    url,
    stop: () => void child.kill('SIGKILL'),
    memory: () => mib('VmRSS'),
    costOf,
    async cost(asked) {
      let answered = 0
      const cost = await costOf(async () => (answered = await send(url, asked)))
      const share = asked.path.startsWith('/table') ? tableShare(DEFAULT_SERVICE.maxTable, 1) / MIB : 0
      return { ...cost, memory: cost.memory - share, status: answered }
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

/** The status; 0 when there was no answer, or no end of it. */
function send(url: string, { method, path, body, headers }: WorstRequest): Promise<number> {
  return new Promise((resolve) => {
    const options = { method, agent: false, headers: { ...headers, connection: 'close' } }
    const asked = request(url + path, options, (answer) => {
      answer.resume()
      answer.on('end', () => resolve(answer.statusCode ?? 0)).on('error', () => resolve(0))
    })
    const late = setTimeout(() => asked.destroy(), PATIENCE)
    asked
      .on('error', () => resolve(0))
      .on('close', () => {
        clearTimeout(late)
        resolve(0)
      })
    asked.end(body)
  })
}

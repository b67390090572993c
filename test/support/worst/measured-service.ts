/** `hla serve` with measurements of its event loop and memory per request.  [disk, network] */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { tableShare } from '../../../src/service/table/table-share.ts'
import { DEFAULT_SERVICE } from '../../../src/service/options.ts'
import type { WorstRequest } from './requests.ts'

export interface Cost {
  /** 0: no answer within the time limit. */
  readonly status: number
  /** ms. Longest block of the event loop. */
  readonly delay: number
  /** MiB. Peak memory beyond that before the request; for tables also beyond their memory share. */
  readonly memory: number
  /** ms until the end of the answer. */
  readonly time: number
}

export interface MeasuredService {
  readonly url: string
  readonly cost: (asked: WorstRequest) => Promise<Cost>
  /** Cost of the service while `ask` runs, without a share. */
  readonly costOf: (ask: () => Promise<unknown>) => Promise<Omit<Cost, 'status'>>
  /** MiB in use. */
  readonly memory: () => number
  readonly stop: () => void
}

/** ms after which a request is cancelled: its cost is known by then. */
const PATIENCE = 10_000
const MIB = 1024 ** 2

/** `root`: the project. `dataDir`: installed data; default: the starter set. */
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
    // reset the peak to the current memory
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

/** Status; 0 without a complete answer. */
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

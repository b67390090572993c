/** `hla serve` as a monitored process: memory, open files, its log.  [disk, process] */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

export interface ServerOptions {
  /** If empty, the starter set answers. */
  readonly dataDir: string
  readonly folder: string
  readonly workers: number
}

export interface Server {
  readonly port: number
  readonly log: string
  /** Bytes, for each worker process. */
  readonly memory: () => number[]
  readonly openFiles: () => number
  /** Kills a worker; the service starts another. */
  readonly killWorker: () => void
  /** Stops the service, and starts it again on the same port. */
  readonly restart: () => Promise<void>
  /** Stops the service and returns its exit status. */
  readonly end: () => Promise<number | null>
}

// works from node_modules/.cache too, where `npm run soak` bundles this
const PROGRAM = join(import.meta.dirname, '../../bin/hla.cjs')

export async function startServer(options: ServerOptions): Promise<Server> {
  const log = join(options.folder, 'access.log')
  let { child, port } = await launch(options, log, 0)
  const processes = () => (options.workers > 1 ? childrenOf(child) : [child.pid ?? 0])
  const end = async () => {
    child.kill('SIGTERM')
    const [status] = (await once(child, 'exit')) as [number | null]
    return status
  }
  return {
    get port() {
      return port
    },
    log,
    memory: () => processes().map(memoryOf),
    openFiles: () => processes().reduce((sum, pid) => sum + readdirSync(`/proc/${pid}/fd`).length, 0),
    killWorker: () => void process.kill(processes()[0] ?? 0, 'SIGKILL'),
    async restart() {
      await end()
      ;({ child, port } = await launch(options, log, port))
    },
    end,
  }
}

async function launch({ dataDir, folder, workers }: ServerOptions, log: string, port: number) {
  const args = ['serve', '--port', `${port}`, '--workers', `${workers}`, '--access-log', log]
  // on a busy machine the crowd rarely sends requests, and must not time out
  const limits = ['--request-timeout', '3s', '--drain-timeout', '5s', '--idle-timeout', '10m']
  const env = {
    PATH: process.env['PATH'],
    HOME: folder,
    HLA_DATA_DIR: dataDir,
    HLA_SYSTEM_DATA_DIR: join(folder, 'none'),
  }
  const child = spawn(process.execPath, [PROGRAM, ...args, ...limits], {
    env,
    stdio: ['ignore', 'inherit', 'pipe'],
  })
  const found = await new Promise<number>((resolve, reject) => {
    let said = ''
    child.stderr.on('data', (bytes: Buffer) => {
      said += bytes.toString()
      const announced = /on http:\S+:(\d+)\n/.exec(said)?.[1]
      if (announced !== undefined) resolve(Number(announced))
    })
    child.on('exit', () => reject(new Error(said)))
  })
  await untilAllAnswer(found, workers)
  return { child, port: found }
}

/** The service announces the first worker; this waits for the others. */
async function untilAllAnswer(port: number, workers: number): Promise<void> {
  // a kept connection would lead to the previous process
  const headers = { connection: 'close' }
  for (;;) {
    const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`, { headers })).text()
    if (metrics.match(/^hla_info/gm)?.length === workers) return
    await pause(100)
  }
}

function childrenOf({ pid }: ChildProcess): number[] {
  return told(`/proc/${pid}/task/${pid}/children`).trim().split(' ').filter(Boolean).map(Number)
}

/** Resident memory in bytes. */
function memoryOf(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(told(`/proc/${pid}/status`))?.[1] ?? 0) * 1024
}

/** Empty for a process that has just ended. */
function told(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

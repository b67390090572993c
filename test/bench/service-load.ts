/**
 * A service under load: pinned to cores, with wrk or our own client, and its processor time.  [disk, network, process]
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { sharedPath } from '../support/shared.ts'
import type { LoadRequest, LoadResult } from './load-client.ts'

export const SECONDS = 3
export const CONNECTIONS = 32

export interface Server {
  readonly child: ChildProcess
  readonly port: number
  /** Cores of the server and of the client; undefined: any. */
  readonly cores?: string | undefined
}

export async function startServer(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  cores?: string,
): Promise<Server> {
  const [program, ...rest] = onCores(cores, [process.execPath, ...args])
  const child = spawn(program, rest, { env, stdio: ['ignore', 'ignore', 'pipe'] })
  const port = await new Promise<number>((resolve, reject) => {
    let said = ''
    child.stderr.on('data', (bytes: Buffer) => {
      said += bytes.toString()
      const found = /on http:\S+:(\d+)\s/.exec(said)?.[1]
      if (found !== undefined) resolve(Number(found))
    })
    child.on('exit', () => reject(new Error(said)))
  })
  return { child, port, cores }
}

function onCores(cores: string | undefined, command: [string, ...string[]]): [string, ...string[]] {
  return cores === undefined ? command : ['taskset', '-c', cores, ...command]
}

export interface Load {
  readonly bodies: string
  readonly script: string
  readonly first: RequestInit
}

/** Donors typed at five loci, to lgx. */
export function prepareLoad(folder: string): Load {
  const lines = gunzipSync(readFileSync(sharedPath('registry/wmda/don.gl.txt.gz')))
    .toString('latin1')
    .split('\n')
  const typings = lines
    .map((line) => line.split('%')[1] ?? '')
    .filter((typing) => typing.split('^').length === 5)
  const bodies = typings.map((gl_string) => JSON.stringify({ gl_string, reduction_method: 'lgx' }))
  const load = { bodies: join(folder, 'bodies.jsonl'), script: join(folder, 'post.lua') }
  writeFileSync(load.bodies, `${bodies.join('\n')}\n`)
  writeFileSync(
    load.script,
    `local requests = {}
local at = 0
function init()
  local headers = { ["content-type"] = "application/json" }
  for line in io.lines(${JSON.stringify(load.bodies)}) do
    requests[#requests + 1] = wrk.format("POST", "/redux", headers, line)
  end
end
function request()
  at = at % #requests + 1
  return requests[at]
end
`,
  )
  const headers = { 'content-type': 'application/json' }
  return { ...load, first: { method: 'POST', headers, body: bodies[0] ?? '' } }
}

/** Requests a second, and µs of processor time a request, summed over the server's processes. */
export async function fullLoad(server: Server, load: Load): Promise<{ rate: number; cost: number }> {
  const before = processorTime(server.child)
  const answered = existsSync('/usr/bin/wrk') ? await runWrk(server, load) : await runClient(server, load)
  const cost = ((processorTime(server.child) - before) * 1000) / answered
  return { rate: answered / SECONDS, cost }
}

async function runWrk({ port, cores }: Server, { script }: Load): Promise<number> {
  const args = ['-t1', `-c${CONNECTIONS}`, `-d${SECONDS}s`, '-s', script, `http://127.0.0.1:${port}`]
  const [program, ...rest] = onCores(cores, ['/usr/bin/wrk', ...args])
  const { stdout } = await promisify(execFile)(program, rest)
  if (stdout.includes('Non-2xx')) throw new Error(stdout)
  return Number(/(\d+) requests in/.exec(stdout)?.[1])
}

async function runClient({ port, cores }: Server, { bodies }: Load): Promise<number> {
  return (await loadClient({ port, bodies, connections: CONNECTIONS, seconds: SECONDS }, cores)).answered
}

export async function loadClient(request: LoadRequest, cores?: string): Promise<LoadResult> {
  const script = join(import.meta.dirname, 'load-client.mjs')
  const [program, ...rest] = onCores(cores, [process.execPath, script, JSON.stringify(request)])
  const { stdout } = await promisify(execFile)(program, rest)
  const result = JSON.parse(stdout) as LoadResult // load-client.ts prints this
  if (result.refused > 0) throw new Error(`${result.refused} requests were refused`)
  return result
}

/** ms of the process and of its children. */
function processorTime({ pid }: ChildProcess): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')
  return [String(pid), ...children].filter((one) => one !== '').reduce((sum, one) => sum + timeOf(one), 0)
}

/** Fields 14 and 15 of stat, in 1/100 s; the name before them may contain any character. */
function timeOf(pid: string): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1')
    .replace(/^.*\) /s, '')
    .split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

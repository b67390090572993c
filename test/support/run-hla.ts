/** Runs the built command line as its users do: in a folder and an environment of its own.  [disk] */
import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { join } from 'node:path'

export interface Ran {
  readonly stdout: string
  readonly stderr: string
  /** As a shell has it: 128 and the signal's number for a process that was killed. */
  readonly status: number
}

export interface RunOptions {
  readonly cwd: string
  readonly env?: Readonly<Record<string, string>>
  readonly stdin?: string | Uint8Array
  /** Instead of the checkout's own: a copy of it. */
  readonly program?: string
  /** Somebody without rights: for tests run by root, whom no permission stops. */
  readonly uid?: number
  /** Sent once, as soon as it has printed something; stdin stays open. */
  readonly signal?: NodeJS.Signals
  /** Milliseconds after which the signal is sent instead. */
  readonly after?: number
  /** … or as soon as what it printed on a stream holds this. */
  readonly when?: RegExp
}

const PROGRAM = join(import.meta.dirname, '../../bin/hla.cjs')

export function runHla(args: readonly string[], options: RunOptions): Promise<Ran> {
  return run(process.execPath, [options.program ?? PROGRAM, ...args], options)
}

/** A command line for bash, in which `hla` is the program; a pipe fails with what failed in it. */
export function runShell(command: string, options: RunOptions): Promise<Ran> {
  return run('bash', ['-o', 'pipefail', '-c', command], options)
}

/** Made before the tests and removed after them, by global-setup. */
export const RUN_FOLDER = process.env['HLA_TEST_RUN'] ?? ''

/** Nothing of the environment of whoever runs the tests but how to find programs. */
function cleanEnv(folder: string): Record<string, string> {
  return {
    PATH: `${join(RUN_FOLDER, 'bin')}:${process.env['PATH'] ?? ''}`,
    HOME: folder,
    // one for all: what V8 makes of the program
    XDG_CACHE_HOME: join(RUN_FOLDER, 'cache'),
    LANG: 'C.UTF-8',
    HLA_DATA_DIR: join(folder, 'data'),
    HLA_SYSTEM_DATA_DIR: join(folder, 'no-system-data'),
  }
}

function run(program: string, args: readonly string[], options: RunOptions): Promise<Ran> {
  const { cwd, env = {}, stdin = '', uid, signal, after, when = /^/ } = options
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd,
      env: { ...cleanEnv(cwd), ...env },
      ...(uid === undefined ? {} : { uid, gid: uid }),
    })
    let isSent = false
    const send = () => {
      if (signal !== undefined && !isSent) child.kill(signal)
      isSent = true
    }
    const timer = after === undefined ? undefined : setTimeout(send, after)
    const printed = { stdout: [] as Buffer[], stderr: [] as Buffer[] }
    for (const stream of ['stdout', 'stderr'] as const) {
      child[stream].on('data', (chunk: Buffer) => {
        printed[stream].push(chunk)
        if (after === undefined && when.test(Buffer.concat(printed[stream]).toString('utf8'))) send()
      })
    }
    // it may end before it has read everything
    child.stdin.on('error', () => undefined)
    child.stdin.write(stdin)
    if (signal === undefined) child.stdin.end()
    child.on('error', reject)
    child.on('close', (code, killer) => {
      clearTimeout(timer)
      const status = code ?? 128 + (killer === null ? 0 : constants.signals[killer])
      const text = (chunks: Buffer[]) => Buffer.concat(chunks).toString('utf8')
      resolve({ stdout: text(printed.stdout), stderr: text(printed.stderr), status })
    })
  })
}

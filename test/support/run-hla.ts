/** Runs the built command line as users do, in a separate folder and environment.  [disk] */
import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { join } from 'node:path'

export interface Ran {
  readonly stdout: string
  readonly stderr: string
  /** Exit status as in a shell: 128 plus the signal number for a killed process. */
  readonly status: number
}

export interface RunOptions {
  readonly cwd: string
  readonly env?: Readonly<Record<string, string>>
  readonly stdin?: string | Uint8Array
  /** Script of a copy of the program; default: the checkout's. */
  readonly program?: string
  /** An unprivileged user, for tests run by root, whom permissions do not restrict. */
  readonly uid?: number
  /** Sent once, as soon as the program prints something; stdin stays open. */
  readonly signal?: NodeJS.Signals
  /** Milliseconds after which the signal is sent instead. */
  readonly after?: number
  /** Pattern in a stream's output at which the signal is sent. */
  readonly when?: RegExp
}

const PROGRAM = join(import.meta.dirname, '../../bin/hla.cjs')

export function runHla(args: readonly string[], options: RunOptions): Promise<Ran> {
  return run(process.execPath, [options.program ?? PROGRAM, ...args], options)
}

/** Runs a bash command line in which `hla` is the program, with pipefail. */
export function runShell(command: string, options: RunOptions): Promise<Ran> {
  return run('bash', ['-o', 'pipefail', '-c', command], options)
}

/** Created before the tests and removed after them by global-setup. */
export const RUN_FOLDER = process.env['HLA_TEST_RUN'] ?? ''

/** Environment of the program; only PATH comes from the caller. */
export function cleanEnv(folder: string): Record<string, string> {
  return {
    PATH: `${join(RUN_FOLDER, 'bin')}:${process.env['PATH'] ?? ''}`,
    HOME: folder,
    // a common V8 code cache
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
    // the program may end before it has read all of stdin
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

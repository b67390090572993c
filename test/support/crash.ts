/** Kills processes that write to a store, and checks that acknowledged changes are kept.  [disk] */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** Acknowledged changes: names, sizes, and the seed of the bytes. A file whose seed is null was checked before. */
export interface Told {
  files: (readonly [title: string, size: number, seed: number | null])[]
  uploads: (readonly [name: string, received: number, seed: number])[]
}

export interface Ended {
  readonly status: number | null
  readonly signal: NodeJS.Signals | null
  readonly stderr: string
}

export interface Load {
  readonly child: ChildProcess
  /** Resolves with the first acknowledged change. */
  readonly started: Promise<void>
  readonly ended: Promise<Ended>
}

export function nothingTold(): Told {
  return { files: [], uploads: [] }
}

/** Starts a bundled store-load.ts, and adds its output to `told`. */
export function startLoad(
  script: string,
  args: readonly string[],
  told: Told,
  env: Record<string, string> = {},
): Load {
  const child = spawn(process.execPath, [script, ...args], { env: { ...process.env, ...env } })
  let stderr = ''
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
  const lines = createInterface({ input: child.stdout })
  const started = new Promise<void>((resolve) => {
    lines.on('line', (line) => {
      note(told, line)
      if (line !== 'ready') resolve()
    })
    lines.on('close', resolve)
  })
  const ended = new Promise<Ended>((resolve) =>
    child.on('close', (status, signal) => resolve({ status, signal, stderr })),
  )
  return { child, started, ended }
}

function note(told: Told, line: string): void {
  const [kind, name = '', amount, seed] = line.split(' ')
  if (seed === undefined) return
  if (kind === 'f') told.files.push([name, Number(amount), Number(seed)])
  else told.uploads.push([name, Number(amount), Number(seed)])
}

/** Problems of a store after its process has ended, found by a bundled store-verify.ts. */
export function problemsOf(script: string, folder: string, told: Told): unknown {
  const text = execFileSync(process.execPath, [script, folder], {
    input: JSON.stringify(told),
    encoding: 'utf8',
  })
  told.files = told.files.map(([title, size]) => [title, size, null])
  return JSON.parse(text)
}

/** Compiles a library that drops unsynced writes; undefined without a C compiler. */
export function powerLossLayer(target: string): string | undefined {
  if (process.platform !== 'linux' || spawnSync('cc', ['--version']).status !== 0) return undefined
  const source = join(import.meta.dirname, 'power-loss.c')
  execFileSync('cc', ['-O2', '-shared', '-fPIC', '-o', target, source, '-ldl', '-lpthread'])
  return target
}

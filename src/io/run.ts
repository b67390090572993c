/**
 * The run of the command line: its words and its standard streams. The process has one, on its own streams; a caller that
 * runs several commands in one process, as tests do, gives each streams of its own. There is one at a time, since the
 * environment and the working folder are the process's, where Node and commander look for them.  [disk]
 */
import { closeSync, createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'

/** File descriptors. */
export interface Streams {
  readonly input: number
  readonly output: number
  readonly messages: number
}

interface Run extends Streams {
  /** Command line without the program's name. */
  readonly words: readonly string[]
  /** Options that a settings file has added. */
  settings?: readonly string[]
  inputStream?: Readable
  /** Descriptors of files that it reads until it ends. */
  readonly open: number[]
}

export const STREAMS: Streams = { input: 0, output: 1, messages: 2 }

let run: Run = { ...STREAMS, words: process.argv.slice(2), open: [] }

/** The one whose command is being carried out. */
export function currentRun(): Run {
  return run
}

/** Whether the process ends with the run, which may then change how the process uses memory. */
export function ownsProcess(): boolean {
  return run.output === STREAMS.output
}

/** Carries out `work` as a run of its own. */
export async function asRun<T>(
  words: readonly string[],
  streams: Streams,
  work: () => Promise<T>,
): Promise<T> {
  const outer = run
  const inner = (run = { ...streams, words, open: [] })
  try {
    return await work()
  } finally {
    run = outer
    for (const file of inner.open) closeSync(file)
  }
}

/** Standard input. */
export function inputStream(): Readable {
  const { input } = run
  return (run.inputStream ??=
    input === STREAMS.input ? process.stdin : createReadStream('', { fd: input, autoClose: false }))
}

/** Path under which standard input is opened once more. */
export function inputPath(): string {
  return run.input === STREAMS.input ? '/dev/stdin' : `/dev/fd/${run.input}`
}

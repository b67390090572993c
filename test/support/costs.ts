/**
 * What test files cost: processor time, and what they start and wait for. Each appends a line to the run's folder, which
 * the summary of `npm run test:all` adds up.  [disk, process]
 */
import childProcess from 'node:child_process'
import { channel } from 'node:diagnostics_channel'
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import timers from 'node:timers/promises'
import { RUN_FOLDER } from './run-hla.ts'

/** Processor time of the tests and of the programs that they started and ended, and waiting, in seconds; else counts. */
export interface Costs {
  readonly tests: number
  readonly programs: number
  readonly hla: number
  readonly services: number
  readonly otherPrograms: number
  readonly pages: number
  readonly installs: number
  readonly waits: number
}

const NOTHING: Costs = {
  tests: 0,
  programs: 0,
  hla: 0,
  services: 0,
  otherPrograms: 0,
  pages: 0,
  installs: 0,
  waits: 0,
}

type Counted = { -readonly [Name in keyof Costs]: number }

/** Counted since the last file of this process ended. */
let counted: Counted = { ...NOTHING }
let [ownBefore, startedBefore] = [0, 0]

export function countPage(): void {
  counted.pages += 1
}

/** Which of the counts a started program belongs to. A shell counts once, whatever it starts. */
function kindOf(words: readonly string[]): 'hla' | 'services' | 'installs' | 'otherPrograms' {
  if (!words.some((word) => /(?:^|\/)(?:hla|hla\.cjs)$/.test(word))) return 'otherPrograms'
  if (words.includes('serve')) return 'services'
  return words.includes('install') ? 'installs' : 'hla'
}

/** Counts starts and waits in this process from now on. */
export function watchCosts(): void {
  if (isWatched) return
  isWatched = true
  channel('child_process').subscribe((message) => {
    const { process: child } = message as { readonly process: { readonly spawnargs?: readonly string[] } } // as documented
    // its arguments are set after it is announced
    queueMicrotask(() => (counted[kindOf(child.spawnargs ?? [])] += 1))
  })
  for (const name of ['spawnSync', 'execFileSync', 'execSync'] as const) {
    const run = childProcess[name] as (program: string, ...more: unknown[]) => unknown
    const counting = (program: string, ...more: unknown[]) => {
      counted[kindOf([program, ...(Array.isArray(more[0]) ? (more[0] as string[]) : [])])] += 1
      return run(program, ...more)
    }
    Object.assign(childProcess, { [name]: counting })
  }
  const wait = timers.setTimeout
  const counting = async <T>(...asked: Parameters<typeof timers.setTimeout<T>>) => {
    const began = performance.now()
    try {
      return await wait(...asked)
    } finally {
      counted.waits += (performance.now() - began) / 1000
    }
  }
  Object.assign(timers, { setTimeout: counting })
  syncBuiltinESMExports()
}

let isWatched = false

/** Ends the counts of a test file. */
export function noteCosts(file: string): void {
  if (RUN_FOLDER === '') return
  const { user, system } = process.cpuUsage()
  const [own, started] = [(user + system) / 1e6, startedSeconds()]
  const costs = { ...counted, tests: own - ownBefore, programs: started - startedBefore }
  appendFileSync(join(RUN_FOLDER, 'costs'), `${JSON.stringify({ file, ...costs })}\n`)
  counted = { ...NOTHING }
  ;[ownBefore, startedBefore] = [own, started]
}

/** Processor seconds of ended children and their children; 0 where the system does not tell. */
function startedSeconds(): number {
  if (process.platform !== 'linux') return 0
  // behind the name, which may hold blanks
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1)?.split(' ') ?? []
  return (Number(fields[13]) + Number(fields[14])) / 100
}

export interface FileCosts extends Costs {
  readonly file: string
}

/** Of the files that this run has ended so far. */
export function readCosts(): FileCosts[] {
  const list = join(process.env['HLA_TEST_RUN'] ?? '', 'costs')
  if (!existsSync(list)) return []
  const lines = readFileSync(list, 'utf8').trimEnd().split('\n')
  return lines.map((line) => JSON.parse(line) as FileCosts) // our own lines
}

export function describeCosts(files: readonly Costs[]): string {
  const sum = (name: keyof Costs) => files.reduce((total, one) => total + one[name], 0)
  const minutes = (seconds: number) => `${(seconds / 60).toFixed(1)} min`
  return [
    `Processor time: ${minutes(sum('tests') + sum('programs'))}, of it ${minutes(sum('programs'))} in programs that tests started.`,
    `Starts: hla ${sum('hla')}, services ${sum('services')}, other programs ${sum('otherPrograms')}; pages ${sum('pages')}; releases installed ${sum('installs')}; waited ${minutes(sum('waits'))}.`,
  ].join('\n')
}

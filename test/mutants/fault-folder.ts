/**
 * What a job that puts faults into the program and its test runs tell each other, as files of a folder: `fault` that is put in,
 * faults that are `reached` (switch.cjs), a `log` of what met what. All jobs share the plan and what was noticed.  [disk]
 */
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'

export interface FaultFolder {
  /** Puts a fault in, or `none`, for a test file, and logs it. */
  readonly put: (fault: string, test: string) => void
  /** Puts a fault in. What was reached before is forgotten. */
  readonly change: (fault: string) => void
  /** Faults that were reached since the last call, and where: process and thread. One that goes on notes a fault once. */
  readonly takeReached: () => [fault: string, where: string][]
  /** Faults that a test file may notice, without those that it met already. */
  readonly ofTest: (test: string) => string[]
  /** A test file meets a fault in a process of its own. */
  readonly leave: (fault: string, test: string) => void
  readonly left: () => [fault: string, test: string][]
  readonly notice: (fault: string, by: string) => void
  readonly isNoticed: (fault: string) => boolean
  /** Fault -> what noticed it. */
  readonly noticed: () => ReadonlyMap<string, string>
  /** What was put in last, for any test file or for one. */
  readonly last: (
    test?: string,
  ) => { readonly at: number; readonly fault: string; readonly test: string } | undefined
  readonly met: () => ReadonlySet<string>
  /** A test file that fails without a fault notices none. */
  readonly refuse: (test: string) => void
  readonly refused: () => string[]
  /** A test file has met all that it may. */
  readonly finish: (test: string) => void
  readonly isDone: (test: string) => boolean
}

/** Test file -> faults of its wing. */
export type Plan = Readonly<Record<string, readonly string[]>>

/** `job`: its folder, in one that the jobs share. */
export function makeFaultFolder(shared: string, job: string, plan: Plan): string {
  const folder = join(shared, job)
  for (const one of [shared, folder, join(shared, 'noticed')]) {
    mkdirSync(one, { recursive: true })
    // programs of another user read the fault, and note what they reach
    chmodSync(one, 0o755)
  }
  writeFileSync(join(shared, 'plan.json'), JSON.stringify(plan))
  for (const name of ['fault', 'reached', 'log', 'left', 'refused', 'done'])
    writeFileSync(join(folder, name), '')
  chmodSync(join(folder, 'reached'), 0o666)
  return folder
}

export function openFaults(folder: string): FaultFolder {
  const path = (name: string) => join(folder, name)
  const shared = join(folder, '..')
  const rows = (name: string) =>
    readFileSync(path(name), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as [at: number, fault: string, test: string])
  const add = (name: string, fault: string, test: string) =>
    appendFileSync(path(name), `${JSON.stringify([Date.now(), fault, test])}\n`)
  let taken = 0
  const change = (fault: string) => {
    taken = 0
    writeFileSync(path('fault'), fault)
    writeFileSync(path('reached'), '')
    Object.assign(globalThis, { faultSwitch: undefined })
  }
  const noticedFile = (fault: string) => join(shared, 'noticed', fault)
  const metBy = (test: string) =>
    new Set([...rows('log'), ...rows('left')].filter((row) => row[2] === test).map((row) => row[1]))
  return {
    put: (fault, test) => {
      add('log', fault, test)
      change(fault)
    },
    change,
    takeReached: () => {
      const rest = readFileSync(path('reached'), 'utf8').split('\n').slice(taken, -1)
      taken += rest.length
      Object.assign(globalThis, { faultSwitch: undefined })
      return rest.map((line) => line.split(' ') as [string, string])
    },
    ofTest: (test) => {
      const plan = JSON.parse(readFileSync(join(shared, 'plan.json'), 'utf8')) as Plan
      const met = metBy(test)
      return (plan[test] ?? []).filter((fault) => !met.has(fault))
    },
    leave: (fault, test) => add('left', fault, test),
    left: () => rows('left').map(([, fault, test]) => [fault, test]),
    notice: (fault, by) => writeFileSync(noticedFile(fault), by),
    isNoticed: (fault) => existsSync(noticedFile(fault)),
    noticed: () =>
      new Map(
        readdirSync(join(shared, 'noticed')).map((fault) => [
          fault,
          readFileSync(noticedFile(fault), 'utf8'),
        ]),
      ),
    last: (test) => {
      const row = rows('log').findLast((one) => test === undefined || one[2] === test)
      return row && { at: row[0], fault: row[1], test: row[2] }
    },
    met: () => new Set([...rows('log'), ...rows('left')].map(([, fault]) => fault)),
    refuse: (test) => add('refused', '', test),
    refused: () => rows('refused').map((row) => row[2]),
    finish: (test) => add('done', '', test),
    isDone: (test) => rows('done').some((row) => row[2] === test),
  }
}

/**
 * Puts random faults into the program, one at a time, and shows which of them the tests of their wing notice. A copy of the project
 * is built once with all of them, each behind a switch (switches.ts); each test file runs as it is, then with each fault that it
 * has reached (fault-runner.ts): quick files first, and no more once a fault is noticed.  [disk, process]
 */
import { execFile } from 'node:child_process'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { leftOutFiles, readSlowFiles } from '../support/cut.ts'
import { listProjects } from '../support/projects.ts'
import { wingOf } from '../support/wings.ts'
import { copyProject, lateAfter, MAX_BUILD_SECONDS, run } from './copy.ts'
import { EQUIVALENT } from './equivalent.ts'
import { type FaultFolder, makeFaultFolder, openFaults } from './fault-folder.ts'
import type { Mend } from './mends.ts'
import { type Fault, withFault } from './random-faults.ts'
import { withSwitches } from './switches.ts'

/** Test files of a run of Vitest: a start costs some seconds, and a run that is ended begins again. */
const GROUP = { files: 12, seconds: 120 }

/** A test file is ended with a fault after `times` its measured duration plus `start` seconds. */
const LATE = { times: 3, start: 60 }

/** What a developer and what a merge runs. */
type TestRun = 'npm test' | 'a merge'

export type Outcome =
  | {
      readonly is: 'noticed'
      readonly run: TestRun
      /** Test file, name and first line of what it says. */
      readonly by: string
    }
  /** The compiler refuses it, so it could not be merged. */
  | { readonly is: 'refused' }
  /** Listed in equivalent.ts: no test can notice it. */
  | { readonly is: 'equivalent'; readonly reason: string }
  | { readonly is: 'survived' }
  /** No test of its wing runs its place. */
  | { readonly is: 'not reached' }

/** Tests of what is stated or answered, whatever part of the program finds it. */
const FACES: ReadonlySet<string> = new Set(['test/docs/pages.test.ts', 'test/freeze/freeze.test.ts', 'test/freeze/texts.test.ts', 'test/transcripts.test.ts']) // prettier-ignore

/** Whether a test belongs to the wing of a file of `src`, or to those of what is stated or answered. */
const isOfWing = (test: string, file: string): boolean => wingOf(test) === wingOf(file) || FACES.has(test)

/** Measured seconds; unlisted files are fast. */
const { seconds: SECONDS } = readSlowFiles()
const secondsOf = (file: string) => SECONDS[file] ?? 1

/** Compiles incrementally: only changes since the previous fault. */
const COMPILE = ['tsc', '-p', 'tsconfig.json', '--noEmit', '--incremental', '--tsBuildInfoFile', 'dist/faults.tsbuildinfo', '--pretty', 'false'] // prettier-ignore

/** A text of a file, and what is put in its place. */
type Change = Pick<Fault, 'file' | 'start' | 'from' | 'to'>

/** `root` must be built. `tell`: as soon as it is known. */
export async function judgeFaults(
  root: string,
  faults: readonly Fault[],
  jobs: number,
  tell: (fault: Fault, outcome: Outcome) => void,
): Promise<Outcome[]> {
  const outcomes = new Map<Fault, Outcome>()
  const settle = (fault: Fault, outcome: Outcome) => {
    if (outcomes.has(fault)) return
    outcomes.set(fault, outcome)
    tell(fault, outcome)
  }
  const slow = new Set(leftOutFiles().map(([file]) => file))
  const runOf = (by: string) => (slow.has(/^[^:\t]*/.exec(by)?.[0] ?? '') ? 'a merge' : 'npm test')
  return inCopies(root, jobs, async (copies) => {
    for (const fault of faults) {
      const reason = reasonOf(fault)
      if (reason !== undefined) settle(fault, { is: 'equivalent', reason })
    }
    const rest = faults.filter((one) => !outcomes.has(one))
    await refuseFaults(copies, rest, (fault) => settle(fault, { is: 'refused' }))
    const judged = faults.filter((one) => !outcomes.has(one))
    const plan = listTests().map((test) => [test, judged.filter(({ file }) => isOfWing(test, file))] as const)
    const met = await meetAll(copies, new Map(plan), (fault, by) => {
      settle(fault, { is: 'noticed', run: runOf(by), by })
    })
    const inPages = judged.filter((fault) => isOfPage(fault.file) && !outcomes.has(fault))
    await inTurns(copies, inPages, async (copy, fault) => {
      const isNoticed = await isNoticedInBrowser({ root, copy }, fault)
      settle(fault, isNoticed ? { is: 'noticed', run: 'a merge', by: 'tests of pages' } : { is: 'survived' })
    })
    for (const fault of judged) settle(fault, { is: met.has(fault) ? 'survived' : 'not reached' })
    return [...outcomes.values()]
  })
}

/** Which of these are noticed by the test that is named beside them. `tell`: as soon as one is. */
export function judgeMends(
  root: string,
  mends: readonly Mend[],
  jobs: number,
  tell: (mend: Mend, by: string) => void,
): Promise<ReadonlySet<Mend>> {
  const changed = mends.map(({ file, text, instead }) => {
    const start = readFileSync(join(root, file), 'utf8').indexOf(text)
    return { file, start, from: text, to: instead }
  })
  const plan = new Map(mends.map(({ test }) => [test, changed.filter((_, at) => mends[at]?.test === test)]))
  return inCopies(root, jobs, async (copies) => {
    const noticed = new Set<Mend>()
    await meetAll(copies, plan, (change, by) => {
      const mend = mends[changed.indexOf(change)]
      if (mend === undefined || noticed.has(mend)) return
      noticed.add(mend)
      tell(mend, by)
    })
    return noticed
  })
}

async function inCopies<T>(
  root: string,
  jobs: number,
  work: (copies: readonly string[]) => Promise<T>,
): Promise<T> {
  const copies = Array.from({ length: jobs }, () => copyProject(root))
  try {
    return await work(copies.map(({ folder }) => folder))
  } finally {
    for (const { end } of copies) end()
  }
}

/** `plan`: test file -> changes that it meets. `tell`: what noticed one. Those that a test has reached. */
async function meetAll<C extends Change>(
  copies: readonly string[],
  plan: ReadonlyMap<string, readonly C[]>,
  tell: (change: C, by: string) => void,
): Promise<ReadonlySet<C>> {
  const changes = [...new Set([...plan.values()].flat())]
  const shared = mkdtempSync(join(tmpdir(), 'hla-faults-'))
  const ids = Object.fromEntries(
    [...plan].map(([test, those]) => [test, those.map((one) => String(changes.indexOf(one)))]),
  )
  const places = copies.map((copy, at) => ({ copy, folder: makeFaultFolder(shared, String(at), ids) }))
  const tests = [...plan.keys()].toSorted((one, other) => secondsOf(one) - secondsOf(other))
  const sound = new Map(changes.map(({ file }) => [file, readFileSync(join(copies[0] ?? '', file))]))
  try {
    await Promise.all(places.map((place) => buildWith(place, changes)))
    await inTurns(places, inGroups(tests), async (place, group) => {
      await meetGroup(place, group)
      for (const [id, by] of openFaults(place.folder).noticed()) {
        const change = changes[Number(id)]
        if (change !== undefined) tell(change, by)
      }
    })
    const refused = places.flatMap(({ folder }) => openFaults(folder).refused())
    process.stderr.write(refused.map((test) => `${test} fails without a fault\n`).join(''))
    const met = new Set(places.flatMap(({ folder }) => [...openFaults(folder).met()]))
    return new Set(changes.filter((_, at) => met.has(String(at))))
  } finally {
    for (const copy of copies) for (const [file, text] of sound) writeFileSync(join(copy, file), text)
    rmSync(shared, { recursive: true, force: true, maxRetries: 3 })
  }
}

const isOfPage = (file: string): boolean => wingOf(file) === 'pages'

/** Whether the tests of a page notice a fault in a browser, where no switch is: all is built with it. */
export async function isNoticedInBrowser(
  { root, copy }: { readonly root: string; readonly copy: string },
  fault: Fault,
): Promise<boolean> {
  // tests of a service begin with its folder
  const [, part = ''] = fault.file.split('/')
  const isMeant = (test: string) =>
    part === 'web' || [part, 'web'].some((one) => test.startsWith(`test/${one}/`))
  const tests = listTests().filter((test) => isOfPage(test) && isMeant(test))
  const seconds = tests.reduce((sum, test) => sum + limitOf(test) / 1000, 0)
  const sound = readFileSync(join(root, fault.file), 'utf8')
  const passes = async (text: string) => {
    writeFileSync(join(copy, fault.file), text)
    await build(copy)
    return (await vitest(copy, ['--bail', '1', ...tests], lateAfter(seconds))).status === 0
  }
  const faulty = withFault(sound, fault)
  return !(await passes(faulty)) && (await passes(sound)) && !(await passes(faulty))
}

/** Quick ones first. */
function listTests(): string[] {
  const { unit, system, apart } = listProjects()
  return [...unit, ...system, ...apart].toSorted((one, other) => secondsOf(one) - secondsOf(other))
}

/** Why no test can notice a fault, from equivalent.ts; else undefined. */
export function reasonOf(fault: Pick<Fault, 'file' | 'from' | 'to' | 'text'>): string | undefined {
  return EQUIVALENT.find(
    ({ file, from, to, text }) =>
      file === fault.file && from === fault.from && to === fault.to && text === fault.text,
  )?.reason
}

/** Each place takes the next item when it has done one. */
async function inTurns<P, T>(
  places: readonly P[],
  items: readonly T[],
  work: (place: P, item: T) => Promise<void>,
) {
  const rest = [...items]
  const next = async (place: P): Promise<void> => {
    for (let item = rest.shift(); item !== undefined; item = rest.shift()) await work(place, item)
  }
  await Promise.all(places.map(next))
}

/** Compiles faults of distinct files together; where an error stands in a file without one, halves of them. */
async function refuseFaults(
  copies: readonly string[],
  faults: readonly Fault[],
  refuse: (fault: Fault) => void,
): Promise<void> {
  const rounds: Fault[][] = []
  for (const fault of faults) {
    const round = rounds.find((one) => one.every(({ file }) => file !== fault.file))
    if (round === undefined) rounds.push([fault])
    else round.push(fault)
  }
  const check = async (copy: string, round: readonly Fault[]): Promise<void> => {
    if (round.length === 0) return
    const wrong = await wrongFiles(copy, round)
    if (wrong.size === 0) return
    for (const fault of round) if (wrong.has(fault.file) || round.length === 1) refuse(fault)
    const rest = round.filter(({ file }) => !wrong.has(file))
    if (rest.length + wrong.size === round.length || round.length === 1) return
    const half = Math.ceil(rest.length / 2)
    await check(copy, rest.slice(0, half))
    await check(copy, rest.slice(half))
  }
  await inTurns(copies, rounds, check)
}

/** Files that do not compile with these faults in them. */
async function wrongFiles(folder: string, faults: readonly Fault[]): Promise<ReadonlySet<string>> {
  const sound = faults.map(({ file }) => readFileSync(join(folder, file), 'utf8'))
  for (const [at, fault] of faults.entries())
    writeFileSync(join(folder, fault.file), withFault(sound[at] ?? '', fault))
  const said = await compile(folder)
  for (const [at, { file }] of faults.entries()) writeFileSync(join(folder, file), sound[at] ?? '')
  const wrong = [...said.matchAll(/^(\S+?)\(\d+,\d+\): error/gm)].map(([, file = '']) => file)
  if (said !== '' && wrong.length === 0) throw new Error(said)
  return new Set(wrong)
}

/** What the compiler says; empty where all is well. */
function compile(cwd: string): Promise<string> {
  return new Promise((resolve) => {
    execFile('npx', COMPILE, { cwd, timeout: 1000 * MAX_BUILD_SECONDS, maxBuffer: 1e9 }, (error, output) => {
      resolve(error === null ? '' : output || error.message)
    })
  })
}

/** A copy of the project, and the folder that says what is put into it. */
interface Place {
  readonly copy: string
  readonly folder: string
}

/** Builds a copy with all changes behind switches, none of them put in. */
async function buildWith({ copy, folder }: Place, changes: readonly Change[]): Promise<void> {
  copyFileSync(join(copy, 'test/mutants/switch.cjs'), join(folder, 'switch.cjs'))
  openFaults(folder).change('none')
  for (const file of new Set(changes.map((one) => one.file))) {
    const path = join(copy, file)
    const own = [...changes.entries()].filter(([, one]) => one.file === file)
    const spans = own.map(
      ([at, { start, from, to }]) => [at, { start, end: start + from.length, to }] as const,
    )
    writeFileSync(path, withSwitches(file, readFileSync(path, 'utf8'), new Map(spans), folder))
  }
  await build(copy)
}

/** Types are checked elsewhere. */
async function build(copy: string): Promise<void> {
  const steps = ['tsc -p src/tsconfig.build.json --noCheck', ...['starter', 'page', 'cli'].map((part) => `npm run --silent build:${part}`)] // prettier-ignore
  for (const step of steps) {
    const { status } = await run('npx', ['-c', step], { cwd: copy, isLate: lateAfter(MAX_BUILD_SECONDS) })
    if (status !== 0) throw new Error(`${step}: status ${status}`)
  }
}

function inGroups(files: readonly string[]): string[][] {
  const groups: string[][] = []
  let seconds = Infinity
  for (const file of files) {
    seconds += secondsOf(file)
    if (seconds > GROUP.seconds || groups.at(-1)?.length === GROUP.files) {
      groups.push([])
      seconds = secondsOf(file)
    }
    groups.at(-1)?.push(file)
  }
  return groups
}

/** Test files meet those of their faults that are not noticed yet. */
async function meetGroup({ copy, folder }: Place, group: readonly string[]): Promise<void> {
  const faults = openFaults(folder)
  const isOver = (test: string) =>
    faults.isDone(test) || faults.ofTest(test).every((fault) => faults.isNoticed(fault))
  for (;;) {
    const rest = group.filter((test) => !isOver(test))
    if (rest.length === 0) break
    const began = Date.now()
    const isLate = () => {
      const { at, test } = faults.last() ?? { at: 0, test: '' }
      return Date.now() - Math.max(at, began) > limitOf(test)
    }
    const { isEnded } = await vitest(copy, rest, isLate, { HLA_TEST_FAULTS: folder })
    const last = faults.last()
    // an end without a fault says nothing of faults
    if (last === undefined || last.at < began) for (const test of rest) faults.finish(test)
    for (const test of rest.filter((one) => !faults.isDone(one))) {
      const { at, fault } = faults.last(test) ?? { at: 0, fault: 'none' }
      if (at < began) continue
      if (fault === 'none') faults.finish(test)
      else if (isEnded && last?.test === test)
        faults.notice(fault, `${test}\tdoes not end as it does without the fault`)
      // its process ended, by the fault or by what that left behind
      else faults.leave(fault, test)
    }
  }
  for (const [fault, test] of faults.left())
    if (group.includes(test) && !faults.isNoticed(fault)) await meetAlone(copy, faults, fault, test)
}

/** In a process of its own. */
async function meetAlone(copy: string, faults: FaultFolder, fault: string, test: string): Promise<void> {
  const isPassed = async (put: string) => {
    faults.change(put)
    const { status } = await vitest(copy, [test], lateAfter(limitOf(test) / 1000))
    return status === 0
  }
  if (!(await isPassed(fault)) && (await isPassed('none')) && !(await isPassed(fault)))
    faults.notice(fault, `${test}\tfails`)
}

const limitOf = (test: string): number => 1000 * (LATE.start + LATE.times * secondsOf(test))

function vitest(
  cwd: string,
  files: readonly string[],
  isLate: () => boolean,
  env: Readonly<Record<string, string>> = {},
) {
  return run('npx', ['vitest', 'run', '--config', 'test/vitest.config.ts', '--passWithNoTests', ...files], { cwd, isLate, env }) // prettier-ignore
}

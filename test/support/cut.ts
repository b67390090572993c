/** The subset that `npm test` runs, and test reporters for left-out files and durations (test/slow-files.json). */
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Reporter, TestModule } from 'vitest/node'
import { type Costs, describeCosts, readCosts } from './costs.ts'
import { readSkipped } from './skipped.ts'

const ROOT = join(import.meta.dirname, '../..')
const FACTS = join(ROOT, 'test/slow-files.json')

export interface SlowFiles {
  readonly measured: string
  /** `npm test` leaves out files that took at least this many seconds. */
  readonly leftOutFrom: number
  /** Part of the program -> the test file that `npm test` always runs for it. */
  readonly always: Readonly<Record<string, string>>
  /** Seconds per slow file, as `npm run test:times` writes them. */
  readonly seconds: Readonly<Record<string, number>>
}

export function readSlowFiles(): SlowFiles {
  return JSON.parse(readFileSync(FACTS, 'utf8')) as SlowFiles // our own file, checked by a test
}

/** Left-out files with their seconds, slowest first. */
export function leftOutFiles({ always, seconds }: SlowFiles = readSlowFiles()): [string, number][] {
  const kept = new Set(Object.values(always))
  return Object.entries(seconds)
    .filter(([file]) => !kept.has(file))
    .toSorted(([, one], [, other]) => other - one)
}

const CLASSES = [60, 30, 0]

/** One line per class of duration. */
export function describeLeftOut(files: readonly (readonly [string, number])[], least: number): string[] {
  const seconds = files.reduce((sum, [, took]) => sum + took, 0)
  const lines = CLASSES.map((from, at) => {
    const below = CLASSES[at - 1] ?? Infinity
    const those = files.filter(([, took]) => took >= from && took < below)
    const names = those.map(
      ([file, took]) => `${file.replace(/^test\/|\.test\.ts$/g, '')} ${Math.round(took)} s`,
    )
    return those.length === 0 ? '' : `  ${Math.max(from, least)} s and more: ${names.join(', ')}`
  })
  return [
    `Left out, since they take long: ${files.length} files, ${Math.round(seconds / 60)} minutes of one processor.`,
    ...lines.filter((line) => line !== ''),
    '`npm run test:all` runs everything; `npx vitest run --config test/vitest.config.ts FILE` runs one.',
  ]
}

/** Names files that took `MANY` times as long as `npm test` allows, and that it runs, since the list lacks them. */
export function describeUnlisted(took: readonly (readonly [string, number])[], facts: SlowFiles): string[] {
  const always = new Set(Object.values(facts.always))
  const slow = took
    .filter(([file, seconds]) => seconds >= MANY * facts.leftOutFrom && !(file in facts.seconds))
    .filter(([file]) => !always.has(file))
    .map(([file]) => file)
  return slow.length === 0
    ? []
    : [`Slow and not in test/slow-files.json: npm run test:times -- ${slow.join(' ')}`]
}

/** Files of a run beside others take longer than alone. */
const MANY = 5

const tookIn = (modules: readonly TestModule[]) =>
  modules.map((one) => [relative(ROOT, one.moduleId), secondsOf(one)] as const)

export const leftOutReporter: Reporter = {
  onTestRunEnd(modules: readonly TestModule[]) {
    const facts = readSlowFiles()
    const lines = [
      ...describeLeftOut(leftOutFiles(facts), facts.leftOutFrom),
      ...describeUnlisted(tookIn(modules), facts),
    ]
    process.stdout.write(`${lines.join('\n')}\n`)
  },
}

function secondsOf(one: TestModule): number {
  const { prepareDuration, collectDuration, duration } = one.diagnostic()
  return (prepareDuration + collectDuration + duration) / 1000
}

/** Writes the durations of this run's files; entries of other files stay. */
export const timesReporter: Reporter = {
  onTestRunEnd(modules: readonly TestModule[]) {
    const facts = readSlowFiles()
    const took = new Map(Object.entries(facts.seconds).filter(([file]) => existsSync(join(ROOT, file))))
    for (const one of modules) {
      const file = relative(ROOT, one.moduleId)
      const seconds = Math.round(secondsOf(one))
      // a failed file may have ended early
      if (one.state() === 'passed' && seconds < facts.leftOutFrom) took.delete(file)
      else if (one.state() === 'passed') took.set(file, seconds)
    }
    const seconds = Object.fromEntries([...took].toSorted(([one], [other]) => (one < other ? -1 : 1)))
    const measured = new Date().toISOString().slice(0, 10)
    writeFileSync(FACTS, `${JSON.stringify({ ...facts, measured, seconds }, undefined, 2)}\n`)
  },
}

const processorTime = ({ tests, programs }: Costs) => tests + programs

/**
 * Prints what the run cost, skipped tests and the ten slowest files at the end, and appends them to HLA_TEST_SUMMARY. Writes failed files
 * to HLA_TEST_FAILED, unless there are errors outside of tests.
 */
export const summaryReporter: Reporter = {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly unknown[]) {
    const name = (one: TestModule) => relative(ROOT, one.moduleId)
    const countSkipped = (one: TestModule) => [...one.children.allTests('skipped')].length
    const slowest = [...modules].toSorted((one, other) => secondsOf(other) - secondsOf(one)).slice(0, 10)
    const skipping = modules.filter((one) => countSkipped(one) > 0)
    const costs = readCosts()
    const dearest = costs.toSorted((one, other) => processorTime(other) - processorTime(one)).slice(0, 10)
    const line = (took: number, file: string) => `  ${took.toFixed(1).padStart(6)} s  ${file}`
    const lines = [
      describeCosts(costs),
      'Most processor time:',
      ...dearest.map((one) => line(processorTime(one), one.file)),
      'Slowest files:',
      ...slowest.map((one) => line(secondsOf(one), name(one))),
      `Skipped tests: ${skipping.length === 0 ? 'none' : ''}`,
      ...skipping.map((one) => `  ${name(one)}: ${countSkipped(one)}`),
      ...readSkipped().map((what) => `  ${what}`),
      ...describeUnlisted(tookIn(modules), readSlowFiles()),
    ]
    const text = `${lines.join('\n')}\n`
    process.stdout.write(text)
    const file = process.env['HLA_TEST_SUMMARY']
    if (file !== undefined) appendFileSync(file, text)
    const failed = modules.filter((one) => !one.ok())
    const list = process.env['HLA_TEST_FAILED']
    if (list !== undefined && unhandled.length === 0)
      writeFileSync(list, failed.map((one) => `${name(one)}\n`).join(''))
  },
}

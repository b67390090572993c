/** The cut of `npm test`: which files it leaves out, says so when it ends, and how long each took (test/slow-files.json). */
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Reporter, TestModule } from 'vitest/node'

const ROOT = join(import.meta.dirname, '../..')
const FACTS = join(ROOT, 'test/slow-files.json')

export interface SlowFiles {
  readonly measured: string
  /** A file that took as many seconds is left out of `npm test`. */
  readonly leftOutFrom: number
  /** What `npm test` is to have of every part of the program, and the file that has it: in the run however long it takes. */
  readonly always: Readonly<Record<string, string>>
  /** Seconds of each file that took so long: `npm run test:times` writes them. */
  readonly seconds: Readonly<Record<string, number>>
}

export function readSlowFiles(): SlowFiles {
  return JSON.parse(readFileSync(FACTS, 'utf8')) as SlowFiles // our own file, which a test looks at
}

/** Of `npm run test:shared`; with HLA_LONG those that take long, too. */
export function sharedFiles(): string[] {
  const { files, long } = JSON.parse(readFileSync(join(ROOT, 'test/shared-files.json'), 'utf8')) as Record<
    'files' | 'long',
    readonly string[]
  > // our own file, which a test looks at
  return process.env['HLA_LONG'] === undefined ? [...files] : [...files, ...long]
}

/** With their seconds, the slowest first. */
export function leftOutFiles({ always, seconds }: SlowFiles = readSlowFiles()): [string, number][] {
  const kept = new Set(Object.values(always))
  return Object.entries(seconds)
    .filter(([file]) => !kept.has(file))
    .toSorted(([, one], [, other]) => other - one)
}

const CLASSES = [60, 30, 0]

/** A line for each class of duration. */
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

export const leftOutReporter: Reporter = {
  onTestRunEnd() {
    const facts = readSlowFiles()
    process.stdout.write(`${describeLeftOut(leftOutFiles(facts), facts.leftOutFrom).join('\n')}\n`)
  },
}

/** Writes down how long the files of this run took; what the file says of others stays. */
export const timesReporter: Reporter = {
  onTestRunEnd(modules: readonly TestModule[]) {
    const facts = readSlowFiles()
    const took = new Map(Object.entries(facts.seconds).filter(([file]) => existsSync(join(ROOT, file))))
    for (const one of modules) {
      const file = relative(ROOT, one.moduleId)
      const { prepareDuration, collectDuration, duration } = one.diagnostic()
      const seconds = Math.round((prepareDuration + collectDuration + duration) / 1000)
      // what failed may have ended early
      if (one.state() === 'passed' && seconds < facts.leftOutFrom) took.delete(file)
      else if (one.state() === 'passed') took.set(file, seconds)
    }
    const seconds = Object.fromEntries([...took].toSorted(([one], [other]) => (one < other ? -1 : 1)))
    const measured = new Date().toISOString().slice(0, 10)
    writeFileSync(FACTS, `${JSON.stringify({ ...facts, measured, seconds }, undefined, 2)}\n`)
  },
}

/**
 * Files and tests that were skipped, and the ten slowest files: printed at the end, and written to HLA_TEST_SUMMARY for
 * what prints it later. Files that failed are written to HLA_TEST_FAILED, unless an error belongs to none of them.
 */
export const summaryReporter: Reporter = {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly unknown[]) {
    const name = (one: TestModule) => relative(ROOT, one.moduleId)
    const seconds = (one: TestModule) => {
      const { prepareDuration, collectDuration, duration } = one.diagnostic()
      return (prepareDuration + collectDuration + duration) / 1000
    }
    const skippedIn = (one: TestModule) => [...one.children.allTests('skipped')].length
    const slowest = [...modules].toSorted((one, other) => seconds(other) - seconds(one)).slice(0, 10)
    const skipping = modules.filter((one) => skippedIn(one) > 0)
    const lines = [
      'Slowest files:',
      ...slowest.map((one) => `  ${seconds(one).toFixed(1).padStart(6)} s  ${name(one)}`),
      `Skipped tests: ${skipping.length === 0 ? 'none' : ''}`,
      ...skipping.map((one) => `  ${name(one)}: ${skippedIn(one)}`),
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

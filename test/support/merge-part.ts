/**
 * At a merge a slow file (test/slow-files.json) runs a fifth of its tests; the commit decides which. A group whose
 * tests build on each other has `meta: { isInOrder: true }`, and runs or does not run as a whole.
 */
import { execFileSync } from 'node:child_process'
import { join, relative } from 'node:path'
import { crc32 } from 'node:zlib'
import { TestRunner, type RunnerTask, type RunnerTestFile, type RunnerTestSuite } from 'vitest'
import { PARTS, readSlowFiles } from './cut.ts'

const ROOT = join(import.meta.dirname, '../..')

/** They choose a fifth of their inputs themselves, or guard every text and status. */
const WHOLE = /^test\/(?:conformance\/|freeze\/(?!noticed))/

declare module 'vitest' {
  interface TaskMeta {
    /** Of a group: its tests build on each other. */
    isInOrder?: boolean
  }
}

/** HLA_TEST_PART, or by the number of commits, so that a commit always runs the same tests. From 1. */
export function chosenPart(): string {
  const chosen = process.env['HLA_TEST_PART']
  if (chosen === undefined) return partOfCommit()
  if (Number(chosen) >= 1 && Number(chosen) <= PARTS && Number.isInteger(Number(chosen))) return chosen
  throw new Error(`HLA_TEST_PART=${chosen}: use 1 to ${PARTS}`)
}

function partOfCommit(): string {
  try {
    const commits = execFileSync('git', ['rev-list', '--count', 'HEAD'], { cwd: ROOT, stdio: 'pipe' })
    return String((Number(commits) % PARTS) + 1)
  } catch {
    return '1' // not a repository
  }
}

/** Leaves out the tests of other parts than HLA_TEST_PART, and groups of only such tests with their hooks. */
export default class PartRunner extends TestRunner {
  onCollected(files: RunnerTestFile[]): void {
    const part = Number(process.env['HLA_TEST_PART'])
    const { seconds } = readSlowFiles()
    for (const file of files) {
      const name = relative(ROOT, file.filepath)
      if (seconds[name] !== undefined && !WHOLE.test(name)) leaveOthersOut(file, name, part)
    }
  }
}

/** @param name decides with which part the file begins */
export function leaveOthersOut(file: RunnerTestSuite, name: string, part: number): void {
  let at = crc32(name)
  leaveOut(file, () => at++ % PARTS !== part - 1)
}

function leaveOut(suite: RunnerTestSuite, isNextOther: () => boolean): void {
  for (const task of suite.tasks) {
    if (task.type === 'suite' && task.meta.isInOrder !== true) leaveOut(task, isNextOther)
    else if (task.mode === 'run' && isNextOther()) skip(task)
  }
  if (suite.tasks.length > 0 && suite.tasks.every(({ mode }) => mode === 'skip')) suite.mode = 'skip'
}

function skip(task: RunnerTask): void {
  task.mode = 'skip'
  if (task.type === 'suite') task.tasks.forEach(skip)
}

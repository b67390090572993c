/**
 * Puts random faults into copies of the project, one at a time, met by the test files that run its place (reached.ts): those of
 * `npm test` before those that only a merge runs. A fault is noticed by a test that fails with it, alone, and passes
 * without it.  [disk]
 */
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { leftOutFiles, readSlowFiles } from '../support/cut.ts'
import { listProjects } from '../support/projects.ts'
import { wingOf } from '../support/wings.ts'
import { copyProject, MAX_BUILD_SECONDS, run } from './copy.ts'
import { EQUIVALENT } from './equivalent.ts'
import { type Fault, withFault } from './random-faults.ts'

/** Tests of a group start together: a start costs more than what runs after the first failures, which end the group. */
const GROUP_SECONDS = 60
const MAX_FAILURES = 5

/** Tests are ended after `times` their measured duration plus `start` seconds. */
const LATE = { times: 3, start: 60 }

/** What a developer and what a merge runs. */
export type TestRun = 'npm test' | 'a merge'

export type Outcome =
  | {
      readonly is: 'noticed'
      readonly run: TestRun
      /** Test file and name. */
      readonly by: string
      /** First line of what the test says. */
      readonly message: string
    }
  /** The compiler or the build refuses it, so it could not be merged. */
  | { readonly is: 'refused' }
  /** Listed in equivalent.ts: no test can notice it. */
  | { readonly is: 'equivalent'; readonly reason: string }
  | { readonly is: 'survived' }

/** Tests of what is stated or answered, whatever part of the program finds it. */
const FACES: ReadonlySet<string> = new Set(['test/docs/pages.test.ts', 'test/freeze/freeze.test.ts', 'test/freeze/texts.test.ts', 'test/transcripts.test.ts']) // prettier-ignore

/** Whether a test belongs to the wing of a file of `src`, or to those of what is stated or answered. */
export const isOfWing = (test: string, file: string): boolean =>
  wingOf(test) === wingOf(file) || FACES.has(test)

/** Measured seconds; unlisted files are fast. */
const { seconds: SECONDS, always } = readSlowFiles()
const secondsOf = (file: string) => SECONDS[file] ?? 1

/** Compiles incrementally: only changes since the previous fault. */
const COMPILE = ['tsc', '-p', 'tsconfig.json', '--noEmit', '--incremental', '--tsBuildInfoFile', 'dist/faults.tsbuildinfo'] // prettier-ignore

export interface Copy {
  /** `tests`: those that run the place of the fault. */
  readonly judge: (fault: Fault, tests: readonly string[]) => Promise<Outcome>
  /** Whether a test of the file fails with `source` in place of a file of the program, and passes without. */
  readonly failsWith: (changed: { file: string; source: string }, test: string) => Promise<boolean>
  readonly end: () => void
}

/** `root` must be built. */
export function makeCopy(root: string): Copy {
  const { folder, end } = copyProject(root)
  const place = { sound: root, folder }
  return {
    judge: (fault, tests) => {
      const reason = reasonOf(fault)
      if (reason !== undefined) return Promise.resolve({ is: 'equivalent', reason })
      const path = join(folder, fault.file)
      const source = withFault(readFileSync(path, 'utf8'), fault)
      return changed(place, { path, source }, () => judge(place, tests))
    },
    failsWith: ({ file, source }, test) =>
      changed(place, { path: join(folder, file), source }, async () => {
        const isBuilt = unitFiles().has(test) || (await build(place)).status === 0
        return isBuilt && (await firstNotice(place, 'a merge', [test])) !== undefined
      }),
    end,
  }
}

/** The same test run can be made in the project and in its copy. */
interface Place {
  readonly sound: string
  readonly folder: string
}

/** Runs with another text in a file. */
async function changed<T>(
  place: Place,
  { path, source }: { readonly path: string; readonly source: string },
  run: () => Promise<T>,
): Promise<T> {
  const sound = readFileSync(path, 'utf8')
  writeFileSync(path, source)
  try {
    return await run()
  } finally {
    writeFileSync(path, sound)
    removeBuilt(place)
  }
}

/** Why no test can notice a fault, from equivalent.ts; else undefined. */
export function reasonOf(fault: Pick<Fault, 'file' | 'from' | 'to' | 'text'>): string | undefined {
  return EQUIVALENT.find(
    ({ file, from, to, text }) =>
      file === fault.file && from === fault.from && to === fault.to && text === fault.text,
  )?.reason
}

const unitFiles = (): ReadonlySet<string> => new Set(listProjects().unit)

async function judge(place: Place, tests: readonly string[]): Promise<Outcome> {
  const typed = await run('npx', COMPILE, { cwd: place.folder, seconds: MAX_BUILD_SECONDS })
  if (typed.status !== 0) return { is: 'refused' }
  let isBuilt = false
  for (const { testRun, isUnit, files } of groupsOf(tests)) {
    if (!isUnit && !isBuilt) {
      if ((await build(place)).status !== 0) return { is: 'refused' }
      isBuilt = true
    }
    const notice = await firstNotice(place, testRun, files)
    if (notice !== undefined) return { is: 'noticed', run: testRun, ...notice }
  }
  return { is: 'survived' }
}

interface Group {
  readonly testRun: TestRun
  readonly isUnit: boolean
  readonly files: readonly string[]
}

/** Unit tests, which need no build, then the cheapest. */
function groupsOf(tests: readonly string[]): Group[] {
  const isSlow = new Set(leftOutFiles().map(([file]) => file))
  const inBoth = new Set(Object.values(always))
  const unit = unitFiles()
  const cheapest = tests.toSorted((one, other) => secondsOf(one) - secondsOf(other))
  const quick = cheapest.filter((one) => !isSlow.has(one))
  const whole = cheapest.filter((one) => isSlow.has(one) || inBoth.has(one))
  const group = (testRun: TestRun, isUnit: boolean, files: readonly string[]) =>
    inGroups(files).map((some) => ({ testRun, isUnit, files: some }))
  return [
    ...group('npm test', true, quick.filter((one) => unit.has(one))), // prettier-ignore
    ...group('npm test', false, quick.filter((one) => !unit.has(one))), // prettier-ignore
    ...group('a merge', false, whole),
  ]
}

/** Each of about GROUP_SECONDS, and of at least one file. */
function inGroups(files: readonly string[]): string[][] {
  const groups: string[][] = []
  let seconds = Infinity
  for (const file of files) {
    seconds += secondsOf(file)
    if (seconds > GROUP_SECONDS) {
      groups.push([])
      seconds = secondsOf(file)
    }
    groups.at(-1)?.push(file)
  }
  return groups
}

interface Notice {
  readonly by: string
  readonly message: string
}

/** The first test that fails, hangs or ends its process with the fault, twice, and passes without. */
async function firstNotice(
  { sound, folder }: Place,
  testRun: TestRun,
  files: readonly string[],
): Promise<Notice | undefined> {
  const found = await runTests(folder, testRun, files, { bail: MAX_FAILURES })
  for (const { file, name, message } of found.failures.slice(0, MAX_FAILURES)) {
    // alone, or after those of its file that it builds on
    for (const only of [{ name }, {}]) {
      const without = await runTests(sound, testRun, [file], only)
      if (!without.isWhole || without.passed === 0 || without.failures.some((one) => one.name === name))
        continue
      const { failures } = await runTests(folder, testRun, [file], only)
      if (failures.some((one) => one.name === name))
        return { by: `${file}: ${name}`, message: message.split('\n')[0] ?? '' }
      break
    }
  }
  if (found.isWhole || found.failures.length > 0) return undefined
  // hung, ran out of memory, or failed outside of tests
  const again = await runTests(sound, testRun, files)
  return again.isWhole
    ? { by: files.join(' '), message: 'does not end as it does without the fault' }
    : undefined
}

/** Builds, and keeps what was built without the fault, which the next fault begins with. */
function build({ folder }: Place) {
  const [dist, sound] = distFolders(folder)
  if (!existsSync(sound)) renameSync(dist, sound)
  return run('npm', ['run', '--silent', 'build'], { cwd: folder, seconds: MAX_BUILD_SECONDS })
}

function removeBuilt({ folder }: Place): void {
  const [dist, sound] = distFolders(folder)
  if (!existsSync(sound)) return
  rmSync(dist, { recursive: true, force: true, maxRetries: 3 })
  renameSync(sound, dist)
}

function distFolders(folder: string): readonly [dist: string, sound: string] {
  return [join(folder, 'dist'), join(folder, 'dist-sound')]
}

interface Failure {
  readonly file: string
  readonly name: string
  readonly message: string
}

interface Ran {
  readonly failures: readonly Failure[]
  readonly passed: number
  /** Whether every file ran to its end, without errors outside of tests. */
  readonly isWhole: boolean
}

/** The JSON of Vitest, as far as it is read. */
interface Report {
  readonly testResults: readonly {
    readonly name: string
    readonly assertionResults: readonly {
      readonly status: string
      readonly fullName: string
      readonly failureMessages: readonly string[] | null
    }[]
  }[]
}

/** `name`: of the only test to run; `bail`: after so many failures it ends. */
async function runTests(
  folder: string,
  testRun: TestRun,
  files: readonly string[],
  { name, bail = 0 }: { readonly name?: string; readonly bail?: number } = {},
): Promise<Ran> {
  const report = join(folder, 'dist', `report-${process.pid}-${Math.random().toString(36).slice(2)}.json`)
  const pattern =
    name === undefined ? [] : ['-t', `^${name.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`)}$`]
  const words = ['vitest', 'run', '--config', 'test/vitest.config.ts', '--passWithNoTests', '--bail', String(bail), '--reporter', 'json', '--outputFile', report, ...pattern] // prettier-ignore
  const seconds = files.reduce((sum, file) => sum + secondsOf(file), 0)
  const { status } = await run('npx', [...words, ...files], {
    cwd: folder,
    seconds: LATE.start + LATE.times * seconds,
    env: testRun === 'npm test' ? { HLA_TEST_CUT: 'quick' } : {},
  })
  const text = existsSync(report) ? readFileSync(report, 'utf8') : '{"testResults":[]}'
  rmSync(report, { force: true })
  const { testResults } = JSON.parse(text) as Report
  const all = testResults.flatMap((one) =>
    one.assertionResults.map((test) => ({ ...test, file: relative(folder, one.name) })),
  )
  const failures = all
    .filter((one) => one.status === 'failed')
    .map(({ file, fullName, failureMessages }) => ({
      file,
      name: fullName,
      message: failureMessages?.[0] ?? '',
    }))
  return {
    failures,
    passed: all.filter((one) => one.status === 'passed').length,
    isWhole: status === 0 || (status !== null && failures.length > 0),
  }
}

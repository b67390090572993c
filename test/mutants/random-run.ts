/**
 * Puts random faults into copies of the project: first one at a time, met by the nearest tests of its wing, those of
 * `npm test` before those that only a merge runs. Those of a wing that survive are then put in together, so that one run of
 * the rest judges them all. A fault is noticed by a test that fails with it, alone, and passes without it.  [disk]
 */
import { spawn } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join, normalize, relative } from 'node:path'
import { leftOutFiles, readSlowFiles } from '../support/cut.ts'
import { listProjects } from '../support/projects.ts'
import { wingOf } from '../support/wings.ts'
import { EQUIVALENT } from './equivalent.ts'
import { type Fault, withFaults } from './random-faults.ts'

/** The parts of the project that a copy needs to build and to run tests. */
const PARTS = ['.build', '.ci', 'bin', 'clients', 'data', 'dist', 'docs', 'man', 'src', 'test', 'package.json', 'package-lock.json', 'tsconfig.json', 'README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'CITATION.cff', 'codemeta.json', 'LICENSE', 'SECURITY.md', '.oxlintrc.json'] // prettier-ignore

/** Longer than compiling and building takes on a busy machine. */
const MAX_BUILD_SECONDS = 600

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
  /** `left`: test files of the wing that it has not met. */
  | { readonly is: 'survived'; readonly left: readonly string[] }

/**
 * Test files that meet a file of `src`: those of its wing, one of its name, and those of the answers of whole programs. The nearest stand first, by name and by the number of imports between them; of those the cheapest.
 */
export function testsReaching(root: string, file: string): string[] {
  const importers = importersIn(root)
  const wing = wingOf(file)
  const distances = new Map([[file, 0]])
  for (let [edge, distance] = [[file], 1]; edge.length > 0; distance += 1) {
    edge = edge.flatMap((one) => [...(importers.get(one) ?? [])]).filter((one) => !distances.has(one))
    for (const one of edge) distances.set(one, distance)
  }
  const isNamesake = (test: string) => basename(test, '.test.ts') === basename(file, '.ts')
  const names = new Set([basename(file, '.ts'), basename(dirname(file))])
  const isNamed = (test: string) =>
    names.has(basename(test, '.test.ts')) || names.has(basename(dirname(test)))
  const isOfFaces = (test: string) => FACES.has(test) || (wing !== 'store' && WHOLE_PROGRAMS.has(test))
  const words = new Set([...names].flatMap(wordsIn))
  const rank = (test: string) => {
    if (isNamed(test)) return 0
    if (wordsIn(basename(test, '.test.ts')).some((word) => words.has(word))) return 1
    return Math.min(isOfFaces(test) ? 4 : 5, distances.get(test) ?? 5)
  }
  const order = (test: string) => rank(test) * 10_000 + secondsOf(test)
  return filesBelow(root, 'test')
    .filter((test) => test.endsWith('.test.ts'))
    .filter((test) => wingOf(test) === wing || isNamesake(test) || isOfFaces(test))
    .toSorted((one, other) => order(one) - order(other))
}

/** Tests of what is stated or answered, whatever part of the program finds it. */
const FACES: ReadonlySet<string> = new Set(['test/freeze/texts.test.ts', 'test/docs/pages.test.ts'])

/** Those that hardly meet the store. */
const WHOLE_PROGRAMS: ReadonlySet<string> = new Set([
  'test/freeze/freeze.test.ts',
  'test/transcripts.test.ts',
])

/** Words of a file's name, in the singular. */
const wordsIn = (name: string): string[] => name.split(/[^a-z]+/).map((word) => word.replace(/s$/, ''))

/** Measured seconds; unlisted files are fast. */
const { seconds: SECONDS, always } = readSlowFiles()
const secondsOf = (file: string) => SECONDS[file] ?? 1

function filesBelow(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .toSorted()
}

function importersIn(root: string): Map<string, Set<string>> {
  const importers = new Map<string, Set<string>>()
  for (const file of ['src', 'test']
    .flatMap((folder) => filesBelow(root, folder))
    .filter((name) => name.endsWith('.ts'))) {
    const text = readFileSync(join(root, file), 'utf8')
    for (const [, path = ''] of text.matchAll(/(?:\bfrom|\bimport\(|^import)\s*'(\.[^']+)'/gm)) {
      const to = normalize(join(dirname(file), path))
      importers.set(to, (importers.get(to) ?? new Set()).add(file))
    }
  }
  return importers
}

/** Compiles incrementally: only changes since the previous fault. */
const COMPILE = ['tsc', '-p', 'tsconfig.json', '--noEmit', '--incremental', '--tsBuildInfoFile', 'dist/faults.tsbuildinfo'] // prettier-ignore

export interface Copy {
  /** Runs the nearest tests, of at most so many measured seconds. */
  readonly judge: (fault: Fault, most: number) => Promise<Outcome>
  /** Runs test files as a merge does, and says which of the faults they notice. */
  readonly judgeTogether: (faults: readonly Fault[], files: readonly string[]) => Promise<[Fault, Outcome][]>
  /** Whether a test of the file fails with `source` in place of a file of the program, and passes without. */
  readonly failsWith: (changed: { file: string; source: string }, test: string) => Promise<boolean>
  readonly end: () => void
}

/** A copy beside the project `root`, so that paths to siblings of the project still work. `root` must be built. */
export function makeCopy(root: string): Copy {
  const folder = mkdtempSync(join(dirname(root), '.mutant-'))
  // programs that tests start as another user read it, too
  chmodSync(folder, 0o755)
  for (const part of PARTS)
    if (existsSync(join(root, part)))
      cpSync(join(root, part), join(folder, part), { recursive: true, preserveTimestamps: true })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  const place = { sound: root, folder }
  const end = () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  process.once('exit', end)
  return {
    judge: (fault, most) => {
      const reason = reasonOf(fault)
      if (reason !== undefined) return Promise.resolve({ is: 'equivalent', reason })
      return changed(place, sourcesWith(place, [fault]), () => judge(place, fault, most))
    },
    judgeTogether: (faults, files) => judgeTogether(place, faults, files),
    failsWith: ({ file, source }, test) =>
      changed(place, new Map([[join(folder, file), source]]), async () => {
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

/** Path in the copy -> text with the faults. */
function sourcesWith({ sound, folder }: Place, faults: readonly Fault[]): Map<string, string> {
  const files = [...new Set(faults.map(({ file }) => file))]
  const textOf = (file: string) => {
    const own = faults.filter((fault) => fault.file === file)
    return withFaults(readFileSync(join(sound, file), 'utf8'), own)
  }
  return new Map(files.map((file) => [join(folder, file), textOf(file)]))
}

/** Runs with other texts in files. */
async function changed<T>(
  place: Place,
  sources: ReadonlyMap<string, string>,
  run: () => Promise<T>,
): Promise<T> {
  const sound = [...sources.keys()].map((path) => [path, readFileSync(path, 'utf8')] as const)
  for (const [path, source] of sources) writeFileSync(path, source)
  try {
    return await run()
  } finally {
    for (const [path, source] of sound) writeFileSync(path, source)
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

async function judge(place: Place, fault: Fault, most: number): Promise<Outcome> {
  const { folder } = place
  const typed = await run('npx', COMPILE, { cwd: folder, seconds: MAX_BUILD_SECONDS })
  if (typed.status !== 0) return { is: 'refused' }
  const reaching = testsReaching(folder, fault.file)
  const isSlow = new Set(leftOutFiles().map(([file]) => file))
  const inBoth = new Set(Object.values(always))
  const unit = unitFiles()
  // unit tests need no build, and notice most faults
  const steps: readonly (readonly [TestRun, boolean, string[]])[] = [
    ['npm test', true, reaching.filter((one) => !isSlow.has(one) && unit.has(one))],
    ['npm test', false, reaching.filter((one) => !isSlow.has(one) && !unit.has(one))],
    ['a merge', false, reaching.filter((one) => isSlow.has(one) || inBoth.has(one))],
  ]
  let [isBuilt, left] = [false, most]
  for (const [testRun, isUnit, files] of steps) {
    if (files.length > 0 && !isUnit && !isBuilt) {
      if ((await build(place)).status !== 0) return { is: 'refused' }
      isBuilt = true
    }
    while (files.length > 0 && left > 0) {
      const some = takeFor(files, Math.min(GROUP_SECONDS, left))
      left -= some.reduce((sum, file) => sum + secondsOf(file), 0)
      const notice = await firstNotice(place, testRun, some)
      if (notice !== undefined) return { is: 'noticed', run: testRun, ...notice }
    }
  }
  return { is: 'survived', left: steps.flatMap(([, , files]) => files) }
}

/** Unit tests first, which need no build; of each the cheapest: a fault that they notice meets no others. */
async function judgeTogether(
  place: Place,
  faults: readonly Fault[],
  files: readonly string[],
): Promise<[Fault, Outcome][]> {
  const cheapest = files.toSorted((one, other) => secondsOf(one) - secondsOf(other))
  const unit = unitFiles()
  const noticed = new Map<Fault, Outcome>()
  for (const rest of [cheapest.filter((one) => unit.has(one)), cheapest.filter((one) => !unit.has(one))])
    while (rest.length > 0 && noticed.size < faults.length) {
      const left = faults.filter((fault) => !noticed.has(fault))
      const some = takeFor(rest, GROUP_SECONDS)
      for (const [fault, notice] of await noticesIn(place, left, some))
        noticed.set(fault, { is: 'noticed', run: 'a merge', ...notice })
    }
  return faults.map((fault) => [fault, noticed.get(fault) ?? { is: 'survived', left: [] }])
}

/** Halves the faults as long as tests fail, and runs those again. */
async function noticesIn(
  place: Place,
  faults: readonly Fault[],
  files: readonly string[],
): Promise<[Fault, Notice][]> {
  const [first] = faults
  if (first === undefined) return []
  const unit = unitFiles()
  const [notice, failing] = await changed(place, sourcesWith(place, faults), async () => {
    const isBuilt = files.every((one) => unit.has(one)) || (await build(place)).status === 0
    if (!isBuilt) return [undefined, files]
    if (faults.length === 1) return [await firstNotice(place, 'a merge', files), []]
    const { failures, isWhole } = await runTests(place.folder, 'a merge', files)
    return [undefined, isWhole ? [...new Set(failures.map(({ file }) => file))] : files]
  })
  if (notice !== undefined) return [[first, notice]]
  if (faults.length === 1 || failing.length === 0) return []
  const middle = Math.ceil(faults.length / 2)
  return [
    ...(await noticesIn(place, faults.slice(0, middle), failing)),
    ...(await noticesIn(place, faults.slice(middle), failing)),
  ]
}

/** Takes tests of `most` seconds from the front of `rest`, and at least one. */
function takeFor(rest: string[], most: number): string[] {
  let seconds = 0
  const beyond = rest.findIndex((file) => (seconds += secondsOf(file)) > most)
  return rest.splice(0, beyond < 0 ? rest.length : Math.max(1, beyond))
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

/** `seconds`: after them the program and those that it started are ended. */
function run(
  program: string,
  words: readonly string[],
  { cwd, seconds, env = {} }: { cwd: string; seconds: number; env?: Readonly<Record<string, string>> },
) {
  return new Promise<{ status: number | null }>((resolve) => {
    // a process group, so that processes of a test end with it
    const child = spawn(program, words, {
      cwd,
      detached: true,
      stdio: 'ignore',
      env: { ...process.env, HLA_TEST_NO_BUILD: '1', CI: '1', NO_COLOR: '1', ...env },
    })
    const end = () => {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    }
    const timer = setTimeout(end, seconds * 1000)
    process.once('exit', end)
    child.on('close', (status) => {
      clearTimeout(timer)
      process.off('exit', end)
      resolve({ status })
    })
  })
}

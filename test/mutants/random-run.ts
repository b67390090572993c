/**
 * Puts random faults into copies of the project, one at a time, and runs the tests that reach them, nearest first.
 * [disk]
 */
import { spawn } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join, normalize } from 'node:path'
import { readSlowFiles } from '../support/cut.ts'
import { listProjects } from '../support/projects.ts'
import { EQUIVALENT } from './equivalent.ts'
import type { Fault } from './random-faults.ts'

/** The parts of the project that a copy needs to build and to run tests. */
const PARTS = ['.build', '.ci', 'bin', 'clients', 'data', 'dist', 'docs', 'man', 'src', 'test', 'package.json', 'package-lock.json', 'tsconfig.json', 'README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'CITATION.cff', 'codemeta.json', 'LICENSE', 'SECURITY.md', '.oxlintrc.json'] // prettier-ignore

/** Seconds after which no further tests of a fault start, in each project: an unnoticed fault has then survived. */
const MOST_SECONDS = 100

/** Seconds: longer than compiling and building takes on a busy machine. */
const MOST_BUILDING = 600

/** A test times out after `times` its measured duration plus `start` seconds. */
const LATE = { times: 5, start: 40 }

export type Outcome =
  | { readonly is: 'noticed'; readonly by: string }
  /** The compiler refuses it, so it could not be merged. */
  | { readonly is: 'refused' }
  /** Listed in equivalent.ts: no test can notice it. */
  | { readonly is: 'equivalent'; readonly reason: string }
  | { readonly is: 'survived'; readonly after: number }

/**
 * Test files nearest to a file of `src` by imports, and those of its wing, which run whole programs; then others. In
 * each group, tests named after the file or its folder come first, then the cheapest.
 */
export function testsReaching(root: string, file: string): string[] {
  const importers = importersIn(root)
  const found: string[] = []
  const seen = new Set([file])
  for (let edge = [file]; edge.length > 0;) {
    edge = edge
      .flatMap((one) => [...(importers.get(one) ?? [])])
      .filter((one) => !seen.has(one) && seen.add(one))
    found.push(...edge.filter((one) => one.endsWith('.test.ts')).toSorted())
  }
  const frozen = file.startsWith('src/drive/') ? 'test/freeze/store.test.ts' : 'test/freeze/freeze.test.ts'
  const names = new Set([basename(file, '.ts'), basename(dirname(file))])
  const isNamed = (test: string) =>
    names.has(basename(test, '.test.ts')) || names.has(basename(dirname(test)))
  const order = (test: string) => (isNamed(test) ? 0 : secondsOf(test))
  const groups = [
    found.filter(isNamed),
    [...found.slice(0, 12), ...testsOfWing(root, file), frozen],
    found.slice(12),
  ]
  const ordered = groups.flatMap((group) => group.toSorted((one, other) => order(one) - order(other)))
  return [...new Set(ordered)].filter((one) => existsSync(join(root, one)))
}

/** Measured seconds; unlisted files are fast. */
const { seconds: SECONDS } = readSlowFiles()
const secondsOf = (file: string) => SECONDS[file] ?? 1

/** `src/drive/api/uploads/x.ts` -> the tests below test/drive/api, those of the same folder first. */
function testsOfWing(root: string, file: string): string[] {
  const folders: string[] = []
  for (let folder = dirname(file).replace(/^src/, 'test'); folder !== 'test' && folder !== '.' && folder !== 'test/drive'; folder = dirname(folder)) folders.push(folder) // prettier-ignore
  return folders
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) => filesBelow(root, folder).filter((one) => one.endsWith('.test.ts')))
}

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
  readonly judge: (fault: Fault) => Promise<Outcome>
  /** Whether a test file fails with `changed` in place of a file of the program. */
  readonly failsWith: (changed: Pick<Fault, 'file' | 'source'>, test: string) => Promise<boolean>
  readonly end: () => void
}

/** A copy beside the project, so that paths to siblings of the project still work. */
export function makeCopy(root: string): Copy {
  const folder = mkdtempSync(join(dirname(root), '.mutant-'))
  for (const part of PARTS)
    if (existsSync(join(root, part))) cpSync(join(root, part), join(folder, part), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  return {
    judge: (fault) => judgeIn(folder, fault),
    failsWith: (changed, test) => failsIn(folder, changed, test),
    end: () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }),
  }
}

async function judgeIn(folder: string, fault: Fault): Promise<Outcome> {
  const reason = reasonOf(fault)
  if (reason !== undefined) return { is: 'equivalent', reason }
  const path = join(folder, fault.file)
  const sound = readFileSync(path, 'utf8')
  writeFileSync(path, fault.source)
  try {
    const typed = await run('npx', COMPILE, folder, MOST_BUILDING)
    if (typed.status !== 0) return { is: 'refused' }
    return await judgeByTests(folder, fault, sound)
  } finally {
    writeFileSync(path, sound)
  }
}

async function failsIn(
  folder: string,
  { file, source }: Pick<Fault, 'file' | 'source'>,
  test: string,
): Promise<boolean> {
  const path = join(folder, file)
  const sound = readFileSync(path, 'utf8')
  writeFileSync(path, source)
  try {
    if (projects().system.has(test)) await build(folder)
    const { status } = await runTests(folder, [test])
    return status !== 0
  } finally {
    writeFileSync(path, sound)
  }
}

/** Why no test can notice a fault, from equivalent.ts; else undefined. */
export function reasonOf(fault: Pick<Fault, 'file' | 'from' | 'to' | 'text'>): string | undefined {
  return EQUIVALENT.find(
    ({ file, from, to, text }) =>
      file === fault.file && from === fault.from && to === fault.to && text === fault.text,
  )?.reason
}

/** Unit tests first: they need no build, and notice most faults. */
async function judgeByTests(folder: string, fault: Fault, sound: string): Promise<Outcome> {
  const began = Date.now()
  const { unit, system } = projects()
  const reaching = testsReaching(folder, fault.file)
  const judge = { folder, fault, sound }
  const near = await firstNotice(
    judge,
    reaching.filter((one) => unit.has(one)),
  )
  if (near !== undefined) return { is: 'noticed', by: near }
  const built = await build(folder)
  if (built.status !== 0) return { is: 'noticed', by: 'the build' }
  const later = await firstNotice(
    judge,
    reaching.filter((one) => system.has(one)),
  )
  if (later !== undefined) return { is: 'noticed', by: later }
  return { is: 'survived', after: Math.round((Date.now() - began) / 1000) }
}

function projects(): Readonly<Record<'unit' | 'system', ReadonlySet<string>>> {
  const { unit, system, apart } = listProjects()
  return { unit: new Set(unit), system: new Set([...system, ...apart]) }
}

interface Judged {
  readonly folder: string
  readonly fault: Fault
  /** The file's text without the fault. */
  readonly sound: string
}

/** The first test that fails or times out; undefined if all that ran passed. Files run in batches of growing size. */
async function firstNotice(judged: Judged, files: readonly string[]): Promise<string | undefined> {
  const { folder } = judged
  const until = Date.now() + MOST_SECONDS * 1000
  const rest = [...files]
  for (let most = 10; rest.length > 0 && Date.now() < until; most *= 2) {
    const some = takeFor(rest, most)
    const { status, text, isLate } = await runTests(folder, some)
    if (isLate && (await endsWithout(judged, some))) return 'a test that does not end'
    if (!isLate && status !== 0)
      return /FAIL\s+(?:\|?\s*\w+\s*\|?\s+)?(.*)/.exec(text)?.[1] ?? text.slice(-200)
  }
  return undefined
}

/** Takes tests of `most` seconds from the front of `rest`, and at least one. */
function takeFor(rest: string[], most: number): string[] {
  let seconds = 0
  const beyond = rest.findIndex((file) => (seconds += secondsOf(file)) > most)
  return rest.splice(0, beyond < 0 ? rest.length : Math.max(1, beyond))
}

/** Whether tests that timed out end without the fault. */
async function endsWithout({ folder, fault, sound }: Judged, files: readonly string[]): Promise<boolean> {
  const path = join(folder, fault.file)
  const isSystem = files.some((file) => projects().system.has(file))
  writeFileSync(path, sound)
  try {
    if (isSystem) await build(folder)
    return !(await runTests(folder, files)).isLate
  } finally {
    writeFileSync(path, fault.source)
    if (isSystem) await build(folder)
  }
}

function build(folder: string) {
  return run('npm', ['run', '--silent', 'build'], folder, MOST_BUILDING)
}

function runTests(folder: string, files: readonly string[]) {
  const words = ['vitest', 'run', '--config', 'test/vitest.config.ts', '--passWithNoTests', '--bail', '1', '--reporter', 'dot'] // prettier-ignore
  const seconds = files.reduce((sum, file) => sum + secondsOf(file), 0)
  return run('npx', [...words, ...files], folder, LATE.start + LATE.times * seconds)
}

function run(program: string, words: readonly string[], cwd: string, seconds: number) {
  mkdirSync(cwd, { recursive: true })
  return new Promise<{ status: number | null; text: string; isLate: boolean }>((resolve) => {
    // a process group, so that processes of a test end with it
    const child = spawn(program, words, {
      cwd,
      detached: true,
      env: { ...process.env, HLA_TEST_NO_BUILD: '1', CI: '1', NO_COLOR: '1' },
    })
    let text = ''
    let isLate = false
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (bytes: Buffer) => (text += bytes.toString()))
    const timer = setTimeout(() => {
      isLate = true
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    }, seconds * 1000)
    child.on('close', (status) => {
      clearTimeout(timer)
      resolve({ status, text, isLate })
    })
  })
}

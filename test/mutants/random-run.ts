/** Puts random faults into copies of the project, one at a time, and runs the tests that reach them, nearest first.  [disk] */
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
import { dirname, join, normalize } from 'node:path'
import { listProjects } from '../support/projects.ts'
import { EQUIVALENT } from './equivalent.ts'
import type { Fault } from './random-faults.ts'

/** What the copy needs to build and to run tests. */
const PARTS = ['.build', '.ci', 'bin', 'clients', 'data', 'dist', 'docs', 'man', 'src', 'test', 'package.json', 'package-lock.json', 'tsconfig.json', 'README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'CITATION.cff', 'LICENSE', 'SECURITY.md', '.oxlintrc.json'] // prettier-ignore

/** Tests of one fault end after so many seconds: what nothing noticed by then survived. */
const MOST_SECONDS = 100

export type Outcome =
  | { readonly is: 'noticed'; readonly by: string }
  /** The compiler refuses it: no fault that could be merged. */
  | { readonly is: 'refused' }
  /** Named in equivalent.ts: no test can notice it. */
  | { readonly is: 'equivalent'; readonly reason: string }
  | { readonly is: 'survived'; readonly after: number }

/** Test files by their distance in imports from a file of `src`, nearest first; then the tests of its wing, which run whole programs. */
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
  const near = found.slice(0, 12)
  const own = testsOfWing(root, file)
  return [...new Set([...near, ...own, 'test/freeze/freeze.test.ts', ...found.slice(12)])].filter((one) =>
    existsSync(join(root, one)),
  )
}

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

export interface Copy {
  readonly judge: (fault: Fault) => Promise<Outcome>
  /** Whether one test file fails with another text of a file of the program. */
  readonly failsWith: (changed: Pick<Fault, 'file' | 'source'>, test: string) => Promise<boolean>
  readonly end: () => void
}

/** A copy of the project beside it, so that what lies beside the project is found. */
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
    const typed = await run('npx', ['tsc', '-p', 'tsconfig.json', '--noEmit'], folder, MOST_SECONDS)
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
    if (projects().system.has(test)) await run('npm', ['run', '--silent', 'build'], folder, MOST_SECONDS)
    const { status } = await runTests(folder, [test], MOST_SECONDS)
    return status !== 0
  } finally {
    writeFileSync(path, sound)
  }
}

/** Why no test can notice a fault, where equivalent.ts names it. */
export function reasonOf(fault: Pick<Fault, 'file' | 'from' | 'to' | 'text'>): string | undefined {
  return EQUIVALENT.find(
    ({ file, from, to, text }) =>
      file === fault.file && from === fault.from && to === fault.to && text === fault.text,
  )?.reason
}

/** Tests of functions first: they need no build, and most faults end there. */
async function judgeByTests(folder: string, fault: Fault, sound: string): Promise<Outcome> {
  const began = Date.now()
  const { unit, system } = projects()
  const reaching = testsReaching(folder, fault.file)
  const near = reaching.filter((one) => unit.has(one))
  const by = await firstNotice(folder, near)
  if (typeof by === 'string') return { is: 'noticed', by }
  if (typeof by === 'object' && (await endsWithout(folder, { fault, sound }, by)))
    return { is: 'noticed', by: 'a test that does not end' }
  const built = await run('npm', ['run', '--silent', 'build'], folder, MOST_SECONDS)
  if (built.status !== 0) return { is: 'noticed', by: 'the build' }
  const rest = reaching.filter((one) => system.has(one))
  const later = await firstNotice(folder, rest)
  if (typeof later === 'string') return { is: 'noticed', by: later }
  return { is: 'survived', after: Math.round((Date.now() - began) / 1000) }
}

function projects(): Readonly<Record<'unit' | 'system', ReadonlySet<string>>> {
  const { unit, system } = listProjects()
  return { unit: new Set(unit), system: new Set(system) }
}

/** The first test that fails; the files that were running when the time was over; undefined: all have passed. Files are run some at a time, and more each time. */
async function firstNotice(
  folder: string,
  files: readonly string[],
): Promise<string | readonly string[] | undefined> {
  const until = Date.now() + MOST_SECONDS * 1000
  const rest = [...files]
  for (let size = 6; rest.length > 0 && Date.now() < until; size *= 2) {
    const some = rest.splice(0, size)
    const { status, text, isLate } = await runTests(folder, some, (until - Date.now()) / 1000)
    if (isLate) return some
    if (status !== 0) return /FAIL\s+(?:\|?\s*\w+\s*\|?\s+)?(.*)/.exec(text)?.[1] ?? text.slice(-200)
  }
  return undefined
}

/** Whether tests that did not end in time do without the fault. */
async function endsWithout(
  folder: string,
  { fault, sound }: { readonly fault: Fault; readonly sound: string },
  files: readonly string[],
): Promise<boolean> {
  const path = join(folder, fault.file)
  writeFileSync(path, sound)
  const { isLate } = await runTests(folder, files, MOST_SECONDS / 2)
  writeFileSync(path, fault.source)
  return !isLate
}

function runTests(folder: string, files: readonly string[], seconds: number) {
  const words = ['vitest', 'run', '--config', 'test/vitest.config.ts', '--bail', '1', '--reporter', 'dot']
  return run('npx', [...words, ...files], folder, seconds)
}

function run(program: string, words: readonly string[], cwd: string, seconds: number) {
  mkdirSync(cwd, { recursive: true })
  return new Promise<{ status: number | null; text: string; isLate: boolean }>((resolve) => {
    // a group of its own: what a test started ends with it
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

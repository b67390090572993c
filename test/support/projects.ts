/**
 * The projects of the tests. `system`: files that use processes, threads, servers, browsers or what was built, directly or
 * through imports. `unit`: all others. Files of a project share processes, so that leftovers of one make the next fail. `apart`:
 * files that change what a process shares; each has its own.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')

/**
 * What puts a test into `system`: imports of tests and their support, reading `dist`, and imports of the program, whose
 * threads and processes run `dist`.
 */
const OUTSIDE = {
  test: /^import (?!type\b).*'(?:node:(?:child_process|worker_threads|net|http|https|tls|cluster)|undici|playwright-core)'|\bvi\.mock\(|packagePath\('dist\//m,
  src: /'node:(?:child_process|worker_threads)'/,
}

/** Texts that put a test into `apart`: mocked modules, and what the process has once. */
const SHARED_STATE = /\bvi\.(?:mock|stubEnv|resetModules)\(|\bprocess\.(?:chdir\(|env\[[^\]]+\] = |on\()/

/** Value imports of our own files. */
const OWN = /^(?:import|export)(?! type\b)[^;]*?\bfrom\s*'(\.[^']+)'/gm

export interface Projects {
  readonly unit: readonly string[]
  readonly system: readonly string[]
  readonly apart: readonly string[]
}

interface Source {
  readonly isOutside: boolean
  readonly isApart: boolean
  readonly imports: readonly string[]
}

export function listProjects(): Projects {
  const sources = new Map((['src', 'test'] as const).flatMap(sourcesIn))
  const tests = [...sources.keys()].filter((file) => file.endsWith('.test.ts')).toSorted()
  const isSystem = (file: string) =>
    [...reachedFrom(file, sources)].some((one) => sources.get(one)?.isOutside)
  const apart = tests.filter((file) => sources.get(file)?.isApart)
  const others = tests.filter((file) => !apart.includes(file))
  return { unit: others.filter((file) => !isSystem(file)), system: others.filter(isSystem), apart }
}

function sourcesIn(folder: 'src' | 'test'): (readonly [file: string, source: Source])[] {
  const names = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
  return names
    .filter((name) => name.endsWith('.ts'))
    .map((name) => {
      const file = join(folder, name)
      const text = readFileSync(join(ROOT, file), 'utf8')
      const imports = [...text.matchAll(OWN)].map(([, path = '']) => normalize(join(dirname(file), path)))
      return [
        file,
        { isOutside: OUTSIDE[folder].test(text), isApart: SHARED_STATE.test(text), imports },
      ] as const
    })
}

/** The file and its direct and indirect imports. */
function reachedFrom(file: string, sources: ReadonlyMap<string, Source>): Set<string> {
  const reached = new Set([file])
  for (const one of reached) {
    for (const to of sources.get(one)?.imports ?? []) if (sources.has(to)) reached.add(to)
  }
  return reached
}

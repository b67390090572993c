/**
 * Breaks down the time of one conversion: a profile of the unbundled program, with samples summed by the task of each
 * file.  [disk, process]
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { packagePath } from '../../src/package-root.ts'

/** Percent of one process' time by step. */
export function breakdown(args: readonly string[], env: NodeJS.ProcessEnv): Map<string, number> {
  const folder = mkdtempSync(join(tmpdir(), 'hla-profile-'))
  try {
    const main = pathToFileURL(packagePath('node_modules/.cache/program/cli/main.js')).href
    const script = `import { main } from ${JSON.stringify(main)}
await main(['node', 'hla', ...process.argv.slice(1)])`
    const profiled = ['--cpu-prof', '--cpu-prof-dir', folder, '--input-type=module', '-e', script, '--']
    const { status, stderr } = spawnSync(process.execPath, [...profiled, ...args], { env, encoding: 'utf8' })
    if (status !== 0) throw new Error(stderr)
    const [file = ''] = readdirSync(folder)
    return sharesOf(JSON.parse(readFileSync(join(folder, file), 'utf8')) as Profile) // written by V8
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** V8's profile; times in µs. */
interface Profile {
  readonly nodes: readonly {
    readonly id: number
    readonly callFrame: { readonly functionName: string; readonly url: string }
  }[]
  readonly samples: readonly number[]
  readonly timeDeltas: readonly number[]
}

function sharesOf({ nodes, samples, timeDeltas }: Profile): Map<string, number> {
  const steps = new Map(nodes.map(({ id, callFrame }) => [id, stepOf(callFrame.functionName, callFrame.url)]))
  const times = new Map<string, number>()
  let whole = 0
  for (const [at, id] of samples.entries()) {
    const [step = 'other', took = 0] = [steps.get(id), timeDeltas[at]]
    times.set(step, (times.get(step) ?? 0) + took)
    whole += took
  }
  return new Map(
    [...times].sort(([, one], [, other]) => other - one).map(([step, took]) => [step, (took / whole) * 100]),
  )
}

/** The first matching pattern decides; Node's native functions have no file. */
const STEPS: readonly (readonly [step: string, pattern: RegExp])[] = [
  ['read', /^(?:read|open|fstat)\w* $|internal\/fs\/read|fs\/streams/],
  ['write', /^(?:write|writeBuffer|writev|fsync|fdatasync)\w* $|cli\/io\//],
  [
    'parse',
    /fast\/(?:scan-row|input-bytes|typing-table|column-kinds|odd-row)|read-table|split-row|csv-parse/,
  ],
  ['format', /fast\/(?:compose-gl|put-row|output-bytes|fast-converter|fast-parts)|row-writer|output-columns/],
  ['reduce', /program\/(?:engine|nomenclature|reference|operations|table\/cells)\//],
  ['garbage collection', /^\(garbage collector\)/],
  ['waiting', /^\(idle\)/],
  ['starting, compiling, other', /^/],
]

function stepOf(name: string, url: string): string {
  return STEPS.find(([, pattern]) => pattern.test(`${name} ${url}`))?.[0] ?? 'other'
}
